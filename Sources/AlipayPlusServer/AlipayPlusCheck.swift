import AlipayPlus
import BillfoldJSON
import BillfoldMoney
package import BillfoldPayments
import BillfoldStorage

extension AlipayPlusServer {
    /// What the rows of this server's store must agree about.
    ///
    /// - Parameter links: With the audit key, where it is given. Without it the links of the chains are compared, and not what the rows
    ///   say.
    package static func check(links: AuditChain?) -> any StoreCheck { AlipayPlusCheck(links: links) }
}

struct AlipayPlusCheck: StoreCheck {
    let links: AuditChain?

    func run(in tx: any Transaction, _ findings: StoreFindings) throws {
        let forgotten = try RetentionRecords.mark(RetentionRecords.outbox, in: tx) ?? Timestamp(microseconds: 0)
        let clients = try clients(in: tx, findings)
        try payments(since: forgotten, clients, in: tx, findings)
        try legs(in: tx, findings)
        try refunds(since: forgotten, in: tx, findings)
        try authorizations(in: tx, findings)
        try codes(in: tx, findings)
        try notifications(since: forgotten, in: tx, findings)
        try alarms(in: tx, findings)
        try ledger(in: tx, findings)
        try AuditCheck(links: links).run(in: tx, findings) { try end(of: $1, $0, in: tx) }
        try OutboxCheck.run(in: tx, findings) { try problem($0, in: tx) }
        try OutboxCheck.deadlines(in: tx, findings) { try problem($0, in: tx) }
        try UnmatchedNoticeCheck.run(in: tx, findings)
        try IdempotencyCheck.run(in: tx, findings) { try problem($0, clients, in: tx) }
    }

    /// The acquirers by their client ids, under which their requests' keys are.
    private func clients(in tx: any Transaction, _ findings: StoreFindings) throws -> [String: MerchantID] {
        let read = try findings.read("alipay_plus_parties", key: "acquirers") {
            try AlipayPlusPartyRecords.all(.acquirer, in: tx).map { try JSONDocument.decode(Acquirer.self, $0.document) }
        }
        return Dictionary((read ?? []).map { ($0.clientID, $0.id) }) { first, _ in first }
    }

    func has(_ table: String, id: TimeOrderedID, acquirer: MerchantID, in tx: any Transaction) throws -> Bool {
        try TableRecords.has(table, [("acquirer", acquirer.sqlValue), ("id", id.sqlValue)], in: tx)
    }

    private func hasMessage(_ id: TimeOrderedID, _ acquirer: MerchantID, in tx: any Transaction) throws -> Bool {
        try TableRecords.has("outbox", [("merchant", acquirer.sqlValue), ("id", id.sqlValue)], in: tx)
    }

    // MARK: Payments

    private func payments(
        since forgotten: Timestamp, _ clients: [String: MerchantID], in tx: any Transaction, _ findings: StoreFindings
    ) throws {
        try TableRecords.each("alipay_plus_payments", key: ["acquirer", "id"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            let read = try findings.read("alipay_plus_payments", key: key) {
                try AcquirerPaymentRecords.find(row.timeOrderedID(1), acquirer: MerchantID(row.text(0)), in: tx)
            }
            guard let payment = read ?? nil else { return }
            let rows = try findings.read("audit_rows", key: payment.auditChain) {
                try AuditRecords.rows(of: payment.auditChain, merchant: payment.acquirer, in: tx)
            }
            let refunds = try findings.read("alipay_plus_refunds", key: key) {
                try AcquirerRefundRecords.all(of: payment.id, acquirer: payment.acquirer, in: tx)
            }
            guard let rows, let refunds else { return }
            compare(payment, key: key, rows: rows, refunds: refunds, findings)
            try money(of: payment, key: key, refunds: refunds, in: tx, findings)
            try belongings(of: payment, key, since: forgotten, in: tx, findings)
            for client in clients where client.value == payment.acquirer {
                try request(of: payment, key: key, client: client.key, in: tx, findings)
            }
        }
    }

    /// What the audit chain tells: each state follows from the one before it, and by an event that leads there.
    private func compare(
        _ payment: AcquirerPayment, key: String, rows: [AuditRow], refunds: [AcquirerRefund], _ findings: StoreFindings
    ) {
        let last = rows.last.map { AuditHead(sequence: $0.sequence, hash: $0.hash) } ?? .start
        if last != payment.auditHead {
            findings.add(
                .missing, table: "audit_rows", key: key, expected: "row \(payment.auditHead.sequence) as the last of the payment's chain",
                found: "row \(last.sequence)")
        }
        var replay = CollectionReplay()
        for row in rows {
            let name = "\(key)/\(row.sequence)"
            if let expected = replay.take(row) {
                findings.add(.differs, table: "audit_rows", key: name, expected: expected, found: "\(row.action): \(row.result)")
            }
            findings.compare("audit_rows", key: name, column: "object", expected: payment.paymentID, found: row.object)
        }
        let table = "alipay_plus_payments"
        findings.compare(table, key: key, column: "state", expected: replay.state.rawValue, found: payment.state.rawValue)
        findings.demand(
            payment.paidAt == replay.paidAt, table: table, key: key, expected: "paid_at as the audit chain says",
            found: Self.text(payment.paidAt))
        findings.demand(
            payment.closedAt == replay.closedAt, table: table, key: key, expected: "closed_at as the audit chain says",
            found: Self.text(payment.closedAt))
        if let first = rows.first {
            findings.compare(table, key: key, column: "created_at", expected: first.at.microseconds, found: payment.createdAt.microseconds)
        }
        findings.compare("alipay_plus_refunds", key: key, column: "number", expected: replay.reserved, found: Int64(refunds.count))
        let failed = refunds.filter { $0.state == .failed }
        findings.compare(
            "alipay_plus_refunds", key: key, column: "number that failed", expected: replay.released, found: Int64(failed.count))
        let gone = refunds.filter { $0.state != .failed }.reduce(CollectionMoney.Part.none) { $0 + $1.part }
        findings.demand(
            payment.refunded == gone, table: table, key: key, expected: "refunded \(gone.price), the sum of its refunds",
            found: "\(payment.refunded.price)")
        findings.demand(
            payment.legs.filter { $0.state == .paid }.count == (payment.state == .success ? 1 : 0), table: table, key: key,
            expected: "one paid leg of a paid payment", found: "\(payment.legs.map(\.state.rawValue))")
    }

    private static func text(_ instant: Timestamp?) -> String { instant.map { "\($0.microseconds)" } ?? "none" }

    private func money(
        of payment: AcquirerPayment, key: String, refunds: [AcquirerRefund], in tx: any Transaction, _ findings: StoreFindings
    ) throws {
        let table = "alipay_plus_payments"
        for leg in payment.legs {
            guard let money = payment.detail(of: leg.id)?.money else {
                findings.add(.missing, table: table, key: key, expected: "the amounts of leg \(leg.id)", found: "none")
                continue
            }
            // The offer was the wallet's of that day and the fee the acquirer's; all else follows from price and quotes.
            let wanted = try? CollectionMoney(
                price: payment.terms.amount, payQuote: money.payQuote, promotion: { _ in money.promotion },
                settlementQuote: money.settlementQuote, feePercent: "0")
            findings.demand(
                money.price == payment.terms.amount && wanted?.payable == money.payable
                    && wanted?.payableRounding == money.payableRounding && wanted?.settlement == money.settlement
                    && wanted?.settlementRounding == money.settlementRounding && !money.fee.isNegative
                    && (0...money.payable.minorUnits).contains(money.promotion?.amount ?? 0), table: table, key: key,
                expected: "amounts of leg \(leg.id) that follow from \(payment.terms.amount)",
                found: "\(money.price), \(money.payable), \(money.settlement)")
        }
        var bookings: [LedgerCheck.Booking] = []
        if let paidAt = payment.paidAt, let leg = payment.settledLeg, let money = payment.settledMoney {
            func moves(isBack: Bool, at: Timestamp) throws -> [LedgerCheck.Booking] {
                try CollectionBooks.statements(
                    money.whole, of: money, wallet: leg.wallet, acquirer: payment.acquirer, source: payment.id, isBack: isBack, at: at
                ).map { .init($0) }
            }
            bookings = try moves(isBack: false, at: paidAt)
            if payment.state == .cancelled { bookings += try moves(isBack: true, at: payment.closedAt ?? paidAt) }
            for refund in refunds {
                let statements =
                    refund.state == .success
                    ? try CollectionBooks.statements(
                        refund.part, of: money, wallet: leg.wallet, acquirer: payment.acquirer, source: refund.id, isBack: true,
                        at: refund.doneAt ?? refund.createdAt) : []
                try LedgerCheck.compare(statements.map { .init($0) }, of: refund.id, merchant: payment.acquirer, in: tx, findings)
            }
        }
        try LedgerCheck.compare(bookings, of: payment.id, merchant: payment.acquirer, in: tx, findings)
    }

    /// Rows that a payment must have beside it.
    private func belongings(
        of payment: AcquirerPayment, _ key: String, since forgotten: Timestamp, in tx: any Transaction, _ findings: StoreFindings
    ) throws {
        for leg in payment.legs {
            let row: [(column: String, value: SQLValue)] = [
                ("id", leg.id.sqlValue), ("wallet", .text(leg.wallet)), ("acquirer", payment.acquirer.sqlValue),
                ("payment", payment.id.sqlValue),
            ]
            let request = payment.detail(of: leg.id)?.requestID.map { [(column: "request_id", value: SQLValue.text($0))] } ?? []
            if try !TableRecords.has("alipay_plus_legs", row + request, in: tx) {
                findings.add(.missing, table: "alipay_plus_legs", key: "\(leg.id)", expected: "the leg of \(key)", found: "no such row")
            }
            let isForgotten = (payment.detail(of: leg.id)?.createdAt ?? payment.createdAt) < forgotten
            if leg.state == .requested || leg.state == .paid && !isForgotten, try !hasMessage(leg.id, payment.acquirer, in: tx) {
                findings.add(
                    .missing, table: "outbox", key: "\(payment.acquirer)/\(leg.id)", expected: "the errand to the wallet", found: "no row")
            }
            if leg.state == .stuck, try AcquirerPaymentAlarmRecords.find(.legStuck, of: leg.id, acquirer: payment.acquirer, in: tx) == nil {
                findings.add(
                    .missing, table: "alipay_plus_alarms", key: "\(payment.acquirer)/\(leg.id)", expected: "an open alarm", found: "no row")
            }
        }
        let expiry = try DeadlineRecords.find(CollectionStore.expiry, subject: payment.id, merchant: payment.acquirer, in: tx)
        if payment.state == .processing, !payment.standing.isClosing, expiry == nil {
            findings.add(
                .missing, table: "deadlines", key: "\(key)/\(CollectionStore.expiry)", expected: "the end of the payment", found: "no row")
        }
        let isTold = payment.paidAt != nil || payment.state == .failed
        let notice: [(column: String, value: SQLValue)] = [
            ("acquirer", payment.acquirer.sqlValue), ("payment", payment.id.sqlValue), ("kind", "payment"),
        ]
        if isTold, payment.terms.notifyURL != nil, try !TableRecords.has("alipay_plus_notifications", notice, in: tx) {
            findings.add(.missing, table: "alipay_plus_notifications", key: key, expected: "what the acquirer is told", found: "no row")
        }
    }

    /// As long as its key is there, it holds what the request compared.
    private func request(
        of payment: AcquirerPayment, key: String, client: String, in tx: any Transaction, _ findings: StoreFindings
    ) throws {
        let (amount, order) = (WireAmount(payment.terms.amount), payment.terms.order.orderAmount)
        let fingerprint = RequestFingerprint(texts: [
            "\(amount.currency) \(amount.value)", payment.terms.methodType, "\(order.currency) \(order.value)",
        ])
        let name = try? IdempotencyKey(caller: client, operation: PayRequest.api, key: payment.requestID)
        guard let name else { return }
        if try IdempotencyRecords.find(name, fingerprint: fingerprint, in: tx) == .conflict {
            findings.add(
                .differs, table: "alipay_plus_payments", key: key, expected: "what its request asked for", found: "\(payment.terms.amount)")
        }
    }

    private func legs(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("alipay_plus_legs", key: ["id"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            let read = try findings.read("alipay_plus_legs", key: key) {
                try AcquirerPaymentRecords.find(leg: row.timeOrderedID(0), in: tx)?.legs.contains { $0.id.sqlValue == row.values[0] }
            }
            if let isKnown = read, isKnown != true {
                findings.add(.unexpected, table: "alipay_plus_legs", key: key, expected: "the payment that it is a leg of", found: "none")
            }
        }
    }

    private func refunds(since forgotten: Timestamp, in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("alipay_plus_refunds", key: ["acquirer", "request_id"], columns: ["id"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            let read = try findings.read("alipay_plus_refunds", key: key) {
                try AcquirerRefundRecords.find(row.timeOrderedID(2), acquirer: MerchantID(row.text(0)), in: tx)
            }
            guard let refund = read ?? nil else { return }
            if try !has("alipay_plus_payments", id: refund.payment, acquirer: refund.acquirer, in: tx) {
                findings.add(.unexpected, table: "alipay_plus_refunds", key: key, expected: "its payment", found: "no row")
            }
            findings.demand(
                (refund.doneAt != nil) == (refund.state != .processing), table: "alipay_plus_refunds", key: key,
                expected: "an instant of its end where it ended",
                found: refund.state.rawValue)
            if refund.state == .processing || refund.createdAt >= forgotten, try !hasMessage(refund.id, refund.acquirer, in: tx) {
                findings.add(
                    .missing, table: "outbox", key: "\(refund.acquirer)/\(refund.id)", expected: "the errand to the wallet", found: "no row"
                )
            }
        }
    }

    // MARK: What other rows are about

    private func authorizations(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("alipay_plus_authorizations", key: ["acquirer", "id"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            let read = try findings.read("alipay_plus_authorizations", key: key) {
                try AuthorizationRecords.find(row.timeOrderedID(1), acquirer: MerchantID(row.text(0)), in: tx)
            }
            guard let found = read ?? nil else { return }
            let fits =
                switch found.state {
                case .prepared: found.codeHash == nil && found.accessHash == nil
                case .consented: found.codeHash != nil && found.accessHash == nil && found.progress.sealedCode != nil
                case .active: found.accessHash != nil && found.progress.sealedAccess != nil && found.progress.generation > 0
                case .cancelled: found.progress.sealedAccess == nil && found.progress.sealedCode == nil
                }
            findings.demand(
                fits, table: "alipay_plus_authorizations", key: key, expected: "a state that fits its secrets", found: found.state.rawValue)
            findings.compare(
                "alipay_plus_authorizations", key: key, column: "reference", expected: found.id.description, found: found.reference)
        }
    }

    private func codes(in tx: any Transaction, _ findings: StoreFindings) throws {
        let lost = try TableRecords.without(
            "alipay_plus_payments", table: "alipay_plus_codes", columns: ["t.hash", "t.payment"], on: "o.id = t.payment", absent: "id",
            where: ("t.payment IS NOT NULL", []), in: tx)
        for row in lost {
            findings.add(
                .unexpected, table: "alipay_plus_codes", key: StoreFindings.key(row.values.prefix(1)), expected: "the payment that it paid",
                found: "no row")
        }
    }

    private func notifications(since forgotten: Timestamp, in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("alipay_plus_notifications", key: ["acquirer", "id"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            let read = try findings.read("alipay_plus_notifications", key: key) {
                try NotificationRecords.find(row.timeOrderedID(1), acquirer: MerchantID(row.text(0)), in: tx)
            }
            guard let notice = read ?? nil else { return }
            let table = notice.kind == "payment" ? "alipay_plus_payments" : "alipay_plus_authorizations"
            if try !has(table, id: notice.payment, acquirer: notice.acquirer, in: tx) {
                findings.add(.unexpected, table: "alipay_plus_notifications", key: key, expected: "what it tells of", found: "no row")
            }
            findings.demand(
                (notice.settledAt != nil) == (notice.state == .settled), table: "alipay_plus_notifications", key: key,
                expected: "an instant of its end where it is settled", found: notice.state.rawValue)
            if notice.createdAt >= forgotten || notice.state != .settled, try !hasMessage(notice.id, notice.acquirer, in: tx) {
                findings.add(.missing, table: "outbox", key: key, expected: "the notification", found: "no row")
            }
        }
        let lost = try TableRecords.without(
            "alipay_plus_notifications", table: "alipay_plus_notification_attempts", columns: ["t.acquirer", "t.notification", "t.number"],
            on: "o.acquirer = t.acquirer AND o.id = t.notification", absent: "id", in: tx)
        for row in lost {
            findings.add(
                .unexpected, table: "alipay_plus_notification_attempts", key: StoreFindings.key(row.values), expected: "its notification",
                found: "no row")
        }
    }

    private func alarms(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("alipay_plus_alarms", key: ["acquirer", "subject", "kind"], columns: ["payment", "cleared_at"], in: tx) {
            row in
            let key = StoreFindings.key(row.values.prefix(3))
            let kind = try row.text(2)
            findings.demand(
                AcquirerPaymentAlarm.Kind(rawValue: kind) != nil, table: "alipay_plus_alarms", key: key, expected: "a kind of alarm",
                found: kind)
            if try !TableRecords.has("alipay_plus_payments", [("acquirer", row.values[0]), ("id", row.values[3])], in: tx) {
                findings.add(.unexpected, table: "alipay_plus_alarms", key: key, expected: "its payment", found: "no row")
            }
            guard try row.optionalInteger(4) != nil else { return }
            let told: [(column: String, value: SQLValue)] = [("merchant", row.values[0]), ("chain", "operators"), ("at", row.values[4])]
            if try !TableRecords.has("audit_rows", told, in: tx) {
                findings.add(
                    .missing, table: "audit_rows", key: "\(StoreFindings.key([row.values[0]]))/operators", expected: "who cleared \(key)",
                    found: "no row")
            }
        }
    }

    private func ledger(in tx: any Transaction, _ findings: StoreFindings) throws {
        let names = [
            "collected", "promotion", "pay-exchange", "pay-rounding", "pay-exchanged", "settled", "settle-exchange", "settle-exchanged",
            "settle-rounding", "fee",
        ]
        let (made, back) = (names.map { "plus-\($0)" }, names.map { "plus-\($0)-back" })
        try LedgerCheck.orphans(of: made, "alipay_plus_payments", and: " AND o.acquirer = t.merchant", in: tx, findings)
        // What goes back is that of a refund, or of a payment that was cancelled.
        try TableRecords.each(
            "ledger_postings", key: ["merchant", "source", "template", "ordinal", "line"],
            where: ("template IN (\(back.map { _ in "?" }.joined(separator: ", ")))", back.map(SQLValue.text)), in: tx
        ) { row in
            let source: [(column: String, value: SQLValue)] = [("acquirer", row.values[0]), ("id", row.values[1])]
            let isKnown =
                try TableRecords.has("alipay_plus_refunds", source, in: tx) || TableRecords.has("alipay_plus_payments", source, in: tx)
            if !isKnown {
                findings.add(
                    .unexpected, table: "ledger_postings", key: StoreFindings.key(row.values), expected: "what it gives back of",
                    found: "no row")
            }
        }
        try LedgerCheck.strangers(besides: made + back, in: tx, findings)
    }

    private func end(of chain: String, _ acquirer: MerchantID, in tx: any Transaction) throws -> KnownChainEnd {
        if chain == "operators" || chain == UnmatchedNoticeRecords.chain { return .untold }
        let prefix = "alipay-plus-payment:"
        guard chain.hasPrefix(prefix), let id = try? TimeOrderedID(text: chain.dropFirst(prefix.count)) else { return .ownerMissing }
        return try has("alipay_plus_payments", id: id, acquirer: acquirer, in: tx) ? .untold : .ownerMissing
    }
}
