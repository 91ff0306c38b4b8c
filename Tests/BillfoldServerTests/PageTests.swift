import BillfoldServer
import BillfoldStorage
import Testing

struct PageTests {
    private static let keys: [PageCursor.Key] = [.integer, .text]

    /// A list of numbered rows, newest first, read as a store reads it.
    private struct Shelf {
        var rows: [(at: Int64, name: String)]

        func page(_ limit: Int, after cursor: String? = nil, filter: [String: String] = [:]) throws -> Page<String> {
            let query = try PageQuery(list: "shelf", keys: PageTests.keys, filter: filter, limit: "\(limit)", cursor: cursor)
            let sorted = rows.sorted { ($0.at, $0.name) > ($1.at, $1.name) }
            let behind = sorted.filter { row in
                guard case .integer(let at)? = query.after?[0], case .text(let name)? = query.after?[1] else { return true }
                return (row.at, row.name) < (at, name)
            }
            let page = query.page(of: Array(behind.prefix(query.fetched))) { [.integer($0.at), .text($0.name)] }
            return Page(items: page.items.map(\.name), next: page.next)
        }

        func all(_ limit: Int) throws -> [String] {
            var (names, cursor) = ([String](), String?.none)
            repeat {
                let page = try page(limit, after: cursor)
                names += page.items
                cursor = page.next
            } while cursor != nil
            return names
        }
    }

    @Test(arguments: [1, 2, 3, 7, 200])
    func pagesOfAnySizeShowEachRowOnce(_ limit: Int) throws {
        let shelf = Shelf(rows: [(1, "a"), (3, "c"), (3, "b"), (2, "é"), (-4, "z"), (3, "ca"), (Int64.max, "m")])
        #expect(try shelf.all(limit) == ["m", "ca", "c", "b", "é", "a", "z"])
    }

    @Test func aFullLastPageNamesNoNext() throws {
        let shelf = Shelf(rows: [(1, "a"), (2, "b")])
        #expect(try shelf.page(2).next == nil)
        #expect(try shelf.page(1).next != nil)
        #expect(try Shelf(rows: []).page(5).items.isEmpty)
    }

    @Test func rowsThatComeAndGoMoveNothing() throws {
        var shelf = Shelf(rows: (1...6).map { (Int64($0), "row \($0)") })
        let first = try shelf.page(2)
        #expect(first.items == ["row 6", "row 5"])
        shelf.rows.append((7, "row 7"))
        // The row behind which the next page begins may be gone as well.
        shelf.rows.removeAll { $0.name == "row 5" || $0.name == "row 3" }
        #expect(try shelf.page(2, after: first.next).items == ["row 4", "row 2"])
    }

    @Test func aCursorIsOfOneListAndOneFilter() throws {
        func query(_ list: String, _ filter: [String: String], _ cursor: String?, _ keys: [PageCursor.Key] = PageTests.keys) throws
            -> PageQuery
        {
            try PageQuery(list: list, keys: keys, filter: filter, limit: "1", cursor: cursor)
        }
        let filter = ["card": "c", "state": "active"]
        let made = try query("tokens of a", filter, nil).page(of: [1, 2]) { [.integer($0), .text("x")] }
        let cursor = try #require(made.next)
        #expect(try query("tokens of a", filter, cursor).after == [.integer(1), .text("x")])
        #expect(cursor.utf8.allSatisfy { $0 == 0x2d || $0 == 0x5f || (0x30...0x39).contains($0) || (0x41...0x7a).contains($0) })
        for (list, filter) in [
            ("tokens of b", filter), ("tokens of a", ["card": "c"]), ("tokens of a", ["card": "c", "state": "deleted"]),
            ("tokens of a", ["card": "cstate", "": "active"]), ("tokens of a", [:]),
        ] {
            #expect(throws: ServerError.self) { try query(list, filter, cursor) }
        }
        #expect(throws: ServerError.self) { try query("tokens of a", filter, cursor, [.text, .text]) }
        #expect(throws: ServerError.self) { try query("tokens of a", filter, cursor, [.integer]) }
    }

    @Test func whatIsNoCursorIsRefused() throws {
        let made = try PageQuery(list: "l", keys: Self.keys, limit: "1").page(of: [1, 2]) { [.integer($0), .text("xy")] }
        let cursor = try #require(made.next)
        var wrong = [
            "", "A", "AQ", "AQ==", "é", cursor + "A", String(cursor.dropLast()), cursor + "=", String(repeating: "A", count: 4_000),
        ]
        // A letter of the form or of the digest. What follows is a place in the list, which is nobody's secret.
        for place in cursor.indices.prefix(22) {
            var text = cursor
            text.replaceSubrange(place...place, with: text[place] == "A" ? "B" : "A")
            wrong.append(text)
        }
        for text in wrong where text != cursor {
            #expect(throws: ServerError.self, "\(text)") {
                try PageQuery(list: "l", keys: Self.keys, limit: "1", cursor: text)
            }
        }
    }

    @Test(arguments: ["0", "201", "-1", "+5", "", "1.0", "007x", "٣", "99999999999999999999"])
    func aLimitOutsideIsRefused(_ limit: String) {
        #expect(throws: ServerError.self) { try PageQuery(list: "l", keys: Self.keys, limit: limit) }
    }

    @Test func aPageHasFiftyRowsWhereNothingIsSaid() throws {
        let query = try PageQuery(list: "l", keys: Self.keys)
        #expect(query.limit == 50 && query.fetched == 51 && query.after == nil)
        #expect(try PageQuery(list: "l", keys: Self.keys, limit: "200").limit == 200)
    }
}
