public import AlipayPlusValues
public import BillfoldMoney

/// One row of a detail file: a payment or a refund that succeeded in the cycle.
///
/// The real column list is not public; this one is ours [I], with the names that were seen: `transactionTime`, `counterParticipantId`,
/// `valueDate`. Amounts are whole smallest units, as everywhere.
public struct ReportTransaction: Sendable, Hashable {
    public var transactionTime: AlipayPlusTime
    public var isRefund: Bool
    /// The `paymentId` or `refundId`: no two rows have the same.
    public var transactionId: String
    /// The `paymentRequestId` or `refundRequestId`.
    public var transactionRequestId: String
    /// The payment that it is, or of which it is a refund.
    public var paymentId: String
    public var referenceOrderId: String
    /// The `pspId`.
    public var counterParticipantId: String
    /// What the merchant charged or gave back; not negative.
    public var transactionAmount: Amount
    /// The same in the settlement currency; not negative.
    public var settlementAmount: Amount
    /// In the settlement currency; negative when a fee comes back.
    public var fee: Amount

    public init(
        transactionTime: AlipayPlusTime, isRefund: Bool, transactionId: String, transactionRequestId: String, paymentId: String,
        referenceOrderId: String, counterParticipantId: String, transactionAmount: Amount, settlementAmount: Amount, fee: Amount
    ) {
        self.transactionTime = transactionTime
        self.isRefund = isRefund
        self.transactionId = transactionId
        self.transactionRequestId = transactionRequestId
        self.paymentId = paymentId
        self.referenceOrderId = referenceOrderId
        self.counterParticipantId = counterParticipantId
        self.transactionAmount = transactionAmount
        self.settlementAmount = settlementAmount
        self.fee = fee
    }

    public var type: TransactionType { isRefund ? .refund : .payment }

    /// What the acquirer gets for it, negative where it pays. `malformed-report` when it does not fit.
    public func net() throws(AlipayPlusError) -> Amount {
        do throws(MoneyError) {
            let moved = try isRefund ? settlementAmount.negated() : settlementAmount
            return try moved - fee
        } catch { throw AlipayPlusError(code: .malformedReport, reason: error.reason) }
    }

    static let columns = [
        "transactionTime", "transactionType", "transactionId", "transactionRequestId", "paymentId", "referenceOrderId",
        "counterParticipantId", "transactionCurrency", "transactionAmount", "settlementCurrency", "settlementAmount", "feeAmount",
        "netAmount",
    ]

    func fields() throws(AlipayPlusError) -> [String] {
        [
            transactionTime.description, type.rawValue, transactionId, transactionRequestId, paymentId, referenceOrderId,
            counterParticipantId, transactionAmount.currency.alphabeticCode, transactionAmount.minorUnitText,
            settlementAmount.currency.alphabeticCode, settlementAmount.minorUnitText, fee.minorUnitText, try net().minorUnitText,
        ]
    }

    /// `malformed-report`. The row's own net is compared by the checker, not here.
    init(_ fields: [String]) throws(AlipayPlusError) {
        guard fields.count == Self.columns.count else {
            throw AlipayPlusError(code: .malformedReport, reason: "a row has \(fields.count) fields, not \(Self.columns.count)")
        }
        guard let time = try? AlipayPlusTime(fields[0]), ["PAYMENT", "REFUND"].contains(fields[1]) else {
            throw AlipayPlusError(code: .malformedReport, reason: "a row has no time or type")
        }
        let amount = try ReportAmount.read(fields[8], fields[7])
        let settled = try ReportAmount.read(fields[10], fields[9])
        guard !amount.isNegative, !settled.isNegative else {
            throw AlipayPlusError(code: .malformedReport, reason: "a row has a negative amount")
        }
        self.init(
            transactionTime: time, isRefund: fields[1] == "REFUND", transactionId: fields[2], transactionRequestId: fields[3],
            paymentId: fields[4], referenceOrderId: fields[5], counterParticipantId: fields[6], transactionAmount: amount,
            settlementAmount: settled, fee: try ReportAmount.read(fields[11], fields[9]))
    }
}

/// Amounts of reports, which may be negative.
enum ReportAmount {
    static func read(_ text: String, _ currency: String) throws(AlipayPlusError) -> Amount {
        guard let currency = try? WireCurrency(currency).currency, let amount = try? Amount(minorUnitText: text, currency: currency) else {
            throw AlipayPlusError(code: .malformedReport, reason: "an amount is not a whole number of a currency's smallest unit")
        }
        return amount
    }
}

/// What a set of transactions comes to, in the settlement currency.
public struct ReportTotals: Sendable, Hashable {
    public var paymentCount = 0
    public var refundCount = 0
    public var paymentTotal: Amount
    public var refundTotal: Amount
    public var feeTotal: Amount
    public var netTotal: Amount

    public var totalCount: Int { paymentCount + refundCount }

    /// `malformed-report` when a row is settled in another currency, or the sums do not fit.
    public init(of transactions: [ReportTransaction], in currency: Currency) throws(AlipayPlusError) {
        paymentTotal = .zero(currency)
        refundTotal = .zero(currency)
        feeTotal = .zero(currency)
        netTotal = .zero(currency)
        for transaction in transactions { try add(transaction) }
    }

    private mutating func add(_ transaction: ReportTransaction) throws(AlipayPlusError) {
        do throws(MoneyError) {
            if transaction.isRefund {
                refundCount += 1
                try refundTotal += transaction.settlementAmount
            } else {
                paymentCount += 1
                try paymentTotal += transaction.settlementAmount
            }
            try feeTotal += transaction.fee
        } catch { throw AlipayPlusError(code: .malformedReport, reason: error.reason) }
        let net = try transaction.net()
        do throws(MoneyError) { try netTotal += net } catch {
            throw AlipayPlusError(code: .malformedReport, reason: error.reason)
        }
    }

    static let columns = ["totalCount", "paymentCount", "paymentTotal", "refundCount", "refundTotal", "feeTotal", "netTotal"]

    var fields: [String] {
        [
            String(totalCount), String(paymentCount), paymentTotal.minorUnitText, String(refundCount), refundTotal.minorUnitText,
            feeTotal.minorUnitText, netTotal.minorUnitText,
        ]
    }
}
