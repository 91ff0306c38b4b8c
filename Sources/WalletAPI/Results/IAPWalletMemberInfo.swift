import BillfoldConcurrency
public import Foundation

/// From where a member's data may come (mini-programs.md#memberservice [D]).
#if canImport(ObjectiveC)
    @objc
#endif
public enum IAPWalletMemberInfoFetchStrategy: Int, Sendable, CaseIterable {
    /// The user's id alone, from the app's memory: it parts the storage of one user from another's.
    case localUserIdOnly
    /// What the app remembers. Older.
    case localCached
    /// What the server knows now: `getOpenUserInfo` needs it.
    case remoteFetch
}

/// Which data are wanted. Its members are not public; the names of scopes are used [I].
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPWalletMemberInfoScope: NSObject, Sendable {
    public let scopes: [String]

    public init(scopes: [String] = []) { self.scopes = scopes }
}

/// What a super app tells of its user (mini-programs.md#memberservice [D]). Only ``userId`` is required.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPWalletMemberInfo: NSObject, Sendable {
    private struct Person {
        var userId: String?
        var avatar: String?
        var nickName: String?
        var gender: String?
        var countryCode: String?
        var province: String?
        var city: String?
        var extendedInfo: [String: String] = [:]
    }

    private let person = Locked(Person())

    public override init() { super.init() }

    public convenience init(userId: String) {
        self.init()
        self.userId = userId
    }

    /// The super app's own id. It parts storage, and no mini program sees it.
    public var userId: String? {
        get { person.withLock { $0.userId } }
        set { person.withLock { $0.userId = newValue } }
    }

    /// A picture's address.
    public var avatar: String? {
        get { person.withLock { $0.avatar } }
        set { person.withLock { $0.avatar = newValue } }
    }

    public var nickName: String? {
        get { person.withLock { $0.nickName } }
        set { person.withLock { $0.nickName = newValue } }
    }

    public var gender: String? {
        get { person.withLock { $0.gender } }
        set { person.withLock { $0.gender = newValue } }
    }

    public var countryCode: String? {
        get { person.withLock { $0.countryCode } }
        set { person.withLock { $0.countryCode = newValue } }
    }

    public var province: String? {
        get { person.withLock { $0.province } }
        set { person.withLock { $0.province = newValue } }
    }

    public var city: String? {
        get { person.withLock { $0.city } }
        set { person.withLock { $0.city = newValue } }
    }

    public var extendedInfo: [String: String] {
        get { person.withLock { $0.extendedInfo } }
        set { person.withLock { $0.extendedInfo = newValue } }
    }

    /// Shows nothing of the person.
    public override var description: String { "member data" }
}

/// What the member service answers.
#if canImport(ObjectiveC)
    @objcMembers
#endif
// Unchecked only because its superclass is: its state lies behind a lock.
public final class IAPWalletMemberInfoFetchResult: IAPWalletBaseServiceResult, @unchecked Sendable {
    private let info = Locked<IAPWalletMemberInfo?>(nil)

    /// Makes a result that the service fills afterwards.
    public override init() { super.init() }

    /// Makes a result with a person's data.
    public convenience init(memberInfo: IAPWalletMemberInfo?) {
        self.init()
        self.memberInfo = memberInfo
    }

    /// Makes a result with a person's data, without a label.
    public convenience init(_ memberInfo: IAPWalletMemberInfo?) { self.init(memberInfo: memberInfo) }

    /// The person's data; nil on an error.
    public var memberInfo: IAPWalletMemberInfo? {
        get { info.withLock { $0 } }
        set { info.withLock { $0 = newValue } }
    }
}
