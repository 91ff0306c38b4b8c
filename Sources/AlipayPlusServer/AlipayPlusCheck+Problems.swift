import AlipayPlus
import BillfoldPayments
import BillfoldStorage

// What is wrong with a row of the tables that every server has.
extension AlipayPlusCheck {
    func problem(_ message: OutboxCheck.Message, in tx: any Transaction) throws -> String? {
        if message.kind == NotificationComposer.kind {
            return try has("alipay_plus_notifications", id: message.id, acquirer: message.merchant, in: tx)
                ? nil : "the notification that it carries"
        }
        guard let kind = WalletErrand.Kind(rawValue: message.kind) else { return "a message of the gateway" }
        guard kind == .pay || kind == .refund ? message.id == message.subject : true else { return "a message under its subject's id" }
        let exists =
            kind == .refund
            ? try has("alipay_plus_refunds", id: message.subject, acquirer: message.merchant, in: tx)
            : try TableRecords.has("alipay_plus_legs", [("id", message.subject.sqlValue)], in: tx)
        return exists ? nil : "what the wallet is asked for"
    }

    func problem(_ deadline: Deadline, in tx: any Transaction) throws -> String? {
        switch deadline.kind {
        case CollectionStore.expiry:
            try has("alipay_plus_payments", id: deadline.subject, acquirer: deadline.merchant, in: tx) ? nil : "the payment that it ends"
        case CollectionStore.inquiry:
            try TableRecords.has("alipay_plus_legs", [("id", deadline.subject.sqlValue)], in: tx) ? nil : "the leg to ask about"
        default: "a deadline of the gateway"
        }
    }

    func problem(
        _ stored: IdempotencyCheck.Stored, _ clients: [String: MerchantID], in tx: any Transaction
    ) throws -> String? {
        guard let acquirer = clients[stored.caller] else { return "a client that is registered" }
        let made = stored.result.flatMap { try? TimeOrderedID(bytes: $0) }
        if made == nil, let result = stored.result {
            _ = try ResultRefusal(kept: result)
            return nil
        }
        guard let id = made ?? stored.subject else { return "what the request has made" }
        switch stored.operation {
        case PayRequest.api:
            let found = try AcquirerPaymentRecords.find(requestID: stored.key, acquirer: acquirer, in: tx)
            return found?.id == id || stored.result == nil && found != nil ? nil : "the payment \(stored.key)"
        case RefundRequest.api:
            let found = try AcquirerRefundRecords.find(requestID: stored.key, acquirer: acquirer, in: tx)
            return found?.id == id || stored.result == nil && found != nil ? nil : "the refund \(stored.key)"
        case PrepareRequest.api:
            return try has("alipay_plus_authorizations", id: id, acquirer: acquirer, in: tx) ? nil : "the authorisation \(id)"
        default: return "an operation of the gateway"
        }
    }
}
