import BillfoldMoney
public import Foundation

#if canImport(PassKit) && canImport(UIKit)
    public import PassKit
#else
    public import PassKitSimulator
#endif

/// Runs one payment sheet for one order: answers every callback exactly once, and shows success only after the server has said so.
@MainActor
public final class CheckoutSession: NSObject {
    public let order: CheckoutOrder
    let access: OrderAccess
    let server: any MerchantServer
    let configuration: CheckoutConfiguration
    let memory: any CheckoutMemory
    private let makeKey: @MainActor () -> IdempotencyKey
    private let answers = AnswerLog()

    /// Nil until ``start()``.
    public private(set) var controller: PKPaymentAuthorizationController?
    /// Takes the sheet from the screen, whichever class shows it.
    var takeAway: (@MainActor () -> Void)?
    /// Called when the sheet is on the screen.
    public var onPresent: (@MainActor () -> Void)?
    var selection = QuoteRequest()
    var items: [CheckoutItem]
    var total: Amount
    var shippingMethods: [CheckoutShippingMethod]
    /// The attempt under way. Made before its first request, kept for every repetition of it.
    private(set) var attempt: PaymentAttempt?
    /// The order's payments that certainly took nothing.
    private var failedPayments: Set<String>
    /// What is known when the sheet goes away.
    private var conclusion = Conclusion.nothingSent
    private var finished: CheckedContinuation<Void, Never>?
    private(set) var isFinished = false
    private var pendingPayment: OneShotAnswer<PKPaymentAuthorizationResult>?

    private enum Conclusion {
        case nothingSent
        case sending
        case decided(CheckoutOutcome)
        case undecided(CheckoutPayment?)
    }

    /// `makeKey` makes a fresh random idempotency key; it is called once for each authorisation by the customer.
    public init(
        order: CheckoutOrder, access: OrderAccess, server: any MerchantServer, memory: any CheckoutMemory,
        configuration: CheckoutConfiguration = .init(), makeKey: @escaping @MainActor () -> IdempotencyKey
    ) {
        self.order = order
        self.access = access
        self.server = server
        self.memory = memory
        self.configuration = configuration
        self.makeKey = makeKey
        failedPayments = Set(order.payments.filter { $0.verdict == .failed }.map(\.id))
        items = order.items
        total = order.total
        shippingMethods = order.shippingMethods
        selection.shippingMethod = order.goods == .delivered ? order.shippingMethods.first?.identifier : nil
        super.init()
    }

    /// Faults in the answers given so far; empty in a sound app.
    public var answerFaults: [AnswerFault] { answers.faults }

    /// Presents the sheet and returns when the outcome is known, or when asking for it has come to an end.
    public func start() async throws(ApplePayAppError) -> CheckoutOutcome {
        let controller = PKPaymentAuthorizationController(paymentRequest: try PKPaymentRequest.request(for: order))
        controller.delegate = self
        self.controller = controller
        takeAway = { [weak controller] in controller?.dismiss(completion: nil) }
        guard await controller.present() else { return .notPresented }
        onPresent?()
        return await outcome()
    }

    /// Returns once the sheet is over and its outcome is known, or asking for it has come to an end.
    func outcome() async -> CheckoutOutcome {
        if !isFinished { await withCheckedContinuation { finished = $0 } }
        return await conclude()
    }

    /// Asks the server what became of an attempt that an earlier run of the app began. Nil: there was none, or it never
    /// reached the server. Sends nothing a second time.
    public static func recover(
        memory: any CheckoutMemory, server: any MerchantServer, configuration: CheckoutConfiguration = .init()
    ) async -> CheckoutOutcome? {
        guard let attempt = await memory.load() else { return nil }
        let follower = OutcomeFollower(attempt: attempt, server: server, configuration: configuration)
        let outcome = await follower.ask(last: nil)
        if case .undecided = outcome { return outcome }
        await memory.save(nil)
        return outcome
    }

    private func conclude() async -> CheckoutOutcome {
        switch conclusion {
        case .nothingSent:
            await memory.save(nil)
            return .cancelled
        case .decided(let outcome):
            await memory.save(nil)
            return outcome
        case .sending: return await follow(nil)
        case .undecided(let payment): return await follow(payment)
        }
    }

    private func follow(_ payment: CheckoutPayment?) async -> CheckoutOutcome {
        guard let attempt else { return .cancelled }
        let follower = OutcomeFollower(attempt: attempt, server: server, configuration: configuration)
        let outcome = await follower.ask(last: payment) ?? .undecided(payment)
        if case .undecided = outcome { return outcome }
        await memory.save(nil)
        return outcome
    }

    func answer<Value>(_ callback: String, _ handler: @escaping (Value) -> Void) -> OneShotAnswer<Value> {
        OneShotAnswer(callback: callback, log: answers, handler: handler)
    }

    func finish() {
        guard !isFinished else { return }
        isFinished = true
        // The sheet may be gone before the answer: nobody waits for it any more.
        pendingPayment?.withdraw()
        takeAway?()
        takeAway = nil
        finished?.resume()
        finished = nil
    }

    // MARK: Paying

    func pay(_ payment: PKPayment, _ answer: OneShotAnswer<PKPaymentAuthorizationResult>) {
        let submission = PaymentSubmission(payment, couponCode: selection.couponCode)
        let attempt = PaymentAttempt(access: access, key: makeKey(), failedBefore: failedPayments)
        self.attempt = attempt
        conclusion = .sending
        pendingPayment = answer
        answer.limit(to: configuration.paymentLimit, wait: configuration.wait) { [weak self] in self?.giveUpWaiting() }
        Task {
            await memory.save(attempt)
            await send(submission, for: attempt, answering: answer)
        }
    }

    private func send(
        _ submission: PaymentSubmission, for attempt: PaymentAttempt, answering answer: OneShotAnswer<PKPaymentAuthorizationResult>
    ) async {
        var pauses = configuration.retryPauses[...]
        var mayHaveArrived = false
        while !isFinished, !answer.isExpired {
            do {
                let result = try await server.pay(submission, key: attempt.key, access: attempt.access)
                return receive(result, answer)
            } catch {
                if error.code == .serverRefused, mayHaveArrived {
                    // A refusal of the repetition, by whoever stands in between perhaps: the first one may have been taken.
                    conclusion = .undecided(nil)
                    if let result = giveUpWaiting() { answer.fulfilUnlessExpired(result) }
                    return
                }
                if error.code == .serverRefused {
                    conclusion = .decided(.failed(code: error.serverCode ?? error.code.description, reason: error.reason))
                    answer.fulfilUnlessExpired(PKPaymentAuthorizationResult(status: .failure, errors: nil))
                    return
                }
                mayHaveArrived = true
                // Unanswered: the same key again, so that the server answers for the first request.
                let pause = pauses.first ?? .seconds(4)
                if pauses.count > 1 { pauses = pauses.dropFirst() }
                do { try await configuration.wait(pause) } catch { return }
            }
        }
    }

    private func receive(_ result: PaymentAnswer, _ answer: OneShotAnswer<PKPaymentAuthorizationResult>) {
        let errors = (result.errors ?? []).map(\.passKitError)
        if result.payment.verdict == .failed { failedPayments.insert(result.payment.id) }
        switch result.payment.verdict {
        case .succeeded: conclusion = .decided(.succeeded(result.payment))
        case .undecided: conclusion = .undecided(result.payment)
        case .failed where !errors.isEmpty && !answer.isExpired:
            // The customer can correct it in the sheet, and the next authorisation is an attempt of its own.
            conclusion = .nothingSent
        case .failed:
            conclusion = .decided(.failed(code: "payment-failed", reason: result.payment.reason ?? "the payment was declined"))
        }
        if result.sheet == .pending {
            if let shown = giveUpWaiting() { answer.fulfilUnlessExpired(shown) }
            return
        }
        let status: PKPaymentAuthorizationStatus = result.sheet == .success ? .success : .failure
        answer.fulfilUnlessExpired(
            PKPaymentAuthorizationResult(status: status, errors: status == .failure && !errors.isEmpty ? errors : nil))
    }

    /// Nobody knows: the sheet goes as configured, and the outcome is asked for afterwards.
    private func giveUpWaiting() -> PKPaymentAuthorizationResult? {
        switch configuration.undecidedSheet {
        case .success: return PKPaymentAuthorizationResult(status: .success, errors: nil)
        case .failure: return PKPaymentAuthorizationResult(status: .failure, errors: nil)
        case .dismiss:
            finish()
            return nil
        }
    }
}
