import BillfoldJSON
import BillfoldPayments
package import BillfoldServer
import BillfoldStorage
package import BillfoldWeb
import HTTPTypes

/// Events and endpoints as people read them.
extension EventBackOffice {
    package func events(of name: String, _ wish: EventWish) async throws -> WebhookEventList? {
        guard let owner = try await self.owner(name) else { return nil }
        guard wish.untold.map({ WebhookEndpoint.id(named: $0.endpoint) != nil }) ?? true else {
            throw ServerError(code: .malformedRequest, reason: "endpoint is no endpoint's id", status: .badRequest)
        }
        let (shown, now) = (shown(owner), clock.now(of: owner.description))
        return try await database.read { tx in
            let book = try Self.book(shown, owner, at: now, in: tx)
            if let untold = wish.untold {
                let (title, events) = try Self.events(untold, of: owner, in: tx)
                return WebhookEventList(
                    book: book, title: title, lines: try Self.lines(events, of: owner, shown, in: tx), isFiltered: true)
            }
            if let object = wish.object {
                let events = try EventRecords.latest(owner, object: object, limit: Self.mostLines, in: tx)
                return WebhookEventList(
                    book: book, title: "Events found", lines: try Self.lines(events, of: owner, shown, in: tx), object: object,
                    isFiltered: true)
            }
            let placed = try EventRecords.latest(owner, before: wish.before, limit: Self.mostLines + 1, in: tx)
            let part = placed.prefix(Self.mostLines)
            return WebhookEventList(
                book: book, title: wish.before == nil ? "Latest events" : "Earlier events",
                lines: try Self.lines(part.map(\.event), of: owner, shown, in: tx), isFiltered: wish.before != nil,
                before: placed.count > part.count ? part.last?.position : nil)
        }
    }

    package func event(_ name: String, of owner: String) async throws -> WebhookEventView? {
        guard let owner = try await self.owner(owner), let id = Event.id(named: name) else { return nil }
        let (shown, page) = (shown(owner), page)
        return try await database.read { tx in
            guard let event = try EventRecords.find(id, owner: owner, in: tx) else { return nil }
            let data = try? JSONReader.read(event.data, maximumBytes: event.data.count + 1)
            return WebhookEventView(
                owner: shown, name: event.name, type: event.type.rawValue, kind: event.object.kind, object: event.object.id,
                sequence: event.sequence, at: event.at.microseconds, about: data?.object.flatMap(page),
                content: String(decoding: try event.document, as: UTF8.self), tellings: try Self.tellings(of: event, to: shown, in: tx))
        }
    }

    // MARK: Owners and endpoints

    func shown(_ owner: MerchantID) -> WebhookOwner {
        WebhookOwner(office: name, id: owner.description, what: what, space: clock.spaceNote(of: owner.description))
    }

    static func book(_ shown: WebhookOwner, _ owner: MerchantID, at now: Timestamp, in tx: any Transaction) throws -> WebhookBook {
        WebhookBook(
            owner: shown,
            endpoints: try WebhookEndpointRecords.all(of: owner, in: tx).map { endpoint in
                let counts = try WebhookDeliveryRecords.counts(of: endpoint.id, owner: owner, in: tx)
                return WebhookEndpointLine(
                    id: endpoint.name, owner: shown, address: address(of: endpoint), note: endpoint.note, state: word(endpoint.stop),
                    types: endpoint.types.map(\.rawValue).sorted(),
                    keys: endpoint.keys(at: now).map { key in
                        .init(
                            id: WebhookEndpoint.name(ofKey: key),
                            until: key == endpoint.key ? nil : endpoint.earlier?.until.microseconds)
                    }, waiting: counts.waiting, givenUp: counts.givenUp, most: WebhookDeliveryRecords.mostCounted,
                    last: endpoint.last.map {
                        .init(status: $0.status, reason: $0.reason?.rawValue ?? "", note: $0.note, at: $0.at.microseconds)
                    }, madeAt: endpoint.createdAt.microseconds)
            })
    }

    /// A query may hold what the owner keeps secret.
    private static func address(of endpoint: WebhookEndpoint) -> String { String(endpoint.url.prefix { $0 != "?" && $0 != "#" }) }

    private static func word(_ stop: WebhookEndpoint.Stop?) -> String {
        switch stop {
        case nil: "on"
        case .byOwner: "off"
        case .gone: "gone"
        }
    }

    private static func word(_ state: WebhookDelivery.State) -> String {
        switch state {
        case .held: "held"
        case .waiting: "waiting"
        case .settled: "delivered"
        case .parked: "given up"
        case .withdrawn: "withdrawn"
        }
    }

    // MARK: Events

    private static func events(
        _ untold: EventWish.Untold, of owner: MerchantID, in tx: any Transaction
    ) throws -> (title: String, [Event]) {
        guard let id = WebhookEndpoint.id(named: untold.endpoint),
            let endpoint = try WebhookEndpointRecords.find(id, owner: owner, in: tx)
        else { return ("The endpoint is deleted", []) }
        let isGivenUp = untold.standing == .givenUp
        let deliveries =
            isGivenUp
            ? try WebhookDeliveryRecords.givenUp(by: id, owner: owner, limit: mostLines, in: tx)
            : try WebhookDeliveryRecords.open(at: id, owner: owner, limit: mostLines, in: tx)
        return (
            (isGivenUp ? "Given up at " : "Waits for ") + address(of: endpoint),
            try deliveries.compactMap { try EventRecords.find($0.event, owner: owner, in: tx) }
        )
    }

    private static func lines(
        _ events: [Event], of owner: MerchantID, _ shown: WebhookOwner, in tx: any Transaction
    ) throws -> [WebhookEventList.Line] {
        let addresses = Dictionary(
            try WebhookEndpointRecords.all(of: owner, in: tx).map { ($0.id, address(of: $0)) }, uniquingKeysWith: { first, _ in first })
        let told = try WebhookDeliveryRecords.last(of: events.map(\.id), owner: owner, in: tx)
        return events.map { event in
            WebhookEventList.Line(
                name: event.name, owner: shown, type: event.type.rawValue, kind: event.object.kind, object: event.object.id,
                sequence: event.sequence, at: event.at.microseconds,
                told: (told[event.id] ?? []).map { delivery in
                    .init(
                        address: addresses[delivery.endpoint] ?? "a deleted endpoint",
                        state: delivery.state == .held ? "waiting" : word(delivery.state))
                })
        }
    }

    /// How each endpoint was told of an event: those that are there, and behind them those that are deleted.
    private static func tellings(
        of event: Event, to shown: WebhookOwner, in tx: any Transaction
    ) throws -> [WebhookEventView.Telling] {
        let log = try WebhookDeliveryRecords.all(of: event.id, owner: event.owner, limit: mostDeliveries, in: tx)
            .map { try LoggedDelivery($0, in: tx) }
        let endpoints = try WebhookEndpointRecords.all(of: event.owner, in: tx)
        let hasPlace = try WebhookDeliveryRecords.position(of: event, in: tx) != nil
        let known = endpoints.compactMap { endpoint -> WebhookEventView.Telling? in
            let own = log.filter { $0.delivery.endpoint == endpoint.id }
            guard !own.isEmpty || endpoint.wants(event.type) else { return nil }
            let isUnderWay = own.contains { $0.delivery.state == .held || $0.delivery.state == .waiting }
            return telling(
                of: event, to: shown, endpoint: endpoint.id, address: address(of: endpoint), own,
                isTellable: hasPlace && endpoint.stop == nil && !isUnderWay, note: note(on: endpoint, own.last))
        }
        let gone = Set(log.map(\.delivery.endpoint)).subtracting(endpoints.map(\.id)).sorted()
        return known
            + gone.map { id in
                telling(
                    of: event, to: shown, endpoint: id, address: "A deleted endpoint", log.filter { $0.delivery.endpoint == id },
                    isTellable: false, note: nil)
            }
    }

    private static func note(on endpoint: WebhookEndpoint, _ last: LoggedDelivery?) -> String? {
        switch (endpoint.stop, last?.delivery.state) {
        case (.byOwner, _): "its owner has disabled it, and nothing is sent"
        case (.gone, _): "it has answered that it is gone, and nothing is sent"
        case (nil, .held): "an earlier event of the object, or others of the endpoint, go first"
        case (nil, nil): "it is newer than the event, or wanted others then"
        case (nil, _): nil
        }
    }

    private static func telling(
        of event: Event, to shown: WebhookOwner, endpoint: TimeOrderedID, address: String, _ own: [LoggedDelivery], isTellable: Bool,
        note: String?
    ) -> WebhookEventView.Telling {
        WebhookEventView.Telling(
            endpoint: WebhookEndpoint.name(of: endpoint), event: event.name, owner: shown, address: address,
            state: own.last.map { word($0.delivery.state) } ?? "not told",
            // Each sending counts its own from one; people count all of them.
            attempts: own.flatMap(\.attempts).enumerated().map { number, attempt in
                NotificationView.Attempt(
                    number: String(number + 1), status: attempt.status.map { String($0) } ?? "",
                    reply: String(decoding: attempt.reply, as: UTF8.self), note: attempt.note, reason: attempt.reason?.rawValue ?? "",
                    milliseconds: attempt.milliseconds, at: attempt.at.microseconds)
            }, isTellable: isTellable, note: note, next: own.last?.nextAttempt?.microseconds)
    }
}
