/// Query (交易状态查询): asks what became of a transaction (apple-pay.md#query). It names no amount.
public struct QueryRequest: UnionPayRequest {
    public static let transactionType = TransactionType.query

    public var profile: MessageProfile
    /// The original's key: `txnTime` is that of the original, not of the query.
    public var key: TransactionKey
    /// UnionPay's number, where it is known.
    public var queryID: QueryID?

    public init(profile: MessageProfile = MessageProfile(), key: TransactionKey, queryID: QueryID? = nil) {
        self.profile = profile
        self.key = key
        self.queryID = queryID
    }

    public func fields() throws(UnionPayError) -> UnionPayFields {
        var fields = UnionPayFields()
        profile.write(to: &fields)
        fields["txnType"] = Self.transactionType.rawValue
        fields["txnSubType"] = "00"
        fields["bizType"] = BusinessType.none
        key.write(to: &fields)
        fields["queryId"] = queryID?.description
        return fields
    }

    public init(_ verified: VerifiedFields) throws(UnionPayError) {
        let fields = verified.fields
        try fields.require("txnType", Self.transactionType.rawValue)
        try fields.require("bizType", BusinessType.none)
        profile = try MessageProfile(fields)
        key = try TransactionKey(fields)
        if let text = fields.optional("queryId") { queryID = try QueryID(text) }
    }
}
