import BillfoldStorage
import UnionPay

/// The fields that the gateway's messages have beside the repeated ones.
enum UnionPayGatewayReplies {
    static func text(_ code: String) -> String {
        ReplyCode(rawValue: code).meansPaidWhenOriginal ? "成功[0000000]" : "\(ReplyCode(rawValue: code).meaning)[9100000]"
    }

    static func settlement(of row: UnionPayGatewayTransaction) -> [String: String] {
        [
            "queryId": row.queryID.description, "traceNo": row.traceNumber, "traceTime": BeijingTime(row.bookedAt).withoutYear,
            "settleAmt": String(row.amount), "settleCurrencyCode": row.currency, "settleDate": row.settlementDay,
        ]
    }

    /// The notifications that a booking causes, each as often as its plan says. A decline causes none.
    static func notifications(of row: UnionPayGatewayTransaction, ids: [[UInt8]]) -> [UnionPayGatewayNotification] {
        guard let url = row.backURL, row.plan.notification != .never,
            row.lateAt != nil || ReplyCode(rawValue: row.code).meansPaidWhenOriginal
        else { return [] }
        var fields = row.echo
        fields.merge(settlement(of: row)) { _, new in new }
        let amount = row.amount + (row.plan.notification == .wrongAmount ? row.plan.amountOffset : 0)
        fields["txnAmt"] = String(max(amount, 0))
        fields["settleAmt"] = fields["txnAmt"]
        fields["currencyCode"] = row.currency
        fields["respCode"] = "00"
        fields["respMsg"] = "成功[0000000]"
        fields["accNo"] = ""
        let due = (row.lateAt ?? row.bookedAt).advanced(by: .seconds(row.plan.notificationDelaySeconds))
        return ids.prefix(1 + row.plan.duplicateNotifications).map { id in
            UnionPayGatewayNotification(
                merchant: row.key.merchant.description, id: id, order: row.key.order.description, time: row.key.time.description, url: url,
                content: .init(fields: fields, isCorrupt: row.plan.notification == .corruptSignature), dueAt: due, attempt: 0)
        }
    }
}

/// What a fault plan does to a signed message.
enum UnionPayGatewayFault {
    /// Exchanges the first two different characters of the signature: still base64, and no signature any more.
    static func corruptingSignature(_ fields: UnionPayFields) -> UnionPayFields {
        var fields = fields
        var text = Array(fields["signature"] ?? "")
        if let other = text.indices.dropFirst().first(where: { text[$0] != text[0] }) { text.swapAt(0, other) }
        fields["signature"] = String(text)
        return fields
    }
}
