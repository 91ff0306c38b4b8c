import BillfoldJSON
import BillfoldMoney
package import BillfoldPayments
import BillfoldStorage

extension AlipayServer {
    /// What the rows of this server's store must agree about.
    ///
    /// - Parameter links: With the audit key, where it is given. Without it the links of the chains are compared, and not what the rows
    ///   say.
    package static func check(links: AuditChain?) -> any StoreCheck { AlipayCheck(links: links) }
}

struct AlipayCheck: StoreCheck {
    let links: AuditChain?

    func run(in tx: any Transaction, _ findings: StoreFindings) throws {
        let forgotten = try RetentionRecords.mark(RetentionRecords.outbox, in: tx) ?? Timestamp(microseconds: 0)
        try orders(in: tx, findings)
        try trades(in: tx, findings)
        try refunds(in: tx, findings)
        try payouts(in: tx, findings)
        try balances(in: tx, findings)
        try notifications(since: forgotten, in: tx, findings)
        try ledger(in: tx, findings)
        try AuditCheck(links: links).run(in: tx, findings) { try end(of: $1, $0, in: tx) }
        try OutboxCheck.run(in: tx, findings) { try problem($0, in: tx) }
        try OutboxCheck.deadlines(in: tx, findings) { try problem($0, in: tx) }
        try UnmatchedNoticeCheck.run(in: tx, findings)
        try IdempotencyCheck.run(in: tx, findings) { try problem($0, in: tx) }
    }

    private func has(_ table: String, id: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> Bool {
        try TableRecords.has(table, [("merchant", merchant.sqlValue), ("id", id.sqlValue)], in: tx)
    }

    /// The id of an order is that of its content.
    private func orders(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("alipay_orders", key: ["merchant", "id"], columns: ["fingerprint"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            let read = try findings.read("alipay_orders", key: key) {
                try TradeOrderRecords.find(row.timeOrderedID(1), merchant: MerchantID(row.text(0)), in: tx)
            }
            guard let order = read ?? nil else { return }
            let content = RequestFingerprint(parts: [Array(order.merchant.description.utf8), order.text])
            findings.compare("alipay_orders", key: key, column: "fingerprint", expected: content.bytes, found: try row.blob(2))
        }
    }

    // MARK: Trades

    private func trades(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("alipay_trades", key: ["merchant", "id"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            let read = try findings.read("alipay_trades", key: key) {
                try TradeRecords.find(row.timeOrderedID(1), merchant: MerchantID(row.text(0)), in: tx)
            }
            guard let trade = read ?? nil else { return }
            let rows = try findings.read("audit_rows", key: trade.auditChain) {
                try AuditRecords.rows(of: trade.auditChain, merchant: trade.merchant, in: tx)
            }
            let all = try findings.read("alipay_refunds", key: key) {
                try RefundRecords.all(of: trade.id, merchant: trade.merchant, in: tx)
            }
            guard let rows, let all else { return }
            let booked = all.filter { $0.bookedAt != nil }.sorted { ($0.bookedAt?.microseconds ?? 0) < ($1.bookedAt?.microseconds ?? 0) }
            var replay = TradeReplay(trade, refunds: booked)
            for (place, row) in rows.enumerated() {
                let name = "\(key)/\(row.sequence)"
                if let expected = replay.take(row, isFirst: place == 0) {
                    findings.add(.differs, table: "audit_rows", key: name, expected: expected, found: "\(row.action): \(row.result)")
                }
                findings.compare("audit_rows", key: name, column: "object", expected: trade.tradeNo, found: row.object)
            }
            compare(trade, key: key, rows: rows, replay: replay, booked: booked, findings)
            try compare(trade, key: key, booked: booked, in: tx, findings)
            try deadline(trade, key: key, in: tx, findings)
        }
    }

    private func compare(
        _ trade: Trade, key: String, rows: [AuditRow], replay: TradeReplay, booked: [Refund], _ findings: StoreFindings
    ) {
        let last = rows.last.map { AuditHead(sequence: $0.sequence, hash: $0.hash) } ?? .start
        if last != trade.auditHead {
            findings.add(
                .missing, table: "audit_rows", key: key, expected: "row \(trade.auditHead.sequence) as the last of the trade's chain",
                found: "row \(last.sequence)")
        }
        let table = "alipay_trades"
        findings.compare(table, key: key, column: "status", expected: replay.standing.status.rawValue, found: trade.status.rawValue)
        findings.demand(
            replay.paidAt == trade.paidAt, table: table, key: key,
            expected: "paid_at \(replay.paidAt.map { "\($0.microseconds)" } ?? "none")",
            found: trade.paidAt.map { "\($0.microseconds)" } ?? "none")
        if let first = rows.first {
            findings.compare(table, key: key, column: "created_at", expected: first.at.microseconds, found: trade.createdAt.microseconds)
        }
        if let last = rows.last {
            findings.compare(table, key: key, column: "updated_at", expected: last.at.microseconds, found: trade.updatedAt.microseconds)
        }
        let sum = booked.reduce(TradeMoney.Part.none) {
            .init(
                price: $0.price + $1.part.price, payable: $0.payable + $1.part.payable, settlement: $0.settlement + $1.part.settlement,
                fee: $0.fee + $1.part.fee)
        }
        findings.demand(
            trade.refunded == sum, table: table, key: key, expected: "refunded \(Self.text(sum))", found: Self.text(trade.refunded))
        findings.demand(
            booked.map(\.bookedAt) == replay.refundedAt.map(Optional.some), table: "alipay_refunds", key: key,
            expected: "\(replay.refundedAt.count) booked, when the audit chain says", found: "\(booked.count)")
        findings.demand(
            booked.last?.bookedAt == trade.refundedAt, table: table, key: key, expected: "refunded_at as its last refund",
            found: trade.refundedAt.map { "\($0.microseconds)" } ?? "none")
    }

    private static func text(_ part: TradeMoney.Part) -> String { "\(part.price)/\(part.payable)/\(part.settlement)/\(part.fee)" }

    private func compare(
        _ trade: Trade, key: String, booked: [Refund], in tx: any Transaction, _ findings: StoreFindings
    ) throws {
        let read = try findings.read("alipay_orders", key: "\(trade.merchant)/\(trade.order)") {
            try TradeOrderRecords.find(trade.order, merchant: trade.merchant, in: tx)
        }
        guard let found = read else { return }
        guard let order = found else {
            return findings.add(
                .missing, table: "alipay_orders", key: "\(trade.merchant)/\(trade.order)", expected: "the order of \(key)", found: "no row")
        }
        let (detail, money) = (order.detail, trade.money)
        findings.compare("alipay_trades", key: key, column: "out_trade_no", expected: detail.outTradeNo, found: trade.outTradeNo)
        findings.demand(
            detail.price == money.price && detail.product == trade.product, table: "alipay_trades", key: key,
            expected: "price \(detail.price), as ordered",
            found: "\(money.price)")
        let isPriced =
            if let rate = money.rate { (try? TradeMoney(price: money.price, rate: rate)) == money } else {
                money.payable == money.price && money.settlement == money.price && !money.fee.isNegative
                    && money.fee.minorUnits <= money.price.minorUnits
            }
        findings.demand(
            isPriced, table: "alipay_trades", key: key, expected: "amounts that follow from the price",
            found: "\(money.payable), \(money.settlement), \(money.fee)")
        var bookings: [LedgerCheck.Booking] = []
        if let paidAt = trade.paidAt {
            let shares = detail.shares ?? []
            let parts = zip(shares, try money.settled(shares)).map { (receiver: $0.receiver, amount: $1) }
            bookings = try TradeBooks.payment(of: trade, shares: parts, at: paidAt).map { .init($0) }
        }
        try LedgerCheck.compare(bookings, of: trade.id, merchant: trade.merchant, in: tx, findings)
        for refund in booked {
            let statements = try TradeBooks.refund(refund, of: trade, at: refund.bookedAt ?? trade.updatedAt)
            try LedgerCheck.compare(statements.map { .init($0) }, of: refund.id, merchant: trade.merchant, in: tx, findings)
        }
        // The wallet's request that paid it keeps its key for ever.
        if let request = trade.paymentRequest {
            let name = "wallet:\(trade.wallet)/\(WalletLinkService.paymentOperation)/\(request)"
            let answer = try findings.read("idempotency_keys", key: name) {
                try IdempotencyRecords.result(WalletLinkService.paymentKey(request, wallet: trade.wallet), in: tx)
                    .map { try JSONDocument.decode(LinkAnswer.self, $0) }
            }
            if let answer, answer != .paid(tradeNo: trade.tradeNo) {
                findings.add(
                    answer == nil ? .missing : .differs, table: "idempotency_keys", key: name, expected: "that it paid \(trade.tradeNo)",
                    found: answer == nil ? "no row" : "another answer")
            }
        }
        findings.demand(
            (trade.paymentRequest != nil) == (trade.paidAt != nil), table: "alipay_trades", key: key,
            expected: "a payment's request where it was paid",
            found: trade.paymentRequest ?? "none")
    }

    private func deadline(_ trade: Trade, key: String, in tx: any Transaction, _ findings: StoreFindings) throws {
        let kind: String? =
            switch trade.status {
            case .waitBuyerPay: TradeStore.expiry
            case .success: TradeStore.refundWindow
            case .finished, .closed, .pending: nil
            }
        if let kind, try DeadlineRecords.find(kind, subject: trade.id, merchant: trade.merchant, in: tx) == nil {
            findings.add(
                .missing, table: "deadlines", key: "\(key)/\(kind)", expected: "the end of what the trade waits for", found: "no row")
        }
    }

    private func refunds(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("alipay_refunds", key: ["merchant", "trade_id", "request_no"], columns: ["id"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(3))
            let read = try findings.read("alipay_refunds", key: key) {
                let merchant = try MerchantID(row.text(0))
                return (
                    try RefundRecords.find(row.timeOrderedID(3), merchant: merchant, in: tx),
                    try TradeRecords.find(row.timeOrderedID(1), merchant: merchant, in: tx)
                )
            }
            guard let (refund, trade) = read, let refund else { return }
            guard let trade else {
                return findings.add(.unexpected, table: "alipay_refunds", key: key, expected: "its trade", found: "no row")
            }
            findings.compare("alipay_refunds", key: key, column: "wallet", expected: trade.wallet, found: refund.wallet)
            findings.demand(
                (refund.bookedAt != nil) == (refund.state == .booked || refund.state == .credited), table: "alipay_refunds", key: key,
                expected: "an instant of booking where it was booked", found: refund.state.rawValue)
            findings.demand(
                (refund.creditedAt != nil) == (refund.state == .credited), table: "alipay_refunds", key: key,
                expected: "an instant of credit where it was",
                found: refund.state.rawValue)
            // It is sent until the wallet has credited it.
            if refund.state == .booked, try !has("outbox", id: refund.id, merchant: refund.merchant, in: tx) {
                findings.add(
                    .missing, table: "outbox", key: "\(refund.merchant)/\(refund.id)", expected: "the refund to the wallet", found: "no row"
                )
            }
            if refund.state == .accepted,
                try DeadlineRecords.find(TradeStore.acceptedRefund, subject: refund.id, merchant: refund.merchant, in: tx) == nil
            {
                findings.add(
                    .missing, table: "deadlines", key: "\(refund.merchant)/\(refund.id)", expected: "the booking of the refund",
                    found: "no row")
            }
        }
    }

    // MARK: Payouts

    private func payouts(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each(
            "alipay_payouts", key: ["merchant", "request"],
            columns: ["id", "amount", "currency", "requested_by", "reason", "at", "receiver"], in: tx
        ) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            let read = try findings.read("alipay_payouts", key: key) {
                Payout(
                    merchant: try MerchantID(row.text(0)), receiver: try row.optionalText(8), request: try row.text(1),
                    id: try row.timeOrderedID(2), amount: Amount(minorUnits: try row.integer(3), currency: try Currency(row.text(4))),
                    by: try row.text(5), reason: try row.text(6), at: try row.timestamp(7))
            }
            guard let payout = read else { return }
            try LedgerCheck.compare([.init(TradeBooks.payout(payout))], of: payout.id, merchant: payout.merchant, in: tx, findings)
            let told: [(column: String, value: SQLValue)] = [
                ("merchant", payout.merchant.sqlValue), ("chain", "operators"), ("object", .text(payout.request)),
                ("action", .text(payout.receiver == nil ? "merchant.payout" : "receiver.payout")), ("at", .integer(payout.at.microseconds)),
            ]
            if try !TableRecords.has("audit_rows", told, in: tx) {
                findings.add(
                    .missing, table: "audit_rows", key: "\(payout.merchant)/operators", expected: "the payout \(payout.request)",
                    found: "no row")
            }
        }
    }

    /// A seller's row holds a lower bound of the balance, and what was paid out.
    private func balances(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("alipay_seller_balances", key: ["merchant", "currency"], columns: ["paid_out", "available"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            let read = try findings.read("alipay_seller_balances", key: key) {
                let (merchant, currency) = (try MerchantID(row.text(0)), try Currency(row.text(1)))
                return try LedgerRecords.balance(of: TradeBooks.merchant(merchant), currency, merchant: merchant, in: tx)
            }
            guard let balance = read else { return }
            let mine: [SQLValue] = [row.values[0], row.values[1]]
            let out = try TableRecords.sum(
                of: "amount", "alipay_payouts", where: ("merchant = ? AND currency = ? AND receiver IS NULL", mine), in: tx)
            let split = try TableRecords.sum(
                of: "amount", "ledger_postings", where: ("merchant = ? AND currency = ? AND template = 'trade-split'", mine), in: tx)
            let paidOut = try row.integer(2)
            findings.demand(
                split.rows == 0 ? paidOut == out.sum : paidOut > 0 && paidOut >= out.sum, table: "alipay_seller_balances", key: key,
                expected: "paid_out \(split.rows == 0 ? "" : "at least ")\(out.sum)", found: "\(paidOut)")
            let available = try row.integer(3)
            findings.demand(
                (0...max(0, -balance.minorUnits)).contains(available), table: "alipay_seller_balances", key: key,
                expected: "available at most \(-balance.minorUnits)", found: "\(available)")
        }
        let lost = try TableRecords.without(
            "alipay_seller_balances", table: "alipay_payouts", columns: ["t.merchant", "t.currency"],
            on: "o.merchant = t.merchant AND o.currency = t.currency", absent: "merchant", in: tx)
        for row in lost {
            findings.add(
                .missing, table: "alipay_seller_balances", key: StoreFindings.key(row.values), expected: "a row of a payout",
                found: "no row")
        }
    }

    // MARK: What other rows are about

    private func notifications(since forgotten: Timestamp, in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("alipay_notifications", key: ["merchant", "id"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            let read = try findings.read("alipay_notifications", key: key) {
                try NotificationRecords.find(row.timeOrderedID(1), merchant: MerchantID(row.text(0)), in: tx)
            }
            guard let notification = read ?? nil else { return }
            let isAboutSomething = try has("alipay_trades", id: notification.trade, merchant: notification.merchant, in: tx)
            if try !isAboutSomething && !has("alipay_batches", id: notification.trade, merchant: notification.merchant, in: tx) {
                findings.add(.unexpected, table: "alipay_notifications", key: key, expected: "the trade that it tells of", found: "no row")
            }
            findings.demand(
                (notification.settledAt != nil) == (notification.state == .settled), table: "alipay_notifications", key: key,
                expected: "an instant of its end where it is settled", found: notification.state.rawValue)
            let isDue = notification.createdAt >= forgotten || notification.state != .settled
            if isDue, try !has("outbox", id: notification.id, merchant: notification.merchant, in: tx) {
                findings.add(.missing, table: "outbox", key: key, expected: "the notification", found: "no row")
            }
        }
        let lost = try TableRecords.without(
            "alipay_notifications", table: "alipay_notification_attempts", columns: ["t.merchant", "t.notification", "t.number"],
            on: "o.merchant = t.merchant AND o.id = t.notification", absent: "id", in: tx)
        for row in lost {
            findings.add(
                .unexpected, table: "alipay_notification_attempts", key: StoreFindings.key(row.values), expected: "its notification",
                found: "no row")
        }
    }

    private func ledger(in tx: any Transaction, _ findings: StoreFindings) throws {
        let owner = " AND o.merchant = t.merchant"
        let payments = ["trade-payment", "trade-payment-wallet", "trade-payment-merchant", "trade-fee", "trade-split"]
        let refunds = ["trade-refund", "trade-refund-wallet", "trade-refund-merchant", "trade-refund-fee", "trade-refund-split"]
        let payouts = ["merchant-payout", "receiver-payout"]
        try LedgerCheck.orphans(of: payments, "alipay_trades", and: owner, in: tx, findings)
        try LedgerCheck.orphans(of: refunds, "alipay_refunds", and: "\(owner) AND o.booked_at IS NOT NULL", in: tx, findings)
        try LedgerCheck.orphans(of: payouts, "alipay_payouts", and: owner, in: tx, findings)
        try LedgerCheck.strangers(besides: payments + refunds + payouts, in: tx, findings)
    }

    private func end(of chain: String, _ merchant: MerchantID, in tx: any Transaction) throws -> KnownChainEnd {
        if chain == "operators" || chain == UnmatchedNoticeRecords.chain { return .untold }
        guard chain.hasPrefix("trade:"), let id = try? TimeOrderedID(text: chain.dropFirst(6)) else { return .ownerMissing }
        return try has("alipay_trades", id: id, merchant: merchant, in: tx) ? .untold : .ownerMissing
    }

    private func problem(_ message: OutboxCheck.Message, in tx: any Transaction) throws -> String? {
        switch message.kind {
        case NotificationComposer.kind:
            try has("alipay_notifications", id: message.id, merchant: message.merchant, in: tx) ? nil : "the notification that it carries"
        case WalletRefund.kind:
            try message.id == message.subject && has("alipay_refunds", id: message.id, merchant: message.merchant, in: tx)
                ? nil : "the refund that it carries"
        default: "a message of the gateway"
        }
    }

    private func problem(_ deadline: Deadline, in tx: any Transaction) throws -> String? {
        let table =
            switch deadline.kind {
            case TradeStore.expiry, TradeStore.refundWindow: "alipay_trades"
            case TradeStore.acceptedRefund: "alipay_refunds"
            case RefundBatches.deadline: "alipay_batches"
            default: ""
            }
        guard !table.isEmpty else { return "a deadline of the gateway" }
        return try has(table, id: deadline.subject, merchant: deadline.merchant, in: tx) ? nil : "what it is the end of"
    }

    private func problem(_ stored: IdempotencyCheck.Stored, in tx: any Transaction) throws -> String? {
        let operations = [WalletLinkService.orderOperation, WalletLinkService.tradeOperation, WalletLinkService.paymentOperation]
        guard operations.contains(stored.operation) else { return "an operation of the wallet link" }
        guard let result = stored.result else { return "an answer, which is stored with the request" }
        switch try JSONDocument.decode(LinkAnswer.self, result) {
        case .order(let shown):
            guard stored.operation == WalletLinkService.orderOperation, let (merchant, id) = TradeOrder.parts(of: shown.ref),
                try has("alipay_orders", id: id, merchant: merchant, in: tx)
            else { return "an order that there is" }
        case .trade(let opened):
            guard stored.operation == WalletLinkService.tradeOperation, let trade = try TradeRecords.find(tradeNo: opened.tradeNo, in: tx),
                opened.payable == .init(trade.money.payable)
            else { return "a trade that there is, and what it costs" }
        case .paid(let number):
            guard stored.operation == WalletLinkService.paymentOperation, let trade = try TradeRecords.find(tradeNo: number, in: tx),
                trade.paymentRequest == stored.key, stored.caller == "wallet:\(trade.wallet)"
            else { return "a trade that this request has paid" }
        case .refused: break
        }
        return nil
    }
}
