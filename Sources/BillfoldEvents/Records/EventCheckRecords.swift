package import BillfoldPayments
package import BillfoldStorage

/// What the rows of events, and of what is told of them, must agree about. It stands beside the checks of a server's own rows.
package enum EventCheck {
    /// Looks at every event and every delivery.
    package static func run(in tx: any Transaction, _ findings: StoreFindings) throws {
        try events(in: tx, findings)
        try endpoints(in: tx, findings)
        try deliveries(in: tx, findings)
    }

    /// What is wrong with a message to an endpoint; `nil` where nothing is.
    package static func problem(with message: OutboxCheck.Message, in tx: any Transaction) throws -> String? {
        guard message.state == "ready" else { return nil }
        guard let delivery = try? WebhookDeliveryRecords.find(message.id, owner: message.merchant, in: tx) else {
            return "the delivery that it carries"
        }
        return delivery.event == message.subject && delivery.state == .waiting ? nil : "a delivery of its event that waits"
    }

    /// An object's events count without gaps, behind those that are forgotten, and nothing has a place that was not given.
    private static func events(in tx: any Transaction, _ findings: StoreFindings) throws {
        var last: (owner: String, object: String, sequence: Int64, at: Int64)?
        var heads: [String: (position: Int64, forgotten: Int64)] = [:]
        try TableRecords.each("events", key: ["owner", "object", "sequence"], columns: ["id", "type", "data", "at", "position"], in: tx) {
            row in
            let key = StoreFindings.key(row.values.prefix(3))
            let read = try findings.read("events", key: key) {
                _ = try (MerchantID(row.text(0)), row.timeOrderedID(3), row.blob(5))
                return (
                    owner: try row.text(0), object: try row.text(1), sequence: try row.integer(2), at: try row.integer(6),
                    position: try row.optionalInteger(7)
                )
            }
            guard let read else { return }
            findings.demand(
                EventType.named((try? row.text(4)) ?? "") != nil, table: "events", key: key, expected: "a type of event",
                found: "another word")
            if heads[read.owner] == nil { heads[read.owner] = try EventRecords.head(of: MerchantID(read.owner), in: tx) }
            let head = heads[read.owner] ?? (0, 0)
            if let place = read.position {
                findings.demand(
                    (1...max(1, head.position)).contains(place), table: "events", key: key, expected: "a place that was given",
                    found: "\(place)")
            }
            let before = last.flatMap { $0.owner == read.owner && $0.object == read.object ? $0 : nil }
            if let before {
                findings.compare("events", key: key, column: "sequence", expected: before.sequence + 1, found: read.sequence)
                findings.demand(
                    read.at >= before.at, table: "events", key: key, expected: "a time not before the one before", found: "\(read.at)")
            } else if head.forgotten == 0 {
                findings.compare("events", key: key, column: "sequence", expected: 1, found: read.sequence)
            }
            last = (read.owner, read.object, read.sequence, read.at)
        }
        for (owner, head) in heads {
            let placed = try TableRecords.sum(
                of: "1", "events", where: ("owner = ? AND position > ?", [.text(owner), .integer(head.forgotten)]), in: tx)
            findings.compare("event_heads", key: owner, column: "position", expected: head.forgotten + placed.rows, found: head.position)
        }
    }

    private static func endpoints(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("event_endpoints", key: ["owner", "id"], in: tx) { row in
            let key = StoreFindings.key(row.values)
            _ = try findings.read("event_endpoints", key: key) {
                try WebhookEndpointRecords.find(row.timeOrderedID(1), owner: MerchantID(row.text(0)), in: tx)
            }
        }
    }

    /// What is under way has its message, and of one object nothing else is under way to the same endpoint.
    private static func deliveries(in tx: any Transaction, _ findings: StoreFindings) throws {
        try TableRecords.each("event_deliveries", key: ["owner", "id"], columns: ["object", "position"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            let read = try findings.read("event_deliveries", key: key) {
                try WebhookDeliveryRecords.find(row.timeOrderedID(1), owner: MerchantID(row.text(0)), in: tx)
            }
            guard let delivery = read ?? nil else { return }
            let owner: (String, SQLValue) = ("owner", delivery.owner.sqlValue)
            let event: [(column: String, value: SQLValue)] = [
                owner, ("id", delivery.event.sqlValue), ("object", .text(try row.text(2))), ("position", .integer(try row.integer(3))),
            ]
            if try !TableRecords.has("events", event, in: tx) {
                findings.add(.missing, table: "events", key: key, expected: "the event that is told", found: "no such row")
            }
            guard delivery.state == .waiting else { return }
            let message: [(column: String, value: SQLValue)] = [
                ("merchant", delivery.owner.sqlValue), ("id", delivery.id.sqlValue), ("state", "ready"),
            ]
            if try !TableRecords.has("outbox", message, in: tx) {
                findings.add(
                    .missing, table: "outbox", key: key, expected: "the message of a delivery that waits", found: "none that is ready")
            }
            let others = try tx.query(
                "SELECT id FROM event_deliveries WHERE owner = ? AND endpoint = ? AND object = ? AND state = 'waiting'",
                [delivery.owner.sqlValue, delivery.endpoint.sqlValue, .text(try row.text(2))])
            findings.demand(
                others.count == 1, table: "event_deliveries", key: key, expected: "one of its object under way", found: "\(others.count)")
        }
    }
}
