/// A PKCS#10 certificate request (RFC 2986): a subject and a public key, signed by that key.
public struct CertificateRequest: Sendable {
    public let der: [UInt8]
    public let subject: CertificateName
    public let publicKey: PublicKey

    /// Makes a request. The signature is SHA-256 with the key's own scheme.
    public init(subject: CertificateName, signer: any MessageSigner) throws(PaymentCryptoError) {
        let algorithm: SignatureAlgorithm =
            switch signer.publicKey.kind {
            case .p256, .p384: .ecdsaSHA256
            case .rsa: .rsaPKCS1SHA256
            }
        let info = DERWriter.sequence(
            DERWriter.integer(0), Array(subject.der), signer.publicKey.subjectPublicKeyInfo, DERWriter.element(0xA0, [UInt8]()))
        let signature = try signer.signature(over: info, algorithm: algorithm)
        der = DERWriter.sequence(
            info, DERWriter.algorithm(algorithm.oid, nullParameters: !algorithm.isECDSA), DERWriter.bits(signature))
        self.subject = subject
        publicKey = signer.publicKey
    }

    /// Reads a request and verifies that its own key signed it. Throws `too-large`, `malformed-asn1`, `malformed-key`,
    /// `unsupported-key`, or `issuing-failed` when the signature is wrong.
    public init(der: [UInt8]) throws(PaymentCryptoError) {
        guard der.count <= ParsedCertificate.maximumSize else {
            throw PaymentCryptoError(code: .tooLarge, reason: "a request of \(der.count) bytes")
        }
        var outer = BERReader(der, rules: .der)
        var request = try outer.enter(0x30, "certificate request")
        try outer.requireEnd("certificate request")
        let infoElement = try request.next(0x30, "request info")
        let algorithm = SignatureAlgorithm(oid: try request.nextPlainAlgorithm("signature algorithm"))
        let signature = try request.nextBitString("signature")
        try request.requireEnd("certificate request")
        var info = try request.inside(infoElement)
        guard try info.nextSmallInteger("version") == 0 else { throw BERReader.malformed("unknown request version") }
        subject = CertificateName(der: info.slice(try info.next(0x30, "subject").whole))
        publicKey = try PublicKey(
            subjectPublicKeyInfo: Array(info.slice(try info.next(0x30, "SubjectPublicKeyInfo").whole)))
        _ = try info.nextIf(0xA0)
        try info.requireEnd("request info")
        guard let algorithm,
            publicKey.isValidSignature(signature, over: request.slice(infoElement.whole), algorithm: algorithm)
        else {
            throw PaymentCryptoError(code: .issuingFailed, reason: "the request is not signed by its own key")
        }
        self.der = der
    }

    /// Reads a `CERTIFICATE REQUEST` block.
    public init(pem: String) throws(PaymentCryptoError) {
        try self.init(der: PEMText(pem).first("CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"))
    }

    public var pem: String { PEMText.Block(label: "CERTIFICATE REQUEST", bytes: der).text }

    /// The subject that a merchant's request carries: UID and CN hold the merchant identifier. [I for the CN]
    public static func merchantSubject(identifier: String, organization: String? = nil) -> CertificateName {
        var attributes = [
            CertificateName.Attribute(type: .userID, value: identifier),
            CertificateName.Attribute(type: .commonName, value: identifier),
        ]
        if let organization { attributes.append(.init(type: .organizationName, value: organization)) }
        return CertificateName(attributes)
    }
}
