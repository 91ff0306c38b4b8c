package import BillfoldEvents
import BillfoldJSON
package import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldWeb

/// What merchants' back ends are told.
extension CardPaymentsBackOffice {
    /// In addresses.
    private static let eventOffice = "merchants"

    /// A merchant as the pages about webhooks name it.
    func eventOwner(_ merchant: BillfoldPayments.MerchantID) -> WebhookOwner {
        WebhookOwner(
            office: Self.eventOffice, id: merchant.description, what: "Merchant", space: clock.spaceNote(of: merchant.description))
    }

    /// Endpoints and events of the merchants.
    ///
    /// - Parameter identifiers: Makes ids.
    package func events(identifiers: IdentifierSource) -> EventBackOffice {
        EventBackOffice(
            name: Self.eventOffice, what: "Merchant", database: database, clock: clock, identifiers: identifiers, links: links,
            owners: { try await owners() },
            page: { data in
                let order = data["order"]?.string ?? data["payment"]?.object?["order"]?.string
                return order.map { ("Order", Journey.acceptApplePay.casePage?.path(of: $0) ?? "/orders/\($0)") }
            })
    }
}
