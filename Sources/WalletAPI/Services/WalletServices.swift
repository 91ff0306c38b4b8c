import BillfoldConcurrency
public import BillfoldDiagnosis

/// The services that a super app has registered. One that it has not still answers: 1002, with a reason that names it.
public final class WalletServices: Sendable {
    /// The services by their names in the documents.
    public enum Name: String, Sendable, CaseIterable {
        case oauth = "OAuthService"
        case payment = "PaymentService"
        case code = "CodeService"
        case deepLink = "DeepLinkService"
        case member = "MemberService"

        /// The JSAPIs that need it (mini-programs.md#parties).
        public var jsapis: [String] {
            switch self {
            case .oauth: ["getAuthCode"]
            case .payment: ["tradePay"]
            case .code: ["scan"]
            case .deepLink: ["navigateToBizScene", "openURL"]
            case .member: ["getOpenUserInfo"]
            }
        }
    }

    private struct Registered {
        var oauth: IAPWalletOAuthServiceSignature?
        var payment: IAPWalletPaymentServiceSignature?
        var code: IAPWalletCodeServiceSignature?
        var deepLink: IAPWalletDeeplinkServiceSignature?
        var member: IAPWalletMemberServiceSignature?
    }

    private let registered = Locked(Registered())

    public init(
        oauth: IAPWalletOAuthServiceSignature? = nil, payment: IAPWalletPaymentServiceSignature? = nil,
        code: IAPWalletCodeServiceSignature? = nil, deepLink: IAPWalletDeeplinkServiceSignature? = nil,
        member: IAPWalletMemberServiceSignature? = nil
    ) {
        registered.withLock { $0 = Registered(oauth: oauth, payment: payment, code: code, deepLink: deepLink, member: member) }
    }

    /// Takes the place of one that was there.
    public func register(_ service: IAPWalletOAuthServiceSignature) { registered.withLock { $0.oauth = service } }
    /// Takes the place of one that was there.
    public func register(_ service: IAPWalletPaymentServiceSignature) { registered.withLock { $0.payment = service } }
    /// Takes the place of one that was there.
    public func register(_ service: IAPWalletCodeServiceSignature) { registered.withLock { $0.code = service } }
    /// Takes the place of one that was there.
    public func register(_ service: IAPWalletDeeplinkServiceSignature) { registered.withLock { $0.deepLink = service } }
    /// Takes the place of one that was there.
    public func register(_ service: IAPWalletMemberServiceSignature) { registered.withLock { $0.member = service } }

    public var oauth: IAPWalletOAuthServiceSignature { registered.withLock { $0.oauth } ?? NoOAuthService() }
    public var payment: IAPWalletPaymentServiceSignature { registered.withLock { $0.payment } ?? NoPaymentService() }
    public var code: IAPWalletCodeServiceSignature { registered.withLock { $0.code } ?? NoCodeService() }
    public var deepLink: IAPWalletDeeplinkServiceSignature { registered.withLock { $0.deepLink } ?? NoDeepLinkService() }
    public var member: IAPWalletMemberServiceSignature { registered.withLock { $0.member } ?? NoMemberService() }

    /// Whether the super app registered one of its own. Where not, calls are answered 1002.
    public func isRegistered(_ name: Name) -> Bool {
        registered.withLock { registered in
            switch name {
            case .oauth: registered.oauth != nil
            case .payment: registered.payment != nil
            case .code: registered.code != nil
            case .deepLink: registered.deepLink != nil
            case .member: registered.member != nil
            }
        }
    }

    /// What a super app forgot to register: a finding for each. All five are taken as mandatory (mini-programs.md#parties [I]).
    public var findings: [Finding] {
        Name.allCases.filter { !isRegistered($0) }.map { name in
            Finding(
                code: "wallet-api.service-unregistered", subject: name.rawValue, cause: "\(name.rawValue) is not registered.",
                evidence: [.init("JSAPIs that cannot work", name.jsapis.joined(separator: ", "))],
                mend: "Subclass the service's signature and register it before a mini program is opened.")
        }
    }

    static func reason(_ name: Name) -> String { "\(name.rawValue) is not registered" }
}

private final class NoOAuthService: IAPWalletOAuthServiceSignature, @unchecked Sendable {  // Holds nothing.
    override func getAuthCode(
        clientId: String, scopes: Set<String>, type: IAPWalletOAuthCodeFlowType = .standard, extendedInfo: [String: String] = [:],
        in context: IAPWalletAPIContext? = nil, callback: @escaping @Sendable (IAPWalletOAuthResult) -> Void
    ) { callback(IAPWalletOAuthResult().failing(.appServiceError, WalletServices.reason(.oauth))) }

    override func showAuthPage(
        clientId: String, name: String, logo: String, scopes: Set<String>, extendedInfo: [String: String]? = [:],
        in context: IAPWalletAPIContext? = nil, callback: @escaping @Sendable (IAPWalletAuthPageConfirmResult) -> Void
    ) { callback(IAPWalletAuthPageConfirmResult().failing(.appServiceError, WalletServices.reason(.oauth))) }

    override func getAuthorizedScopes(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String] = [:],
        callback: @escaping @Sendable (IAPWalletOAuthScopeQueryResult) -> Void
    ) { callback(IAPWalletOAuthScopeQueryResult().failing(.appServiceError, WalletServices.reason(.oauth))) }

    override func revokeAuthorization(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String] = [:],
        callback: @escaping @Sendable (IAPWalletBaseServiceResult) -> Void
    ) { callback(IAPWalletBaseServiceResult().failing(.appServiceError, WalletServices.reason(.oauth))) }
}

private final class NoPaymentService: IAPWalletPaymentServiceSignature, @unchecked Sendable {  // Holds nothing.
    override func pay(
        with request: IAPWalletPaymentRequest, in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletPaymentResult) -> Void
    ) { callback(IAPWalletPaymentResult().failing(.appServiceError, WalletServices.reason(.payment))) }
}

private final class NoCodeService: IAPWalletCodeServiceSignature, @unchecked Sendable {  // Holds nothing.
    override func scan(
        with option: IAPWalletScannerOption, in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletScannerResult) -> Void
    ) { callback(IAPWalletScannerResult().failing(.appServiceError, WalletServices.reason(.code))) }
}

private final class NoDeepLinkService: IAPWalletDeeplinkServiceSignature, @unchecked Sendable {  // Holds nothing.
    override func open(
        bizSceneCode: String, with param: [String: String] = [:], in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletBaseServiceResult) -> Void
    ) {
        let scene = WalletScene.shown(bizSceneCode)
        callback(IAPWalletBaseServiceResult().failing(.appServiceError, "scene \(scene): \(WalletServices.reason(.deepLink))"))
    }
}

private final class NoMemberService: IAPWalletMemberServiceSignature, @unchecked Sendable {  // Holds nothing.
    override func getMemberInfo(
        strategy: IAPWalletMemberInfoFetchStrategy, scope: IAPWalletMemberInfoScope? = nil, in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletMemberInfoFetchResult) -> Void
    ) { callback(IAPWalletMemberInfoFetchResult().failing(.appServiceError, WalletServices.reason(.member))) }
}
