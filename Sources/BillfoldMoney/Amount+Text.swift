extension Amount {
    /// How many digits behind the point a reader demands.
    public enum FractionRule: Sendable, Hashable {
        /// Exactly the currency's minor digits, as our own interfaces write them: `33.00` CNY, `33` JPY.
        case exact
        /// The minor digits or fewer, as people and several protocols write them: `33` or `33.5` CNY.
        case upToMinorUnits
    }

    /// Reads major units exactly: an optional minus, digits, and a point with digits behind it.
    ///
    /// Refuses a plus sign, an exponent, grouping, spaces, leading zeros, minus zero and digits that are not ASCII
    /// (`malformed-number`), and more digits behind the point than the currency has, zeros too (`too-many-digits`).
    public init(_ text: String, currency: Currency, fraction: FractionRule = .upToMinorUnits) throws(MoneyError) {
        let parsed = try DecimalText(text)
        let missing = currency.fractionDigits - parsed.fractionCount
        guard missing >= 0 else {
            throw MoneyError(
                code: .tooManyDigits, reason: "\(MoneyError.quoted(text)) has more than \(currency.fractionDigits) digits behind the point")
        }
        guard missing == 0 || fraction == .upToMinorUnits else {
            throw MoneyError(
                code: .tooFewDigits, reason: "\(MoneyError.quoted(text)) needs \(currency.fractionDigits) digits behind the point")
        }
        self.init(minorUnits: try parsed.integer(padding: missing), currency: currency)
    }

    /// Reads minor units, as UnionPay's `txnAmt` and ISO 8583 carry them.
    ///
    /// Fixed-width fields pad with zeros on the left: they are refused unless `allowsLeadingZeros` is set.
    public init(minorUnitText text: String, currency: Currency, allowsLeadingZeros: Bool = false) throws(MoneyError) {
        var digits = text
        if allowsLeadingZeros, text.utf8.first == UInt8(ascii: "0") {
            let rest = text.drop { $0 == "0" }
            digits = rest.first.map { ("1"..."9").contains($0) } == true ? String(rest) : "0" + rest
        }
        let parsed = try DecimalText(digits)
        guard parsed.fractionCount == 0 else {
            throw MoneyError(code: .malformedNumber, reason: "\(MoneyError.quoted(text)) is not a whole number of minor units")
        }
        self.init(minorUnits: try parsed.integer(), currency: currency)
    }

    /// Major units with exactly the currency's minor digits: `33.00`, `-0.05`. Reading it back gives the same amount.
    public var text: String { DecimalText.write(minorUnits, fractionDigits: currency.fractionDigits) }

    /// Minor units without padding: `3300`.
    public var minorUnitText: String { String(minorUnits) }
}

extension Amount: CustomStringConvertible {
    /// For people and logs: `33.00 CNY`.
    public var description: String { "\(text) \(currency)" }
}

extension Amount: Codable {
    private enum CodingKeys: String, CodingKey { case amount, currency }

    /// Reads `{"amount":"12.34","currency":"CNY"}`. The text must have exactly the currency's minor digits, and a JSON
    /// number is refused.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let currency = try container.decode(Currency.self, forKey: .currency)
        let text = try container.decode(String.self, forKey: .amount)
        do {
            try self.init(text, currency: currency, fraction: .exact)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: container.codingPath + [CodingKeys.amount], debugDescription: "\(error)", underlyingError: error))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(text, forKey: .amount)
        try container.encode(currency, forKey: .currency)
    }
}
