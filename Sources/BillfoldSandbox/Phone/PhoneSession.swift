import ApplePayApp
package import PassKitSimulator
import Synchronization

/// One phone in a visitor's hands, running the shop's app: `ApplePayApp` at work on a simulated device.
@MainActor
package final class PhoneSession {
    package let id: String
    package let device: SimulatedDevice
    package var screen: PhoneScreen { feed.screen }

    private let lines: [CartLine]
    private let surroundings: PhoneSurroundings
    private let memory = VolatileCheckoutMemory()
    private let availability: AvailabilityMonitor
    private var checkout: CheckoutSession?
    private var work: Task<Void, Never>?
    let feed: ScreenFeed<PhoneScreen>

    init(id: String, model: PhoneModel, lines: [CartLine], surroundings: PhoneSurroundings) {
        self.id = id
        self.lines = lines
        self.surroundings = surroundings
        let ids = CorrelationBox()
        correlation = ids
        let cards = surroundings.cards
        let device = SimulatedDevice(
            model.configuration(cards: cards, contacts: surroundings.contacts),
            tokenSource: TracedWallet(surroundings.wallet, reporter: surroundings.reporter) { ids.current },
            timer: surroundings.timer
        ) { device in device.update { if $0.cards.isEmpty { $0.cards = Array(cards.prefix(1)) } } }
        self.device = device
        let system = (try? SystemVersion(.iOS, text: device.configuration.systemVersion)) ?? SystemVersion(.iOS, 0)
        availability = SimulatedDevice.$current.withValue(device) {
            AvailabilityMonitor(networks: [.chinaUnionPay], capabilities: [.threeDSecure, .emv], system: system)
        }
        var screen = PhoneScreen(session: id, model: model)
        screen.button = availability.availability.rawValue
        feed = ScreenFeed(screen)
    }

    private let correlation: CorrelationBox

    /// Carries out what the customer did. Refuses what the screen does not offer (`not-on-screen`), and lists what it offers.
    package func perform(_ tap: PhoneTap) throws(SandboxRefusal) {
        let offers = screen.offers(sheetAt: checkout?.controller?.sheet?.state.phase)
        // An empty code takes the coupon away.
        let value = tap.action == .enterCouponCode && tap.value?.isEmpty != false ? "-" : tap.value
        guard offers.contains(where: { $0.action == tap.action.rawValue && $0.takes(value) }) else {
            throw .notOnScreen(tap.action, offers: offers)
        }
        switch tap.action {
        case .pay: begin()
        case .setUp:
            SimulatedDevice.$current.withValue(device) { availability.openSetUp() }
            show { $0.button = self.availability.availability.rawValue }
        case .continue:
            checkout = nil
            show {
                $0.place = .shop
                $0.order = nil
                $0.sheet = nil
                $0.outcome = nil
                $0.problem = nil
            }
        case .askAgain: askAgain()
        case .selectCard, .selectContact, .selectShippingMethod, .enterCouponCode, .authorize, .enterPIN, .cancel: onSheet(tap)
        }
    }

    /// Every screen from now on, the current one first.
    package func screens() -> AsyncStream<PhoneScreen> { feed.screens() }

    /// The first screen after a revision, or nil when the session is closed or the task cancelled first.
    package func nextScreen(after revision: Int) async -> PhoneScreen? { await feed.next(after: revision) }

    /// Ends the session: the phone is put away, as if its app were killed.
    func close() {
        work?.cancel()
        // Whoever waits for the sheet waits for its end.
        checkout?.controller?.sheet?.perform(.cancel)
        feed.finish()
    }

    private func onSheet(_ tap: PhoneTap) {
        guard let sheet = checkout?.controller?.sheet else { return }
        let value = tap.value ?? ""
        switch tap.action {
        case .selectCard: sheet.perform(.selectCard(value))
        case .selectContact: sheet.perform(.selectContact(value))
        case .selectShippingMethod: sheet.perform(.selectShippingMethod(value))
        case .enterCouponCode: sheet.perform(.enterCouponCode(value))
        case .authorize: sheet.perform(.authorize)
        case .enterPIN: sheet.perform(.enterPIN(value))
        case .cancel: sheet.perform(.cancel)
        case .pay, .setUp, .continue, .askAgain: break
        }
    }

    private func begin() {
        show { $0.place = .ordering }
        work = SimulatedDevice.$current.withValue(device) { Task { await run() } }
    }

    private func run() async {
        let reference = surroundings.reporter.makeName()
        correlation.set([Correlation.reference: reference])
        do {
            let access = try await surroundings.shop.createOrder(lines, reference: reference)
            correlation.set([Correlation.reference: reference, Correlation.order: access.orderID])
            let server = TracedMerchant(server: surroundings.merchant, reporter: surroundings.reporter, reference: reference)
            let order = try await server.order(access)
            show {
                $0.order = .init(
                    id: order.id, reference: order.reference, merchantName: order.merchantName,
                    story: self.surroundings.story(order.id))
            }
            let session = CheckoutSession(
                order: order, access: access, server: server, memory: memory, configuration: surroundings.checkout
            ) { [surroundings] in IdempotencyKey(rawValue: surroundings.reporter.makeName()) }
            checkout = session
            session.onPresent = { [weak self, weak session] in self?.follow(session?.controller?.sheet) }
            let outcome = try await session.start()
            // The sheet's last state may still be on its way here: a reader sees the outcome with the sheet as it closed.
            let closed = session.controller?.sheet?.state
            show {
                $0.sheet = closed ?? $0.sheet
                $0.place = .outcome
                $0.outcome = .init(outcome)
            }
        } catch let refusal as SandboxRefusal {
            fail(refusal.code, refusal.reason)
        } catch let error as ApplePayAppError {
            fail(error.serverCode ?? error.code.description, error.reason)
        } catch {
            fail("shop-unanswered", "the shop did not answer")
        }
    }

    /// Shows the sheet, state by state, until it is over.
    private func follow(_ sheet: PaymentSheet?) {
        guard let sheet else { return }
        show {
            $0.place = .sheet
            $0.sheet = sheet.state
        }
        let states = sheet.states()
        Task { [weak self] in
            for await state in states {
                self?.show { screen in
                    guard screen.place == .sheet || screen.place == .confirming else { return }
                    screen.sheet = state
                    if state.phase.isOver { screen.place = .confirming }
                }
            }
        }
    }

    private func askAgain() {
        show { $0.place = .confirming }
        let server = TracedMerchant(
            server: surroundings.merchant, reporter: surroundings.reporter, reference: correlation.current[Correlation.reference] ?? "")
        work = Task {
            let outcome = await CheckoutSession.recover(memory: memory, server: server, configuration: surroundings.checkout)
            show {
                $0.place = .outcome
                $0.outcome = outcome.map { .init($0) } ?? .init(kind: "cancelled")
            }
        }
    }

    private func fail(_ code: String, _ reason: String) {
        show {
            $0.place = .outcome
            $0.problem = .init(kind: "failed", code: code, reason: reason)
        }
    }

    private func show(_ change: (inout PhoneScreen) -> Void) {
        feed.show { screen in
            change(&screen)
            screen.faults = device.faults
        }
    }
}

/// The ids of the checkout under way, for whoever reports on it.
final class CorrelationBox: Sendable {
    private let ids = Mutex<[String: String]>([:])
    var current: [String: String] { ids.withLock { $0 } }
    func set(_ new: [String: String]) { ids.withLock { $0 = new } }
}
