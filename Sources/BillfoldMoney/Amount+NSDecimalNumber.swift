public import Foundation

// PassKit and StoreKit speak `NSDecimalNumber`, which is decimal inside and therefore exact at this size. Only app
// clients need this file.
extension Amount {
    /// Takes a decimal number exactly; refuses one that is not a number or has more digits than the currency.
    public init(_ number: NSDecimalNumber, currency: Currency) throws(MoneyError) {
        try self.init(number.decimalValue.description, currency: currency, fraction: .upToMinorUnits)
    }

    /// The same value in major units.
    public var decimalNumber: NSDecimalNumber {
        NSDecimalNumber(mantissa: minorUnits.magnitude, exponent: Int16(-currency.fractionDigits), isNegative: isNegative)
    }
}
