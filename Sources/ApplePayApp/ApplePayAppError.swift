/// What the app side refuses or could not learn.
public struct ApplePayAppError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// A network name that is not spelled as in the reference, letter for letter.
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

    public var description: String { "\(code): \(reason)" }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code && lhs.serverCode == rhs.serverCode }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
