package import BillfoldPayments
package import BillfoldServer
package import BillfoldStorage
package import Hummingbird
package import Logging
package import ServiceLifecycle

/// Everything that a server does about events: their places in the feed, endpoints, deliveries, and the routes.
///
/// The server itself stores an event by ``EventRecords/append(_:of:data:owner:id:at:in:)`` in the transaction of the change, has the tables
/// of ``EventsSchema`` at the end of its own, leaves messages of the kind ``outboxKind`` to ``workers``, and adds ``retention`` to its rules.
package struct EventPart: Sendable {
    private let context: EventContext
    /// Gives events their places; ring it after a commit that may have stored some.
    package let dispatcher: EventDispatcher
    /// Delivers to endpoints, and nothing else.
    package let outboxWorker: OutboxWorker

    /// What the outbox calls a message to an endpoint.
    package static let outboxKind = WebhookDeliveryRecords.kind

    /// - Parameters:
    ///   - configuration: What the server sets.
    ///   - database: The server's store.
    ///   - http: Reaches endpoints.
    ///   - identifiers: Makes ids.
    ///   - clock: Tells when attempts are due; test mode may move it.
    ///   - realClock: The time that receivers compare with their own, which nobody moves.
    ///   - logger: Is told of deliveries that did not count.
    package init(
        configuration: EventConfiguration, database: any Database, http: any HTTPSender, identifiers: IdentifierSource,
        clock: any WallClock, realClock: any WallClock = SystemClock(), logger: Logger
    ) {
        context = EventContext(
            configuration: configuration, database: database, http: http, clock: clock, realClock: realClock, identifiers: identifiers,
            logger: logger)
        dispatcher = EventDispatcher(context: context)
        var outbox = OutboxWorker.Configuration()
        outbox.kinds = .only(Self.outboxKind)
        outbox.lease = configuration.lease
        outbox.schedules = [Self.outboxKind: configuration.retries]
        outboxWorker = OutboxWorker(
            database: database, sender: WebhookSender(context: context), clock: clock, random: identifiers, configuration: outbox,
            bell: context.bell, logger: logger)
    }

    /// What runs beside the listeners.
    package var workers: [any Service] { [dispatcher, outboxWorker] }

    /// Forgets events, and how they were told, after as long as messages are kept.
    package static let retention = RetentionRule("events") { _, now in
        let end = now.advanced(by: .zero - RetentionRule.messagesKept)
        let last = Latest<MerchantID>()
        return { database, limit in
            let known = last.value
            guard let owner = try await database.read({ try known ?? EventRecords.owner(after: nil, in: $0) }) else { return (0, true) }
            let (removed, next) = try await database.writeRepeatably { tx in
                let removed = try EventRecords.forget(owner, before: end, limit: limit, in: tx)
                return (removed, removed < limit ? try EventRecords.owner(after: owner.description, in: tx) : owner)
            }
            guard let next else { return (removed, true) }
            last.set(next)
            return (removed, false)
        }
    }

    /// Adds the routes to a router.
    ///
    /// - Parameters:
    ///   - router: The server's.
    ///   - owner: Whose key a request carries; throws the server's own refusal where it is nobody's.
    package func addRoutes<Context: RequestContext>(
        to router: some RouterMethods<Context>, owner: @escaping @Sendable (Request) async throws -> MerchantID
    ) {
        EventRoutes(context: context, owner: owner).add(to: router)
        WebhookEndpointRoutes(context: context, owner: owner).add(to: router)
    }
}
