public import Foundation
public import PaymentCrypto

/// What a certificate to be made says. Extensions can be added by their identifiers, in their order, with any value.
public struct CertificateTemplate: Sendable {
    /// Must be unique under one issuer. Positive and at most 20 bytes (RFC 5280 section 4.1.2.2).
    public var serialNumber: SerialNumber
    public var subject: CertificateName
    public var notBefore: Date
    public var notAfter: Date
    public var publicKey: PublicKey
    /// Whether basicConstraints says CA; nil leaves the extension out.
    public var isCertificateAuthority: Bool?
    public var pathLength: Int?
    /// Nil leaves the extension out.
    public var keyUsage: KeyUsage?
    /// Written after the ones above and the two key identifiers.
    public var extensions: [CertificateExtension]

    public init(
        serialNumber: SerialNumber, subject: CertificateName, notBefore: Date, notAfter: Date, publicKey: PublicKey,
        isCertificateAuthority: Bool? = false, pathLength: Int? = nil, keyUsage: KeyUsage? = .digitalSignature,
        extensions: [CertificateExtension] = []
    ) {
        self.serialNumber = serialNumber
        self.subject = subject
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.publicKey = publicKey
        self.isCertificateAuthority = isCertificateAuthority
        self.pathLength = pathLength
        self.keyUsage = keyUsage
        self.extensions = extensions
    }
}

extension CertificateExtension {
    /// An extension whose value is NULL, as the wallet's markers have it (apple-pay.md#certificate-chain). [V]
    public static func marker(_ oid: OID, isCritical: Bool = false) -> CertificateExtension {
        CertificateExtension(oid: oid, isCritical: isCritical, value: DERWriter.null)
    }

    /// 1.2.840.113635.100.6.32 as in real merchant certificates: `0C 40` and the identifier's SHA-256 in 64 upper-case
    /// hexadecimal digits (apple-pay.md#merchant-identifier-hash). [V]
    public static func merchantIdentifierHash(_ sha256: [UInt8]) -> CertificateExtension {
        CertificateExtension(
            oid: .merchantIdentifierHash,
            value: DERWriter.element(0x0C, Array(Hexadecimal.encode(sha256, uppercase: true).utf8)))
    }
}
