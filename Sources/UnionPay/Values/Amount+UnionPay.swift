public import BillfoldMoney

extension Amount {
    /// Reads an amount as messages write it: digits only, in minor units ("20000" is 200.00 CNY), with the currency's ISO 4217
    /// numeric code.
    ///
    /// `invalid-field` for a sign, a decimal point, leading zeros beyond twelve digits, or a currency that is not listed.
    public init(unionPay text: String, currencyCode: String) throws(UnionPayError) {
        guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }), let minorUnits = Int64(text) else {
            throw UnionPayError(code: .invalidField, reason: "an amount is not one to twelve digits of minor units")
        }
        let currency: Currency
        do { currency = try Currency(numeric: currencyCode) } catch {
            throw UnionPayError(code: .invalidField, reason: "currencyCode is no ISO 4217 numeric code")
        }
        self.init(minorUnits: minorUnits, currency: currency)
    }

    /// The amount as `txnAmt`; `invalid-field` when it is negative or has more than twelve digits.
    public func unionPayText() throws(UnionPayError) -> String {
        guard (0...999_999_999_999).contains(minorUnits) else {
            throw UnionPayError(code: .invalidField, reason: "txnAmt holds zero to twelve digits of minor units, and no sign")
        }
        return String(minorUnits)
    }
}
