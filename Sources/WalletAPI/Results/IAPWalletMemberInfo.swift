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

/// Which data are wanted, and for which mini program. Its members are those that Android has [O].
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPWalletMemberInfoScope: NSObject, Sendable {
    /// The mini program for which is asked; empty where it is in the context alone.
    public let appId: String
    /// Scopes by their documented names.
    public let scopes: [String]
    /// For later use.
    public let extendedInfo: [String: String]

    /// - Parameters:
    ///   - appId: The mini program for which is asked.
    ///   - scopes: What is wanted of the person.
    ///   - extendedInfo: For later use.
    public init(appId: String = "", scopes: [String] = [], extendedInfo: [String: String] = [:]) {
        self.appId = appId
        self.scopes = scopes
        self.extendedInfo = extendedInfo
    }
}

/// What a super app tells of its user (mini-programs.md#memberservice [D]). Only ``userId`` is required.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPWalletMemberInfo: NSObject, Sendable {
    private struct Person {
        var userId: String?
        var sessionId: String?
        var loginId: String?
        var loginIdType: String?
        var userName: String?
        var birthday: String?
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

    /// The super app's session of the user. Secret: no mini program sees it. A member of Android's class [O].
    public var sessionId: String? {
        get { person.withLock { $0.sessionId } }
        set { person.withLock { $0.sessionId = newValue } }
    }

    /// What the user signs in with. No mini program sees it without a scope of its own. A member of Android's class [O].
    public var loginId: String? {
        get { person.withLock { $0.loginId } }
        set { person.withLock { $0.loginId = newValue } }
    }

    /// Which kind of login ``loginId`` is, in the super app's own words. A member of Android's class [O].
    public var loginIdType: String? {
        get { person.withLock { $0.loginIdType } }
        set { person.withLock { $0.loginIdType = newValue } }
    }

    /// The user's name, which may be the real one: `getOpenUserInfo` gives ``nickName`` alone. A member of Android's class [O].
    public var userName: String? {
        get { person.withLock { $0.userName } }
        set { person.withLock { $0.userName = newValue } }
    }

    /// The date of birth, in the super app's own form. A member of Android's class [O].
    public var birthday: String? {
        get { person.withLock { $0.birthday } }
        set { person.withLock { $0.birthday = newValue } }
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
