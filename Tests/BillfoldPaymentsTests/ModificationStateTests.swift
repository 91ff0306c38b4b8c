import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import Testing

@Suite struct ModificationStateTests {
    /// State before, event, state after.
    static let table = """
        submitted  accepted    accepted
        submitted  unresolved  unknown
        submitted  declined    failed
        submitted  succeeded   succeeded
        accepted   accepted    accepted
        accepted   unresolved  unknown
        accepted   declined    failed
        accepted   succeeded   succeeded
        unknown    accepted    unknown
        unknown    unresolved  unknown
        unknown    declined    failed
        unknown    succeeded   succeeded
        failed     accepted    failed
        failed     unresolved  failed
        failed     declined    failed
        failed     succeeded   succeeded
        succeeded  accepted    succeeded
        succeeded  unresolved  succeeded
        succeeded  declined    succeeded
        succeeded  succeeded   succeeded
        """.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init) }

    private func modification() throws -> Modification {
        let id = IdentifierSource { 5 }.next(at: Timestamp(secondsSince1970: 1))
        return Modification(
            merchant: try MerchantID("m"), id: id, payment: id, kind: .refund,
            amount: Amount(minorUnits: 10, currency: try Currency("CNY")), externalKey: "k", at: Timestamp(secondsSince1970: 1))
    }

    private let ways: [String: [Modification.Event]] = [
        "submitted": [], "accepted": [.accepted], "unknown": [.unresolved], "failed": [.declined], "succeeded": [.succeeded],
    ]

    @Test func tableHoldsEveryPairOnce() {
        #expect(Set(Self.table.map { "\($0[0]) \($0[1])" }).count == Modification.State.allCases.count * Modification.Event.allCases.count)
    }

    @Test(arguments: Self.table)
    func pairGivesTheTabledState(_ row: [String]) throws {
        let before = try #require(ways[row[0]]).reduce(modification()) { $0.after($1) }
        #expect(before.state.rawValue == row[0])
        #expect(before.after(try #require(Modification.Event(rawValue: row[1]))).state.rawValue == row[2])
    }
}
