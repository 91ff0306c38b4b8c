public import BillfoldDiagnosis
public import Foundation
import PaymentCrypto
import X509

/// Checks what UnionPay sent: synchronous replies and notifications.
///
/// The means is configured, never taken from the message: a message that names another `signMethod` is refused.
public struct UnionPayVerifier: Sendable {
    /// An SM2 key of UnionPay that the operator configured. SM2 certificates are not chained; their keys are pinned.
    public struct PinnedSM2Key: Sendable {
        public var certificateID: CertificateID
        public var key: any SM2MessageVerifier

        public init(certificateID: CertificateID, key: any SM2MessageVerifier) {
            self.certificateID = certificateID
            self.key = key
        }
    }

    /// What a signature is checked by, one for each sign method.
    public enum Means: Sendable {
        /// Method 01: the chain of `signPubKeyCert`.
        case certificates(UnionPayTrust)
        /// Method 11.
        case secureKeySHA256(Secret<String>)
        /// Method 12.
        case secureKeySM3(Secret<String>, any SM3Digester)
        /// Method 21. A message without `certId` is tried against the only key there is.
        case sm2([PinnedSM2Key], any SM3Digester)
    }

    private let means: Means
    private let known = KnownSigners()

    public init(_ means: Means) { self.means = means }

    public init(trust: UnionPayTrust) { means = .certificates(trust) }

    /// Returns the fields once the signature fits.
    ///
    /// All fields but `signature` are covered, empty ones too, with their values exactly as received.
    /// - Parameters:
    ///   - fields: The message as it was received, `signature` among them.
    ///   - instant: When certificates have to be valid; the time of receipt.
    public func verified(_ fields: UnionPayFields, at instant: Date) throws(UnionPayError) -> VerifiedFields {
        guard let signature = fields.optional("signature") else {
            throw UnionPayError(code: .signatureMismatch, reason: "the message has no signature")
        }
        try requireOneReading(fields)
        let named = SignMethod(rawValue: try fields.required("signMethod"))
        let bytes = try StringToSign.bytes(fields, .reply)
        let isValid: Bool
        switch means {
        case .certificates(let trust):
            try Self.require(named, .rsa)
            guard try fields.required("version") == "5.1.0" else {
                throw UnionPayError(code: .unsupported, reason: "the message's version is not 5.1.0")
            }
            let certificate = try known.certificate(pem: fields.required("signPubKeyCert"), at: instant, trust: trust)
            guard let raw = SignatureDigest.canonicalBase64(signature) else { throw Self.mismatch }
            isValid = certificate.publicKey.isValidSignature(
                raw, for: SignatureDigest.sha256HexText(bytes), signatureAlgorithm: .sha256WithRSAEncryption)
        case .secureKeySHA256(let secureKey):
            try Self.require(named, .secureKeySHA256)
            isValid = ConstantTime.equal(signature, SignatureDigest.secureKeySHA256(bytes, secureKey))
        case .secureKeySM3(let secureKey, let digester):
            try Self.require(named, .secureKeySM3)
            isValid = ConstantTime.equal(signature, try SignatureDigest.secureKeySM3(bytes, secureKey: secureKey, digester: digester))
        case .sm2(let keys, let digester):
            try Self.require(named, .sm2)
            let certificateID = fields.optional("certId")
            let candidates = certificateID == nil && keys.count == 1 ? keys : keys.filter { $0.certificateID.description == certificateID }
            guard let key = candidates.first else {
                throw UnionPayError(code: .unknownKey, reason: "no SM2 key of UnionPay is configured under this certId")
            }
            isValid = try SM2Check.isValid(signature, over: bytes, by: key.key, digester: digester, id: key.certificateID)
        }
        guard isValid else { throw Self.mismatch }
        return VerifiedFields(checked: fields)
    }

    private static var mismatch: UnionPayError {
        UnionPayError(code: .signatureMismatch, reason: "the signature does not fit the message")
    }

    private static func require(_ named: SignMethod?, _ configured: SignMethod) throws(UnionPayError) {
        guard named == configured else {
            throw UnionPayError(code: .unsupported, reason: "signMethod is not \(configured.rawValue), which is configured")
        }
    }

    /// The string to sign does not escape `&`, so `a=1&b=2` could be one field or two under one signature. A message whose
    /// text can be read in another way is refused.
    private func requireOneReading(_ fields: UnionPayFields) throws(UnionPayError) {
        // Nearly every message: no value holds a separator, or a bracket that would hide the one behind the value.
        let isPlain = fields.entries.allSatisfy { entry in
            entry.name.utf8.allSatisfy(FormBody.isNameByte) && ReplyBody.isOneValue(entry.value)
        }
        if isPlain { return }
        let text = StringToSign.text(fields, .reply)
        var signed = fields
        signed["signature"] = nil
        // The text is read as UTF-8 here whatever `encoding` says: only `&`, `=` and brackets matter.
        let read = try? ReplyBody.pairs(Array(text.utf8))
        guard let read, read == signed.dictionary else {
            throw UnionPayError(code: .malformedBody, reason: "a value holds & outside brackets, so the signed text has two readings")
        }
    }
}

/// The check that both directions of method 21 share.
enum SM2Check {
    static func isValid(
        _ signature: String, over bytes: [UInt8], by key: any SM2MessageVerifier, digester: any SM3Digester, id: CertificateID
    ) throws(UnionPayError) -> Bool {
        guard let raw = SignatureDigest.canonicalBase64(signature), let der = SM2SignatureForm.der(from: raw) else { return false }
        return key.isValidSM2Signature(der, for: try SignatureDigest.sm3HexText(bytes, digester), userID: Array(id.description.utf8))
    }
}
