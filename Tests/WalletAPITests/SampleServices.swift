import Foundation
import IAPWalletContext
import Synchronization

// The documented sample implementations (mini-programs.md#wallet-api), in our own words: written against the published names, with
// `override` and callbacks, as a super app's engineer would port them.

/// A super app's server, scripted.
final class SampleServer: Sendable {
    struct State {
        var silent: Set<String> = ["auth_base"]
        var isUp = true
        var codes = 0
        var agreementID: String?
        var refusedScopes: [String: String] = [:]
    }

    let state = Mutex(State())

    func set(_ change: @Sendable (inout State) -> Void) { state.withLock { change(&$0) } }

    func silentScopes() -> Set<String> { state.withLock { $0.silent } }

    func applyAuthCode(_ scopes: Set<String>, completion: (_ code: String?, _ granted: [String], _ refused: [String: String]) -> Void) {
        let (code, refused) = state.withLock { state -> (String?, [String: String]) in
            guard state.isUp else { return (nil, [:]) }
            state.codes += 1
            return ("code-\(state.codes)", state.refusedScopes)
        }
        completion(code, scopes.subtracting(refused.keys).sorted(), refused)
    }
}

/// What the person does on the page, and what was shown.
final class SamplePage: Sendable {
    let agrees = Mutex(true)
    let shown = Mutex<[Set<String>]>([])

    func present(_ scopes: Set<String>, completion: (Bool) -> Void) {
        shown.withLock { $0.append(scopes) }
        completion(agrees.withLock { $0 })
    }
}

/// The sample with a scope cache by user and mini program.
final class SampleOAuthService: IAPWalletOAuthServiceSignature, @unchecked Sendable {  // State lies behind locks.
    let server = SampleServer()
    let page = SamplePage()
    let cached = Mutex<[String: Set<String>]>([:])
    /// The published slip: forgetting step 13.
    let forgets = Mutex(false)
    let userId = "u1"

    private func key(_ appId: String) -> String { "MPS_scope_\(userId)_\(appId)" }

    override func getAuthCode(
        clientId: String, scopes: Set<String>, type: IAPWalletOAuthCodeFlowType = .standard, extendedInfo: [String: String] = [:],
        in context: IAPWalletAPIContext? = nil, callback: @escaping (IAPWalletOAuthResult) -> Void
    ) {
        let known = cached.withLock { $0[key(context?.appId ?? "")] ?? [] }
        guard scopes.isSubset(of: known.union(server.silentScopes())) else {
            let result = IAPWalletOAuthResult()
            result.error.code = "2001"
            callback(result)
            return
        }
        server.applyAuthCode(scopes) { code, granted, refused in
            let result = IAPWalletOAuthResult()
            if let code {
                result.authCode = code
                result.authSuccessScopes = granted
                result.authErrorScopes = refused
            } else {
                result.error.code = "1000"
            }
            callback(result)
        }
    }

    override func showAuthPage(
        clientId: String, name: String, logo: String, scopes: Set<String>, extendedInfo: [String: String]? = [:],
        in context: IAPWalletAPIContext? = nil, callback: @escaping (IAPWalletAuthPageConfirmResult) -> Void
    ) {
        page.present(scopes) { agreed in
            guard agreed else {
                let result = IAPWalletAuthPageConfirmResult()
                result.error = NSError(domain: "sample", code: 1001, userInfo: nil)
                callback(result)
                return
            }
            if !forgets.withLock({ $0 }) { cached.withLock { $0[key(context?.appId ?? ""), default: []].formUnion(scopes) } }
            if let id = server.state.withLock({ $0.agreementID }) {
                callback(IAPWalletAuthPageConfirmResult(id))
            } else {
                callback(IAPWalletAuthPageConfirmResult())
            }
        }
    }

    override func getAuthorizedScopes(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String] = [:],
        callback: @escaping (IAPWalletOAuthScopeQueryResult) -> Void
    ) {
        callback(IAPWalletOAuthScopeQueryResult(authorizedScopes: cached.withLock { $0["MPS_scope_\(userId)_\(appId)"] ?? [] }.sorted()))
    }
}

/// The scanner sample: the person leaves, a picture holds nothing, or a code is read.
final class SampleCodeService: IAPWalletCodeServiceSignature, @unchecked Sendable {  // State lies behind a lock.
    enum Scanned: Sendable {
        case code(String)
        case left, nothing
    }
    let next = Mutex(Scanned.left)
    let albumOffered = Mutex<Bool?>(nil)

    override func scan(
        with option: IAPWalletScannerOption, in context: IAPWalletAPIContext? = nil, callback: @escaping (IAPWalletScannerResult) -> Void
    ) {
        albumOffered.withLock { $0 = !option.hideAlbum }
        let result = IAPWalletScannerResult()
        switch next.withLock({ $0 }) {
        case .code(let text): result.code = text
        case .left: result.error = NSError(domain: "sample", code: 1001)
        case .nothing: result.error = NSError(domain: "sample", code: 1000)
        }
        callback(result)
    }
}

/// The deep-link sample. Like the published one it drops scenes that it does not know.
final class SampleDeepLinkService: IAPWalletDeeplinkServiceSignature, @unchecked Sendable {  // State lies behind a lock.
    let opened = Mutex<[String]>([])

    override func open(scheme: URL, in context: IAPWalletAPIContext? = nil) -> Bool {
        guard scheme.scheme == "samplewallet" else { return false }
        opened.withLock { $0.append(scheme.absoluteString) }
        return true
    }

    override func open(
        bizSceneCode: String, with param: [String: String] = [:], in context: IAPWalletAPIContext? = nil,
        callback: @escaping (IAPWalletBaseServiceResult) -> Void
    ) {
        let result = IAPWalletBaseServiceResult()
        switch bizSceneCode {
        case SCENE_WEB_PAGE:
            guard let url = param["url"] else { return callback(result.failing(.appServiceError, "no url")) }
            opened.withLock { $0.append(url) }
            callback(result)
        case SCENE_SCAN:
            result.extendedInfo = ["code": "scanned"]
            callback(result)
        case SCENE_QR_PAY, SCENE_BIND_CARD, SCENE_TOP_UP, SCENE_DEEPLINK_SCHEME:
            opened.withLock { $0.append(bizSceneCode) }
            callback(result)
        default: break
        }
    }
}
