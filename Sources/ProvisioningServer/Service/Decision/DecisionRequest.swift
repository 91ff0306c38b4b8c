import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments

/// `POST /network/v1/decisions`: a network asks whether a card may become a token.
struct DecisionRequest: Sendable {
    struct Activation: Sendable {
        var isPresent: Bool
        var isValid: Bool
        /// What the network read from the activation data; one use, so it is never stored.
        var code: Secret<String>?
        var problem: String?
    }

    var id: String
    var network: CardScheme
    var encryptedAccount: String
    /// Empty when the network has not made one.
    var primaryAccountIdentifier: String
    var token: String
    var tokenRequestor: String
    var device: DecisionInputs.Device
    var recommendation: ProvisioningRecommendation
    var otherReasons: [String]
    var activation: Activation

    /// Over everything that has a meaning. The account counts by its content: sealed again it has other bytes.
    func fingerprint(account: KeyedHash, code: KeyedHash?) throws -> RequestFingerprint {
        RequestFingerprint(
            parts: [
                Array(network.rawValue.utf8), account.bytes, Array(primaryAccountIdentifier.utf8), Array(token.utf8),
                Array(tokenRequestor.utf8), try JSONDocument.encode(device), try JSONDocument.encode(recommendation),
                try JSONDocument.encode(otherReasons), [activation.isPresent ? 1 : 0, activation.isValid ? 1 : 0], code?.bytes ?? [],
                Array((activation.problem ?? "").utf8),
            ])
    }
}
