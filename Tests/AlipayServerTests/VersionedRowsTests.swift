import Testing

@testable import AlipayServer

/// A row is read again unless nobody can have changed it.
struct VersionedRowsTests {
    private let changes = RowChanges()
    private var rows: VersionedRows<String, Int, String> { VersionedRows(changes: changes) }

    @Test func aRowThatWasReadNeedNotBeReadUntilOneIsChanged() {
        let rows = rows
        let first = rows.look(for: "a")
        #expect(first.current == nil && first.version == nil)
        rows.keep("one", 1, seen: first, for: "a")
        #expect(rows.look(for: "a").current == "one")
        #expect(rows.look(for: "b").current == nil)
        changes.begin()
        // Nobody knows whether the change is stored yet.
        let during = rows.look(for: "a")
        #expect(during.current == nil && during.version == 1)
        #expect(rows.confirm(during, for: "a") == "one")
        #expect(rows.look(for: "a").current == nil)
        changes.end()
        let after = rows.look(for: "a")
        #expect(after.current == nil && after.version == 1)
        #expect(rows.confirm(after, for: "a") == "one")
        #expect(rows.look(for: "a").current == "one")
    }

    @Test func whatWasReadBeforeAChangeIsNotTakenForWhatItLeft() {
        let rows = rows
        let before = rows.look(for: "a")
        changes.begin()
        changes.end()
        let after = rows.look(for: "a")
        rows.keep("new", 2, seen: after, for: "a")
        // A reader that was slower than the change and the reader behind it.
        rows.keep("old", 1, seen: before, for: "a")
        let look = rows.look(for: "a")
        #expect(look.current == nil && look.version == 1)
    }

    @Test func oneOfTwoChangesThatEndsLeavesTheOtherUnderWay() {
        let rows = rows
        changes.begin()
        changes.begin()
        changes.end()
        rows.keep("one", 1, seen: rows.look(for: "a"), for: "a")
        #expect(rows.look(for: "a").current == nil)
        changes.end()
        #expect(rows.look(for: "a").current == nil)
    }

    @Test func aRowOfASharedStoreIsReadEachTime() {
        let rows = VersionedRows<String, Int, String>(changes: nil)
        rows.keep("one", 1, seen: rows.look(for: "a"), for: "a")
        let look = rows.look(for: "a")
        #expect(look.current == nil && look.version == 1)
        #expect(rows.confirm(look, for: "a") == "one")
    }
}
