/// A card's last month. The payload writes `MM/YY`, Visa's and Mastercard's inner data `MMYY`
/// (provisioning.md#pass-data, provisioning.md#visa-text).
public struct CardExpiration: Sendable, Hashable {
    /// 1 to 12.
    public let month: Int
    /// The last two digits.
    public let year: Int

    /// Throws `expiration-form` outside months 1 to 12 and years 0 to 99.
    public init(month: Int, year: Int) throws(ApplePayError) {
        guard (1...12).contains(month), (0...99).contains(year) else { throw Self.refused("no month and year of two digits") }
        self.month = month
        self.year = year
    }

    /// Reads `MM/YY`, the slash required: a missing one is a known failure (provisioning.md#pass-data [D]).
    public init(slashed text: String) throws(ApplePayError) {
        let letters = Array(text.utf8)
        guard letters.count == 5, letters[2] == UInt8(ascii: "/") else { throw Self.refused("the expiration is not MM/YY") }
        try self.init(digits: letters[..<2] + letters[3...])
    }

    /// Reads `MMYY`.
    public init(compact text: String) throws(ApplePayError) { try self.init(digits: Array(text.utf8)[...]) }

    private init(digits: ArraySlice<UInt8>) throws(ApplePayError) {
        let values = digits.map { Int($0) - 0x30 }
        guard values.count == 4, values.allSatisfy({ (0...9).contains($0) }) else {
            throw Self.refused("the expiration is not four digits")
        }
        try self.init(month: values[0] * 10 + values[1], year: values[2] * 10 + values[3])
    }

    public var slashed: String { "\(Self.pair(month))/\(Self.pair(year))" }
    public var compact: String { Self.pair(month) + Self.pair(year) }

    private static func pair(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

    private static func refused(_ reason: String, line: Int = #line) -> ApplePayError {
        ApplePayError(code: .expirationForm, reason: reason, line: line)
    }
}
