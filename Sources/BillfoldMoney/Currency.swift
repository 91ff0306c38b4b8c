/// A currency or fund of the current ISO 4217 list.
///
/// Only listed codes can be made, so a value of this type is always known, has one numeric code, and has either a
/// number of minor digits or, for metals, bond units and testing codes, none ("N.A.").
public struct Currency: Sendable, CustomStringConvertible {
    private final class Facts: Sendable {
        let alphabeticCode: String
        let numericCode: String
        let minorUnits: Int?
        let name: String

        init(_ alphabeticCode: String, numeric numericCode: String, minorUnits: Int?, name: String) {
            self.alphabeticCode = alphabeticCode
            self.numericCode = numericCode
            self.minorUnits = minorUnits
            self.name = name
        }
    }

    private let facts: Facts

    init(_ alphabeticCode: String, numeric numericCode: String, minorUnits: Int?, name: String) {
        facts = Facts(alphabeticCode, numeric: numericCode, minorUnits: minorUnits, name: name)
    }

    /// Three upper-case letters, for example `CNY`.
    public var alphabeticCode: String { facts.alphabeticCode }
    /// Three digits with their leading zeros, for example `156` or `008`.
    public var numericCode: String { facts.numericCode }
    /// The English name of the list.
    public var name: String { facts.name }
    /// How many digits stand behind the decimal point; `nil` where ISO 4217 says "N.A.".
    public var minorUnits: Int? { facts.minorUnits }
    /// The digits that an ``Amount`` of this currency is written with: the minor units, or none where there are none.
    public var fractionDigits: Int { facts.minorUnits ?? 0 }

    public var description: String { alphabeticCode }

    private static let byAlphabeticCode = Dictionary(uniqueKeysWithValues: listed.map { ($0.alphabeticCode, $0) })
    private static let byNumericCode = Dictionary(uniqueKeysWithValues: listed.map { ($0.numericCode, $0) })

    /// Finds a currency by its alphabetic code. Case counts: `cny` is refused.
    public init(_ alphabeticCode: String) throws(MoneyError) {
        // A text of other bytes may equal a code: the Kelvin sign is a K to the table.
        guard alphabeticCode.utf8.count == 3, let found = Self.byAlphabeticCode[alphabeticCode] else {
            throw MoneyError(code: .unknownCurrency, reason: "\(MoneyError.quoted(alphabeticCode)) is no current ISO 4217 code")
        }
        self = found
    }

    /// Finds a currency by its numeric code as messages carry it: three digits with their leading zeros.
    public init(numeric: String) throws(MoneyError) {
        guard let found = Self.byNumericCode[numeric] else {
            throw MoneyError(code: .unknownCurrency, reason: "\(MoneyError.quoted(numeric)) is no current ISO 4217 numeric code")
        }
        self = found
    }

    /// Ten to the power of ``fractionDigits``: how many minor units make one major unit.
    public var scale: Int64 { Self.power(ofTen: fractionDigits) }

    /// Whether two counts are ``scale`` apart, as when major and minor units were mixed; never for a currency without minor
    /// units.
    public func isScale(between first: Int64, and second: Int64) -> Bool {
        guard scale > 1, first != second else { return false }
        return WideInteger(first) * WideInteger(scale) == WideInteger(second)
            || WideInteger(second) * WideInteger(scale) == WideInteger(first)
    }

    static func power(ofTen exponent: Int) -> Int64 {
        var result: Int64 = 1
        for _ in 0..<exponent { result *= 10 }
        return result
    }
}

extension Currency: Hashable {
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.facts === rhs.facts || lhs.alphabeticCode == rhs.alphabeticCode }
    public func hash(into hasher: inout Hasher) { hasher.combine(alphabeticCode) }
}

extension Currency: Codable {
    /// Reads the alphabetic code.
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
        try container.encode(alphabeticCode)
    }
}
