/// The synchronous reply to an ``OrderPushRequest`` (unionpay-tn.md#order-push).
public struct OrderPushReply: UnionPayMessage {
    /// Absent when the gateway could not read the request far enough to repeat it.
    public let key: TransactionKey?
    public let transactionType: TransactionType?
    public let code: ReplyCode
    public let message: ReplyText
    /// The order's number; only ever beside 00, and not always there. Without it no app can be started.
    public let number: TransactionNumber?
    public let fields: UnionPayFields

    public init(_ verified: VerifiedFields) throws(UnionPayError) {
        fields = verified.fields
        code = ReplyCode(rawValue: try fields.required("respCode"))
        message = ReplyText(fields.optional("respMsg") ?? "")
        let named = fields.optional("orderId") != nil && fields.optional("txnTime") != nil
        key = named ? try TransactionKey(fields) : nil
        transactionType = fields.optional("txnType").flatMap(TransactionType.init(rawValue:))
        let text = code == .accepted ? fields.optional("tn") : nil
        number = try text.map { text throws(UnionPayError) in try TransactionNumber(text) }
    }

    /// Checks that the reply repeats the message's type and key; throws `other-message`. A reply that names less is believed where it
    /// reports a fault of the message itself, and nowhere else. [I]
    public func bound(to key: TransactionKey) throws(UnionPayError) -> BoundReply<Self> {
        let namesBoth = self.key != nil && transactionType != nil
        guard self.key ?? key == key, transactionType ?? .consume == .consume, namesBoth || code.class == .ourFault else {
            throw UnionPayError(code: .otherMessage, reason: "the reply does not repeat the message's type, number and time")
        }
        return BoundReply(reply: self, type: .consume)
    }
}

/// What the reply to an order push says became of it.
public enum OrderPushOutcome: Sendable, Hashable {
    /// The order waits for its customer: hand the number to the app. Nothing is paid.
    case ready(TransactionNumber)
    /// UnionPay does not take the order, and nobody can pay it.
    case refused
    /// UnionPay is closed or busy for now: no more than silence. The same bytes may be sent again, as a repeated copy.
    case busy
    /// Whether UnionPay has the order is not known: no answer, 00 without a `tn`, an earlier copy. Nobody can pay by a number that was
    /// never handed out; what is known of the payment still comes by notification or query alone.
    case unresolved
}

extension BoundReply<OrderPushReply> {
    /// What the reply means for the push (unionpay-tn.md#no-number [I]).
    public func outcome(of copy: MessageCopy) -> OrderPushOutcome {
        switch reply.code.class {
        // A1 and A6 are of the same class and promise no order.
        case .accepted: reply.code == .accepted ? reply.number.map { .ready($0) } ?? .unresolved : .unresolved
        case .ourFault, .setUp, .declined: copy == .first ? .refused : .unresolved
        case .retryLater: .busy
        // 38 is throttled too, by the rules against risk: a copy has no more luck.
        case .throttled: reply.code == .tooManyQueries ? .busy : .unresolved
        default: .unresolved
        }
    }
}
