package import BillfoldPayments
package import BillfoldStorage
import Foundation
package import Hummingbird

/// Which part of a list of money's movements somebody wants: those in one state, made within a time, under the caller's own number.
///
/// Such a list is the newest first, in the order of the instants of making and of ids.
package struct ListQuery<State: RawRepresentable<String> & CaseIterable & Sendable>: Sendable {
    /// Only what is in this state now.
    package let state: State?
    /// The caller's own number, whole.
    package let reference: String?
    package let page: PageQuery
    private let from: Timestamp?
    private let to: Timestamp?
    private let others: [String: String]

    /// Refuses with 400 `malformed-request` what no row can be, so that a misspelt filter is never taken for an empty list.
    ///
    /// - Parameters:
    ///   - page: Which page, in the order of an integer and a blob.
    ///   - filter: The parameters that narrow the list, as they came.
    package init(page: PageQuery, filter: [String: String]) throws(ServerError) {
        self.page = page
        others = filter
        state = try filter["state"].map { text throws(ServerError) in
            guard let state = State(rawValue: text) else {
                throw Self.malformed("state is none of \(State.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return state
        }
        reference = try filter["reference"].map { text throws(ServerError) in
            guard (1...128).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw Self.malformed("reference is not 1 to 128 bytes of text without control characters")
            }
            return text
        }
        from = try Self.instant("createdFrom", filter)
        to = try Self.instant("createdTo", filter)
    }

    /// One of the further filters.
    package subscript(name: String) -> String? { others[name] }

    /// One of the further filters that is an id of ours.
    package func id(_ name: String) throws(ServerError) -> TimeOrderedID? {
        guard let text = others[name] else { return nil }
        guard let id = try? TimeOrderedID(text: text) else { throw Self.malformed("\(name) is none of our ids") }
        return id
    }

    /// What is read of the list.
    ///
    /// - Parameter limit: How many rows, where that is not one more than the page has.
    package func filter(limit: Int? = nil) throws -> ListFilter {
        var filter = ListFilter(from: from, to: to, limit: limit ?? page.fetched)
        if case .integer(let at)? = page.after?.first, case .blob(let id)? = page.after?.last {
            filter.after = ListFilter.Place(at: Timestamp(microseconds: at), id: try TimeOrderedID(bytes: id))
        }
        return filter
    }

    private static func instant(_ name: String, _ filter: [String: String]) throws(ServerError) -> Timestamp? {
        guard let text = filter[name] else { return nil }
        guard text.utf8.count <= 64, let date = Date(rfc3339: text) else {
            throw malformed("\(name) is not an instant like 2026-12-31T23:59:59Z")
        }
        return Timestamp(secondsSince1970: Int64(date.timeIntervalSince1970))
    }

    private static func malformed(_ reason: String) -> ServerError {
        ServerError(code: .malformedRequest, reason: reason, status: .badRequest)
    }
}

extension ListFilter.Place {
    /// As a cursor keeps it.
    package var values: [SQLValue] { [.integer(at.microseconds), id.sqlValue] }
}

extension Request {
    /// Which part of a list the query asks for.
    ///
    /// - Parameters:
    ///   - list: Names the list and whose it is.
    ///   - filters: The names of the parameters that narrow it, beside state, times and reference.
    package func list<State>(of list: String, filters: Set<String> = []) throws(ServerError) -> ListQuery<State> {
        let (page, filter) = try page(
            of: list, keys: [.integer, .blob], filters: filters.union(["state", "createdFrom", "createdTo", "reference"]))
        return try ListQuery(page: page, filter: filter)
    }
}
