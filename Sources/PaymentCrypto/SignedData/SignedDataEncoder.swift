import Crypto
public import Foundation

/// Writes a SignedData as wallets do: detached, BER with indefinite lengths, signed attributes as a sorted DER set.
///
/// Every part that a counterparty may get wrong can be left out or changed, so that a sandbox can play each attack.
public struct SignedDataEncoder: Sendable {
    public var signer: any MessageSigner
    public var algorithm: SignatureAlgorithm
    /// Named in the signer info by issuer and serial number.
    public var signerCertificate: ParsedCertificate
    /// What the message carries, in this order: usually leaf, then intermediate.
    public var certificates: [ParsedCertificate]
    /// Nil leaves the attribute out.
    public var signingTime: Date?
    /// False signs the content itself.
    public var includesSignedAttributes = true
    /// False leaves out 1.2.840.113549.1.9.52, as in 2014.
    public var includesAlgorithmProtection = true
    /// False writes the digest algorithms without NULL, which is seen as well.
    public var writesDigestNullParameters = true
    /// Carried inside the message when not nil. It need not be what was signed: that is one of the attacks.
    public var embeddedContent: [UInt8]?
    /// Put in place of the content's hash when not nil.
    public var messageDigest: [UInt8]?

    public init(
        signer: any MessageSigner, algorithm: SignatureAlgorithm, signerCertificate: ParsedCertificate,
        certificates: [ParsedCertificate], signingTime: Date?
    ) {
        self.signer = signer
        self.algorithm = algorithm
        self.signerCertificate = signerCertificate
        self.certificates = certificates
        self.signingTime = signingTime
    }

    /// Signs the content and returns the message. The digest is SHA-256.
    public func encode(content: [UInt8]) throws(PaymentCryptoError) -> [UInt8] {
        let digestAlgorithm = DERWriter.algorithm(.sha256, nullParameters: writesDigestNullParameters)
        let attributes = signedAttributes(digest: messageDigest ?? Array(SHA256.hash(data: content)))
        let covered = includesSignedAttributes ? DERWriter.setOf(attributes) : content
        let signature = try signer.signature(over: covered, algorithm: algorithm)
        var info = [
            DERWriter.integer(1),
            DERWriter.sequence(
                Array(signerCertificate.issuer.der),
                DERWriter.element(0x02, Array(signerCertificate.serialNumber.encoded))),
            digestAlgorithm,
        ]
        if includesSignedAttributes { info.append(DERWriter.setOf(attributes, tag: 0xA0)) }
        info.append(DERWriter.algorithm(algorithm.oid, nullParameters: !algorithm.isECDSA))
        info.append(DERWriter.octets(signature))

        let type = DERWriter.oid(.cmsData)
        let encapsulated =
            embeddedContent.map { DERWriter.indefinite(0x30, type, DERWriter.indefinite(0xA0, DERWriter.octets($0))) }
            ?? DERWriter.indefinite(0x30, type)
        return DERWriter.indefinite(
            0x30, DERWriter.oid(.cmsSignedData),
            DERWriter.indefinite(
                0xA0,
                DERWriter.indefinite(
                    0x30, DERWriter.integer(1), DERWriter.element(0x31, digestAlgorithm), encapsulated,
                    DERWriter.indefinite(0xA0, Array(certificates.map(\.der).joined())),
                    DERWriter.element(0x31, DERWriter.element(0x30, info)))))
    }

    private func signedAttributes(digest: [UInt8]) -> [[UInt8]] {
        var attributes = [attribute(.cmsContentType, DERWriter.oid(.cmsData))]
        if let signingTime { attributes.append(attribute(.cmsSigningTime, ASN1Time.element(signingTime))) }
        if includesAlgorithmProtection {
            // RFC 6211: digest algorithm, then [1] IMPLICIT signature algorithm.
            var signatureAlgorithm = DERWriter.algorithm(algorithm.oid, nullParameters: !algorithm.isECDSA)
            signatureAlgorithm[0] = 0xA1
            attributes.append(
                attribute(
                    .cmsAlgorithmProtection,
                    DERWriter.sequence(
                        DERWriter.algorithm(.sha256, nullParameters: writesDigestNullParameters), signatureAlgorithm)))
        }
        attributes.append(attribute(.cmsMessageDigest, DERWriter.octets(digest)))
        return attributes
    }

    private func attribute(_ type: OID, _ value: [UInt8]) -> [UInt8] {
        DERWriter.sequence(DERWriter.oid(type), DERWriter.element(0x31, value))
    }
}
