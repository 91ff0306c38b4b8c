import Crypto
import Foundation
import PaymentCrypto
public import X509

/// The digest of version 5.0.0: the SHA-1 of the string to sign as hex text, which RSA hashes with SHA-1 again.
package enum LegacyRSASHA1 {
    package static func hexText(_ bytes: [UInt8]) -> [UInt8] { Array(Hexadecimal.encode(Insecure.SHA1.hash(data: bytes)).utf8) }

    static func requireVersion(_ fields: UnionPayFields) throws(UnionPayError) {
        guard fields["version"] == "5.0.0" else {
            throw UnionPayError(code: .unsupported, reason: "SHA-1 belongs to version 5.0.0 alone")
        }
    }
}

/// Signs requests of version 5.0.0 with RSA and SHA-1.
///
/// SHA-1 is broken; this exists for contracts that UnionPay has not moved to 5.1.0 yet, and nothing chooses it by itself.
public struct LegacyRSASHA1Signer: Sendable {
    private let key: Certificate.PrivateKey
    private let certificateID: CertificateID

    public init(key: Certificate.PrivateKey, certificate: Certificate) throws(UnionPayError) {
        guard key.publicKey == certificate.publicKey else {
            throw UnionPayError(code: .unusableKey, reason: "the private key does not belong to the certificate")
        }
        self.key = key
        certificateID = CertificateID(certificate)
    }

    /// `unsupported` for any version but 5.0.0.
    public func signed(_ message: UnionPayFields) throws(UnionPayError) -> UnionPayFields {
        var fields = message.normalized
        try LegacyRSASHA1.requireVersion(fields)
        fields["signature"] = nil
        fields["signMethod"] = SignMethod.rsa.rawValue
        fields["certId"] = certificateID.description
        let text = LegacyRSASHA1.hexText(try StringToSign.bytes(fields, .request))
        do {
            let signature = try key.sign(bytes: text, signatureAlgorithm: .sha1WithRSAEncryption).rawRepresentation
            fields["signature"] = Data(signature).base64EncodedString()
        } catch { throw UnionPayError(code: .unusableKey, reason: "the RSA key cannot sign") }
        return fields
    }
}

/// Checks replies of version 5.0.0. They carry no certificate: `certId` names one that the operator configured.
public struct LegacyRSASHA1Verifier: Sendable {
    private let certificates: [String: Certificate]

    public init(certificates: [Certificate]) {
        self.certificates = Dictionary(
            certificates.map { (CertificateID($0).description, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the fields when the certificate of their `certId` made the signature. Throws `unsupported` for any version but 5.0.0,
    /// `unknown-key` and `signature-mismatch`. Certificates' dates are not looked at.
    public func verified(_ fields: UnionPayFields) throws(UnionPayError) -> VerifiedFields {
        try LegacyRSASHA1.requireVersion(fields)
        guard let certificate = certificates[try fields.required("certId")] else {
            throw UnionPayError(code: .unknownKey, reason: "no certificate of UnionPay is configured under this certId")
        }
        let text = LegacyRSASHA1.hexText(try StringToSign.bytes(fields, .reply))
        guard let raw = SignatureDigest.canonicalBase64(fields["signature"] ?? ""),
            certificate.publicKey.isValidSignature(raw, for: text, signatureAlgorithm: .sha1WithRSAEncryption)
        else { throw UnionPayError(code: .signatureMismatch, reason: "the signature does not fit the message") }
        return VerifiedFields(checked: fields)
    }
}
