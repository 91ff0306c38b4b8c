import Alipay
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// A notification that a merchant is owed.
struct OwedNotification: Sendable {
    var row: NotificationRow
    /// What the message's body holds.
    var frozen: FrozenNotification
    var message: OutboxMessage

    /// What stores it.
    var statements: [Statement] { [NotificationRecords.insertion(row), OutboxRecords.insertion(message)] }
}

/// Makes the notification that a change owes its merchant: values only. Nil is for an order without an address.
struct NotificationComposer: Sendable {
    /// By the names of the outbox's schedules: the waits between attempts (alipay.md#reply-and-retries) [D].
    static let schedules: [String: RetrySchedule] = [
        TradeProduct.domestic.rawValue: .fixed(NotificationReply.intervals(crossBorder: false).map { .seconds($0) }),
        TradeProduct.crossBorder.rawValue: .fixed(NotificationReply.intervals(crossBorder: true).map { .seconds($0) }),
    ]
    static let kind = "notification"
    /// What shares one limit and one breaker: a merchant's slow server delays no other's.
    static func destination(of merchant: MerchantID) -> String { "notify:\(merchant)" }

    let identifiers: IdentifierSource

    /// Of a trade's state, with what was refunded where a refund brought it about.
    ///
    /// - Parameter lease: Until when its delivery is left to the request that makes it; nil leaves it to the workers.
    func trade(
        _ trade: Trade, _ order: TradeOrder, refund: Refund?, seller: Seller, leasedUntil lease: Timestamp? = nil, at now: Timestamp
    ) throws -> OwedNotification? {
        guard let url = order.detail.notifyURL else { return nil }
        let names = identity(at: now)
        let fields =
            order.detail.generation == .modern
            ? modern(trade, order: order, refund: refund, seller: seller, notifyID: names.notifyID, at: now)
            : legacy(trade, order: order, refund: refund, seller: seller, notifyID: names.notifyID, at: now)
        return owed(
            names, of: trade, order: order, kind: "trade_status", says: trade.status.rawValue, url: url, fields: fields, leasedUntil: lease,
            at: now)
    }

    /// Of an accepted refund's outcome (`forex_refund` with `is_sync=N`).
    func refund(_ refund: Refund, of trade: Trade, _ order: TradeOrder, at now: Timestamp) throws -> OwedNotification? {
        guard let url = refund.notifyURL else { return nil }
        let names = identity(at: now)
        let failed = refund.state == .failed
        var fields: [FrozenNotification.Field] = [
            .init("notify_id", names.notifyID), .init("notify_type", "refund_status_sync"), .init("notify_time", ChinaTime.text(now)),
            .init("out_return_no", refund.requestNo), .init("out_trade_no", trade.outTradeNo), .init("trade_no", trade.tradeNo),
            .init("currency", trade.money.settlement.currency.alphabeticCode),
            .init(
                trade.money.price.currency == trade.money.payable.currency ? "return_rmb_amount" : "return_amount",
                Amount(minorUnits: refund.part.price, currency: trade.money.price.currency).text),
            .init("refund_status", failed ? "REFUND_FAIL" : "REFUND_SUCCESS"),
        ]
        if let failure = refund.failure { fields.append(.init("error_code", failure)) }
        return owed(
            names, of: trade, order: order, kind: "refund", says: failed ? "REFUND_FAIL" : "REFUND_SUCCESS", url: url, fields: fields,
            at: now)
    }

    /// Of a batch of refunds (`refund_fastpay_by_platform_nopwd`), of which it may be that nothing succeeded.
    func batch(_ batch: RefundBatch, at now: Timestamp) throws -> OwedNotification? {
        guard let url = batch.detail.notifyURL else { return nil }
        let names = identity(at: now)
        let results = batch.detail.items.map { "\($0.tradeNo)^\($0.amount)^\($0.outcome ?? "")" }.joined(separator: "#")
        let succeeded = batch.detail.items.compactMap(\.trade)
        let fields: [FrozenNotification.Field] = [
            .init("notify_time", ChinaTime.text(now)), .init("notify_type", "batch_refund_notify"), .init("notify_id", names.notifyID),
            .init("batch_no", batch.number), .init("success_num", String(succeeded.count)), .init("result_details", results),
        ]
        let frozen = FrozenNotification(
            url: url, charset: batch.detail.charset, signType: batch.detail.signType, signer: .partner(batch.merchant.description),
            fields: fields)
        // Where nothing succeeded there is no trade that it could be shown with.
        let subject = try succeeded.first.map { try TimeOrderedID(text: $0) } ?? batch.id
        return owed(
            frozen, names, merchant: batch.merchant, trade: subject, version: 1, kind: "batch", says: batch.number,
            schedule: TradeProduct.domestic.rawValue, at: now)
    }

    private func identity(at now: Timestamp) -> (id: TimeOrderedID, notifyID: String) {
        // The id is safe text: escaping it changes nothing (alipay.md#notify_verify) [O].
        (identifiers.next(at: now), identifiers.next(at: now).description + hexadecimal(identifiers.bits()))
    }

    private func hexadecimal(_ bits: UInt64) -> String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private func owed(
        _ names: (id: TimeOrderedID, notifyID: String), of trade: Trade, order: TradeOrder, kind: String, says: String, url: String,
        fields: [FrozenNotification.Field], leasedUntil lease: Timestamp? = nil, at now: Timestamp
    ) -> OwedNotification {
        let frozen = FrozenNotification(
            url: url, charset: order.detail.charset, signType: order.detail.signType,
            signer: order.detail.generation == .modern && order.detail.appID != nil
                ? .application(order.detail.appID ?? "") : .partner(trade.merchant.description),
            fields: fields)
        return owed(
            frozen, names, merchant: trade.merchant, trade: trade.id, version: trade.version, kind: kind, says: says,
            schedule: trade.product.rawValue, leasedUntil: lease, at: now)
    }

    private func owed(
        _ frozen: FrozenNotification, _ names: (id: TimeOrderedID, notifyID: String), merchant: MerchantID, trade: TimeOrderedID,
        version: Int64, kind: String, says: String, schedule: String, leasedUntil lease: Timestamp? = nil, at now: Timestamp
    ) -> OwedNotification {
        let stored = frozen.stored
        assert((try? FrozenNotification(stored: stored)) == frozen, "the notification reads back as another one")
        return OwedNotification(
            row: NotificationRow(
                id: names.id, merchant: merchant, trade: trade, notifyID: names.notifyID, kind: kind, says: says, url: frozen.url,
                state: .waiting, createdAt: now),
            frozen: frozen,
            message: OutboxMessage(
                merchant: merchant, id: names.id, destination: Self.destination(of: merchant), kind: Self.kind, subject: trade,
                subjectVersion: version, body: stored, schedule: schedule, dueAt: lease ?? now, createdAt: now))
    }

    private func modern(
        _ trade: Trade, order: TradeOrder, refund: Refund?, seller: Seller, notifyID: String, at now: Timestamp
    ) -> [FrozenNotification.Field] {
        let amount = trade.money.payable.text
        var fields: [FrozenNotification.Field] = [
            .init("notify_time", ChinaTime.text(now)), .init("notify_type", "trade_status_sync"), .init("notify_id", notifyID),
            .init("app_id", order.detail.appID ?? ""), .init("auth_app_id", order.detail.appID ?? ""),
            .init("charset", order.detail.charset), .init("version", "1.0"), .init("trade_no", trade.tradeNo),
            .init("out_trade_no", trade.outTradeNo), .init("buyer_id", trade.buyer.id), .init("buyer_logon_id", trade.buyer.logonID),
            .init("seller_id", trade.merchant.description), .init("trade_status", trade.status.rawValue), .init("total_amount", amount),
            .init("subject", order.detail.subject), .init("gmt_create", ChinaTime.text(trade.createdAt)),
        ]
        if let email = seller.email { fields.append(.init("seller_email", email)) }
        if let body = order.detail.body { fields.append(.init("body", body)) }
        if let paidAt = trade.paidAt {
            fields += [
                .init("gmt_payment", ChinaTime.text(paidAt)), .init("receipt_amount", amount), .init("invoice_amount", amount),
                .init("buyer_pay_amount", amount), .init("point_amount", "0.00"), .init("fund_bill_list", FundText.notification(trade)),
            ]
        }
        if let refund {
            fields += [.init("refund_fee", trade.refundedPrice.text), .init("out_biz_no", refund.requestNo)]
            if let at = trade.refundedAt { fields.append(.init("gmt_refund", ChinaTime.text(at))) }
        } else if trade.status == .closed, trade.paidAt == nil {
            // As the real platform tells of an unpaid trade's time-out [O]; of one that is closed by its merchant, alike [I].
            fields.append(.init("refund_fee", Amount.zero(trade.money.payable.currency).text))
        }
        if trade.status == .closed, let at = trade.closedAt { fields.append(.init("gmt_close", ChinaTime.text(at))) }
        if let passback = order.detail.passback { fields.append(.init("passback_params", passback)) }
        return fields
    }

    private func legacy(
        _ trade: Trade, order: TradeOrder, refund: Refund?, seller: Seller, notifyID: String, at now: Timestamp
    ) -> [FrozenNotification.Field] {
        let head: [FrozenNotification.Field] = [
            .init("notify_time", ChinaTime.text(now)), .init("notify_type", "trade_status_sync"), .init("notify_id", notifyID),
            .init("out_trade_no", trade.outTradeNo), .init("trade_no", trade.tradeNo), .init("trade_status", trade.status.rawValue),
            .init("total_fee", trade.money.price.text),
        ]
        // The cross-border set is short (alipay.md#notification-fields) [V].
        guard trade.product == .domestic else {
            return head + [.init("currency", trade.money.settlement.currency.alphabeticCode)]
        }
        var fields =
            head + [
                .init("subject", order.detail.subject), .init("payment_type", "1"), .init("seller_id", trade.merchant.description),
                .init("buyer_id", trade.buyer.id), .init("buyer_email", trade.buyer.logonID), .init("quantity", "1"),
                .init("price", trade.money.price.text), .init("gmt_create", ChinaTime.text(trade.createdAt)),
                .init("is_total_fee_adjust", "N"), .init("use_coupon", "N"), .init("discount", "0.00"),
            ]
        if let email = seller.email { fields.append(.init("seller_email", email)) }
        if let body = order.detail.body { fields.append(.init("body", body)) }
        if let at = trade.paidAt { fields.append(.init("gmt_payment", ChinaTime.text(at))) }
        if refund != nil {
            fields.append(.init("refund_status", "REFUND_SUCCESS"))
            if let at = trade.refundedAt { fields.append(.init("gmt_refund", ChinaTime.text(at))) }
        }
        if trade.status == .closed, let at = trade.closedAt { fields.append(.init("gmt_close", ChinaTime.text(at))) }
        return fields
    }
}

/// From where a payment came, as the protocol writes it.
enum FundText {
    /// In a notification: `fundChannel` (alipay.md#notification-fields) [D].
    static func notification(_ trade: Trade) -> String { list(trade, channel: "fundChannel").text }

    /// In an answer: `fund_channel`.
    static func answer(_ trade: Trade) -> JSONValue { list(trade, channel: "fund_channel") }

    private static func list(_ trade: Trade, channel: String) -> JSONValue {
        .array(
            trade.funds.map { fund in
                let amount = Amount(minorUnits: fund.amount, currency: trade.money.payable.currency).text
                return .object([.init("amount", .string(amount)), .init(channel, .string(fund.channel))])
            })
    }
}
