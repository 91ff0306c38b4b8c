import IAPWalletContext
import UIKit

/// Stands for the super app's own network layer.
final class AuthServer: @unchecked Sendable {
    static let shared = AuthServer()

    var silentScopes: Set<String> = [IAPWalletOAuthServiceSignature.SCOPE_AUTH_BASE]
    var isReachable = true
    var agreementId: String?
    var issued = 0

    func queryAuthInfo(clientId: String, scopes: Set<String>, completion: (_ silent: Bool) -> Void) {
        completion(scopes.isSubset(of: silentScopes))
    }

    func applyAuthCode(clientId: String, scopes: Set<String>, completion: (_ authCode: String?, _ granted: [String]) -> Void) {
        guard isReachable else { return completion(nil, []) }
        issued += 1
        completion("code-\(issued)", scopes.sorted())
    }
}

/// Scopes that a user agreed to, by user and mini program.
final class ScopeCache: @unchecked Sendable {
    static let shared = ScopeCache()
    private var scopes: [String: Set<String>] = [:]

    private func key(_ userId: String, _ appId: String) -> String { "MPS_scope_\(userId)_\(appId)" }

    func cached(userId: String, appId: String) -> Set<String> { scopes[key(userId, appId)] ?? [] }

    func add(_ new: Set<String>, userId: String, appId: String) {
        scopes[key(userId, appId)] = cached(userId: userId, appId: appId).union(new)
    }

    func clear() { scopes = [:] }
}

final class OAuthService: IAPWalletOAuthServiceSignature {
    public static let ERROR_CODE_AUTH_PENDING_AGREEMENT = "2001"
    public static let ERROR_CODE_UNKNOWN_ERROR = 1000
    public static let SCOPE_USER_NAME = "USER_NAME"

    private let userId = "user-1"

    override func getAuthCode(
        clientId: String,
        scopes: Set<String>,
        type: IAPWalletOAuthCodeFlowType = .standard,
        extendedInfo: [String: String] = [:],
        in context: IAPWalletAPIContext? = nil,
        callback: @escaping (IAPWalletOAuthResult) -> Void
    ) {
        let known = ScopeCache.shared.cached(userId: userId, appId: context?.appId ?? clientId)
        AuthServer.shared.queryAuthInfo(clientId: clientId, scopes: scopes.subtracting(known)) { silent in
            guard silent else {
                let result = IAPWalletOAuthResult()
                result.error.code = OAuthService.ERROR_CODE_AUTH_PENDING_AGREEMENT
                result.error.localizedDescription = "the user has to agree first"
                callback(result)
                return
            }
            AuthServer.shared.applyAuthCode(clientId: clientId, scopes: scopes) { authCode, granted in
                if let authCode = authCode {
                    let result = IAPWalletOAuthResult(
                        authCode: authCode, authState: nil, authErrorScopes: [:], authSuccessScopes: granted, authRedirectUrl: nil)
                    callback(result)
                } else {
                    let result = IAPWalletOAuthResult()
                    result.error = NSError(domain: "OAuthService", code: OAuthService.ERROR_CODE_UNKNOWN_ERROR, userInfo: nil)
                    callback(result)
                }
            }
        }
    }

    override func showAuthPage(
        clientId: String,
        name: String,
        logo: String,
        scopes: Set<String>,
        extendedInfo: [String: String]? = [:],
        in context: IAPWalletAPIContext? = nil,
        callback: @escaping (IAPWalletAuthPageConfirmResult) -> Void
    ) {
        let userId = self.userId
        let alert = UIAlertController(
            title: name, message: scopes.sorted().joined(separator: "\n"), preferredStyle: .alert)
        alert.addAction(
            UIAlertAction(title: "Agree", style: .default) { _ in
                ScopeCache.shared.add(scopes, userId: userId, appId: context?.appId ?? clientId)
                if let id = AuthServer.shared.agreementId {
                    callback(IAPWalletAuthPageConfirmResult(id))
                } else {
                    callback(IAPWalletAuthPageConfirmResult())
                }
            })
        alert.addAction(
            UIAlertAction(title: "Refuse", style: .cancel) { _ in
                let result = IAPWalletAuthPageConfirmResult()
                result.error = NSError(
                    domain: "OAuthService", code: IAPWalletOAuthServiceSignature.ERROR_CODE_USER_CANCEL,
                    userInfo: [NSLocalizedDescriptionKey: "the user refused"])
                callback(result)
            })
        UIApplication.shared.keyWindow?.rootViewController?.present(alert, animated: true, completion: nil)
    }

    override func getAuthorizedScopes(
        userId: String,
        clientId: String,
        appId: String,
        extendedInfo: [String: String] = [:],
        callback: @escaping (IAPWalletOAuthScopeQueryResult) -> Void
    ) {
        let scopes = ScopeCache.shared.cached(userId: userId, appId: appId)
        callback(IAPWalletOAuthScopeQueryResult(authorizedScopes: scopes.sorted()))
    }
}
