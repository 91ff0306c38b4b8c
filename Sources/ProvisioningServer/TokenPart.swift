package import BillfoldEvents
package import BillfoldPayments
package import BillfoldServer
import BillfoldStorage
import Hummingbird
package import ServiceLifecycle

/// Everything that an issuer host does about tokens: decisions, verification, reviews, life cycle.
package struct TokenPart: Sendable {
    let context: TokenContext
    /// Delivers actions to networks and messages to customers.
    package let outboxWorker: OutboxWorker
    /// Tells the bank's back end what has happened.
    package let events: EventPart

    init(host: ProvisioningContext, configuration: TokenConfiguration) {
        context = TokenContext(host: host, configuration: configuration)
        var outbox = OutboxWorker.Configuration()
        outbox.kinds = .except(EventPart.outboxKind)
        outbox.schedules = Dictionary(uniqueKeysWithValues: TokenSender.Kind.allCases.map { ($0.rawValue, $0.schedule) })
        outboxWorker = OutboxWorker(
            database: host.database, sender: TokenSender(context: context), clock: host.clock, random: host.identifiers,
            configuration: outbox, logger: host.logger)
        events = EventPart(
            configuration: EventConfiguration(
                mode: host.configuration.mode, hashing: host.configuration.keys.hashing, prefix: "/provisioning/v1"),
            database: host.database, http: host.http, identifiers: host.identifiers, clock: host.clock, logger: host.logger)
    }

    /// What operators see and do.
    package var backOffice: ProvisioningBackOffice { ProvisioningBackOffice(context: context) }
    /// What takes a second person.
    package var actions: ProvisioningActions { ProvisioningActions(reviews: ReviewService(context: context)) }
    /// What networks tell of tokens that belong to no card in the books: an action of the kind `token-settle-notice`.
    package var notices: UnmatchedNoticeOffice { TokenNotices(context: context).office }
    /// What runs beside the listeners.
    package var workers: [any Service] {
        [outboxWorker] + events.workers + (ChangeFeedWorker(context: context).map { [$0] } ?? [])
    }

    func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        NetworkRoutes(context: context).add(to: router)
        ActivationRoutes(context: context).add(to: router)
        TokenBookRoutes(context: context).add(to: router)
        events.addRoutes(to: router) { [host = context.host] request in
            try await host.callerKeys.requireBank(request.bearer)
            return host.configuration.issuer
        }
        BankRoutes(context: context).add(to: router)
    }

    var follower: TokenFollower { TokenFollower(service: LifeCycleService(context: context)) }
}
