import BillfoldPayments
package import BillfoldStorage
import HTTPTypes
package import Hummingbird

/// Which page of a list somebody wants. The list is read by its keys and never by counting rows, so that a row that is inserted or
/// removed meanwhile moves nothing: each other row is shown once.
///
/// A list reads ``fetched`` rows behind ``after``, for example with `AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC
/// LIMIT ?`, and hands them to ``page(of:by:)``. What it is ordered by never changes in a row, and is another in each.
package struct PageQuery: Sendable {
    /// How many rows a page has at most, where its reader says nothing.
    package static let standardLimit = 50
    /// What a reader may ask for.
    package static let limits = 1...200

    package let limit: Int
    /// The values of the row behind which the page begins; `nil` for the first page.
    package let after: [SQLValue]?
    private let digest: [UInt8]

    /// One more than the page has: it tells whether there is a next one.
    package var fetched: Int { limit + 1 }

    /// Refuses with 400 `malformed-request` a limit that is not 1 to 200, and a cursor of another list or filter.
    ///
    /// - Parameters:
    ///   - list: Names the list and whose it is, such as `tokens of bank`.
    ///   - keys: What the list is ordered by.
    ///   - filter: What the reader narrows it by.
    ///   - limit: As the reader says it.
    ///   - cursor: As an earlier page named it.
    package init(
        list: String, keys: [PageCursor.Key], filter: [String: String] = [:], limit: String? = nil, cursor: String? = nil
    ) throws(ServerError) {
        func malformed(_ reason: String) -> ServerError { ServerError(code: .malformedRequest, reason: reason, status: .badRequest) }
        let names = filter.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        digest = RequestFingerprint(texts: [list] + names.flatMap { [$0, filter[$0] ?? ""] }).bytes
        self.limit =
            try limit.map { text throws(ServerError) in
                guard text.utf8.count <= 3, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
                    Self.limits.contains(number)
                else { throw malformed("limit is not \(Self.limits.lowerBound) to \(Self.limits.upperBound)") }
                return number
            } ?? Self.standardLimit
        guard let cursor else {
            after = nil
            return
        }
        guard let position = PageCursor(cursor, of: digest, keys: keys)?.position else {
            throw malformed("the cursor is none of this list with this filter")
        }
        after = position
    }

    /// The page of rows that were read behind ``after``.
    ///
    /// - Parameters:
    ///   - rows: In the list's order, ``fetched`` of them at most.
    ///   - key: What the list is ordered by, of one row.
    package func page<Item>(of rows: [Item], by key: (Item) throws -> [SQLValue]) rethrows -> Page<Item> {
        let items = Array(rows.prefix(limit))
        guard rows.count > limit, let last = items.last else { return Page(items: items, next: nil) }
        return Page(items: items, next: PageCursor(position: try key(last), digest: digest).text)
    }

    /// The page of those rows that a reader wants, of a part of the list that was looked through for them. It may hold few rows, or none,
    /// while there is a next one: that goes on where the look ended.
    ///
    /// - Parameters:
    ///   - wanted: In the list's order, and no more than the page has unless the rest is to be left to the next page.
    ///   - end: The values of the last row that was looked at; `nil` where the list ended.
    ///   - key: What the list is ordered by, of one row.
    package func page<Item>(of wanted: [Item], lookedThroughTo end: [SQLValue]?, by key: (Item) throws -> [SQLValue]) rethrows -> Page<Item>
    {
        let items = Array(wanted.prefix(limit))
        let place = try wanted.count > limit ? items.last.map(key) : end
        return Page(items: items, next: place.map { PageCursor(position: $0, digest: digest).text })
    }
}

/// A part of a list.
package struct Page<Item> {
    package let items: [Item]
    /// The cursor of the page behind it; `nil` for the last one.
    package let next: String?

    /// - Parameters:
    ///   - items: In the list's order.
    ///   - next: The cursor of the page behind it; `nil` for the last one.
    package init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }
}

extension Page: Sendable where Item: Sendable {}

extension Request {
    /// Which page of a list the query asks for by `limit` and `cursor`, and what it narrows the list by. Refuses with 400
    /// `malformed-request` other parameters, and what ``PageQuery`` refuses.
    ///
    /// - Parameters:
    ///   - list: Names the list and whose it is.
    ///   - keys: What the list is ordered by.
    ///   - filters: The names of the parameters that narrow it.
    package func page(
        of list: String, keys: [PageCursor.Key], filters: Set<String> = []
    ) throws(ServerError) -> (query: PageQuery, filter: [String: String]) {
        var filter = try query(allowing: filters.union(["limit", "cursor"]))
        let (limit, cursor) = (filter.removeValue(forKey: "limit"), filter.removeValue(forKey: "cursor"))
        return (try PageQuery(list: list, keys: keys, filter: filter, limit: limit, cursor: cursor), filter)
    }
}
