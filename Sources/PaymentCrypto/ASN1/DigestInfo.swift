/// What an RSA PKCS#1 v1.5 signature holds inside its padding: a digest and its algorithm (RFC 8017 section 9.2).
public struct DigestInfo: Sendable, Hashable {
    public let algorithm: OID
    /// Whether the algorithm is followed by NULL, as RFC 8017 wants; some signers leave it out.
    public let hasNullParameters: Bool
    public let digest: [UInt8]

    /// Reads DER; throws `malformed-asn1`.
    public init(der: [UInt8]) throws(PaymentCryptoError) {
        var outer = BERReader(der, rules: .der)
        var info = try outer.enter(0x30, "DigestInfo")
        try outer.requireEnd("DigestInfo")
        let (oid, parameters) = try info.nextAlgorithm("digest algorithm")
        algorithm = oid
        hasNullParameters = parameters?.elementsEqual(DERWriter.null) ?? false
        digest = Array(info.slice(try info.next(0x04, "digest").content))
        try info.requireEnd("DigestInfo")
    }
}
