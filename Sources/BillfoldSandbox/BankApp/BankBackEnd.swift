import ApplePayApp
package import BillfoldDiagnosis
import BillfoldJSON
import Foundation

/// The bank's own server behind its app: it knows who logged in, and vouches for him at the issuer's host.
package protocol BankBackEnd: Sendable {
    /// Begins the app's session for a customer on a device. The token is the app's; it lives for a quarter of an hour.
    func openSession(customer: String, device: String) async throws -> BankSession
}

/// The app's session at the issuer's host.
package struct BankSession: Sendable {
    package var id: String
    package var token: Secret<String>

    package init(id: String, token: Secret<String>) {
        self.id = id
        self.token = token
    }
}

/// The bank's server, played on this machine: it holds the bank's key at the issuer's host, which the app never sees.
package struct HTTPBankBackEnd: BankBackEnd {
    private let issuer: any MerchantConnection
    private let key: Secret<String>

    /// - Parameters:
    ///   - issuer: Leads to the issuer's host.
    ///   - key: The bank's API key there.
    package init(issuer: any MerchantConnection, key: Secret<String>) {
        self.issuer = issuer
        self.key = key
    }

    private struct Wish: Encodable {
        var customer: String
        var device: String
    }

    private struct Answer: Decodable {
        var session: String
        var token: String
    }

    package func openSession(customer: String, device: String) async throws -> BankSession {
        let answer = try await issuer.send(
            HTTPQuestion(
                method: "POST", path: "/provisioning/v1/sessions",
                headers: [("Authorization", "Bearer \(key.reveal())"), ("Content-Type", "application/json")],
                body: Data(JSONDocument.encode(Wish(customer: customer, device: device)))))
        guard answer.status == 201, let made = try? JSONDecoder().decode(Answer.self, from: answer.body) else {
            let why = PartyRefusal(answer).map { ": \($0.reason)" } ?? ""
            throw SandboxRefusal(code: "log-in-refused", reason: "the bank's server could not log you in\(why)", status: 502)
        }
        return BankSession(id: made.session, token: Secret(made.token))
    }
}
