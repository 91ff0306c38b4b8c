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

    init(host: ProvisioningContext, configuration: TokenConfiguration) {
        context = TokenContext(host: host, configuration: configuration)
        var outbox = OutboxWorker.Configuration()
        outbox.schedules = Dictionary(uniqueKeysWithValues: TokenSender.Kind.allCases.map { ($0.rawValue, $0.schedule) })
        outboxWorker = OutboxWorker(
            database: host.database, sender: TokenSender(context: context), clock: host.clock, random: host.identifiers,
            configuration: outbox, logger: host.logger)
    }

    /// What operators see and do.
    package var backOffice: ProvisioningBackOffice { ProvisioningBackOffice(context: context) }
    /// What takes a second person.
    package var actions: ProvisioningActions { ProvisioningActions(reviews: ReviewService(context: context)) }
    /// What networks tell of tokens that belong to no card in the books: an action of the kind `token-settle-notice`.
    package var notices: UnmatchedNoticeOffice { TokenNotices(context: context).office }
    /// What runs beside the listeners.
    package var workers: [any Service] { [outboxWorker] + (ChangeFeedWorker(context: context).map { [$0] } ?? []) }

    func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        NetworkRoutes(context: context).add(to: router)
        ActivationRoutes(context: context).add(to: router)
        TokenBookRoutes(context: context).add(to: router)
        BankRoutes(context: context).add(to: router)
    }

    var follower: TokenFollower { TokenFollower(service: LifeCycleService(context: context)) }
}
