import BillfoldEvents
import BillfoldJSON
package import BillfoldMoney
package import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import UnionPay

extension CardPaymentsServer {
    /// What the rows of this server's store must agree about.
    ///
    /// - Parameters:
    ///   - links: With the audit key, where it is given. Without it the links of the chains are compared, and not the rows' contents.
    ///   - rounding: By which orders were priced.
    package static func check(links: AuditChain?, rounding: Rounding = .halfUp) -> any StoreCheck {
        CardPaymentsCheck(links: links, rounding: rounding)
    }
}

struct CardPaymentsCheck: StoreCheck {
    let links: AuditChain?
    let rounding: Rounding
    private let books = PaymentBooks(acquirer: "unionpay")

    init(links: AuditChain?, rounding: Rounding) {
        self.links = links
        self.rounding = rounding
    }

    func run(in tx: any Transaction, _ findings: StoreFindings) throws {
        let forgotten = try RetentionRecords.mark(RetentionRecords.outbox, in: tx) ?? Timestamp(microseconds: 0)
        let fees = FiledFees(tx)
        let payments = PaymentCheck(books: books)
        try payments.run(
            in: tx, findings, booking: { try fees.account(for: $1, of: $0, books: books) },
            further: { try check($0, since: forgotten, in: tx, findings) })
        try payments.orders(in: tx, findings) { try check($0, in: tx, findings) }
        try modifications(since: forgotten, in: tx, findings)
        try tokens(in: tx, findings)
        try numbers(in: tx, findings)
        try AuditCheck(links: links).run(in: tx, findings) { try end(of: $1, $0, in: tx) }
        try EventCheck.run(in: tx, findings)
        try OutboxCheck.run(in: tx, findings) { try problem($0, in: tx) }
        try OutboxCheck.deadlines(in: tx, findings) { try problem($0, in: tx) }
        try UnmatchedNoticeCheck.run(in: tx, findings)
        try IdempotencyCheck.run(in: tx, findings) { try problem($0, in: tx) }
        try reconciliation(in: tx, findings)
        try OperatorCheck().run(in: tx, findings)
    }

    private func check(_ payment: Payment, since forgotten: Timestamp, in tx: any Transaction, _ findings: StoreFindings) throws {
        let key = "\(payment.merchant)/\(payment.id)"
        let read = try findings.read("payments", key: key) {
            let detail = try PaymentDetail(payment.detail)
            let sum = try Amount.sum(
                detail.items.map { try Amount($0.amount, currency: payment.currency, fraction: .exact) }, currency: payment.currency)
            return (detail, sum, try TransactionKey(externalKey: payment.externalKey))
        }
        guard let (detail, sum, acquirerKey) = read else { return }
        findings.compare("payments", key: key, column: "amount", expected: sum.minorUnits, found: payment.standing.amount)
        findings.compare(
            "payments", key: key, column: "external_key for", expected: payment.id.description, found: acquirerKey.order.description)
        if try !isRestored(payment, detail, in: tx) {
            try expectBeginning(of: payment, key: key, detail: detail, since: forgotten, in: tx, findings)
        }
        guard !payment.state.isSettled else { return }
        let query = detail.pushed == true ? Deadline.pushedPaymentQuery : Deadline.paymentQuery
        try expectDeadline(query, subject: payment.id, of: payment, in: tx, findings)
    }

    /// Whether people have booked it from a notice: of how it began nothing is left.
    private func isRestored(_ payment: Payment, _ detail: PaymentDetail, in tx: any Transaction) throws -> Bool {
        guard detail.transactionIdentifier.isEmpty else { return false }
        return try AuditRecords.rows(of: payment.auditChain, merchant: payment.merchant, in: tx).first?.action == "restored"
    }

    /// The token that a payment used up, and the message by which it left.
    private func expectBeginning(
        of payment: Payment, key: String, detail: PaymentDetail, since forgotten: Timestamp, in tx: any Transaction,
        _ findings: StoreFindings
    ) throws {
        let isPushed = detail.pushed == true
        let token = isPushed ? nil : try CardPaymentsRecords.usedToken(detail.transactionIdentifier, merchant: payment.merchant, in: tx)
        if !isPushed, token?.payment != payment.id {
            findings.add(
                .missing, table: "card_tokens", key: "\(payment.merchant)/\(detail.transactionIdentifier)",
                expected: "the token of \(payment.id)",
                found: token.map { "\($0.payment)" } ?? "no row")
        }
        // Nothing but an answer with a number makes such a payment accepted.
        let number = try findings.read("card_pushed_orders", key: key) {
            try CardPaymentsRecords.number(of: payment.id, merchant: payment.merchant, in: tx)
        }
        if isPushed, payment.state == .accepted, case .some(nil) = number {
            findings.add(.missing, table: "card_pushed_orders", key: key, expected: "the number of the order", found: "no row")
        }
        if try !has("outbox", id: payment.id, merchant: payment.merchant, in: tx),
            payment.createdAt >= forgotten || payment.state == .submitted
        {
            findings.add(.missing, table: "outbox", key: key, expected: "the deduct of the payment", found: "no row")
        }
    }

    /// What is not settled is asked about, until a person is called.
    private func expectDeadline(
        _ kind: String, subject: TimeOrderedID, of payment: Payment, in tx: any Transaction, _ findings: StoreFindings
    ) throws {
        guard try DeadlineRecords.find(kind, subject: subject, merchant: payment.merchant, in: tx) == nil else { return }
        let alarms = try findings.read("payment_alarms", key: "\(payment.merchant)/\(payment.id)") {
            try AlarmRecords.find(payment: payment.id, merchant: payment.merchant, in: tx)
        }
        if let alarms, !alarms.contains(where: { $0.kind == .outcomeUnknown }) {
            findings.add(
                .missing, table: "deadlines", key: "\(payment.merchant)/\(subject)/\(kind)", expected: "a query to come", found: "no row")
        }
    }

    private func check(_ order: Order, in tx: any Transaction, _ findings: StoreFindings) throws {
        let key = "\(order.merchant)/\(order.id)"
        let total = try findings.read("orders", key: key) {
            try OrderPricing(order: JSONDocument.decode(OrderDefinition.self, order.detail), rounding: rounding)
                .quote(OrderPricing.Choice(), at: order.createdAt.date).total
        }
        guard let total else { return }
        findings.demand(
            total == order.amount, table: "orders", key: key, expected: "amount \(total), as its lines come to", found: "\(order.amount)")
        findings.compare(
            "orders", key: key, column: "application_data begins", expected: order.id.bytes, found: Array(order.applicationData.prefix(16)))
    }

    private func modifications(since forgotten: Timestamp, in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("modifications", key: ["merchant", "id"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            // One that does not read back is told with its payment.
            guard let merchant = try? MerchantID(row.text(0)), let id = try? row.timeOrderedID(1),
                let found = try findings.read("modifications", key: key, { try ModificationRecords.find(id, merchant: merchant, in: tx) }),
                let modification = found
            else { return }
            if modification.detail != NoticeSettlement.restored, try !has("outbox", id: id, merchant: merchant, in: tx),
                modification.createdAt >= forgotten || modification.state == .submitted
            {
                findings.add(
                    .missing, table: "outbox", key: key, expected: "the message of the \(modification.kind.rawValue)", found: "no row")
            }
            let keyed = try findings.read("modifications", key: key) { try TransactionKey(externalKey: modification.externalKey) }
            if let keyed, modification.kind != .reversal {
                findings.compare(
                    "modifications", key: key, column: "external_key for", expected: id.description, found: keyed.order.description)
            }
            guard !modification.state.isSettled,
                let payment = try findings.read(
                    "payments", key: key, { try PaymentRecords.find(modification.payment, merchant: merchant, in: tx) })
                    ?? nil
            else { return }
            try expectDeadline(Deadline.modificationQuery, subject: id, of: payment, in: tx, findings)
        }
    }

    private func tokens(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("card_tokens", key: ["merchant", "transaction_id"], columns: ["payment", "order_id", "at"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            let read = try findings.read("card_tokens", key: key) {
                let payment = try PaymentRecords.find(row.timeOrderedID(2), merchant: MerchantID(row.text(0)), in: tx)
                return (payment, try payment.map { try isRestored($0, PaymentDetail($0.detail), in: tx) } ?? false)
            }
            guard let (payment, isRestored) = read else { return }
            guard let payment else {
                return findings.add(
                    .unexpected, table: "card_tokens", key: key, expected: "the payment \(StoreFindings.key([row.values[2]]))",
                    found: "no row")
            }
            // Its app came later, and people may have booked it to another order than the token's.
            guard !isRestored else { return }
            findings.compare("card_tokens", key: key, column: "order_id", expected: payment.order.bytes, found: try row.blob(3))
            findings.compare("card_tokens", key: key, column: "at", expected: payment.createdAt.microseconds, found: try row.integer(4))
        }
    }

    private func numbers(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("card_pushed_orders", key: ["merchant", "payment"], columns: ["number"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            let read = try findings.read("card_pushed_orders", key: key) {
                _ = try TransactionNumber(row.text(2))
                let payment = try PaymentRecords.find(row.timeOrderedID(1), merchant: MerchantID(row.text(0)), in: tx)
                return try payment.map { try PaymentDetail($0.detail).pushed == true } ?? false
            }
            guard let isOfPush = read, !isOfPush else { return }
            findings.add(.unexpected, table: "card_pushed_orders", key: key, expected: "a payment that was pushed", found: "none")
        }
    }

    // MARK: What other rows are about

    private func end(of chain: String, _ merchant: MerchantID, in tx: any Transaction) throws -> KnownChainEnd {
        guard chain.hasPrefix(Payment.auditChainPrefix) else {
            return ["operators", "reconciliation", UnmatchedNoticeRecords.chain].contains(chain) ? .untold : .ownerMissing
        }
        guard let id = try? TimeOrderedID(text: chain.dropFirst(Payment.auditChainPrefix.count)) else { return .ownerMissing }
        return try TableRecords.has("payments", [("merchant", .text(merchant.description)), ("id", id.sqlValue)], in: tx)
            ? .untold : .ownerMissing
    }

    private func has(
        _ table: String, id: TimeOrderedID, merchant: MerchantID, kind: String? = nil, in tx: any Transaction
    ) throws -> Bool {
        try TableRecords.has(
            table, [("merchant", .text(merchant.description)), ("id", id.sqlValue)] + (kind.map { [("kind", .text($0))] } ?? []), in: tx)
    }

    private func problem(_ message: OutboxCheck.Message, in tx: any Transaction) throws -> String? {
        if message.kind == EventPart.outboxKind { return try EventCheck.problem(with: message, in: tx) }
        guard message.id == message.subject else { return "a message under its subject's id" }
        guard let kind = AcquirerMessages.Kind(rawValue: message.kind) else { return "a message to the acquirer" }
        let exists =
            kind.beginsPayment
            ? try has("payments", id: message.subject, merchant: message.merchant, in: tx)
            : try has("modifications", id: message.subject, merchant: message.merchant, kind: kind.rawValue, in: tx)
        return exists ? nil : "what the message is about"
    }

    private func problem(_ deadline: Deadline, in tx: any Transaction) throws -> String? {
        switch deadline.kind {
        case Deadline.paymentQuery, Deadline.pushedPaymentQuery:
            try has("payments", id: deadline.subject, merchant: deadline.merchant, in: tx) ? nil : "the payment to ask about"
        case Deadline.modificationQuery:
            try has("modifications", id: deadline.subject, merchant: deadline.merchant, in: tx) ? nil : "the modification to ask about"
        default: "a query"
        }
    }

    private func problem(_ stored: IdempotencyCheck.Stored, in tx: any Transaction) throws -> String? {
        let merchant = try MerchantID(String(stored.caller.prefix { $0 != "/" }))
        switch stored.operation {
        case CardPaymentsService.orderOperation:
            guard let kept = stored.result.flatMap({ KeptAnswer(stored: $0) }),
                try has("orders", id: kept.object, merchant: merchant, in: tx)
            else {
                return "the id of an order"
            }
            return problem(kept)
        case "POST /v1/payments/{id}/refunds", "POST /v1/payments/{id}/cancellation":
            guard let result = stored.result else { return "an answer, which is stored with the request" }
            if (try? JSONDocument.decode(StoredRefusal.self, result)) != nil { return nil }
            let kinds = stored.operation.hasSuffix("refunds") ? ["refund"] : ["void", "reversal"]
            guard let kept = KeptAnswer(stored: result),
                try kinds.contains(where: { try has("modifications", id: kept.object, merchant: merchant, kind: $0, in: tx) })
            else { return "the id of a \(kinds.joined(separator: " or "))" }
            return problem(kept)
        case CardPaymentsService.paymentOperation: return try paymentAnswer(stored, merchant, in: tx)
        case CardPaymentsService.numberOperation:
            guard let id = stored.subject else { return "the payment that a number was asked for" }
            return try has("payments", id: id, merchant: merchant, in: tx) ? nil : "the payment \(id)"
        default: return "an operation of this server"
        }
    }

    /// What an answer that is kept beside an id is about is what the id names.
    private func problem(_ kept: KeptAnswer) -> String? {
        struct Told: Decodable { var id: String }
        guard let answer = kept.answer else { return nil }
        let told = try? JSONDocument.decode(Told.self, answer)
        return told?.id == kept.object.description ? nil : "an answer about \(kept.object)"
    }

    private func paymentAnswer(_ stored: IdempotencyCheck.Stored, _ merchant: MerchantID, in tx: any Transaction) throws -> String? {
        guard let subject = stored.subject else {
            // A refusal, which began no payment.
            guard let result = stored.result, let answer = try? FinalAnswer(result) else { return "a refusal" }
            if case .answer(let answer) = answer, answer.payment.state != "refused" { return "a refusal" }
            return nil
        }
        guard let payment = try PaymentRecords.find(subject, merchant: merchant, in: tx) else { return "the payment \(subject)" }
        let detail = try PaymentDetail(payment.detail)
        let isRestored = try isRestored(payment, detail, in: tx)
        let used =
            isRestored
            ? try CardPaymentsRecords.usedToken(by: payment.id, merchant: merchant, in: tx)
            : try CardPaymentsRecords.usedToken(detail.transactionIdentifier, merchant: merchant, in: tx)
        guard used?.fingerprint == stored.fingerprint || isRestored && used == nil else {
            return "the fingerprint under which its token was used"
        }
        guard let result = stored.result else { return nil }
        guard case .answer(let answer)? = try? FinalAnswer(result), answer.payment.id == subject.description else {
            return "an answer about the payment \(subject)"
        }
        // The state was the payment's when the answer was stored, or unknown where it was to be given back.
        var states: Set<String> = []
        for row in try AuditRecords.rows(of: payment.auditChain, merchant: merchant, in: tx) {
            let words = row.result.split(separator: " ", maxSplits: 3)
            if words.count > 2 { states.formUnion([String(words[0]), String(words[2])]) }
        }
        if payment.standing.evidence.contains(.undoWanted) { states.insert(PaymentState.unknown.rawValue) }
        return states.contains(answer.payment.state) ? nil : "one of the states \(states.sorted()) that the payment had"
    }

    // MARK: Reconciliation

    /// Each comparison of a day left a row in the audit trail that tells how many lines it has.
    private func reconciliation(in tx: any Transaction, _ findings: StoreFindings) throws {
        var day: (merchant: SQLValue, day: SQLValue, at: SQLValue)?
        var lines = 0
        func finish() throws {
            guard let day else { return }
            let told: [(column: String, value: SQLValue)] = [
                ("merchant", day.merchant), ("chain", "reconciliation"), ("object", day.day), ("at", day.at),
                ("result", .text("\(lines) lines")),
            ]
            if try !TableRecords.has("audit_rows", told, in: tx) {
                findings.add(
                    .missing, table: "card_reconciliation", key: StoreFindings.key([day.merchant, day.day]),
                    expected: "as many lines as the audit trail says", found: "\(lines)")
            }
        }
        try TableRecords.each(
            "card_reconciliation", key: ["merchant", "settlement_day", "line"], columns: ["class", "at", "subject", "kind", "fee"], in: tx
        ) { row in
            if day?.merchant != row.values[0] || day?.day != row.values[1] {
                try finish()
                (day, lines) = ((row.values[0], row.values[1], row.values[4]), 0)
            }
            lines += 1
            let key = StoreFindings.key(row.values.prefix(3))
            let kind = try row.text(3)
            findings.demand(
                ReconciliationRow.Class(rawValue: kind) != nil, table: "card_reconciliation", key: key, expected: "a class of a line",
                found: kind)
            guard let subject = try row.optionalText(5) else { return }
            let table = try row.text(6) == "payment" ? "payments" : "modifications"
            let id = try? TimeOrderedID(text: subject)
            let exists = try id.map { try TableRecords.has(table, [("merchant", row.values[0]), ("id", $0.sqlValue)], in: tx) } ?? false
            if !exists {
                findings.add(.unexpected, table: "card_reconciliation", key: key, expected: "the transaction \(subject)", found: "no row")
            }
            // The fee of a payment that the file and the books agree about is booked, on two lines.
            let isBooked = [ReconciliationRow.Class.matched, .feeDiffers].map(\.rawValue).contains(kind)
            guard table == "payments", isBooked, let fee = try row.optionalInteger(7), fee != 0, let id else { return }
            for line: Int64 in [0, 1] {
                let posting: [(column: String, value: SQLValue)] = [
                    ("merchant", row.values[0]), ("source", id.sqlValue), ("template", .text(books.fee.name)), ("ordinal", 0),
                    ("line", .integer(line)),
                ]
                if try !TableRecords.has("ledger_postings", posting, in: tx) {
                    findings.add(
                        .missing, table: "ledger_postings", key: "\(key)/\(books.fee.name)/\(line)", expected: "a fee of \(fee)",
                        found: "no row")
                }
            }
        }
        try finish()
    }
}

/// The fees that settlement files tell, for the last days that were asked for: payments come in the order of their time.
private final class FiledFees {
    private let tx: any Transaction
    private var days: [(name: String, fees: [String: Int64])] = []

    init(_ tx: any Transaction) { self.tx = tx }

    /// Whether a posting is that of a fee which a settlement file tells of the payment.
    func account(for posting: Posting, of payment: Payment, books: PaymentBooks) throws -> Bool {
        guard posting.template == books.fee.name, posting.ordinal == 0, let day = payment.settlementDay,
            let fee = try fees(day, payment.merchant)[payment.id.description], let legs = try? books.fee.filled(amount: 0, fee: fee),
            legs.indices.contains(Int(clamping: posting.line))
        else { return false }
        let leg = legs[Int(clamping: posting.line)]
        return leg.account.name == posting.account && leg.amount == posting.amount.minorUnits
            && posting.amount.currency == payment.currency
    }

    private func fees(_ day: String, _ merchant: MerchantID) throws -> [String: Int64] {
        let name = "\(merchant)/\(day)"
        if let known = days.first(where: { $0.name == name }) { return known.fees }
        var fees: [String: Int64] = [:]
        do {
            for row in try CardPaymentsRecords.reconciliation(day: day, merchant: merchant, in: tx) {
                if row.kind == "payment", let subject = row.subject, let fee = row.fee { fees[subject] = fee }
            }
        } catch let error as StorageError where error.code == .unexpectedValue {
            // A line that does not read back is told with the day's lines; its fees are then unexplained.
        }
        days = days.suffix(2) + [(name, fees)]
        return fees
    }
}
