import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// What the bank's own systems told and were answered.
extension ProvisioningCheck {
    /// Every event and every part of an import has its row in the trail and its answer, and a token that is held for a cause is there.
    func bank(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("bank_card_events", key: ["event_id"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            let read = try findings.read("bank_card_events", key: key) { try CardEventRecords.find(row.text(0), in: tx) }
            guard let event = read ?? nil else { return }
            try expect(
                ("card.\(event.kind.rawValue)", "card \(event.card)", event.at), of: "bank_card_events", key: key, in: tx, findings)
            try demandAnswer(CardEventService.operation, name: event.id, of: "bank_card_events", key: key, in: tx, findings)
        }
        try TableRecords.each("bank_card_imports", key: ["import", "part"], columns: ["at"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            let (name, part, at) = (try row.text(0), try row.integer(1), try row.timestamp(2))
            try expect(("cards.imported", "import \(name)", at), of: "bank_card_imports", key: key, in: tx, findings)
            try demandAnswer(CardIntakeService.operation, name: "\(name)/\(part)", of: "bank_card_imports", key: key, in: tx, findings)
        }
        try TableRecords.each("token_suspensions", key: ["token", "cause"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            findings.demand(
                SuspensionCause(rawValue: try row.text(1)) != nil, table: "token_suspensions", key: key, expected: "a cause",
                found: "another")
            if try !TableRecords.has("tokens", [("reference", row.values[0])], in: tx) {
                findings.add(.unexpected, table: "token_suspensions", key: key, expected: "its token", found: "no row")
            }
        }
    }

    private func expect(
        _ told: (action: String, object: String, at: Timestamp), of table: String, key: String, in tx: any Transaction,
        _ findings: StoreFindings
    ) throws {
        let row: [(column: String, value: SQLValue)] = [
            ("chain", "provisioning"), ("action", .text(told.action)), ("object", .text(told.object)),
            ("at", .integer(told.at.microseconds)),
        ]
        guard try !TableRecords.has("audit_rows", row, in: tx) else { return }
        findings.add(
            .missing, table: "audit_rows", key: "provisioning", expected: "\(told.action) of \(told.object), as \(table) \(key) says",
            found: "no row")
    }

    private func demandAnswer(
        _ operation: String, name: String, of table: String, key: String, in tx: any Transaction, _ findings: StoreFindings
    ) throws {
        let answer = try IdempotencyKey(caller: CardEventService.actor, operation: operation, key: name)
        if try IdempotencyRecords.result(answer, in: tx) == nil {
            findings.add(.missing, table: "idempotency_keys", key: key, expected: "the answer to \(table) \(key)", found: "no row")
        }
    }

    /// What the bank's systems were answered, under keys that stay.
    func problemOfBank(_ stored: IdempotencyCheck.Stored, in tx: any Transaction) throws -> String? {
        switch stored.operation {
        case CardEventService.operation:
            return try CardEventRecords.find(stored.key, in: tx) == nil ? "the card's event \(stored.key)" : nil
        case CardIntakeService.operation:
            let parts = stored.key.split(separator: "/")
            guard parts.count == 2, let number = Int64(parts[1]), try CardImportRecords.find(String(parts[0]), part: number, in: tx) != nil
            else { return "the import's part \(stored.key)" }
            return nil
        case BankTokenService.operation, CustomerService.operation: return nil
        default: return "an operation of the bank's"
        }
    }
}
