import IAPWalletContext
import UIKit

// A newer app: an actor for the server, tasks, sendable callbacks, and the restated conformance that the compiler asks for.

actor WalletBackend {
    private var agreed: Set<String> = []
    private var failures: [String: Int] = [:]

    func fail(_ call: String, with code: Int) { failures[call] = code }

    func scopes() -> Set<String> { agreed }
    func agree(to scopes: Set<String>) { agreed.formUnion(scopes) }

    func authCode(for scopes: Set<String>) throws -> String {
        if let code = failures["authCode"] { throw NSError(domain: "WalletBackend", code: code) }
        return "modern-\(scopes.count)"
    }

    func profile() throws -> (id: String, name: String) {
        if let code = failures["profile"] { throw NSError(domain: "WalletBackend", code: code) }
        return ("user-9", "Grace")
    }
}

extension IAPWalletBaseServiceResult {
    func with(_ error: Error) -> Self {
        self.error = error as NSError
        return self
    }
}

final class ModernOAuthService: IAPWalletOAuthServiceSignature, @unchecked Sendable {
    private let backend: WalletBackend
    private let ask: @MainActor @Sendable (String, [String]) async -> Bool

    init(backend: WalletBackend, ask: @escaping @MainActor @Sendable (String, [String]) async -> Bool) {
        self.backend = backend
        self.ask = ask
        super.init()
    }

    override func getAuthCode(
        clientId: String, scopes: Set<String>, type: IAPWalletOAuthCodeFlowType, extendedInfo: [String: String],
        in context: IAPWalletAPIContext?, callback: @escaping @Sendable (IAPWalletOAuthResult) -> Void
    ) {
        Task { [backend] in
            guard await scopes.isSubset(of: backend.scopes().union([Self.SCOPE_AUTH_BASE])) else {
                let result = IAPWalletOAuthResult()
                result.error.code = Self.ERROR_CODE_AUTH_PENDING_AGREEMENT
                return callback(result)
            }
            do {
                let code = try await backend.authCode(for: scopes)
                callback(IAPWalletOAuthResult(authCode: code, authSuccessScopes: scopes.sorted()))
            } catch {
                callback(IAPWalletOAuthResult().with(error))
            }
        }
    }

    override func showAuthPage(
        clientId: String, name: String, logo: String, scopes: Set<String>, extendedInfo: [String: String]?,
        in context: IAPWalletAPIContext?, callback: @escaping @Sendable (IAPWalletAuthPageConfirmResult) -> Void
    ) {
        Task { [backend, ask] in
            if await ask(name, scopes.sorted()) {
                await backend.agree(to: scopes)
                callback(IAPWalletAuthPageConfirmResult(referenceAgreementId: "modern-agreement"))
            } else {
                let result = IAPWalletAuthPageConfirmResult()
                result.error.code = Self.ERROR_CODE_USER_CANCEL
                callback(result)
            }
        }
    }

    override func getAuthorizedScopes(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String],
        callback: @escaping @Sendable (IAPWalletOAuthScopeQueryResult) -> Void
    ) {
        Task { [backend] in callback(IAPWalletOAuthScopeQueryResult(await backend.scopes().sorted())) }
    }
}

final class ModernDeeplinkService: IAPWalletDeeplinkServiceSignature, @unchecked Sendable {
    enum Page: String {
        case payCode = "QR_PAY"
        case topUp = "TOP_UP"
    }

    private let show: @MainActor @Sendable (Page) -> Bool

    init(show: @escaping @MainActor @Sendable (Page) -> Bool) {
        self.show = show
        super.init()
    }

    override func open(scheme: URL, in context: IAPWalletAPIContext?) -> Bool {
        guard scheme.scheme == "modernwallet", let page = Page(rawValue: scheme.host ?? "") else { return false }
        return show(page)
    }

    override func open(
        bizSceneCode: String, with param: [String: String], in context: IAPWalletAPIContext?,
        callback: @escaping @Sendable (IAPWalletBaseServiceResult) -> Void
    ) {
        let result = IAPWalletBaseServiceResult()
        if let page = Page(rawValue: bizSceneCode) {
            if !show(page) { result.error.code = Self.ERROR_CODE_APP_SERVICE_ERROR }
            return callback(result)
        }
        guard bizSceneCode == Self.SCENE_WEB_PAGE, let url = param["url"].flatMap(URL.init(string:)) else {
            result.error = NSError(
                domain: "ModernWallet", code: Self.ERROR_CODE_APP_SERVICE_ERROR,
                userInfo: [NSLocalizedDescriptionKey: "no page for \(bizSceneCode)"])
            return callback(result)
        }
        UIApplication.shared.open(url, options: [.universalLinksOnly: true]) { isOpened in
            result.extendedInfo["opened"] = isOpened ? "true" : "false"
            callback(result)
        }
    }
}

final class ModernMemberService: IAPWalletMemberServiceSignature, @unchecked Sendable {
    private let backend: WalletBackend

    init(backend: WalletBackend) {
        self.backend = backend
        super.init()
    }

    override func getMemberInfo(
        strategy: IAPWalletMemberInfoFetchStrategy, scope: IAPWalletMemberInfoScope?, in context: IAPWalletAPIContext?,
        callback: @escaping @Sendable (IAPWalletMemberInfoFetchResult) -> Void
    ) {
        guard strategy == .remoteFetch else {
            return callback(IAPWalletMemberInfoFetchResult(memberInfo: IAPWalletMemberInfo(userId: "user-9")))
        }
        Task { [backend] in
            do {
                let profile = try await backend.profile()
                let info = IAPWalletMemberInfo(userId: profile.id)
                info.nickName = profile.name
                callback(IAPWalletMemberInfoFetchResult(info))
            } catch {
                callback(IAPWalletMemberInfoFetchResult().with(error))
            }
        }
    }
}

final class ModernCodeService: IAPWalletCodeServiceSignature, @unchecked Sendable {
    private let camera: AsyncStream<String>

    init(camera: AsyncStream<String>) {
        self.camera = camera
        super.init()
    }

    override func scan(
        with option: IAPWalletScannerOption, in context: IAPWalletAPIContext?,
        callback: @escaping @Sendable (IAPWalletScannerResult) -> Void
    ) {
        Task { [camera] in
            for await text in camera { return callback(IAPWalletScannerResult(text)) }
            let result = IAPWalletScannerResult()
            result.error.code = Self.ERROR_CODE_USER_CANCEL
            callback(result)
        }
    }
}
