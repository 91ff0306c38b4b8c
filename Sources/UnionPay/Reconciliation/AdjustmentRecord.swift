/// One line of the error file `ZME` (apple-pay.md#adjustment-file [O]): an adjustment of an earlier transaction.
///
/// Only the widths are confirmed. The first nine columns repeat those of `ZM` [I]; the others are addressed by number.
public struct AdjustmentRecord: Sendable, Hashable {
    static let layout = FixedWidthLayout(widths: [
        3, 11, 11, 6, 10, 19, 12, 4, 2, 2, 6, 10, 4, 12, 13, 13, 15, 15, 1, 12, 2, 135,
    ])

    public static var columnCount: Int { layout.widths.count }

    private var values: [String]

    public init() { values = Array(repeating: "", count: Self.columnCount) }

    /// The text of a column, counted from zero, without the blanks that fill it.
    public subscript(column: Int) -> String {
        get { values[column] }
        set { values[column] = newValue }
    }

    public var transactionCode: String { values[0] }
    public var traceNumber: String { values[3] }
    /// `MMDDhhmmss`.
    public var transactionTime: String { values[4] }
    /// Twelve digits of minor units.
    public var amountText: String { values[6] }

    /// Reads a whole file. `malformed-file` for a line that does not have the columns' widths.
    public static func parse(_ file: [UInt8]) throws(UnionPayError) -> [AdjustmentRecord] {
        var records: [AdjustmentRecord] = []
        for line in FixedWidthLayout.lines(file) {
            var record = AdjustmentRecord()
            record.values = try layout.split(line)
            records.append(record)
        }
        return records
    }

    /// Writes a whole file with CR LF line ends. `malformed-file` for a value that is too long for its column.
    public static func write(_ records: [AdjustmentRecord]) throws(UnionPayError) -> [UInt8] {
        var file: [UInt8] = []
        for record in records { file += try layout.join(record.values) + [0x0D, 0x0A] }
        return file
    }
}
