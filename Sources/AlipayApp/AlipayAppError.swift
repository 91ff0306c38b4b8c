public import BillfoldDiagnosis

/// Why a payment was not begun, or a store not read. Nothing was sent when a call throws this.
public struct AlipayAppError: CodedError, Hashable {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// The order string cannot be read, or names no order that could be asked for afterwards.
        public static let orderMalformed = Self("order-malformed")
        /// The wallet could never come back to this scheme or link.
        public static let returnAddressUnusable = Self("return-address-unusable")
        /// What the wallet or the cashier answered is not of a known form.
        public static let replyMalformed = Self("reply-malformed")
        /// The list of pending payments cannot be read. It was put aside, not deleted.
        public static let storeDamaged = Self("store-damaged")
        /// The list of pending payments cannot be read or written now, so nothing may be begun.
        public static let storeUnavailable = Self("store-unavailable")
        /// A documented call was made before the app set up its client.
        public static let notSetUp = Self("not-set-up")
    }

    public var code: Code
    /// For developers; holds no key and no token.
    public var reason: String
    public var file: String
    public var line: Int

    public init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
