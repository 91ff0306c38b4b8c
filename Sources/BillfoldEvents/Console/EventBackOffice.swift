package import BillfoldJSON
package import BillfoldPayments
import BillfoldServer
package import BillfoldStorage
package import BillfoldWeb

/// What operators see of a server's events, and how they have one told again. It works on the server's store, so it may run in another
/// process.
package struct EventBackOffice: EventOffice {
    /// The page of what an event is about, and what that is called, by the event's data; `nil` where there is none.
    package typealias Page = @Sendable (_ data: JSONObject) -> (name: String, path: String)?

    /// Most lines of a list.
    static let mostLines = 100
    /// Most deliveries of one event that are shown.
    static let mostDeliveries = 50

    package let name: String
    /// What an owner is, for example `Merchant`.
    let what: String
    let database: any Database
    let clock: any WallClock
    private let identifiers: IdentifierSource
    private let links: AuditChain
    private let owners: @Sendable () async throws -> [MerchantID]
    let page: Page

    /// - Parameters:
    ///   - name: What addresses call it, for example `merchants`.
    ///   - what: What an owner is, for example `Merchant`.
    ///   - database: With the tables of ``EventsSchema``.
    ///   - clock: The server's.
    ///   - identifiers: Makes ids.
    ///   - links: Under the server's audit key.
    ///   - owners: Whose back ends are told.
    ///   - page: The page of what an event is about.
    package init(
        name: String, what: String, database: any Database, clock: any WallClock, identifiers: IdentifierSource, links: AuditChain,
        owners: @escaping @Sendable () async throws -> [MerchantID], page: @escaping Page
    ) {
        (self.name, self.what, self.database, self.clock) = (name, what, database, clock)
        (self.identifiers, self.links, self.owners, self.page) = (identifiers, links, owners, page)
    }

    package func books() async throws -> [WebhookBook] {
        let owners = try await owners().map { (id: $0, shown: shown($0), now: clock.now(of: $0.description)) }
        return try await database.read { tx in
            try owners.map { try Self.book($0.shown, $0.id, at: $0.now, in: tx) }
        }
    }

    /// The owner of that name; `nil` for one whose back end is not told here.
    func owner(_ name: String) async throws -> MerchantID? {
        guard let owner = try? MerchantID(name) else { return nil }
        return try await owners().contains(owner) ? owner : nil
    }

    package func resend(
        _ event: String, of owner: String, to endpoint: String, because reason: String, by person: String
    ) async throws {
        guard let owner = try await self.owner(owner), let id = Event.id(named: event) else { throw EventRefusals.eventNotFound }
        guard let endpoint = WebhookEndpoint.id(named: endpoint) else { throw EventRefusals.endpointNotFound }
        let (now, links) = (clock.now(of: owner.description), links)
        let delivery = identifiers.next(at: now)
        try await database.write(resolve: { try WebhookDeliveryRecords.find(delivery, owner: owner, in: $0).map { _ in } }) { tx in
            guard let event = try EventRecords.find(id, owner: owner, in: tx) else { throw EventRefusals.eventNotFound }
            // Without a place it is told in a moment.
            guard let position = try WebhookDeliveryRecords.position(of: event, in: tx) else { throw EventRefusals.underWay }
            switch try WebhookResend.store(event, at: position, to: endpoint, as: delivery, now: now, in: tx) {
            case .stored, .hurried: break
            case .underWay: throw EventRefusals.underWay
            case .stopped: throw EventRefusals.endpointStopped
            case .gone: throw EventRefusals.endpointNotFound
            }
            try AuditRecords.append(
                to: "operators", by: person, action: "event.resend", object: "\(event.name) to \(WebhookEndpoint.name(of: endpoint))",
                result: reason, at: now, merchant: owner, linking: links, in: tx)
        }
    }
}
