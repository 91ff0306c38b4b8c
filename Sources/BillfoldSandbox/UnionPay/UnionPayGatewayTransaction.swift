import BillfoldStorage
import UnionPay

/// One transaction as the gateway has booked it.
struct UnionPayGatewayTransaction: Sendable, Hashable {
    /// What happened to it after it was booked.
    enum Standing: String, Sendable {
        case live
        /// A reversal took it back.
        case reversed
        /// A void of the same day took it back.
        case voided
    }

    var key: TransactionKey
    var queryID: QueryID
    var type: TransactionType
    /// Minor units.
    var amount: Int64
    /// ISO 4217 numeric.
    var currency: String
    /// `origRespCode`, before a late success.
    var code: String
    var standing: Standing
    /// What a void or refund refers to.
    var original: QueryID?
    /// Fields of the request that replies repeat.
    var echo: [String: String]
    var backURL: String?
    /// MMDD.
    var settlementDay: String
    var traceNumber: String
    /// Minor units that the merchant pays.
    var fee: Int64
    var plan: FaultPlan
    var queries: Int64
    /// When it succeeds whatever `code` says.
    var lateAt: Timestamp?
    var bookedAt: Timestamp

    func code(at now: Timestamp) -> ReplyCode {
        if let lateAt, lateAt <= now { return .accepted }
        return ReplyCode(rawValue: code)
    }

    func isPaid(at now: Timestamp) -> Bool { code(at: now).meansPaidWhenOriginal && standing != .reversed }
}

extension BeijingTime {
    init(_ instant: Timestamp) {
        let seconds = instant.microseconds >= 0 ? instant.microseconds / 1_000_000 : (instant.microseconds - 999_999) / 1_000_000
        self.init(secondsSince1970: seconds)
    }
}
