public import BillfoldDiagnosis
import PaymentCrypto
public import X509

/// Checks a merchant's signature on the gateway's side, against what the merchant registered.
public struct MerchantSignatureVerifier: Sendable {
    /// What a merchant registered, by the sign method that it serves.
    public enum Key: Sendable {
        case rsa(Certificate)
        case secureKeySHA256(Secret<String>)
        case secureKeySM3(Secret<String>, any SM3Digester)
        case sm2(any SM2MessageVerifier, any SM3Digester, CertificateID)
    }

    private let keys: [Key]

    public init(_ keys: [Key]) { self.keys = keys }

    /// Returns the fields without blanks and empty values, as they were signed.
    ///
    /// `unknown-key` when nothing is registered for the message's `signMethod` and `certId`.
    public func verified(_ message: UnionPayFields) throws(UnionPayError) -> VerifiedFields {
        guard let signature = message.optional("signature") else {
            throw UnionPayError(code: .signatureMismatch, reason: "the message has no signature")
        }
        guard try message.required("version") == "5.1.0" else {
            throw UnionPayError(code: .unsupported, reason: "the message's version is not 5.1.0")
        }
        guard let method = SignMethod(rawValue: try message.required("signMethod")) else {
            throw UnionPayError(code: .unsupported, reason: "signMethod is none that is known")
        }
        let bytes = try StringToSign.bytes(message, .request)
        var isKnown = false
        for key in keys {
            switch (method, key) {
            case (.rsa, .rsa(let certificate)):
                guard message["certId"] == CertificateID(certificate).description else { continue }
                isKnown = true
                guard let raw = SignatureDigest.canonicalBase64(signature) else { continue }
                if certificate.publicKey.isValidSignature(
                    raw, for: SignatureDigest.sha256HexText(bytes), signatureAlgorithm: .sha256WithRSAEncryption)
                {
                    return VerifiedFields(checked: message.normalized)
                }
            case (.secureKeySHA256, .secureKeySHA256(let secureKey)):
                isKnown = true
                if ConstantTime.equal(signature, SignatureDigest.secureKeySHA256(bytes, secureKey)) {
                    return VerifiedFields(checked: message.normalized)
                }
            case (.secureKeySM3, .secureKeySM3(let secureKey, let digester)):
                isKnown = true
                if ConstantTime.equal(signature, try SignatureDigest.secureKeySM3(bytes, secureKey: secureKey, digester: digester)) {
                    return VerifiedFields(checked: message.normalized)
                }
            case (.sm2, .sm2(let verifier, let digester, let id)):
                guard message["certId"] == id.description else { continue }
                isKnown = true
                if try SM2Check.isValid(signature, over: bytes, by: verifier, digester: digester, id: id) {
                    return VerifiedFields(checked: message.normalized)
                }
            default: continue
            }
        }
        guard isKnown else {
            throw UnionPayError(code: .unknownKey, reason: "no key is registered for this signMethod and certId")
        }
        throw UnionPayError(code: .signatureMismatch, reason: "the signature does not fit the message")
    }
}
