public import PaymentCrypto

/// A certificate office's name and key: it signs certificates, its own first one included.
public struct CertificateIssuer: Sendable {
    public let name: CertificateName
    public let signer: any MessageSigner
    /// Not tied to the key's curve: a P-384 root signs with SHA-256 as Apple's does.
    public let algorithm: SignatureAlgorithm

    public init(name: CertificateName, signer: any MessageSigner, algorithm: SignatureAlgorithm) {
        self.name = name
        self.signer = signer
        self.algorithm = algorithm
    }

    /// Signs a certificate. Throws `issuing-failed` for a template that RFC 5280 forbids.
    public func issue(_ template: CertificateTemplate) throws(PaymentCryptoError) -> ParsedCertificate {
        guard template.notBefore <= template.notAfter else {
            throw PaymentCryptoError(code: .issuingFailed, reason: "the certificate would end before it begins")
        }
        guard template.serialNumber.encoded.count <= 20 else {
            throw PaymentCryptoError(code: .issuingFailed, reason: "a serial number has at most 20 bytes")
        }
        let algorithmElement = DERWriter.algorithm(algorithm.oid, nullParameters: !algorithm.isECDSA)
        var tbs = [
            DERWriter.element(0xA0, DERWriter.integer(2)),
            DERWriter.element(0x02, Array(template.serialNumber.encoded)),
            algorithmElement,
            Array(name.der),
            DERWriter.sequence(ASN1Time.element(template.notBefore), ASN1Time.element(template.notAfter)),
            Array(template.subject.der),
            template.publicKey.subjectPublicKeyInfo,
        ]
        let extensions = try extensions(of: template).map(Self.encode)
        tbs.append(DERWriter.element(0xA3, DERWriter.element(0x30, extensions)))
        let signed = DERWriter.element(0x30, tbs)
        let signature = try signer.signature(over: signed, algorithm: algorithm)
        return try ParsedCertificate(der: DERWriter.sequence(signed, algorithmElement, DERWriter.bits(signature)))
    }

    private func extensions(of template: CertificateTemplate) throws(PaymentCryptoError) -> [CertificateExtension] {
        var list = [CertificateExtension]()
        if let isAuthority = template.isCertificateAuthority {
            var content = isAuthority ? [[UInt8]([0x01, 0x01, 0xFF])] : []
            if let length = template.pathLength { content.append(DERWriter.integer(length)) }
            list.append(CertificateExtension(oid: .basicConstraints, isCritical: true, value: DERWriter.element(0x30, content)))
        }
        if let usage = template.keyUsage {
            list.append(CertificateExtension(oid: .keyUsage, isCritical: true, value: usage.der))
        }
        list.append(
            CertificateExtension(
                oid: .subjectKeyIdentifier, value: DERWriter.octets(Self.keyIdentifier(of: template.publicKey))))
        list.append(
            CertificateExtension(
                oid: .authorityKeyIdentifier,
                value: DERWriter.sequence(DERWriter.element(0x80, Self.keyIdentifier(of: signer.publicKey)))))
        return list + template.extensions
    }

    /// The first 160 bits of SHA-256 over the public key (RFC 7093 section 2, method 1 over the whole info).
    private static func keyIdentifier(of key: PublicKey) -> [UInt8] { Array(key.sha256.prefix(20)) }

    private static func encode(_ item: CertificateExtension) -> [UInt8] {
        let critical: [UInt8] = item.isCritical ? [0x01, 0x01, 0xFF] : []
        return DERWriter.sequence(DERWriter.oid(item.oid), critical, DERWriter.octets(Array(item.value)))
    }
}
