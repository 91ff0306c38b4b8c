/// `txnType` of the messages of this library.
public enum TransactionType: String, Sendable, Hashable, Codable, CaseIterable {
    case query = "00"
    case consume = "01"
    case refund = "04"
    /// 消费撤销: takes back a known success of the same settlement day, in full.
    case void = "31"
    case fileTransfer = "76"
    /// 冲正: takes back whatever became of a transaction whose state is unknown.
    case reversal = "99"

    /// The name that traces and pages show.
    public var title: String {
        switch self {
        case .query: "query"
        case .consume: "consume"
        case .refund: "refund"
        case .void: "void"
        case .fileTransfer: "fileTransfer"
        case .reversal: "reversal"
        }
    }
}

/// `bizType` of the products that this library speaks to.
public enum BusinessType {
    /// Deduct with the data of a wallet's token (apple-pay.md#deduct-message).
    public static let walletDeduct = "000802"
    /// An order that UnionPay's own client on the phone takes the payment for (unionpay-tn.md#order-push).
    public static let orderPush = "000201"
    /// Query and file transfer, which belong to no product.
    public static let none = "000000"
}
