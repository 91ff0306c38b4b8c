import Alipay

/// What a reply is worth, once it was checked against the keys and against the order that was sent.
enum WalletWord: Sendable, Hashable {
    /// Nothing came back.
    case none
    /// A verified result of this very order; with the wallet's number of the trade where it says one.
    case paid(tradeNumber: String?)
    /// Says "paid" and does not prove it.
    case unproven
    case cancelled
    case failed(AlipayResultStatus)
    case open(AlipayResultStatus)

    var isProven: Bool {
        if case .paid = self { true } else { false }
    }

    /// How the payment ended, by this word and the server's; nil while nobody knows. `state` is nil when the server gave no answer.
    func conclusion(_ state: OrderState?) -> PendingPayment.Conclusion? {
        switch (self, state) {
        case (_, .paid): .succeeded
        // The wallet has a signature that money moved: a server that has not heard of it does not make it a failure.
        case (.paid, _): nil
        case (.cancelled, _): .cancelled
        case (.failed(let status), .closed), (.failed(let status), .unpaid): .failed(status)
        case (_, .closed): .failed(.failed)
        case (_, .unpaid), (_, nil): nil
        }
    }

    /// The same for an app that has no server to ask: the documented callback's own receiver asks then.
    var conclusionWithoutServer: PendingPayment.Conclusion? {
        switch self {
        case .cancelled: .cancelled
        case .failed(let status): .failed(status)
        case .none, .paid, .unproven, .open: nil
        }
    }

    /// The code for the documented dictionary while nobody knows.
    func undecidedStatus(isServerAsked: Bool) -> AlipayResultStatus {
        switch self {
        case .open(let status): status
        case .paid: isServerAsked ? .processing : .paid
        case .none, .unproven, .cancelled, .failed: .unknown
        }
    }
}
