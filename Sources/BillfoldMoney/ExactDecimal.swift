/// A decimal number with the digits it was written with, at most 18 of them behind the point.
///
/// `7.10` and `7.1` are equal in value and yet two spellings; ``description`` gives back the one that came in, because
/// a signed message must carry a rate as it was quoted.
public struct ExactDecimal: Sendable, CustomStringConvertible {
    /// All digits as one integer.
    public let significand: Int64
    /// How many of them stand behind the point.
    public let fractionDigits: Int

    /// Reads a minus, digits and one point; refuses plus, exponent, grouping, spaces, leading zeros and minus zero.
    public init(_ text: String) throws(MoneyError) {
        let parsed = try DecimalText(text)
        guard parsed.fractionCount <= 18 else {
            throw MoneyError(code: .tooManyDigits, reason: "\(MoneyError.quoted(text)) has more than 18 digits behind the point")
        }
        significand = try parsed.integer()
        fractionDigits = parsed.fractionCount
    }

    /// `significand` divided by ten to the power of `fractionDigits`. Refuses more than 18 of these, and fewer than none, with
    /// `too-many-digits`.
    public init(significand: Int64, fractionDigits: Int) throws(MoneyError) {
        guard (0...18).contains(fractionDigits) else {
            throw MoneyError(code: .tooManyDigits, reason: "\(fractionDigits) digits behind the point, at most 18 are kept")
        }
        self.significand = significand
        self.fractionDigits = fractionDigits
    }

    public var description: String { DecimalText.write(significand, fractionDigits: fractionDigits) }

    /// The value without zeros at the end of its fraction.
    private var reduced: (Int64, Int) {
        var (value, digits) = (significand, fractionDigits)
        while digits > 0, value % 10 == 0 { (value, digits) = (value / 10, digits - 1) }
        return (value, digits)
    }
}

extension ExactDecimal: Hashable {
    /// Compares values, not spellings.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.reduced == rhs.reduced }
    public func hash(into hasher: inout Hasher) {
        let (value, digits) = reduced
        hasher.combine(value)
        hasher.combine(digits)
    }
}

extension ExactDecimal: Comparable {
    public static func < (lhs: Self, rhs: Self) -> Bool {
        WideInteger(lhs.significand) * WideInteger(Currency.power(ofTen: rhs.fractionDigits))
            < WideInteger(rhs.significand) * WideInteger(Currency.power(ofTen: lhs.fractionDigits))
    }
}

extension ExactDecimal: Codable {
    /// Reads a JSON string; a JSON number is refused, because most readers pass it through floating point.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            try self.init(container.decode(String.self))
        } catch let error as MoneyError {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(error)", underlyingError: error))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
