import BillfoldPayments
package import BillfoldStorage

/// The tables of events and of what is told of them, beside those of the payment books.
package enum EventsSchema {
    /// What a server adds at the end of its own list, in the order in which they must run: as migrations of one of its own components, so
    /// that a server of the version before runs beside them.
    ///
    /// - Parameters:
    ///   - component: The server's, such as `cards`.
    ///   - number: The first migration's number in it; others follow.
    ///   - runsWith: The component's migration before.
    package static func migrations(of component: String, from number: Int, runsWith: String) -> [Migration] {
        let tables = [
            ("events", EventRecords.tables), ("event-endpoints", WebhookEndpointRecords.tables),
            ("event-deliveries", WebhookDeliveryRecords.tables),
            ("event-answers", WebhookEndpointRecords.lastAnswer + [WebhookDeliveryRecords.givenUpIndex]),
        ]
        return tables.enumerated().map { place, table in
            let digits = String(10_000 + number + place).dropFirst()
            return Migration("\(component)-\(digits)-\(table.0)", table.1, runsWith: runsWith)
        }
    }
}

extension MerchantID {
    var sqlValue: SQLValue { .text(description) }
}
