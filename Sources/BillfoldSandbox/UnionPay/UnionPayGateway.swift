package import BillfoldStorage
package import BillfoldTrace
package import Hummingbird
package import Logging
package import UnionPay

/// UnionPay's gateway, played on this machine: it verifies what the merchant signed, books, signs its answers, notifies,
/// and hands out the day's file.
///
/// Everything it knows is in the sandbox's store, so several processes on one store are one gateway. Reports to the trace as
/// the party `unionpay`.
///
/// | address under `/unionpay` | takes |
/// |---|---|
/// | `POST /gateway/api/backTransReq.do` | consume, void, refund, reversal |
/// | `POST /gateway/api/cardTransReq.do` | consume, reversal |
/// | `POST /gateway/api/appTransReq.do` | order push, answered with a `tn` |
/// | `GET /pay/{tn}` | the page where a customer pays a pushed order, or leaves |
/// | `GET /pay/{tn}/order`, `POST /pay/{tn}/apple-pay` | what its plug-in for Apple Pay asks: the order, and a payment with a token |
/// | `POST /gateway/api/queryTrans.do` | query |
/// | `POST /file/` | file transfer |
/// | `/control/…` | see ``addRoutes(to:)`` |
package struct UnionPayGateway: Sendable {
    /// What the composition decides.
    package struct Configuration: Sendable {
        /// When an unacknowledged notification is sent again, on the store's clock.
        package var notificationSchedule: NotificationSchedule
        /// How often due notifications are looked for, in real time.
        package var notificationInterval: Duration
        /// Whether the file of a day that is still open is handed out; UnionPay itself answers 98.
        package var servesOpenDays: Bool
        /// Whether the trace holds the messages' bytes. They hold card data.
        package var showsBytes: Bool
        /// Where the results of apps that are pages go, by their schemes: a browser follows no app's.
        package var pages: [String: String] = [:]

        package init(
            notificationSchedule: NotificationSchedule = .late, notificationInterval: Duration = .milliseconds(100),
            servesOpenDays: Bool = true, showsBytes: Bool = false
        ) {
            self.notificationSchedule = notificationSchedule
            self.notificationInterval = notificationInterval
            self.servesOpenDays = servesOpenDays
            self.showsBytes = showsBytes
        }
    }

    /// The gateway's tables, for the store's migrations.
    package static let migrations: [Migration] =
        UnionPayGatewayRecords.migrations + UnionPayPushRecords.migrations + UnionPayGatewayNotificationRecords.migrations

    /// Sends the notifications; belongs into the service group beside the listener.
    package let notifier: UnionPayGatewayNotifier

    /// PEM of the certificates that merchants configure as trust: intermediate, then root.
    package let trustPEM: String

    let service: UnionPayGatewayService
    let tracer: UnionPayGatewayTracer
    private let pages: [String: String]

    /// Loads the gateway's authority from the store, or makes it.
    ///
    /// - Parameters:
    ///   - database: The sandbox's store, with ``migrations`` applied.
    ///   - random: Draws numbers and ids.
    package init(
        database: any Database, clock: any WallClock, sink: any TraceSink, outgoing: any OutgoingPost,
        random: @escaping @Sendable () -> UInt64, logger: Logger, configuration: Configuration = Configuration()
    ) async throws {
        let authority = try await UnionPayGatewayAuthority.load(from: database, clock: clock, random: random)
        let tracer = UnionPayGatewayTracer(sink: sink, clock: clock, random: random, showsBytes: configuration.showsBytes)
        self.tracer = tracer
        pages = configuration.pages
        trustPEM = try authority.trustPEM
        service = UnionPayGatewayService(
            database: database, clock: clock, authority: authority, random: random, servesOpenDays: configuration.servesOpenDays)
        notifier = UnionPayGatewayNotifier(
            database: database, clock: clock, authority: authority, outgoing: outgoing, tracer: tracer,
            schedule: configuration.notificationSchedule, interval: configuration.notificationInterval, logger: logger)
    }

    /// Adds the gateway's addresses and, under `/unionpay/control`, the sandbox's own:
    ///
    /// - `PUT plans/{orderId}`, `PUT plans/next`, `PUT plans/default`: a ``FaultPlan``, or `{"seed": 7}` to draw one for each order.
    ///   The order is the gateway's own, or the shop's as `reqReserved` names it. `GET` returns the plan that is set.
    /// - `GET orders` (`?merId=`): what is booked, with the notifications' state.
    /// - `GET books?settleDate=MMDD` (`&merId=`): the day's transactions and totals.
    /// - `POST merchants`: `{"merId", "certificate": PEM}` or `{"merId", "secureKey"}`.
    /// - `GET certificates`: ``trustPEM``.
    /// - `GET result-key`: the certificate that the client's signed results are checked with (unionpay-tn.md#signed-result).
    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gateway = router.group("unionpay")
        UnionPayGatewayRoutes(service: service, tracer: tracer, notifier: notifier).add(to: gateway)
        UnionPayCashierRoutes(service: service, tracer: tracer, pages: pages).add(to: gateway.group("pay"))
        UnionPaySheetRoutes(service: service, tracer: tracer).add(to: gateway.group("pay"))
        UnionPayGatewayControl(service: service, trustPEM: trustPEM).add(to: gateway.group("control"))
    }
}
