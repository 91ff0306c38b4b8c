import ApplePay
import BillfoldJSON
import BillfoldServer
import HTTPTypes
import Hummingbird

/// The two calls of the documented integration, in the form in which banks' apps make them (provisioning.md#the-documented-calls).
///
/// They are the same operations as `configuration` and `pass-data` of ``AppRoutes``: the same sessions, switches, limits and records.
struct DocumentedCalls: Sendable {
    let cards: CustomerCards
    let passData: PassDataService

    /// What the app fills its configuration with; the scheme is not among it.
    struct Configuration: Encodable {
        struct Value: Encodable {
            var cardHolderName: String
            /// PassKit's own word, such as `Visa`.
            var paymentNetwork: String
            var primaryAccountNumberSuffix: String
            /// Empty before the card's first token.
            var primaryAccountIdentifier: String
            var localizedDescription: String
        }

        var value: Value
    }

    func configuration(_ body: [UInt8], _ session: AppSession) async throws -> Response {
        let name = try RequestReader(body, allowing: ["cardNumber"]).text("cardNumber", maximum: 64)
        let made = try await cards.configuration(try await cards.id(of: name, session), session)
        try Self.requireFit(made.encryptionScheme)
        return try JSONAnswer.make(
            Configuration(
                value: .init(
                    cardHolderName: made.cardholderName, paymentNetwork: made.paymentNetwork,
                    primaryAccountNumberSuffix: made.primaryAccountSuffix, primaryAccountIdentifier: made.primaryAccountIdentifier,
                    localizedDescription: made.localizedDescription)))
    }

    func passData(_ body: [UInt8], _ session: AppSession, about: [String: String]) async throws -> Response {
        let reader = try RequestReader(body, allowing: ["cardNumber", "certificates", "nonce", "nonceSignature"])
        let name = try reader.text("cardNumber", maximum: 64)
        let asked = try PassDataRequest(reader, encoding: .base64)
        let card = try await cards.id(of: name, session)
        if let scheme = try await cards.encryptionScheme(card, session) { try Self.requireFit(scheme) }
        let made = try await passData.make(asked, card: card, session, about: about)
        return JSONAnswer.verbatim(Array(#"{"value":"#.utf8) + made + Array("}".utf8), headers: [.cacheControl: "no-store"])
    }

    /// Such an app makes its configuration with ECC_V2 before it knows anything, and reads no wrapped key.
    private static func requireFit(_ scheme: String) throws(ProvisioningError) {
        guard scheme == EncryptionScheme.eccV2.rawValue else {
            throw ProvisioningError(code: .schemeUnfit, reason: "this card cannot be added from this app, please update it")
        }
    }
}
