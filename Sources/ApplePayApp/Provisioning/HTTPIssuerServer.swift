public import BillfoldDiagnosis
import Foundation

/// The issuer's host over HTTP; whatever client the app has carries the requests.
public struct HTTPIssuerServer: IssuerServer {
    private let exchange: HTTPExchange
    private let session: Secret<String>

    /// `session` is the token of the app session that the bank's back end opened for the customer who is logged in.
    /// `send` throws when no answer came; every status is an answer.
    public init(session: Secret<String>, send: @escaping @Sendable (HTTPQuestion) async throws -> HTTPAnswer) {
        exchange = HTTPExchange(send: send, server: "the issuer's host", undecided: [408, 425, 429])
        self.session = session
    }

    public func cards() async throws(ApplePayAppError) -> [IssuerCard] {
        struct Body: Decodable { var cards: [IssuerCard] }
        return try Wire.decode(Body.self, from: try await ask("GET", "cards")).cards
    }

    public func eligibility(card: IssuerCard.ID) async throws(ApplePayAppError) -> IssuerEligibility {
        struct Body: Decodable {
            var enabled: Bool
            var code: String?
            var reason: String?
        }
        let body = try Wire.decode(Body.self, from: try await ask("GET", path(card, "eligibility")))
        return body.enabled ? .enabled : .disabled(code: body.code ?? "disabled", reason: body.reason ?? "")
    }

    public func configuration(card: IssuerCard.ID) async throws(ApplePayAppError) -> PassConfiguration {
        try Wire.decode(PassConfiguration.self, from: try await ask("GET", path(card, "configuration")))
    }

    public func passData(card: IssuerCard.ID, for challenge: PassChallenge) async throws(ApplePayAppError) -> IssuerPassData {
        struct Body: Encodable {
            var certificates: [Data]
            var nonce: Data
            var nonceSignature: Data
            var encoding = "base64"
        }
        let body = try HTTPExchange.body(
            Body(certificates: challenge.certificates, nonce: challenge.nonce, nonceSignature: challenge.nonceSignature))
        return try Wire.decode(Answer.self, from: try await ask("POST", path(card, "pass-data"), body: body)).passData()
    }

    public func activate(card: IssuerCard.ID, tokenReference: String) async throws(ApplePayAppError) {
        struct Body: Encodable { var tokenReference: String }
        _ = try await ask("POST", path(card, "activations"), body: try HTTPExchange.body(Body(tokenReference: tokenReference)))
    }

    private func path(_ card: IssuerCard.ID, _ tail: String) -> String { "cards/\(HTTPExchange.segment(card))/\(tail)" }

    private func ask(_ method: String, _ tail: String, body: Data? = nil) async throws(ApplePayAppError) -> Data {
        try await exchange(method, "/provisioning/v1/\(tail)", bearer: session, body: body)
    }

    /// The pass data in base64, which is transport only: the wallet wants the bytes.
    private struct Answer: Decodable {
        var encryptedPassData: Data
        var activationData: Data?
        var ephemeralPublicKey: Data?
        var wrappedKey: Data?

        func passData() throws(ApplePayAppError) -> IssuerPassData {
            let key: IssuerPassData.Key
            switch (ephemeralPublicKey, wrappedKey) {
            case (let point?, nil): key = .ephemeralPublicKey(point)
            case (nil, let wrapped?): key = .wrappedKey(wrapped)
            default: throw ApplePayAppError(code: .answerMalformed, reason: "one of ephemeralPublicKey and wrappedKey is expected")
            }
            let activation = activationData.flatMap { $0.isEmpty ? nil : $0 }
            return IssuerPassData(encryptedPassData: encryptedPassData, activationData: activation, key: key)
        }
    }
}
