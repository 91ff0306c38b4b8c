/// How a checkout waits, and what it does when nobody knows.
public struct CheckoutConfiguration: Sendable {
    /// Returns when the duration is over; throws when its task is cancelled.
    public typealias Wait = @Sendable (Duration) async throws -> Void

    /// What becomes of the sheet when the limit passes without the server's answer, or the server says that nobody knows yet. The order's
    /// page then tells more.
    public enum UndecidedSheet: Sendable, Hashable {
        /// Taken away with neither tick nor cross.
        case dismiss
        /// A tick: for shops that deliver only what was paid later on.
        case success
        /// A cross: the customer may pay a second time. Only where the server refuses a second payment of an order.
        case failure
    }

    public var undecidedSheet = UndecidedSheet.dismiss
    /// Within which a quote must come: well below the sheet's own thirty seconds.
    public var quoteLimit = Duration.seconds(12)
    /// Within which the server must have answered a payment, repetitions included.
    public var paymentLimit = Duration.seconds(25)
    /// The pauses between repetitions of an unanswered payment, with the same key; the last one repeats.
    public var retryPauses: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)]
    /// The pauses before each question after an undecided payment; afterwards the checkout reports "undecided".
    public var followUpPauses: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(15), .seconds(30)]
    /// The pause between two looks whether the view controller is still on the screen.
    public var presencePause = Duration.seconds(1)
    public var wait: Wait

    public init(wait: @escaping Wait = { try await Task.sleep(for: $0) }) { self.wait = wait }
}
