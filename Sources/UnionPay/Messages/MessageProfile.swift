/// The values of a request that the merchant's contract decides, not the transaction.
public struct MessageProfile: Sendable, Hashable {
    /// `5.1.0`; an old contract may still say `5.0.0` (SHA-1, see ``LegacyRSASHA1Signer``).
    public var version: String
    /// `encoding`.
    public var encoding: TextEncoding
    /// `accessType`: 0 merchant, 1 acquirer, 2 platform.
    public var accessType: String
    /// `channelType`: 07 Internet, 08 mobile. Apple Pay is 08.
    public var channelType: String

    public init(version: String = "5.1.0", encoding: TextEncoding = .utf8, accessType: String = "0", channelType: String = "08") {
        self.version = version
        self.encoding = encoding
        self.accessType = accessType
        self.channelType = channelType
    }

    init(_ fields: UnionPayFields) throws(UnionPayError) {
        version = try fields.required("version")
        encoding = try TextEncoding(of: fields)
        accessType = try fields.required("accessType")
        channelType = fields.optional("channelType") ?? ""
    }

    func write(to fields: inout UnionPayFields) {
        fields["version"] = version
        fields["encoding"] = encoding.rawValue
        fields["channelType"] = channelType.isEmpty ? nil : channelType
        fields["accessType"] = accessType
    }
}
