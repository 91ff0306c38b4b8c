import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// What owners do with their endpoints, and with what was told to them.
struct WebhookEndpoints: Sendable {
    let context: EventContext

    /// What an owner says of an endpoint; `nil` leaves it as it is.
    struct Wish: Sendable {
        var url: String?
        var types: Set<EventType>?
        var note: String?
        var isEnabled: Bool?
    }

    private var signature: WebhookSignature { WebhookSignature(hashing: context.configuration.hashing) }

    /// A new endpoint and its secret, which is told once. It is told of what gets a place in the feed from now on.
    func add(_ wish: Wish, to owner: MerchantID) async throws -> (WebhookEndpoint, secret: String) {
        guard let url = wish.url else { throw EventRefusals.addressRefused("there is none") }
        try check(url)
        let (now, most) = (context.clock.now(), context.configuration.mostEndpoints)
        let endpoint = WebhookEndpoint(
            owner: owner, id: context.identifiers.next(at: now), url: url, types: wish.types ?? [], note: wish.note ?? "",
            stop: wish.isEnabled == false ? .byOwner : nil, key: context.identifiers.next(at: now), createdAt: now)
        try await context.database.write(resolve: { try WebhookEndpointRecords.find(endpoint.id, owner: owner, in: $0).map { _ in } }) {
            tx in
            try EventRecords.takeTurn(owner, in: tx)
            let known = try WebhookEndpointRecords.all(of: owner, in: tx)
            guard !known.contains(where: { $0.url.utf8.elementsEqual(url.utf8) }) else { throw EventRefusals.endpointExists }
            guard known.count < most else { throw EventRefusals.tooManyEndpoints(most) }
            guard try WebhookEndpointRecords.insert(endpoint, in: tx) else { throw EventRefusals.endpointExists }
        }
        return (endpoint, signature.secret(endpoint.key, of: endpoint))
    }

    func all(of owner: MerchantID) async throws -> [WebhookEndpoint] {
        try await context.database.read { try WebhookEndpointRecords.all(of: owner, in: $0) }
    }

    func find(_ name: String, of owner: MerchantID) async throws -> WebhookEndpoint {
        guard let id = WebhookEndpoint.id(named: name),
            let endpoint = try await context.database.lookup({ try WebhookEndpointRecords.find(id, owner: owner, in: $0) })
        else { throw EventRefusals.endpointNotFound }
        return endpoint
    }

    /// Changes an endpoint. What waits for one that is disabled is taken back.
    func change(_ name: String, _ wish: Wish, of owner: MerchantID) async throws -> WebhookEndpoint {
        if let url = wish.url { try check(url) }
        return try await changing(name, of: owner) { endpoint, tx in
            if let url = wish.url {
                let others = try WebhookEndpointRecords.all(of: owner, in: tx).filter { $0.id != endpoint.id }
                guard !others.contains(where: { $0.url.utf8.elementsEqual(url.utf8) }) else { throw EventRefusals.endpointExists }
                endpoint.url = url
            }
            endpoint.types = wish.types ?? endpoint.types
            endpoint.note = wish.note ?? endpoint.note
            switch wish.isEnabled {
            case true?: endpoint.stop = nil
            case false?:
                endpoint.stop = endpoint.stop ?? .byOwner
                try WebhookDeliveryRecords.withdraw(from: endpoint, in: tx)
            case nil: break
            }
            try WebhookEndpointRecords.update(endpoint, in: tx)
        }
    }

    /// Takes an endpoint away, and what waits for it.
    func delete(_ name: String, of owner: MerchantID) async throws {
        _ = try await changing(name, of: owner) { endpoint, tx in
            try WebhookDeliveryRecords.withdraw(from: endpoint, in: tx)
            try WebhookEndpointRecords.delete(endpoint, in: tx)
        }
    }

    /// Gives an endpoint a new key, told once. Messages are signed by both until the overlap ends.
    ///
    /// Two keys sign at most, and the older is the one that a receiver still has: another rotation that would end it early is refused with
    /// `rotation-running`. One without an overlap is always done, and ends every key before it: a secret that has leaked waits for nothing.
    func rotate(_ name: String, overlap: Duration, of owner: MerchantID) async throws -> (WebhookEndpoint, secret: String) {
        let now = context.clock.now()
        let key = context.identifiers.next(at: now)
        let endpoint = try await changing(name, of: owner) { endpoint, tx in
            // Its own earlier run, whose commit's answer was lost.
            guard endpoint.key != key else { return }
            if let earlier = endpoint.earlier, overlap > .zero, now < earlier.until {
                throw EventRefusals.rotationRunning(until: earlier.until)
            }
            endpoint.earlier = overlap > .zero ? .init(id: endpoint.key, until: now.advanced(by: overlap)) : nil
            endpoint.key = key
            try WebhookEndpointRecords.update(endpoint, in: tx)
        }
        return (endpoint, signature.secret(endpoint.key, of: endpoint))
    }

    private func changing(
        _ name: String, of owner: MerchantID, _ change: @escaping @Sendable (inout WebhookEndpoint, any Transaction) throws -> Void
    ) async throws -> WebhookEndpoint {
        guard let id = WebhookEndpoint.id(named: name) else { throw EventRefusals.endpointNotFound }
        return try await context.database.writeRepeatably { tx in
            guard try WebhookEndpointRecords.takeTurn(id, owner: owner, in: tx),
                var endpoint = try WebhookEndpointRecords.find(id, owner: owner, in: tx)
            else { throw EventRefusals.endpointNotFound }
            try change(&endpoint, tx)
            return endpoint
        }
    }

    private func check(_ url: String) throws {
        if context.isOnThisMachine(url) { return }
        if let problem = context.configuration.addresses.problem(with: url) { throw EventRefusals.addressRefused(problem) }
    }

    // MARK: Deliveries

    func event(_ name: String, of owner: MerchantID) async throws -> Event {
        guard let id = Event.id(named: name),
            let event = try await context.database.lookup({ try EventRecords.find(id, owner: owner, in: $0) })
        else { throw EventRefusals.eventNotFound }
        return event
    }

    /// How an event was told: each delivery with its attempts and when the next one is.
    func log(of name: String, owner: MerchantID, limit: Int) async throws -> [LoggedDelivery] {
        let event = try await event(name, of: owner)
        return try await context.database.read { tx in
            try WebhookDeliveryRecords.all(of: event.id, owner: owner, limit: limit, in: tx).map { try LoggedDelivery($0, in: tx) }
        }
    }

    /// Sends an event once more: to one endpoint, or to all that want it. It waits for its turn like any other, and later events of the
    /// object wait for it. One that waits for its next attempt has that now; one that is just being sent is not sent twice.
    func resend(_ name: String, to endpoint: String?, of owner: MerchantID) async throws -> [LoggedDelivery] {
        let event = try await event(name, of: owner)
        var wanted: Set<TimeOrderedID>?
        if let endpoint { wanted = [try await find(endpoint, of: owner).id] }
        let (now, identifiers, only) = (context.clock.now(), context.identifiers, wanted)
        let sent = try await context.database.write { tx -> [LoggedDelivery] in
            guard let position = try WebhookDeliveryRecords.position(of: event, in: tx) else { return [] }
            var sent: [LoggedDelivery] = []
            for known in try WebhookEndpointRecords.all(of: owner, in: tx) where only?.contains(known.id) ?? known.wants(event.type) {
                switch try WebhookResend.store(event, at: position, to: known.id, as: identifiers.next(at: now), now: now, in: tx) {
                case .stored(let delivery), .hurried(let delivery), .underWay(let delivery):
                    try sent.append(LoggedDelivery(delivery, in: tx))
                case .stopped where only != nil: throw EventRefusals.endpointStopped
                case .stopped, .gone: break
                }
            }
            return sent
        }
        context.bell.ring()
        return sent
    }
}

/// A delivery, its attempts, and when the next one is.
struct LoggedDelivery: Sendable {
    var delivery: WebhookDelivery
    var attempts: [DeliveryRecords.Attempt]
    var nextAttempt: Timestamp?
    /// The event of the object whose delivery to the endpoint has to end first.
    var behind: TimeOrderedID?

    init(_ delivery: WebhookDelivery, in tx: any Transaction) throws {
        self.delivery = delivery
        attempts = try WebhookDeliveryRecords.deliveries.attempts(of: delivery.id, owner: delivery.owner, in: tx)
        nextAttempt = try OutboxRecords.standing(of: delivery.id, merchant: delivery.owner, in: tx)?.nextAttempt
        behind = delivery.state == .held ? try WebhookDeliveryRecords.ahead(of: delivery, in: tx) : nil
    }
}
