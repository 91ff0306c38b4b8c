/// What an app handed to the plug-in: one order, by its number.
public struct PluginOrder: Sendable, Hashable {
    /// By which of the plug-ins the customer pays.
    public enum Way: String, Sendable, Hashable, CaseIterable {
        /// `UPPaymentControl`: UnionPay's app where it is installed, its page otherwise. The result comes as a URL.
        case control
        /// `UPAPayPlugin`: Apple Pay. The result comes to the delegate.
        case applePay
        /// `UPPayPlugin`, the plug-in of before 2015. The result comes to the delegate, as a word.
        case older
    }

    /// Which of UnionPay's systems the number belongs to (unionpay-tn.md#start [D]).
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// Money moves.
        case live = "00"
        case test = "01"
    }

    /// `tn` as it was handed over.
    public var number: String
    public var mode: Mode
    public var way: Way
    /// The scheme that the result comes back to; empty where the result comes to a delegate.
    public var scheme: String
    /// The app's merchant identifier at Apple; nil unless Apple Pay is asked for.
    public var merchantIdentifier: String?

    public init(number: String, mode: Mode, way: Way, scheme: String = "", merchantIdentifier: String? = nil) {
        self.number = number
        self.mode = mode
        self.way = way
        self.scheme = scheme
        self.merchantIdentifier = merchantIdentifier
    }
}

/// How a payment ended, as the plug-in shows it. None of it proves that money moved: the merchant's server knows.
public enum PluginEnd: Sendable, Hashable {
    /// Shown as paid. `discount` is set where the customer paid less than the order says (unionpay-tn.md#apple-pay [D]).
    case success(discount: String? = nil)
    /// Shown as failed, with UnionPay's text and its seven digits where there are any.
    case failure(String? = nil)
    /// The customer left before a payment was begun.
    case cancel
    /// The customer left while a payment was on its way: ask. A result by URL has no word for it and says `cancel`.
    case unknownCancel

    /// The word in the URL.
    public var word: PluginWord {
        switch self {
        case .success: .success
        case .failure: .fail
        case .cancel, .unknownCancel: .cancel
        }
    }
}

/// `code` in the URL that comes back (unionpay-tn.md#result [D]).
public enum PluginWord: String, Sendable, Hashable, CaseIterable {
    /// Say "being confirmed" and ask the server.
    case success
    /// Ask the server before the customer is told to pay again.
    case fail
    /// The same: a payment may have gone through before the customer left.
    case cancel
}
