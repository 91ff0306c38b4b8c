package import BillfoldEvents
import BillfoldJSON
import BillfoldPayments
import BillfoldWeb

/// What the bank's back end is told.
extension ProvisioningBackOffice {
    /// In addresses.
    private static let eventOffice = "banks"

    /// Whose back end it is.
    var eventOwner: WebhookOwner {
        WebhookOwner(office: Self.eventOffice, id: context.host.configuration.issuer.description, what: "Bank")
    }

    /// Endpoints and events of the bank.
    package var events: EventBackOffice {
        let host = context.host
        return EventBackOffice(
            name: Self.eventOffice, what: eventOwner.what, database: host.database, clock: host.clock, identifiers: host.identifiers,
            links: AuditChain(key: host.configuration.keys.audit), owners: { [host.configuration.issuer] },
            page: { data in
                data["card"]?.string.map { ("Card", "/provisioning/cards/\(PathSegment.encoded($0))") }
            })
    }
}
