public import BillfoldDiagnosis

/// What exact arithmetic refuses.
public struct MoneyError: CodedError, Hashable {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// The code is not in the current ISO 4217 list.
        public static let unknownCurrency = Self("unknown-currency")
        /// Two amounts of different currencies met in one operation.
        public static let currencyMismatch = Self("currency-mismatch")
        /// The result does not fit 64-bit minor units.
        public static let overflow = Self("overflow")
        /// The text is not a plain decimal number: sign, digits and one point, without exponent or grouping.
        public static let malformedNumber = Self("malformed-number")
        /// The text has more digits behind the point than the currency has minor units.
        public static let tooManyDigits = Self("too-many-digits")
        /// Exactly the currency's minor digits were asked for, and the text has fewer.
        public static let tooFewDigits = Self("too-few-digits")
        /// A fraction with a zero denominator, or a rate that is not greater than zero.
        public static let invalidRatio = Self("invalid-ratio")
        /// No parts, a negative weight, or weights that sum to zero.
        public static let invalidAllocation = Self("invalid-allocation")
        /// A quantity below zero.
        public static let invalidQuantity = Self("invalid-quantity")
    }

    public var code: Code
    /// Says what was refused; it repeats at most 40 characters of the caller's text.
    public var reason: String
    public var file: String
    public var line: Int

    public init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }

    /// Errors are equal when their codes are.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// A stranger's text, short enough for a log line and with anything that is not printable ASCII replaced.
    static func quoted(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(40).map { (0x20...0x7e).contains($0.value) ? String($0) : "?" }.joined()
        return "\"\(shown)\(text.unicodeScalars.count > 40 ? "…" : "")\""
    }
}
