import ApplePayApp
import Foundation
import PassKit

/// What the app knows, apart from its screens: the cart, the order that is being paid, and how the payment stands.
@MainActor
final class TeaShop {
    let settings: Settings
    private(set) var cart = Cart() { didSet { onChange?() } }
    /// The order on the screen, as the server told it last. Nil once it is paid.
    private(set) var order: CheckoutOrder? { didSet { onChange?() } }
    /// What the customer is told.
    private(set) var notice: String? { didSet { onChange?() } }
    /// Whether a payment is open whose outcome nobody knows. Nothing else may be paid until then.
    private(set) var isConfirming = false { didSet { onChange?() } }
    /// Called after each change, for the screen that is in front.
    var onChange: (() -> Void)?

    private let server: ShopServer
    private let attempt: KeptAttempt
    private var access: OrderAccess?
    private var isBusy = false

    init(_ settings: Settings) {
        self.settings = settings
        server = ShopServer(settings)
        attempt = KeptAttempt(in: settings.folder)
    }

    func add(_ product: Product) {
        notice = nil
        cart.add(product)
    }

    /// Has the order made and reads it. Returns whether there is one; the customer is told why not.
    func checkOut() async -> Bool {
        guard !cart.isEmpty, !isConfirming, !isBusy else { return false }
        isBusy = true
        defer { isBusy = false }
        do {
            let access = try await server.order(for: cart)
            self.access = access
            order = try await server.merchant.order(access)
            notice = nil
            return true
        } catch {
            notice = (error as? ShopServer.Refusal)?.error.reason ?? "The shop does not answer. Please try again."
            return false
        }
    }

    /// Shows the payment sheet at once, and follows the payment to its end.
    func pay(present: @MainActor @Sendable (PKPaymentAuthorizationViewController) -> Void) async {
        guard let order, let access, !isConfirming, !isBusy else { return }
        isBusy = true
        defer { isBusy = false }
        let session = CheckoutSession(
            order: order, access: access, server: server.merchant, memory: attempt, configuration: settings.checkout
        ) {
            IdempotencyKey(rawValue: UUID().uuidString)
        }
        do {
            let outcome = try await session.start(present: present)
            tell(outcome)
            // The next attempt must know the payments that failed before it.
            if case .failed = outcome { self.order = try? await server.merchant.order(access) }
        } catch {
            // The order asks for what this phone cannot do: nothing was shown, and nothing was sent.
            tell(.notPresented)
        }
    }

    /// Asks what became of a payment that an earlier run began, or that nobody could tell of. Sends nothing a second time.
    func comeBack() async {
        // A payment that is under way on the screen is followed there.
        guard !isBusy, await attempt.load() != nil, !isBusy else { return }
        isBusy = true
        defer { isBusy = false }
        tell(.undecided(nil))
        let outcome = await CheckoutSession.recover(memory: attempt, server: server.merchant, configuration: settings.checkout)
        // Nil: the payment never reached the server.
        tell(outcome ?? .cancelled)
        if case .failed = outcome, let access { order = try? await server.merchant.order(access) }
    }

    private func tell(_ outcome: CheckoutOutcome) {
        switch outcome {
        case .succeeded:
            isConfirming = false
            cart = Cart()
            order = nil
        case .undecided: isConfirming = true
        case .failed, .cancelled, .notPresented: isConfirming = false
        }
        notice = outcome.customerText(in: CustomerLanguage(preferred: Locale.preferredLanguages))
    }
}
