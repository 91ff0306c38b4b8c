public import BillfoldDiagnosis

/// What the payment books refuse.
public struct PaymentsError: CodedError {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// An identifier, key or name does not have the required form.
        public static let malformedIdentifier = Self("malformed-identifier")
        public static let orderNotFound = Self("order-not-found")
        public static let paymentNotFound = Self("payment-not-found")
        public static let modificationNotFound = Self("modification-not-found")
        /// The merchant used this reference before; a reference is unique for ever.
        public static let referenceTaken = Self("reference-taken")
        /// The order is past its expiry or was closed.
        public static let orderClosed = Self("order-closed")
        /// An earlier attempt is neither failed nor reversed, so a second one could take the money twice. Where it has paid, the reason says
        /// so.
        public static let attemptInProgress = Self("attempt-in-progress")
        /// The command does not fit the payment's state.
        public static let wrongState = Self("wrong-state")
        /// More would be given back than was captured.
        public static let exceedsCaptured = Self("exceeds-captured")
        /// An amount is zero, negative, or in another currency than the thing it belongs to.
        public static let invalidAmount = Self("invalid-amount")
        /// Legs that do not sum to zero per currency.
        public static let unbalancedPostings = Self("unbalanced-postings")
        /// A sum does not fit 64 bits.
        public static let overflow = Self("overflow")
        /// A stored row does not read back as what was written.
        public static let corruptRecord = Self("corrupt-record")
        /// An acquirer's key for a message is already in use by another payment.
        public static let externalKeyTaken = Self("external-key-taken")
        /// Another process changed the row again and again while this one tried.
        public static let contended = Self("contended")
        /// So many verified notices about unknown things wait for a person that no more are taken. Their senders keep them.
        public static let tooManyNotices = Self("too-many-notices")
    }

    public var code: Code
    public var reason: String
    public var file: String
    public var line: Int

    public init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }
}
