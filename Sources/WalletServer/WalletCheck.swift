import BillfoldMoney
package import BillfoldPayments
import BillfoldServer
import BillfoldStorage

extension WalletServer {
    /// What the rows of this server's store must agree about.
    ///
    /// - Parameters:
    ///   - links: With the audit key, where it is given. Without it the links of the chains are compared, and not the rows' contents.
    ///   - owner: ``WalletConfiguration/owner``, under whose name the wallet books.
    package static func check(links: AuditChain?, owner: MerchantID) -> any StoreCheck { WalletCheck(links: links, owner: owner) }
}

struct WalletCheck: StoreCheck {
    let links: AuditChain?
    let owner: MerchantID

    func run(in tx: any Transaction, _ findings: StoreFindings) throws {
        let forgotten = try RetentionRecords.mark(RetentionRecords.outbox, in: tx) ?? Timestamp(microseconds: 0)
        try accounts(in: tx, findings)
        try balances(in: tx, findings)
        try holds(since: forgotten, in: tx, findings)
        try refunds(in: tx, findings)
        try transfers(in: tx, findings)
        try alipayPlus(in: tx, findings)
        try alipayPlusRefunds(in: tx, findings)
        try checkouts(in: tx, findings)
        try ledger(in: tx, findings)
        try AuditCheck(links: links).run(in: tx, findings) { _, chain in
            [ChainedOperatorAudit.chain, UnmatchedNoticeRecords.chain].contains(chain) ? .untold : .ownerMissing
        }
        try OutboxCheck.run(in: tx, findings) { try problem($0, in: tx) }
        try OutboxCheck.deadlines(in: tx, findings) { _ in "nothing: the wallet has no deadlines" }
        try UnmatchedNoticeCheck.run(in: tx, findings)
        try IdempotencyCheck.run(in: tx, findings) { try problem($0, in: tx) }
    }

    // MARK: Accounts

    private func accounts(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("wallet_accounts", key: ["id"], columns: ["number"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(1))
            let read = try findings.read("wallet_accounts", key: key) { try AccountRecords.find(row.timeOrderedID(0), in: tx) }
            guard let account = read ?? nil else { return }
            try told("wallet.open", object: account.number, at: account.createdAt, in: tx, findings)
            if try AccountRecords.logins(of: account.id, in: tx).isEmpty {
                findings.add(.missing, table: "wallet_logins", key: key, expected: "a name that the account logs in with", found: "no row")
            }
            var isFrozen = false
            try TableRecords.each(
                "audit_rows", key: ["merchant", "chain", "sequence"], columns: ["action"],
                where: (
                    "merchant = ? AND chain = ? AND object = ? AND (action = 'wallet.freeze' OR action = 'wallet.thaw')",
                    [.text(owner.description), .text(ChainedOperatorAudit.chain), .text(account.number)]
                ), in: tx
            ) { isFrozen = try $0.text(3) == "wallet.freeze" }
            // An account may be opened in a state of its own.
            if isFrozen {
                findings.demand(
                    account.state == .frozen, table: "wallet_accounts", key: key, expected: "frozen", found: account.state.rawValue)
            }
        }
        for table in ["wallet_logins", "wallet_sessions", "wallet_balances"] {
            let key = table == "wallet_logins" ? "name" : table == "wallet_sessions" ? "created_at" : "currency"
            let lost = try TableRecords.without(
                "wallet_accounts", table: table, columns: ["t.account", "t.\(key)"], on: "o.id = t.account", absent: "id", in: tx)
            for row in lost {
                findings.add(.unexpected, table: table, key: StoreFindings.key(row.values), expected: "its account", found: "no row")
            }
        }
    }

    private func told(
        _ action: String, object: String, at: Timestamp, result: String? = nil, in tx: any Transaction, _ findings: StoreFindings
    ) throws {
        var keys: [(column: String, value: SQLValue)] = [
            ("merchant", .text(owner.description)), ("chain", .text(ChainedOperatorAudit.chain)), ("action", .text(action)),
            ("object", .text(object)), ("at", .integer(at.microseconds)),
        ]
        if let result { keys.append(("result", .text(result))) }
        if try !TableRecords.has("audit_rows", keys, in: tx) {
            findings.add(
                .missing, table: "audit_rows", key: "\(owner)/\(ChainedOperatorAudit.chain)",
                expected: "\(action) of \(object) at \(at.microseconds)",
                found: "no row")
        }
    }

    /// A balance is what the customer's payments, refunds and transfers come to.
    private func balances(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("wallet_balances", key: ["account", "currency"], columns: ["available", "held"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            let read = try findings.read("wallet_balances", key: key) { try (row.timeOrderedID(0), Currency(row.text(1))) }
            guard let (account, currency) = read else { return }
            let mine: [SQLValue] = [row.values[0], row.values[1]]
            func sum(_ table: String, _ condition: String = "") throws -> Int64 {
                try TableRecords.sum(of: "amount", table, where: ("account = ? AND currency = ?\(condition)", mine), in: tx).sum
            }
            let held = try sum("wallet_holds", " AND state = 'held'")
            var available: Int64 =
                try sum("wallet_transfers", " AND kind = 'top-up'") - sum("wallet_transfers", " AND kind = 'withdrawal'") - held
                - sum("wallet_holds", " AND state = 'captured'") + sum("wallet_refunds") + sum("wallet_alipay_plus_refunds")
            var last: TimeOrderedID?
            repeat {
                let page = try findings.read("wallet_alipay_plus_payments", key: "of \(key)") {
                    try AlipayPlusPaymentRecords.list(account, before: last, limit: 500, in: tx)
                }
                for payment in page ?? [] where payment.amount.currency == currency { available -= payment.amount.minorUnits }
                last = page?.count == 500 ? page?.last?.id : nil
            } while last != nil
            findings.compare("wallet_balances", key: key, column: "available", expected: available, found: try row.integer(2))
            findings.compare("wallet_balances", key: key, column: "held", expected: held, found: try row.integer(3))
        }
        let lost = try TableRecords.without(
            "wallet_balances", table: "wallet_accounts", columns: ["t.id"], on: "o.account = t.id", absent: "account", in: tx)
        for row in lost {
            findings.add(.missing, table: "wallet_balances", key: StoreFindings.key(row.values), expected: "a balance", found: "no row")
        }
    }

    // MARK: Payments of the order gateway

    private func number(of account: TimeOrderedID, table: String, key: String, in tx: any Transaction, _ findings: StoreFindings) throws
        -> String?
    {
        let read = try findings.read("wallet_accounts", key: "\(account)") { try AccountRecords.find(account, in: tx) }
        guard let found = read ?? nil else {
            findings.add(.missing, table: "wallet_accounts", key: "\(account)", expected: "the account of \(table) \(key)", found: "no row")
            return nil
        }
        return found.number
    }

    private func booking(
        _ posting: WalletPostings, amount: Amount, customer number: String, source: TimeOrderedID, at: Timestamp?
    ) throws -> LedgerCheck.Booking {
        LedgerCheck.Booking(
            try LedgerRecords.booking(
                posting.template(customer: number), merchant: owner, source: source, amount: amount.minorUnits, currency: amount.currency,
                at: at ?? Timestamp(microseconds: 0)), isTimed: at != nil)
    }

    private func holds(since forgotten: Timestamp, in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("wallet_holds", key: ["id"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            let read = try findings.read("wallet_holds", key: key) { try HoldRecords.find(row.timeOrderedID(0), in: tx) }
            guard let hold = read ?? nil, let number = try number(of: hold.account, table: "wallet_holds", key: key, in: tx, findings)
            else { return }
            var bookings = [try booking(.hold, amount: hold.amount, customer: number, source: hold.id, at: hold.createdAt)]
            switch hold.state {
            case .held: break
            case .captured: bookings.append(try booking(.capture, amount: hold.amount, customer: number, source: hold.id, at: nil))
            case .released: bookings.append(try booking(.release, amount: hold.amount, customer: number, source: hold.id, at: nil))
            }
            try LedgerCheck.compare(bookings, of: hold.id, merchant: owner, in: tx, findings)
            findings.demand(
                (hold.paidAt != nil) == (hold.state == .captured), table: "wallet_holds", key: key,
                expected: "an instant of payment where it was captured",
                found: hold.paidAt.map { "\($0.microseconds)" } ?? "none")
            let back = try TableRecords.sum(
                of: "amount", "wallet_refunds", where: ("account = ? AND hold = ?", [hold.account.sqlValue, hold.id.sqlValue]), in: tx
            ).sum
            findings.compare("wallet_holds", key: key, column: "refunded", expected: back, found: hold.refunded)
            let read2 = try findings.read("wallet_checkouts", key: "\(hold.checkout)") { try CheckoutRecords.find(hold.checkout, in: tx) }
            if let checkout = read2 ?? nil {
                findings.demand(
                    checkout.hold == hold.id && checkout.account == hold.account && checkout.trade == hold.trade
                        && checkout.payable == hold.amount, table: "wallet_holds", key: key, expected: "what its checkout says",
                    found: "\(hold.trade) \(hold.amount), and not \(checkout.trade ?? "-") \(checkout.payable)")
                findings.demand(
                    checkout.state == (hold.state == .held ? .submitted : .ended), table: "wallet_checkouts", key: "\(checkout.id)",
                    expected: hold.state == .held ? "submitted" : "ended", found: checkout.state.rawValue)
            } else if read2 != nil {
                findings.add(
                    .missing, table: "wallet_checkouts", key: "\(hold.checkout)", expected: "the checkout of payment \(key)",
                    found: "no row")
            }
            let message = try TableRecords.has(
                "outbox", [("merchant", .text(owner.description)), ("id", hold.id.sqlValue), ("kind", .text(PaymentSender.kind))], in: tx)
            if !message, hold.state == .held || hold.createdAt >= forgotten {
                findings.add(.missing, table: "outbox", key: "\(owner)/\(hold.id)", expected: "the payment to the gateway", found: "no row")
            }
        }
    }

    private func refunds(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each(
            "wallet_refunds", key: ["id"], columns: ["request_id", "hold", "account", "trade", "amount", "currency", "at"], in: tx
        ) {
            row in
            let key = StoreFindings.key(row.values.prefix(1))
            let read = try findings.read("wallet_refunds", key: key) {
                (
                    id: try row.timeOrderedID(0), hold: try HoldRecords.find(row.timeOrderedID(2), in: tx),
                    account: try row.timeOrderedID(3),
                    trade: try row.text(4), amount: Amount(minorUnits: try row.integer(5), currency: try Currency(row.text(6))),
                    at: try row.timestamp(7)
                )
            }
            guard let read, let number = try number(of: read.account, table: "wallet_refunds", key: key, in: tx, findings) else { return }
            try LedgerCheck.compare(
                [booking(.refund, amount: read.amount, customer: number, source: read.id, at: read.at)], of: read.id, merchant: owner,
                in: tx, findings)
            guard let hold = read.hold else {
                return findings.add(.missing, table: "wallet_holds", key: "\(key)", expected: "the payment of the refund", found: "no row")
            }
            findings.demand(
                hold.account == read.account && hold.trade.utf8.elementsEqual(read.trade.utf8) && hold.state == .captured,
                table: "wallet_refunds", key: key, expected: "a captured payment of the same customer and trade",
                found: "\(hold.trade) \(hold.state.rawValue)")
        }
    }

    private func transfers(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("wallet_transfers", key: ["id"], columns: ["account", "kind", "amount", "currency", "reason", "at"], in: tx) {
            row in
            let key = StoreFindings.key(row.values.prefix(1))
            let read = try findings.read("wallet_transfers", key: key) {
                (
                    id: try row.timeOrderedID(0), account: try row.timeOrderedID(1), kind: try row.named(2) as CustomerTransfer.Kind,
                    amount: Amount(minorUnits: try row.integer(3), currency: try Currency(row.text(4))), reason: try row.text(5),
                    at: try row.timestamp(6)
                )
            }
            guard let read, let number = try number(of: read.account, table: "wallet_transfers", key: key, in: tx, findings) else { return }
            try LedgerCheck.compare(
                [booking(read.kind == .topUp ? .topUp : .withdrawal, amount: read.amount, customer: number, source: read.id, at: read.at)],
                of: read.id, merchant: owner, in: tx, findings)
            try told("wallet.\(read.kind.rawValue)", object: number, at: read.at, in: tx, findings)
        }
    }

    // MARK: Payments of Alipay+

    private func alipayPlus(in tx: any Transaction, _ findings: StoreFindings) throws {
        let table = "wallet_alipay_plus_payments"
        try TableRecords.each(table, key: ["id"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            let read = try findings.read(table, key: key) { try AlipayPlusPaymentRecords.find(row.timeOrderedID(0), in: tx) }
            guard let payment = read ?? nil else { return }
            var bookings: [LedgerCheck.Booking] = []
            var back: Int64 = 0
            if let account = payment.account {
                guard let number = try number(of: account, table: table, key: key, in: tx, findings) else { return }
                if let paidAt = payment.paidAt {
                    bookings.append(
                        try booking(.alipayPlusPayment, amount: payment.amount, customer: number, source: payment.id, at: paidAt))
                }
                back = try TableRecords.sum(
                    of: "amount", "wallet_alipay_plus_refunds",
                    where: ("account = ? AND payment = ?", [account.sqlValue, payment.id.sqlValue]), in: tx
                ).sum
            }
            try LedgerCheck.compare(bookings, of: payment.id, merchant: owner, in: tx, findings)
            findings.compare(table, key: key, column: "refunded", expected: back, found: payment.refunded)
            let isPaid = payment.paidAt != nil && payment.account != nil
            let fits =
                switch payment.state {
                case .waiting, .refused: payment.paidAt == nil
                case .paid: isPaid && payment.refunded <= payment.amount.minorUnits
                case .cancelled: payment.paidAt == nil || payment.refunded == payment.amount.minorUnits
                }
            findings.demand(
                fits, table: table, key: key, expected: "a state that fits what was paid and given back",
                found: "\(payment.state.rawValue), \(payment.refunded)")
        }
    }

    private func alipayPlusRefunds(in tx: any Transaction, _ findings: StoreFindings) throws {
        let table = "wallet_alipay_plus_refunds"
        try TableRecords.each(table, key: ["id"], columns: ["payment", "account", "amount", "currency", "at"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(1))
            let read = try findings.read(table, key: key) {
                (
                    id: try row.timeOrderedID(0), payment: try AlipayPlusPaymentRecords.find(row.timeOrderedID(1), in: tx),
                    account: try row.timeOrderedID(2),
                    amount: Amount(minorUnits: try row.integer(3), currency: try Currency(row.text(4))), at: try row.timestamp(5)
                )
            }
            guard let read, let number = try number(of: read.account, table: table, key: key, in: tx, findings) else { return }
            let bookings =
                read.amount.isPositive
                ? [try booking(.alipayPlusRefund, amount: read.amount, customer: number, source: read.id, at: read.at)] : []
            try LedgerCheck.compare(bookings, of: read.id, merchant: owner, in: tx, findings)
            findings.demand(
                read.payment?.account == read.account, table: table, key: key, expected: "a payment of the same customer",
                found: read.payment.map { "\($0.account?.description ?? "nobody")" } ?? "no payment")
        }
    }

    // MARK: What other rows are about

    private func checkouts(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("wallet_checkouts", key: ["id"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            let read = try findings.read("wallet_checkouts", key: key) { try CheckoutRecords.find(row.timeOrderedID(0), in: tx) }
            guard let checkout = read ?? nil else { return }
            guard let id = checkout.hold else {
                findings.demand(
                    checkout.state != .submitted, table: "wallet_checkouts", key: key, expected: "a payment that was submitted",
                    found: "none")
                return findings.demand(
                    checkout.result?.isPaid != true || checkout.order.state == .paid, table: "wallet_checkouts", key: key,
                    expected: "a result of no payment",
                    found: "paid")
            }
            let hold = try findings.read("wallet_holds", key: "\(id)") { try HoldRecords.find(id, in: tx) }
            guard let hold else { return }
            guard let hold else {
                return findings.add(
                    .missing, table: "wallet_holds", key: "\(id)", expected: "the payment of checkout \(key)", found: "no row")
            }
            findings.demand(
                checkout.result?.isPaid != true || hold.state == .captured, table: "wallet_checkouts", key: key,
                expected: "a result that fits its payment",
                found: "paid, while the payment is \(hold.state.rawValue)")
        }
    }

    private func ledger(in tx: any Transaction, _ findings: StoreFindings) throws {
        let orders: [WalletPostings] = [.hold, .capture, .release]
        let tables: [(templates: [WalletPostings], table: String)] = [
            (orders, "wallet_holds"), ([.refund], "wallet_refunds"), ([.topUp, .withdrawal], "wallet_transfers"),
            ([.alipayPlusPayment], "wallet_alipay_plus_payments"), ([.alipayPlusRefund], "wallet_alipay_plus_refunds"),
        ]
        for (templates, table) in tables { try LedgerCheck.orphans(of: templates.map(\.rawValue), table, in: tx, findings) }
        try LedgerCheck.strangers(besides: WalletPostings.allCases.map(\.rawValue), owner: owner, in: tx, findings)
    }

    private func problem(_ message: OutboxCheck.Message, in tx: any Transaction) throws -> String? {
        switch message.kind {
        case PaymentSender.kind:
            let exists = try TableRecords.has("wallet_holds", [("id", message.subject.sqlValue)], in: tx)
            return exists && message.id == message.subject && message.merchant == owner ? nil : "the payment that it carries"
        case AlipayPlusNotifier.kind:
            return try TableRecords.has("wallet_alipay_plus_payments", [("id", message.subject.sqlValue)], in: tx)
                ? nil : "the payment that it tells of"
        default: return "a message of the wallet"
        }
    }

    private func problem(_ stored: IdempotencyCheck.Stored, in tx: any Transaction) throws -> String? {
        guard stored.operation == OrderGatewayLinkService.refundOperation else { return "an operation of the wallet" }
        guard let subject = stored.subject, stored.result == [] else { return "the empty answer to a refund" }
        let refund: [(column: String, value: SQLValue)] = [("id", subject.sqlValue), ("request_id", .text(stored.key))]
        return try TableRecords.has("wallet_refunds", refund, in: tx) ? nil : "the refund \(subject)"
    }
}
