package import BillfoldJSON
import PaymentCrypto

/// What the payload's configurations share.
package enum PassDataField {
    static func refused(_ reason: String, line: Int = #line) -> ApplePayError {
        ApplePayError(code: .malformedPassData, reason: reason, line: line)
    }

    static func requireKnown(_ object: JSONObject, _ known: Set<String>) throws(ApplePayError) {
        guard let other = object.members(besides: known).first else { return }
        // The key came from outside and may hold anything; only its length is told.
        throw refused("a member that the configuration does not know, \(other.key.utf8.count) letters long")
    }

    static func text(_ object: JSONObject, _ key: String) throws(ApplePayError) -> String {
        try TokenField.text(object, key, code: .malformedPassData)
    }

    /// Both letter cases are read (provisioning.md#nonce).
    package static func challenge(_ object: JSONObject) throws(ApplePayError) -> ProvisioningChallenge {
        try ProvisioningChallenge(nonce: text(object, "nonce"), nonceSignature: text(object, "nonceSignature"), encoding: .hex)
    }

    static func checkName(_ name: String) throws(ApplePayError) {
        guard !name.isEmpty, name.utf8.count <= 256,
            !name.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
        else {
            throw ApplePayError(code: .cardholderNameForm, reason: "the cardholder's name is empty, too long or holds control characters")
        }
    }

    /// The object with its secret member first. Its digits are copied once, into memory that is overwritten afterwards.
    static func json(
        secret: (key: String, digits: SecretBytes), then members: [(key: String, text: String?)], _ challenge: ProvisioningChallenge
    ) -> SecretBytes {
        let rest = JSONWriter.write(
            texts: members + [("nonce", challenge.nonceText), ("nonceSignature", challenge.nonceSignatureText)])
        return SecretBytes(joining: [Array("{\"\(secret.key)\":\"".utf8), secret.digits, Array("\",".utf8), rest.dropFirst()])
    }
}
