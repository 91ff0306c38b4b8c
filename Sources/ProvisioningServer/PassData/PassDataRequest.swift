import ApplePay
import BillfoldJSON
import BillfoldPayments
import PaymentCrypto

/// What an app was handed by the wallet, as it sends it on.
struct PassDataRequest: Sendable {
    /// As they were sent: base64 of DER, if the sender is right.
    var certificates: [String]
    var challenge: ProvisioningChallenge

    /// Refuses with `malformed-request`, `nonce-encoding`, `nonce-length` or `nonce-signature-length`. Certificates are judged later, so
    /// that their report is whole.
    init(_ body: [UInt8]) throws(ProvisioningError) {
        let reader = try RequestReader(body, allowing: ["certificates", "nonce", "nonceSignature", "encoding"])
        certificates = try reader.texts("certificates", maximum: 8, length: 16_384)
        let (nonce, signature) = (try reader.text("nonce"), try reader.text("nonceSignature", maximum: 1_024))
        guard let encoding = ProvisioningChallenge.Encoding(rawValue: try reader.text("encoding")) else {
            throw RequestReader.malformed("encoding", "is neither hex nor base64")
        }
        do throws(ApplePayError) {
            challenge = try ProvisioningChallenge(nonce: nonce, nonceSignature: signature, encoding: encoding)
        } catch {
            throw ProvisioningError(code: Self.code(of: error), reason: error.reason)
        }
    }

    /// Over everything that was sent, and the card that it was sent for.
    func fingerprint(card: String) -> RequestFingerprint {
        RequestFingerprint(parts: [Array(card.utf8), challenge.nonce, challenge.nonceSignature], texts: certificates)
    }

    private static func code(of error: ApplePayError) -> ProvisioningError.Code {
        switch error.code {
        case .nonceLength: .nonceLength
        case .nonceSignatureLength: .nonceSignatureLength
        default: .nonceEncoding
        }
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
