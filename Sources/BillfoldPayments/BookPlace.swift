public import BillfoldStorage

/// A place in the books of a day that two servers compare. They are read in pages: payments first, then refunds, each in the order of
/// instant and id.
public struct BookPlace: Sendable, Hashable, CustomStringConvertible {
    /// Which of the two lists the place is in.
    public enum Kind: String, Sendable, Hashable {
        case payment, refund
    }

    public let kind: Kind
    public let at: Timestamp
    public let id: TimeOrderedID

    public init(_ kind: Kind, at: Timestamp, id: TimeOrderedID) {
        self.kind = kind
        self.at = at
        self.id = id
    }

    /// Reads a cursor; `nil` for what ``description`` never wrote.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let kind = Kind(rawValue: parts[0]), let at = Int64(parts[1]), let id = try? TimeOrderedID(text: parts[2])
        else { return nil }
        self.init(kind, at: Timestamp(microseconds: at), id: id)
        guard description == text else { return nil }
    }

    /// The cursor: nothing for others to read.
    public var description: String { "\(kind.rawValue).\(at.microseconds).\(id)" }

    /// One page of at most `limit` rows.
    ///
    /// - Parameters:
    ///   - place: The last row of the page before; `nil` begins with the day's first payment.
    ///   - limit: Most rows of the page, payments and refunds together.
    ///   - payments: At most so many rows behind a place, or from the day's beginning.
    ///   - refunds: The same, of refunds.
    /// - Returns: The rows, and where the next page begins, while there may be one.
    public static func page<Row>(
        after place: BookPlace?, limit: Int, payments: (BookPlace?, Int) throws -> [(row: Row, place: BookPlace)],
        refunds: (BookPlace?, Int) throws -> [(row: Row, place: BookPlace)]
    ) rethrows -> (rows: [Row], next: BookPlace?) {
        let isInRefunds = place?.kind == .refund
        var found = isInRefunds ? [] : try payments(place, limit)
        if found.count < limit { found += try refunds(isInRefunds ? place : nil, limit - found.count) }
        return (found.map(\.row), found.count == limit ? found.last?.place : nil)
    }
}
