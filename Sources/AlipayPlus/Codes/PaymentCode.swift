public import AlipayPlusValues

/// A code that a person shows at the till (alipay-plus.md#payment-code [D]). It lives one minute and pays once.
public struct PaymentCode: Sendable, Hashable, CustomStringConvertible {
    /// 24 digits: six of the issuer, two of the type, sixteen of the number.
    public struct Parts: Sendable, Hashable {
        public var issuer: String
        public var type: String
        public var number: String

        /// Checked when a code is made of them.
        public init(issuer: String, type: String, number: String) {
            self.issuer = issuer
            self.type = type
            self.number = number
        }
    }

    /// The digits. Whoever has them can pay: logs show ``masked``.
    public let digits: String

    /// Acquirers take 16 to 24 digits and are ready for 32.
    public static let lengths = 16...32

    /// Takes 16 to 32 digits that begin with 25 to 30, in ASCII and without blanks. `malformed-code`.
    public init(_ text: String) throws(AlipayPlusError) {
        let bytes = Array(text.utf8)
        guard Self.lengths.contains(bytes.count), bytes.allSatisfy({ (0x30...0x39).contains($0) }),
            let prefix = Int(text.prefix(2)), (25...30).contains(prefix)
        else { throw AlipayPlusError(code: .malformedCode, reason: "a payment code is 16 to 32 digits that begin with 25 to 30") }
        digits = text
    }

    /// Makes a code of 24 digits. `malformed-code` unless the parts are 6, 2 and 16 digits.
    public init(_ parts: Parts) throws(AlipayPlusError) {
        guard parts.issuer.utf8.count == 6, parts.type.utf8.count == 2, parts.number.utf8.count == 16 else {
            throw AlipayPlusError(code: .malformedCode, reason: "a payment code's parts are 6, 2 and 16 digits")
        }
        try self.init(parts.issuer + parts.type + parts.number)
    }

    /// The type of codes that wallets show.
    public static let shownType = "02"

    /// Nil for other lengths than 24. They are never used to guess the wallet: three families of codes meet at a till.
    public var parts: Parts? {
        guard digits.utf8.count == 24 else { return nil }
        return Parts(issuer: String(digits.prefix(6)), type: String(digits.dropFirst(6).prefix(2)), number: String(digits.suffix(16)))
    }

    /// The first six digits and how many follow.
    public var masked: String { "\(digits.prefix(6))…(\(digits.utf8.count) digits)" }

    public var description: String { masked }
}
