/// What an app did wrong with the plug-in, or what came back that should not have. For the developer, never for the customer.
public struct PluginFault: Sendable, Hashable, CustomStringConvertible {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// `tn` was nil or empty: the server has no order at UnionPay, and nothing was shown.
        public static let numberMissing = Self("number-missing")
        /// `tn` is not 21 digits, as with a line break at its end. It is handed on as it is.
        public static let numberStrange = Self("number-strange")
        /// `mode` is neither "00" nor "01": nothing was shown.
        public static let modeUnknown = Self("mode-unknown")
        /// The scheme is nil, empty or none that could be registered: no result could come back, and nothing was shown.
        public static let schemeUnusable = Self("scheme-unusable")
        /// No view controller was given: nothing was shown.
        public static let screenMissing = Self("screen-missing")
        /// No delegate was given: nobody would hear of the result, and nothing was shown.
        public static let delegateMissing = Self("delegate-missing")
        /// Apple Pay without a merchant identifier: nothing was shown.
        public static let merchantMissing = Self("merchant-missing")
        /// Called off the main thread, where UnionPay's screen loads for ever. Told on Apple's systems alone.
        public static let offMainThread = Self("off-main-thread")
        /// No launcher is set, so nothing can be shown.
        public static let notSetUp = Self("not-set-up")
        /// The URL is no result of the plug-in, and its block was not called.
        public static let foreignURL = Self("foreign-url")
        /// The result has another word than the three. The block is told it as it is.
        public static let wordUnknown = Self("word-unknown")
        /// The URL says one thing and its signed text another.
        public static let wordsDiffer = Self("words-differ")
        /// The result is of another number than the one that was handed over last.
        public static let otherNumber = Self("other-number")
        /// The signed text cannot be read. The block gets none.
        public static let dataUnreadable = Self("data-unreadable")
    }

    public var code: Code
    public var reason: String

    public init(code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { "\(code): \(reason)" }
}
