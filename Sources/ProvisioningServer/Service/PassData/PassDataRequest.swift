import ApplePay
import BillfoldJSON
import BillfoldPayments

/// What an app was handed by the wallet, as it sends it on.
struct PassDataRequest: Sendable {
    /// As they were sent: base64 of DER, if the sender is right.
    var certificates: [String]
    var challenge: ProvisioningChallenge

    /// Over everything that was sent, and the card that it was sent for.
    func fingerprint(card: String) -> RequestFingerprint {
        RequestFingerprint(parts: [Array(card.utf8), challenge.nonce, challenge.nonceSignature], texts: certificates)
    }
}

/// What the app completes its request with. Bytes are base64.
struct PassDataAnswer: Sendable {
    var encryptedPassData: String
    /// Absent where the network's form is not known here.
    var activationData: String?
    var ephemeralPublicKey: String?
    var wrappedKey: String?

    /// The answer's bytes, its keys sorted.
    var json: [UInt8] {
        JSONWriter.write(texts: [
            ("activationData", activationData), ("encryptedPassData", encryptedPassData), ("ephemeralPublicKey", ephemeralPublicKey),
            ("wrappedKey", wrappedKey),
        ])
    }
}
