import BillfoldMoney
public import BillfoldStorage

/// Compares payments with their audit chains, postings, modifications, alarms and orders, each of which must follow from the others.
public struct PaymentCheck: Sendable {
    private let books: PaymentBooks

    public init(books: PaymentBooks) { self.books = books }

    /// - Parameters:
    ///   - tx: It reads every payment, and writes nothing.
    ///   - findings: Takes whatever does not fit, and rows that cannot be read.
    ///   - booking: Whether a posting that no event of the payment accounts for is known from elsewhere, such as a fee.
    ///   - further: What else a server knows of its payments.
    public func run(
        in tx: any Transaction, _ findings: StoreFindings, booking: (Payment, Posting) throws -> Bool, further: (Payment) throws -> Void
    ) throws {
        try TableRecords.each("payments", key: ["merchant", "id"], columns: ["state"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            let read = try findings.read("payments", key: key) {
                try PaymentRecords.find(row.timeOrderedID(1), merchant: MerchantID(row.text(0)), in: tx)
            }
            guard let payment = read ?? nil else { return }
            findings.compare("payments", key: key, column: "state", expected: payment.state.rawValue, found: try row.text(2))
            let rows = try findings.read("audit_rows", key: payment.auditChain) {
                try AuditRecords.rows(of: payment.auditChain, merchant: payment.merchant, in: tx)
            }
            let postings = try findings.read("ledger_postings", key: key) {
                try LedgerRecords.postings(of: payment.id, merchant: payment.merchant, in: tx)
            }
            let modifications = try findings.read("modifications", key: key) {
                try ModificationRecords.find(payment: payment.id, merchant: payment.merchant, in: tx)
            }
            let alarms = try findings.read("payment_alarms", key: key) {
                try AlarmRecords.find(payment: payment.id, merchant: payment.merchant, in: tx)
            }
            // What cannot be read is told already, and nothing can be compared with it.
            guard let rows, let postings, let modifications, let alarms else { return }
            let totals = Set(postings.lazy.filter { $0.template == books.refund.name }.map(\.ordinal))
            var replay = PaymentReplay(amount: payment.standing.amount, refundTotals: Array(totals), books: books)
            for row in rows {
                let place = "\(key)/\(row.sequence)"
                if let expected = replay.take(row) {
                    findings.add(.differs, table: "audit_rows", key: place, expected: expected, found: "\(row.action): \(row.result)")
                }
                findings.compare("audit_rows", key: place, column: "object", expected: payment.order.description, found: row.object)
            }
            compare(payment, key: key, rows: rows, replay: replay, into: findings)
            try compare(payment, key: key, postings: postings, replay: replay, into: findings, isKnown: booking)
            compare(payment, key: key, modifications: modifications, replay: replay, into: findings)
            try compare(payment, key: key, alarms: alarms, replay: replay, in: tx, into: findings)
            try further(payment)
        }
        try modifications(in: tx, findings)
        try orphans(in: tx, findings)
    }

    private func compare(
        _ payment: Payment, key: String, rows: [AuditRow], replay: PaymentReplay, into findings: StoreFindings
    ) {
        let last = rows.last.map { AuditHead(sequence: $0.sequence, hash: $0.hash) } ?? .start
        if last != payment.auditHead {
            findings.add(
                .missing, table: "audit_rows", key: key, expected: "row \(payment.auditHead.sequence) as the last of the payment's chain",
                found: "row \(last.sequence)")
        }
        findings.compare(
            "payments", key: key, column: "evidence", expected: replay.standing.evidence.rawValue, found: payment.standing.evidence.rawValue
        )
        findings.compare("payments", key: key, column: "refunded", expected: replay.standing.refunded, found: payment.standing.refunded)
        findings.demand(
            payment.standing.amount > 0, table: "payments", key: key, expected: "an amount above zero", found: "\(payment.standing.amount)")
        if let first = rows.first {
            findings.compare(
                "payments", key: key, column: "created_at", expected: first.at.microseconds, found: payment.createdAt.microseconds)
        }
    }

    private func compare(
        _ payment: Payment, key: String, postings: [Posting], replay: PaymentReplay, into findings: StoreFindings,
        isKnown: (Payment, Posting) throws -> Bool
    ) throws {
        var stored: [String: Posting] = [:]
        for posting in postings { stored["\(posting.template)/\(posting.ordinal)/\(posting.line)"] = posting }
        for booking in replay.bookings {
            guard let legs = try? booking.entry.template.filled(amount: booking.entry.amount) else {
                findings.add(
                    .differs, table: "payments", key: key, expected: "amounts that can be booked", found: "\(booking.entry.amount)")
                continue
            }
            for (line, leg) in legs.enumerated() {
                let name = "\(booking.entry.template.name)/\(booking.entry.ordinal)/\(line)"
                let expected = "\(leg.account.name) \(payment.currency) \(leg.amount) at \(booking.at.microseconds)"
                guard let posting = stored.removeValue(forKey: name) else {
                    findings.add(.missing, table: "ledger_postings", key: "\(key)/\(name)", expected: expected, found: "no row")
                    continue
                }
                findings.compare("ledger_postings", key: "\(key)/\(name)", column: "row", expected: expected, found: Self.text(posting))
            }
        }
        for (name, posting) in stored.sorted(by: { $0.key < $1.key }) where try !isKnown(payment, posting) {
            findings.add(
                .unexpected, table: "ledger_postings", key: "\(key)/\(name)", expected: "an event that was booked so",
                found: Self.text(posting))
        }
    }

    private static func text(_ posting: Posting) -> String {
        "\(posting.account) \(posting.amount.currency) \(posting.amount.minorUnits) at \(posting.at.microseconds)"
    }

    private func compare(
        _ payment: Payment, key: String, modifications: [Modification], replay: PaymentReplay, into findings: StoreFindings
    ) {
        for kind in [Modification.Kind.refund, .void, .reversal] {
            let found = modifications.filter { $0.kind == kind }.count
            if found != replay.begun[kind, default: 0] {
                findings.add(
                    found < replay.begun[kind, default: 0] ? .missing : .unexpected, table: "modifications", key: key,
                    expected: "\(replay.begun[kind, default: 0]) of kind \(kind.rawValue), as the audit chain says", found: "\(found)")
            }
        }
        let confirmed = modifications.filter { $0.kind == .refund && $0.state == .succeeded }.map(\.amount.minorUnits).sorted()
        let booked = replay.bookings.filter { $0.entry.template == books.refund }.map(\.entry.amount).sorted()
        findings.demand(
            confirmed == booked, table: "modifications", key: key, expected: "confirmed refunds of \(booked)", found: "\(confirmed)")
        let undone = modifications.filter { $0.kind != .refund && $0.state == .succeeded }.count
        findings.demand(
            undone == replay.undone, table: "modifications", key: key, expected: "\(replay.undone) voids or reversals confirmed",
            found: "\(undone)")
        let failed = modifications.filter { $0.state == .failed }.count
        findings.demand(
            failed <= replay.failed, table: "modifications", key: key, expected: "at most \(replay.failed) that failed", found: "\(failed)")
        let reserved = modifications.filter { $0.state != .failed }.reduce(Int128(0)) { $0 + Int128($1.amount.minorUnits) }
        findings.demand(
            reserved == Int128(payment.reserved), table: "payments", key: key, expected: "reserved \(reserved)",
            found: "\(payment.reserved)")
        for modification in modifications {
            findings.demand(
                modification.amount.currency == payment.currency && modification.amount.minorUnits <= payment.standing.amount,
                table: "modifications", key: "\(payment.merchant)/\(modification.id)", expected: "at most \(payment.amount) of its payment",
                found: "\(modification.amount)")
        }
    }

    private func compare(
        _ payment: Payment, key: String, alarms: [PaymentAlarm], replay: PaymentReplay, in tx: any Transaction,
        into findings: StoreFindings
    ) throws {
        for kind in replay.alarms where !alarms.contains(where: { $0.kind == kind }) {
            findings.add(
                .missing, table: "payment_alarms", key: "\(key)/\(kind.rawValue)", expected: "an alarm that was raised", found: "no row")
        }
        let open = Set(alarms.filter { $0.clearedAt == nil }.map(\.kind))
        let isTold = payment.alarm.map { open.contains($0) } ?? open.isEmpty
        findings.demand(
            isTold, table: "payments", key: key, expected: open.isEmpty ? "no alarm" : "one of the alarms \(open.map(\.rawValue).sorted())",
            found: payment.alarm?.rawValue ?? "no alarm")
        for alarm in alarms where alarm.clearedAt != nil {
            let told: [(column: String, value: SQLValue)] = [
                ("merchant", payment.merchant.sql), ("chain", "operators"), ("action", "alarm.clear"),
                ("object", .text("payment:\(payment.id)")), ("actor", .text(alarm.clearedBy ?? "")),
                ("at", .integer(alarm.clearedAt?.microseconds ?? 0)),
            ]
            if try !TableRecords.has("audit_rows", told, in: tx) {
                findings.add(
                    .missing, table: "audit_rows", key: "\(payment.merchant)/operators", expected: "alarm.clear of payment:\(payment.id)",
                    found: "no row")
            }
        }
    }

    private func modifications(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("modifications", key: ["merchant", "id"], columns: ["state", "payment_id"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            let read = try findings.read("modifications", key: key) {
                try ModificationRecords.find(row.timeOrderedID(1), merchant: MerchantID(row.text(0)), in: tx)
            }
            guard let modification = read ?? nil else { return }
            findings.compare("modifications", key: key, column: "state", expected: modification.state.rawValue, found: try row.text(2))
            if try !TableRecords.has("payments", [("merchant", row.values[0]), ("id", row.values[3])], in: tx) {
                findings.add(
                    .unexpected, table: "modifications", key: key, expected: "the payment \(modification.payment)", found: "no row")
            }
        }
    }

    /// Rows of payments that there are not.
    private func orphans(in tx: any Transaction, _ findings: StoreFindings) throws {
        let postings = try TableRecords.without(
            "payments", table: "ledger_postings", columns: ["t.merchant", "t.source", "t.template", "t.ordinal", "t.line", "t.amount"],
            on: "o.merchant = t.merchant AND o.id = t.source", absent: "id", in: tx)
        for row in postings {
            findings.add(
                .unexpected, table: "ledger_postings", key: StoreFindings.key(row.values.prefix(5)), expected: "the payment that it books",
                found: "an amount of \(try row.integer(5))")
        }
        let alarms = try TableRecords.without(
            "payments", table: "payment_alarms", columns: ["t.merchant", "t.payment_id", "t.kind", "t.raised_at"],
            on: "o.merchant = t.merchant AND o.id = t.payment_id", absent: "id", in: tx)
        for row in alarms {
            findings.add(
                .unexpected, table: "payment_alarms", key: StoreFindings.key(row.values), expected: "the payment it is about",
                found: "no row")
        }
    }

    /// Compares orders with their payments.
    ///
    /// - Parameters:
    ///   - tx: It reads every order, and writes nothing.
    ///   - findings: Takes whatever does not fit, and rows that cannot be read.
    ///   - further: What else a server knows of its orders.
    public func orders(in tx: any Transaction, _ findings: StoreFindings, further: (Order) throws -> Void) throws {
        try TableRecords.each("orders", key: ["merchant", "id"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            let read = try findings.read("orders", key: key) {
                try OrderRecords.find(row.timeOrderedID(1), merchant: MerchantID(row.text(0)), in: tx)
            }
            guard let order = read ?? nil else { return }
            let payments = try findings.read("payments", key: "order \(key)") {
                try PaymentRecords.find(order: order.id, merchant: order.merchant, in: tx)
            }
            guard let payments else { return }
            findings.compare("orders", key: key, column: "attempts", expected: Int64(payments.count), found: order.attempts)
            let live = payments.filter { !$0.state.allowsAnotherAttempt }.map(\.id)
            let isTold = order.livePayment.map { live.contains($0) } ?? live.isEmpty
            findings.demand(
                isTold, table: "orders", key: key, expected: live.isEmpty ? "no live payment" : "one of the payments \(live)",
                found: order.livePayment?.description ?? "none")
            findings.demand(
                payments.allSatisfy { $0.currency == order.amount.currency }, table: "orders", key: key,
                expected: "the currency of its payments",
                found: "\(order.amount.currency)")
            try further(order)
        }
        let lost = try TableRecords.without(
            "orders", table: "payments", columns: ["t.merchant", "t.id", "t.order_id"], on: "o.merchant = t.merchant AND o.id = t.order_id",
            absent: "id",
            in: tx)
        for row in lost {
            findings.add(
                .missing, table: "orders", key: StoreFindings.key([row.values[0], row.values[2]]),
                expected: "the order of payment \(StoreFindings.key([row.values[1]]))", found: "no row")
        }
    }
}
