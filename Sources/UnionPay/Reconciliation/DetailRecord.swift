import BillfoldCalendar
public import BillfoldMoney

/// One line of the detail file `ZM` (apple-pay.md#detail-file [O]): a transaction that settled.
public struct DetailRecord: Sendable, Hashable {
    /// The 42 columns in order.
    public enum Column: Int, Sendable, Hashable, CaseIterable {
        case transactionCode, acquirer, sender, traceNumber, transactionTime, card, amount, merchantCategory, terminalType, queryID
        case oldPayMode, orderID, cardKind, originalTraceNumber, originalTime, fee, settlementAmount, payKind, groupMerchant
        case transactionType, transactionSubtype, businessType, accountKind, billKind, billNumber, interaction, originalQueryID
        case merchantID, splitMode, subMerchantID, subMerchantName, splitAmount, netAmount, terminal, merchantReserved, discount
        case invoiceAmount, instalmentFee, instalments, medium, originalOrderID, reserved
    }

    static let layout = FixedWidthLayout(widths: [
        3, 11, 11, 6, 10, 19, 12, 4, 2, 21, 2, 32, 2, 6, 10, 13, 13, 4, 15, 2, 2, 6, 2, 4, 32, 1, 21, 15, 1, 15, 32, 13, 13, 8, 32, 13,
        13, 12, 2, 1, 32, 98,
    ])

    private var values: [String]

    public init() { values = Array(repeating: "", count: Column.allCases.count) }

    /// Text without the blanks that fill the column.
    public subscript(column: Column) -> String {
        get { values[column.rawValue] }
        set { values[column.rawValue] = newValue }
    }

    /// Minor units, from twelve digits.
    public func amount(in currency: Currency) throws(UnionPayError) -> Amount {
        guard let minorUnits = Self.digits(self[.amount]) else { throw Self.malformed("amount") }
        return Amount(minorUnits: minorUnits, currency: currency)
    }

    /// What UnionPay charges for it: `C` gives to the merchant (negative here), `D` takes from it.
    public func fee(in currency: Currency) throws(UnionPayError) -> Amount {
        guard let minorUnits = Self.signed(self[.fee]) else { throw Self.malformed("fee") }
        return Amount(minorUnits: minorUnits, currency: currency)
    }

    /// What reaches the merchant's account: `C` is positive here, `D` negative.
    public func settlementAmount(in currency: Currency) throws(UnionPayError) -> Amount {
        guard let minorUnits = Self.signed(self[.settlementAmount]) else { throw Self.malformed("settlement amount") }
        return Amount(minorUnits: -minorUnits, currency: currency)
    }

    /// Writes twelve digits of minor units; `malformed-file` for a negative amount, or one of more digits.
    public mutating func set(amount: Amount) throws(UnionPayError) { self[.amount] = try Self.twelve(amount.minorUnits) }

    /// - Parameter fee: Positive when the merchant pays it.
    public mutating func set(fee: Amount) throws(UnionPayError) { self[.fee] = try Self.sign(fee.minorUnits, debit: true) }

    /// - Parameter settlementAmount: Positive when the merchant receives it.
    public mutating func set(settlementAmount: Amount) throws(UnionPayError) {
        self[.settlementAmount] = try Self.sign(settlementAmount.minorUnits, debit: false)
    }

    /// Reads a whole file, GBK.
    public static func parse(_ file: [UInt8]) throws(UnionPayError) -> [DetailRecord] {
        var records: [DetailRecord] = []
        for line in FixedWidthLayout.lines(file) {
            var record = DetailRecord()
            record.values = try layout.split(line)
            guard digits(record[.amount]) != nil else { throw malformed("amount") }
            records.append(record)
        }
        return records
    }

    /// Writes a whole file with CR LF line ends, GBK.
    public static func write(_ records: [DetailRecord]) throws(UnionPayError) -> [UInt8] {
        var file: [UInt8] = []
        for record in records { file += try layout.join(record.values) + [0x0D, 0x0A] }
        return file
    }

    private static func malformed(_ what: String) -> UnionPayError {
        UnionPayError(code: .malformedFile, reason: "the \(what) of a line cannot be read")
    }

    private static func digits(_ text: some StringProtocol) -> Int64? {
        text.utf8.count == 12 && text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) : nil
    }

    /// Positive for D, negative for C.
    private static func signed(_ text: String) -> Int64? {
        guard let value = digits(text.dropFirst()) else { return nil }
        switch text.first {
        case "D": return value
        case "C": return -value
        default: return nil
        }
    }

    private static func twelve(_ minorUnits: Int64) throws(UnionPayError) -> String {
        guard (0...999_999_999_999).contains(minorUnits) else { throw malformed("amount") }
        return CivilCalendar.pad(Int(minorUnits), 12)
    }

    private static func sign(_ minorUnits: Int64, debit: Bool) throws(UnionPayError) -> String {
        (debit == (minorUnits >= 0) ? "D" : "C") + (try twelve(abs(minorUnits)))
    }
}
