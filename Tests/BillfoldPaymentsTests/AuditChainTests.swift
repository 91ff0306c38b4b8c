import BillfoldPayments
import BillfoldStorage
import Crypto
import Testing

@Suite struct AuditChainTests {
    let chain = AuditChain(key: SymmetricKey(data: [UInt8](repeating: 7, count: 32)))

    private func rows(_ count: Int64) -> [AuditRow] {
        var head = AuditHead.start
        return (0..<count).map { index in
            let row = chain.link(
                chain: "c", after: head, at: Timestamp(microseconds: index), actor: "ann", action: "look", object: "card \(index)",
                result: "ok")
            head = AuditHead(sequence: row.sequence, hash: row.hash)
            return row
        }
    }

    @Test func untouchedRowsAreIntact() {
        let rows = rows(5)
        #expect(chain.verify(rows) == .intact(head: AuditHead(sequence: 5, hash: rows[4].hash)))
        #expect(chain.verify([]) == .intact(head: .start))
    }

    static let tamperings: [@Sendable (inout AuditRow) -> Void] = [
        { $0.actor = "bob" }, { $0.action = "delete" }, { $0.object = "card 9" }, { $0.result = "refused" },
        { $0.at = Timestamp(microseconds: 99) }, { $0.hash[0] ^= 1 }, { $0.previous[0] ^= 1 }, { $0.chain = "d" }, { $0.sequence = 7 },
    ]

    @Test(arguments: tamperings.indices)
    func changedFieldIsFoundAtItsRow(_ index: Int) {
        var rows = rows(5)
        Self.tamperings[index](&rows[2])
        #expect(chain.verify(rows) == .broken(sequence: 3))
    }

    @Test func removedRowIsFound() {
        var rows = rows(5)
        rows.remove(at: 1)
        #expect(chain.verify(rows) == .broken(sequence: 2))
    }

    @Test func swappedRowsAreFound() {
        var rows = rows(5)
        rows.swapAt(1, 3)
        #expect(chain.verify(rows) == .broken(sequence: 2))
    }

    @Test func rowsRewrittenUnderAnotherKeyAreFound() {
        let forger = AuditChain(key: SymmetricKey(data: [UInt8](repeating: 8, count: 32)))
        let row = forger.link(
            chain: "c", after: .start, at: Timestamp(microseconds: 0), actor: "ann", action: "look", object: "card 0", result: "ok")
        #expect(chain.verify([row]) == .broken(sequence: 1))
    }

    @Test func bytesMovedBetweenFieldsChangeTheHash() {
        func hash(_ action: String, _ object: String) -> [UInt8] {
            chain.link(chain: "c", after: .start, at: Timestamp(microseconds: 0), actor: "a", action: action, object: object, result: "")
                .hash
        }
        #expect(hash("ab", "c") != hash("a", "bc"))
    }

    @Test func lineBreakInANameCannotForgeALine() {
        let row = chain.link(
            chain: "c", after: .start, at: Timestamp(microseconds: 0), actor: "ann\n2\tbob\u{2028}\u{85}\\n", action: "a", object: "o",
            result: "r")
        #expect(!row.line.contains { $0.isNewline })
        #expect(row.line.split(separator: "\t", omittingEmptySubsequences: false).count == 7)
        #expect(row.line.contains("\\u{a}2\\u{9}bob\\u{2028}\\u{85}\\\\n"))
    }
}
