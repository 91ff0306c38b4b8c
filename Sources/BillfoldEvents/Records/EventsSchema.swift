import BillfoldPayments
package import BillfoldStorage

/// The tables of events and of what is told of them, beside those of the payment books. A server adds them at the end of its own list.
package enum EventsSchema {
    /// In the order in which they must run.
    package static let migrations: [Migration] = [
        EventRecords.migration, WebhookEndpointRecords.migration, WebhookDeliveryRecords.migration,
    ]
}

extension MerchantID {
    var sqlValue: SQLValue { .text(description) }
}
