public import BillfoldDiagnosis

/// What the app side refuses or could not learn.
public struct ApplePayAppError: CodedError, Hashable {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// A network name that is not spelled as in apple-pay.md#networks, letter for letter.
        public static let unknownNetwork = Self("unknown-network")
        public static let unknownCapability = Self("unknown-capability")
        public static let unknownContactField = Self("unknown-contact-field")
        /// No network of the order is known to this system.
        public static let noNetworkAvailable = Self("no-network-available")
        /// `emv` without UnionPay or UnionPay without `emv`.
        public static let emvRule = Self("emv-rule")
        /// An amount is not exact decimal text of the order's currency.
        public static let amountMalformed = Self("amount-malformed")
        /// The server's total is not the sum of its items.
        public static let totalDiffers = Self("total-differs-from-sum")
        /// The server's answer is not of the contract's form. What it decided is not known.
        public static let answerMalformed = Self("answer-malformed")
        /// The server answered and refused; ``serverCode`` says why. Nothing was charged by this request.
        public static let serverRefused = Self("server-refused")
        /// No answer, or one that decides nothing: what happened is not known. Never to be shown as a failure.
        public static let serverUnanswered = Self("server-unanswered")
        public static let versionMalformed = Self("version-malformed")
        /// The issuer names an encryption scheme that the system does not know.
        public static let unknownScheme = Self("unknown-encryption-scheme")
        /// The issuer's configuration breaks one of the system's rules, or is about another card.
        public static let configurationUnfit = Self("configuration-unfit")
        /// The issuer's pass data cannot be what the wallet's broker expects, so it was not handed on.
        public static let passDataUnfit = Self("pass-data-unfit")
        /// The issuer's list has no such card.
        public static let unknownCard = Self("unknown-card")
        /// The system would not show its add-pass screen: no entitlement, or a device that cannot add passes.
        public static let notPresented = Self("add-pass-not-presented")
        /// The issuer's answer did not come within the wallet's limit. Trying again is safe.
        public static let requestTimedOut = Self("add-pass-request-timed-out")
        /// The wallet added nothing, and says no more than that. Trying again is safe.
        public static let walletRefused = Self("wallet-refused")
        /// The wallet gave the card on and had no answer: whether it was added is not known. Never to be shown as a failure.
        public static let walletUnanswered = Self("wallet-unanswered")
        /// Something else took the add-pass screen away before the wallet said how it ended.
        public static let screenGone = Self("add-pass-screen-gone")
        /// The wallet does not take this card on this device.
        public static let walletUnsupported = Self("wallet-unsupported")
        /// A link from Wallet names no pass that waits for a proof.
        public static let noPassToVerify = Self("no-pass-to-verify")
        /// Another card is being added.
        public static let flowUnderWay = Self("flow-under-way")
        /// A web page sent what the bridge does not understand.
        public static let messageMalformed = Self("message-malformed")
    }

    public var code: Code
    /// For developers; holds no card data and no secret.
    public var reason: String
    /// The server's own stable code, with ``Code/serverRefused``.
    public var serverCode: String?
    public var file: String
    public var line: Int

    public init(code: Code, reason: String, serverCode: String? = nil, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.serverCode = serverCode
        self.file = file
        self.line = line
    }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code && lhs.serverCode == rhs.serverCode }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
