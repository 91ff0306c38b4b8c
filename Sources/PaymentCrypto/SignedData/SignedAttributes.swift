public import Foundation

/// The signed attributes of a signer, parsed, and the bytes that the signature covers.
public struct SignedAttributes: Sendable {
    /// A type with its values.
    public struct Attribute: Sendable {
        public let type: OID
        /// Each value as a whole DER element.
        public let values: [ArraySlice<UInt8>]
    }

    /// What is signed: the attributes as a SET (tag 0x31) with a DER length, not under their context tag (RFC 5652
    /// section 5.4; apple-pay.md#signed-bytes). [V]
    public let signedBytes: [UInt8]
    public let attributes: [Attribute]
    /// 1.2.840.113549.1.9.3.
    public let contentType: OID?
    /// 1.2.840.113549.1.9.4.
    public let messageDigest: ArraySlice<UInt8>?
    /// 1.2.840.113549.1.9.5, with a resolution of one second.
    public let signingTime: Date?

    /// Reads the content of the `[0]` element. The attributes must be DER inside (RFC 5652 section 5.3), and no type may
    /// stand twice; their order is taken as received, since that is the order that was signed.
    init(
        reading outer: BERReader, _ element: BERReader.Element, _ limits: SignedData.Limits
    ) throws(PaymentCryptoError) {
        let content = outer.slice(element.content)
        signedBytes = [0x31] + DERWriter.length(content.count) + content
        var reader = BERReader(outer.bytes, range: element.content, rules: .der, maximumDepth: limits.depth, depth: outer.depth)
        var found = [Attribute]()
        var type: OID?
        var digest: ArraySlice<UInt8>?
        var time: Date?
        while !reader.isAtEnd {
            var item = try reader.enter(0x30, "signed attribute")
            let name = try item.nextOID("attribute type")
            var set = try item.enter(0x31, "attribute values")
            try item.requireEnd("signed attribute")
            guard !found.contains(where: { $0.type == name }) else {
                throw BERReader.malformed("attribute \(name) stands twice")
            }
            var single = set
            switch name {
            case .cmsContentType:
                type = try single.nextOID("content type")
                try single.requireEnd("content type")
            case .cmsMessageDigest:
                digest = single.slice(try single.next(0x04, "message digest").content)
                try single.requireEnd("message digest")
            case .cmsSigningTime:
                time = try single.nextTime("signing time")
                try single.requireEnd("signing time")
            default:
                break
            }
            var values = [ArraySlice<UInt8>]()
            while !set.isAtEnd { values.append(set.slice(try set.next().whole)) }
            found.append(Attribute(type: name, values: values))
            try SignedData.require(found.count <= limits.attributes, "attributes")
        }
        attributes = found
        contentType = type
        messageDigest = digest
        signingTime = time
    }

    /// The only one of this type; nil when there is none.
    public func attribute(_ type: OID) -> Attribute? { attributes.first { $0.type == type } }
}
