/// File transfer (文件传输类交易): asks for the reconciliation file of a settlement day (apple-pay.md#reconciliation-file).
public struct FileTransferRequest: UnionPayRequest {
    public static let transactionType = TransactionType.fileTransfer

    public var profile: MessageProfile
    public var merchant: MerchantID
    /// Time of sending.
    public var time: BeijingTime
    public var settlementDay: SettlementDay
    /// `fileType`: 00 is the merchant's reconciliation file.
    public var fileType: String

    public init(
        profile: MessageProfile = MessageProfile(), merchant: MerchantID, time: BeijingTime, settlementDay: SettlementDay,
        fileType: String = "00"
    ) {
        self.profile = profile
        self.merchant = merchant
        self.time = time
        self.settlementDay = settlementDay
        self.fileType = fileType
    }

    public func fields() throws(UnionPayError) -> UnionPayFields {
        var fields = UnionPayFields()
        profile.write(to: &fields)
        fields["channelType"] = nil
        fields["txnType"] = Self.transactionType.rawValue
        fields["txnSubType"] = "01"
        fields["bizType"] = BusinessType.none
        fields["merId"] = merchant.description
        fields["txnTime"] = time.description
        fields["settleDate"] = settlementDay.description
        fields["fileType"] = fileType
        return fields
    }

    public init(_ verified: VerifiedFields) throws(UnionPayError) {
        let fields = verified.fields
        try fields.require("txnType", Self.transactionType.rawValue)
        try fields.require("txnSubType", "01")
        try fields.require("bizType", BusinessType.none)
        profile = try MessageProfile(fields)
        merchant = try MerchantID(fields.required("merId"))
        time = try BeijingTime(fields.required("txnTime"))
        settlementDay = try SettlementDay(fields.required("settleDate"))
        fileType = try fields.required("fileType")
    }
}
