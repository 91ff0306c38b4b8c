import BillfoldMoney
import BillfoldStorage
import UnionPay

/// Orders that a merchant pushes, and the customer who pays them in UnionPay's own client (unionpay-tn.md#order-push).
extension UnionPayGatewayService {
    /// Keeps the order and answers with its number. Nothing is booked: money moves when a customer pays.
    ///
    /// A message that comes twice is a duplicate (12), and its number is not told again: whether UnionPay does is not published. [I]
    func push(_ verified: VerifiedFields, _ message: UnionPayFields) async throws -> Answer {
        let (request, now) = (try OrderPushRequest(verified), clock.now())
        let number = try TransactionNumber(BeijingTime(now).description + digits(7))
        let order = UnionPayPushedOrder(
            key: request.key, number: number, amount: request.amount.minorUnits, currency: request.amount.currency.numericCode,
            text: request.orderDescription, echo: echo(verified.fields).dictionary, backURL: request.backURL,
            payTimeout: request.payTimeout, plan: FaultPlan(), pushedAt: now)
        let (decision, plan) = try await database.write { transaction in try Self.decide(order, in: transaction) }
        guard let decision else { return Answer(fields: nil, plan: plan, problem: "the request was lost on the way (fault plan)") }
        var answer = try reply(message, decision)
        if decision.code == ReplyCode.accepted.rawValue {
            answer["tn"] = number.description
            answer = try authority.signer.signed(answer)
        }
        if plan.corruptReplySignature { answer = UnionPayGatewayFault.corruptingSignature(answer) }
        return Answer(fields: answer, plan: plan)
    }

    private static func decide(
        _ order: UnionPayPushedOrder, in transaction: any Transaction
    ) throws -> (UnionPayGatewayDecision?, FaultPlan) {
        let merchant = order.key.merchant
        let isUsed =
            try UnionPayPushRecords.isUsed(order.key.order, by: merchant, in: transaction)
            || UnionPayGatewayRecords.find(order.key, in: transaction) != nil
        let duplicate = UnionPayGatewayDecision.refuse("12", "重复交易", reason: "9100012")
        guard !isUsed else { return (duplicate, FaultPlan()) }
        let plan = try UnionPayGatewayRecords.plan(for: order.key.order, of: order.echo["reqReserved"], in: transaction)
        if plan.loss == .request { return (nil, plan) }
        let code = ReplyCode(rawValue: plan.replyCode ?? "00")
        switch code.class {
        case .accepted, .unknown:
            var kept = order
            kept.plan = plan
            // What the plan does to an answer was done to this one.
            (kept.plan.loss, kept.plan.replyCode, kept.plan.corruptReplySignature) = (.nothing, nil, false)
            guard try UnionPayPushRecords.insert(kept, in: transaction) else {
                guard try UnionPayPushRecords.find(order.key, in: transaction) != nil else {
                    throw SandboxError(code: .stateUnusable, reason: "a number was drawn twice")
                }
                // A process beside this one has taken a copy of the message in the same instant.
                return (duplicate, FaultPlan())
            }
            return (UnionPayGatewayDecision(code: code.rawValue, message: UnionPayGatewayReplies.text(code.rawValue)), plan)
        default: return (.refuse(code.rawValue, code.meaning, reason: "9100000"), plan)
        }
    }

    // MARK: The customer

    /// What the customer does on the page.
    enum CustomerAct: String, Sendable, CaseIterable {
        case pay
        /// Tries a card that is refused. The order stays payable.
        case decline
        case leave = "cancel"
    }

    func pushedOrder(_ number: TransactionNumber) async throws -> UnionPayPushedOrder? {
        let order = try await database.read { try UnionPayPushRecords.find(number, in: $0) }
        if let order { OwnTime.enter(order.key.merchant.description) }
        return order
    }

    /// Takes what the customer did, and returns what the client shows and brings back. A payment is booked once and notified.
    func act(_ act: CustomerAct, on number: TransactionNumber) async throws -> AppResultWord {
        // An order is over by its merchant's time.
        _ = try await pushedOrder(number)
        let now = clock.now()
        guard act == .pay else { return act == .decline ? .fail : .cancel }
        var generator = InjectedGenerator(draw: random)
        let ids = (0...20).map { _ in TimeOrderedID(at: now, using: &generator).bytes }
        let (queryID, trace) = (try newQueryID(now), digits(6))
        return try await database.write { transaction in
            guard let order = try UnionPayPushRecords.find(number, in: transaction) else {
                throw SandboxError(code: .notFound, reason: "no order has this number")
            }
            // Who comes back to a page of what is paid sees that it is.
            if order.isPaid { return .success }
            guard !order.isOver(at: now) else { return .fail }
            let consume = UnionPayGatewayOrder(
                key: order.key, type: .consume,
                amount: try Amount(unionPay: String(order.amount), currencyCode: order.currency), backURL: order.backURL,
                echo: order.echo, queryID: queryID, traceNumber: trace, now: now)
            let decision = UnionPayGatewayRules.consume(consume, isUsed: false, plan: order.plan)
            // Who pays twice at once pays once: the first write counts.
            guard try UnionPayPushRecords.markPaid(number, in: transaction) else { return .success }
            guard let booking = decision.booking, try UnionPayGatewayRecords.insert(booking, in: transaction) else {
                throw SandboxError(code: .stateUnusable, reason: "a pushed order was booked before")
            }
            for notification in UnionPayGatewayReplies.notifications(of: booking, ids: ids) {
                try UnionPayGatewayNotificationRecords.insert(notification, in: transaction)
            }
            return .success
        }
    }
}
