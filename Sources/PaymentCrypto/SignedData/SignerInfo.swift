/// One signer of a SignedData (RFC 5652 section 5.3).
public struct SignerInfo: Sendable {
    /// How the signer's certificate is named.
    public enum Identifier: Sendable, Hashable {
        case issuerAndSerialNumber(CertificateName, SerialNumber)
        case subjectKeyIdentifier([UInt8])
    }

    public let version: Int
    public let identifier: Identifier
    public let digestAlgorithm: OID
    /// Nil when the signature is over the content itself. Wallet tokens always have them (apple-pay.md#signed-bytes). [V]
    public let signedAttributes: SignedAttributes?
    public let signatureAlgorithmOID: OID
    /// The scheme, from the identifier and, where that names a key alone, from the digest; nil when not supported.
    public let signatureAlgorithm: SignatureAlgorithm?
    public let signature: ArraySlice<UInt8>

    init(reading reader: inout BERReader, _ limits: SignedData.Limits) throws(PaymentCryptoError) {
        version = try reader.nextSmallInteger("signer version")
        if let tagged = try reader.nextIf(0x80) {
            identifier = .subjectKeyIdentifier(Array(reader.slice(tagged.content)))
        } else {
            var pair = try reader.enter(0x30, "issuer and serial number")
            let issuer = CertificateName(der: pair.slice(try pair.next(0x30, "issuer").whole))
            identifier = .issuerAndSerialNumber(issuer, SerialNumber(encoded: try pair.nextInteger("serial number")))
            try pair.requireEnd("issuer and serial number")
        }
        digestAlgorithm = try reader.nextPlainAlgorithm("digest algorithm")
        if let tagged = try reader.nextIf(0xA0) {
            signedAttributes = try SignedAttributes(reading: reader, tagged, limits)
        } else {
            signedAttributes = nil
        }
        signatureAlgorithmOID = try reader.nextPlainAlgorithm("signature algorithm")
        signatureAlgorithm = Self.algorithm(signatureAlgorithmOID, digest: digestAlgorithm)
        signature = reader.slice(try reader.next(0x04, "signature").content)
        _ = try reader.nextIf(0xA1)  // unsigned attributes: nothing may depend on them
        try reader.requireEnd("signer info")
    }

    /// Says whether the key signed the signed attributes (re-encoded as a SET). False when there are none.
    ///
    /// The caller still compares ``SignedAttributes/messageDigest`` with the hash of its own bytes.
    public func isSignatureValid(by key: PublicKey) -> Bool {
        guard let signatureAlgorithm, let signedAttributes else { return false }
        return key.isValidSignature(signature, over: signedAttributes.signedBytes, algorithm: signatureAlgorithm)
    }

    /// RFC 5754 section 3.2: RSA signers may name the key's algorithm alone, and the digest beside it.
    private static func algorithm(_ oid: OID, digest: OID) -> SignatureAlgorithm? {
        guard oid == .rsaEncryption else { return SignatureAlgorithm(oid: oid) }
        switch digest {
        case .sha256: return .rsaPKCS1SHA256
        case .sha384: return .rsaPKCS1SHA384
        case .sha512: return .rsaPKCS1SHA512
        default: return nil
        }
    }
}
