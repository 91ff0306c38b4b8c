import BillfoldStorage
package import MiniPrograms

/// The super app's own calls for a user whom the same process knows, such as a phone whose session runs on this server.
///
/// Over HTTP they take the user's session at the wallet.
package struct SuperAppCalls: Sendable {
    let context: WalletContext
    let authorizations: SuperAppAuthorizationService

    /// Issues a code, or says which scopes the user must agree to first. A refusal is the answer's result. Throws `account-not-found`.
    ///
    /// - Parameter user: A user's number.
    package func applyAuthCode(_ request: ApplyAuthCodeRequest, user: String) async throws -> ApplyAuthCodeAnswer {
        do {
            return try await authorizations.applyAuthCode(request, by: account(user))
        } catch let refusal as OpenAPIRefusal {
            return ApplyAuthCodeAnswer(result: refusal.result)
        }
    }

    /// Stores that the user agreed to scopes on the page, and returns the agreement's id. Throws `agreement-refused` or `account-not-found`.
    package func agree(to scopes: Set<String>, appID: String, authClientID: String, user: String) async throws -> String {
        do {
            return try await authorizations.agree(to: scopes, appID: appID, clientID: authClientID, by: account(user)).description
        } catch let refusal as OpenAPIRefusal {
            throw WalletError(refusing: refusal)
        }
    }

    /// What the user has agreed to with a mini program. Throws `account-not-found`.
    package func agreedScopes(appID: String, user: String) async throws -> Set<String> {
        try await authorizations.agreements(of: account(user), appID: appID)[appID] ?? []
    }

    /// Takes the user's agreements with a mini program back; codes and tokens under them end. Throws `account-not-found`.
    package func withdraw(appID: String, user: String) async throws {
        try await authorizations.withdraw(appID: appID, by: account(user).id)
    }

    private func account(_ number: String) async throws -> WalletAccount {
        let found = try await context.database.lookup { try AccountRecords.find(number: number, in: $0) }
        guard let found, found.state == .active else { throw WalletError(code: .accountNotFound, reason: "there is no such account") }
        return found
    }
}
