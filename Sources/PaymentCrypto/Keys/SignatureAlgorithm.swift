/// A signature scheme with its digest. The curve of an ECDSA key does not choose the digest: Apple's intermediate is
/// signed by a P-384 key with SHA-256 (apple-pay.md#certificate-chain). [V]
public enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    case ecdsaSHA256 = "ecdsa-with-SHA256"
    case ecdsaSHA384 = "ecdsa-with-SHA384"
    case rsaPKCS1SHA256 = "rsa-pkcs1-SHA256"
    case rsaPKCS1SHA384 = "rsa-pkcs1-SHA384"
    case rsaPKCS1SHA512 = "rsa-pkcs1-SHA512"

    /// The identifier in certificates and signer infos.
    public var oid: OID {
        switch self {
        case .ecdsaSHA256: Self.ecdsaSHA256OID
        case .ecdsaSHA384: Self.ecdsaSHA384OID
        case .rsaPKCS1SHA256: Self.rsaSHA256OID
        case .rsaPKCS1SHA384: Self.rsaSHA384OID
        case .rsaPKCS1SHA512: Self.rsaSHA512OID
        }
    }

    public init?(oid: OID) {
        guard let found = Self.allCases.first(where: { $0.oid == oid }) else { return nil }
        self = found
    }

    public var isECDSA: Bool { self == .ecdsaSHA256 || self == .ecdsaSHA384 }

    private static let ecdsaSHA256OID: OID = "1.2.840.10045.4.3.2"
    private static let ecdsaSHA384OID: OID = "1.2.840.10045.4.3.3"
    private static let rsaSHA256OID: OID = "1.2.840.113549.1.1.11"
    private static let rsaSHA384OID: OID = "1.2.840.113549.1.1.12"
    private static let rsaSHA512OID: OID = "1.2.840.113549.1.1.13"
}
