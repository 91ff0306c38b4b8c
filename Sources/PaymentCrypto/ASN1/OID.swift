/// An object identifier, kept as the content bytes of its DER encoding, so that comparing two costs no decoding.
public struct OID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// Content bytes, without tag and length.
    public let encoded: ArraySlice<UInt8>

    init(encoded: ArraySlice<UInt8>) { self.encoded = encoded }

    /// Reads dotted text; nil when it is no object identifier.
    public init?(_ text: String) {
        let arcs = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt64($0) }
        guard arcs.count >= 2, let first = arcs[0], let second = arcs[1], first < 3, first == 2 || second < 40,
            second <= UInt64.max - 80
        else { return nil }
        var bytes = [UInt8]()
        for (index, arc) in arcs.enumerated() where index > 0 {
            guard let arc else { return nil }
            Self.append(index == 1 ? first * 40 + arc : arc, to: &bytes)
        }
        encoded = bytes[...]
    }

    /// A literal that is no object identifier stops the program: it is a mistake in the source, found by the first test.
    public init(stringLiteral value: String) {
        guard let oid = OID(value) else { preconditionFailure("\(value) is no object identifier") }
        self = oid
    }

    public var description: String {
        var arcs = [String]()
        var value: UInt64 = 0
        for byte in encoded {
            guard value < 1 << 56 else { return "oid:" + Hexadecimal.encode(encoded) }
            value = value << 7 | UInt64(byte & 0x7F)
            guard byte & 0x80 == 0 else { continue }
            if arcs.isEmpty {
                let first = min(value / 40, 2)
                arcs = ["\(first)", "\(value - first * 40)"]
            } else {
                arcs.append("\(value)")
            }
            value = 0
        }
        return arcs.joined(separator: ".")
    }

    public static func == (left: OID, right: OID) -> Bool { left.encoded.elementsEqual(right.encoded) }

    public func hash(into hasher: inout Hasher) { for byte in encoded { hasher.combine(byte) } }

    private static func append(_ arc: UInt64, to bytes: inout [UInt8]) {
        var groups = [UInt8(arc & 0x7F)]
        var rest = arc >> 7
        while rest > 0 {
            groups.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(contentsOf: groups.reversed())
    }
}

extension OID {
    public static let commonName: OID = "2.5.4.3"
    public static let countryName: OID = "2.5.4.6"
    public static let organizationName: OID = "2.5.4.10"
    public static let organizationalUnitName: OID = "2.5.4.11"
    public static let userID: OID = "0.9.2342.19200300.100.1.1"

    public static let basicConstraints: OID = "2.5.29.19"
    public static let keyUsage: OID = "2.5.29.15"
    public static let extendedKeyUsage: OID = "2.5.29.37"
    public static let subjectAlternativeName: OID = "2.5.29.17"
    public static let subjectKeyIdentifier: OID = "2.5.29.14"
    public static let authorityKeyIdentifier: OID = "2.5.29.35"
    public static let certificatePolicies: OID = "2.5.29.32"
    public static let nameConstraints: OID = "2.5.29.30"

    public static let ecPublicKey: OID = "1.2.840.10045.2.1"
    public static let curveP256: OID = "1.2.840.10045.3.1.7"
    public static let curveP384: OID = "1.3.132.0.34"
    public static let rsaEncryption: OID = "1.2.840.113549.1.1.1"
    public static let sha1: OID = "1.3.14.3.2.26"
    public static let sha256: OID = "2.16.840.1.101.3.4.2.1"
    public static let sha384: OID = "2.16.840.1.101.3.4.2.2"
    public static let sha512: OID = "2.16.840.1.101.3.4.2.3"

    public static let cmsData: OID = "1.2.840.113549.1.7.1"
    public static let cmsSignedData: OID = "1.2.840.113549.1.7.2"
    public static let cmsContentType: OID = "1.2.840.113549.1.9.3"
    public static let cmsMessageDigest: OID = "1.2.840.113549.1.9.4"
    public static let cmsSigningTime: OID = "1.2.840.113549.1.9.5"
    /// Names the algorithms inside the signed bytes (RFC 6211).
    public static let cmsAlgorithmProtection: OID = "1.2.840.113549.1.9.52"

    /// Marks a leaf that may sign wallet tokens (apple-pay.md#certificate-chain; its value is NULL). [V]
    public static let walletTokenSigner: OID = "1.2.840.113635.100.6.29"
    /// Marks an intermediate that may issue such leaves (apple-pay.md#certificate-chain). [V]
    public static let walletIntermediate: OID = "1.2.840.113635.100.6.2.14"
    /// Holds the hash of the merchant identifier in a merchant's certificate (apple-pay.md#merchant-identifier-hash). [V]
    public static let merchantIdentifierHash: OID = "1.2.840.113635.100.6.32"
    /// Marks a leaf that issuers encrypt provisioning data to; critical, its value is NULL (provisioning.md#certificates [V]).
    public static let provisioningEncryption: OID = "1.2.840.113635.100.6.39"
}
