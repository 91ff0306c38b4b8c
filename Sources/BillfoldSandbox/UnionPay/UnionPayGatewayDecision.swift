import BillfoldMoney
import BillfoldStorage
import UnionPay

/// What the gateway answers, and what it books: values, decided without a store.
struct UnionPayGatewayDecision: Sendable {
    var code: String
    /// `respMsg`; a reason in brackets ends it.
    var message: String
    /// A transaction that is booked with this answer.
    var booking: UnionPayGatewayTransaction?
    /// What becomes of the transaction that is undone.
    var standing: (key: TransactionKey, standing: UnionPayGatewayTransaction.Standing)?

    static func refuse(_ code: String, _ message: String, reason: String) -> Self { Self(code: code, message: "\(message)[\(reason)]") }
    static let accept = Self(code: "00", message: "成功[0000000]")
}

/// A request in the terms that deciding needs.
struct UnionPayGatewayOrder: Sendable {
    var key: TransactionKey
    var type: TransactionType
    var amount: Amount
    var original: OriginalReference?
    var backURL: String?
    var echo: [String: String]
    /// Numbers that would be given if it is booked.
    var queryID: QueryID
    var traceNumber: String
    var now: Timestamp
}

/// The gateway's rules for money messages (apple-pay.md#deduct-message, apple-pay.md#undoing).
enum UnionPayGatewayRules {
    /// Basis points of the amount that the merchant pays for a consume.
    static let feeBasisPoints: Int64 = 50

    static func consume(_ order: UnionPayGatewayOrder, isUsed: Bool, plan: FaultPlan) -> UnionPayGatewayDecision {
        if isUsed { return .refuse("12", "重复交易", reason: "9100012") }
        let code = ReplyCode(rawValue: plan.replyCode ?? "00")
        switch code.class {
        case .ourFault, .setUp, .throttled, .duplicate, .reference, .fileMissing, .alreadyDone:
            // A message that is refused as such is not booked.
            return .refuse(code.rawValue, code.meaning, reason: "9100000")
        default: break
        }
        var booking = booking(order, plan: plan)
        // A script of 03, 04 or 05 says nothing about the truth, which is success unless it is late.
        let isDeclined = code.class == .declined || code.class == .disputed
        booking.code = isDeclined || plan.lateSuccessSeconds != nil ? code.rawValue : "00"
        if let seconds = plan.lateSuccessSeconds {
            let late = order.now.advanced(by: .seconds(seconds))
            booking.lateAt = late
            booking.settlementDay = BeijingTime(late).settlementDay.description
        }
        booking.fee = (order.amount.minorUnits * feeBasisPoints + 5_000) / 10_000
        return UnionPayGatewayDecision(
            code: code.rawValue, message: code == .accepted ? "成功[0000000]" : "\(code.meaning)[9100000]", booking: booking)
    }

    static func reversal(_ order: UnionPayGatewayOrder, of original: UnionPayGatewayTransaction?, undoing: [UnionPayGatewayTransaction])
        -> UnionPayGatewayDecision
    {
        guard let original else { return .refuse("34", "查无此交易", reason: "9100034") }
        guard original.type == .consume else { return .refuse("35", "原交易类型不符", reason: "9100035") }
        guard isSameAmount(order, original) else { return .refuse("36", "金额与原交易不符", reason: "9100036") }
        // It is repeated until it is answered, so a second one gets the first one's answer.
        if original.standing == .reversed { return .accept }
        let isDeclined = original.lateAt == nil && ReplyCode(rawValue: original.code).class == .declined
        guard original.standing == .live, undoing.isEmpty, !isDeclined else {
            return .refuse("35", "原交易状态不正确", reason: "9100035")
        }
        var decision = UnionPayGatewayDecision.accept
        decision.standing = (original.key, .reversed)
        return decision
    }

    static func void(
        _ order: UnionPayGatewayOrder, of original: UnionPayGatewayTransaction?, undoing: [UnionPayGatewayTransaction], isUsed: Bool
    )
        -> UnionPayGatewayDecision
    {
        if isUsed { return .refuse("12", "重复交易", reason: "9100012") }
        guard let original, original.type == .consume else { return .refuse("34", "查无此交易", reason: "9100034") }
        if original.standing == .voided || !undoing.isEmpty { return .refuse("45", "原交易已退货或撤销", reason: "9100045") }
        guard original.isPaid(at: order.now) else { return .refuse("35", "原交易状态不正确", reason: "9100035") }
        guard isSameAmount(order, original) else { return .refuse("36", "金额与原交易不符", reason: "9100036") }
        guard original.settlementDay == BeijingTime(order.now).settlementDay.description else {
            return .refuse("39", "已过当日清算时间", reason: "9100039")
        }
        var decision = UnionPayGatewayDecision.accept
        decision.booking = booking(order, undoing: original, plan: FaultPlan())
        decision.standing = (original.key, .voided)
        return decision
    }

    static func refund(
        _ order: UnionPayGatewayOrder, of original: UnionPayGatewayTransaction?, undoing: [UnionPayGatewayTransaction], isUsed: Bool,
        plan: FaultPlan
    ) -> UnionPayGatewayDecision {
        if isUsed { return .refuse("12", "重复交易", reason: "9100012") }
        guard let original, original.type == .consume else { return .refuse("34", "查无此交易", reason: "9100034") }
        if original.standing == .voided { return .refuse("45", "原交易已撤销", reason: "9100045") }
        guard original.isPaid(at: order.now) else { return .refuse("35", "原交易状态不正确", reason: "9100035") }
        let given = undoing.filter { $0.type == .refund }.reduce(0) { $0 + $1.amount }
        if given >= original.amount { return .refuse("45", "原交易已全部退货", reason: "9100045") }
        guard original.currency == order.amount.currency.numericCode, order.amount.minorUnits <= original.amount - given else {
            return .refuse("36", "退货金额超过原交易", reason: "9100036")
        }
        let age = order.now.microseconds - original.bookedAt.microseconds
        guard age <= 330 * 86_400 * 1_000_000 else { return .refuse("39", "已过退货期限", reason: "9100039") }
        var decision = UnionPayGatewayDecision.accept
        decision.booking = booking(order, undoing: original, plan: plan)
        return decision
    }

    /// The code that a query gives for a booked transaction: the script first, then the truth.
    static func queryCode(_ row: UnionPayGatewayTransaction, at now: Timestamp) -> String {
        if row.queries < row.plan.queryCodes.count { return row.plan.queryCodes[Int(row.queries)] }
        // No owner's document says what a query finds after a reversal [I]; it must not read as paid.
        if row.standing == .reversed { return "45" }
        return row.code(at: now).rawValue
    }

    private static func isSameAmount(_ order: UnionPayGatewayOrder, _ original: UnionPayGatewayTransaction) -> Bool {
        original.amount == order.amount.minorUnits && original.currency == order.amount.currency.numericCode
    }

    private static func booking(_ order: UnionPayGatewayOrder, undoing original: UnionPayGatewayTransaction? = nil, plan: FaultPlan)
        -> UnionPayGatewayTransaction
    {
        UnionPayGatewayTransaction(
            key: order.key, queryID: order.queryID, type: order.type, amount: order.amount.minorUnits,
            currency: order.amount.currency.numericCode, code: "00", standing: .live, original: original?.queryID, echo: order.echo,
            backURL: order.backURL, settlementDay: BeijingTime(order.now).settlementDay.description, traceNumber: order.traceNumber,
            fee: 0, plan: plan, queries: 0, lateAt: nil, bookedAt: order.now)
    }
}
