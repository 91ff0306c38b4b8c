import BillfoldMoney
import BillfoldStorage
import BillfoldTestSupport
import Crypto
import Testing

@testable import BillfoldPayments

/// What others say of things that the books do not know: kept once, bounded, and settled once.
@Suite struct UnmatchedNoticeTests {
    private func notice(_ fixture: Fixture, _ key: String, source: String = "unionpay") -> UnmatchedNotice {
        UnmatchedNotice(
            owner: fixture.merchant, id: fixture.newID(), source: source, kind: "payment", naturalKey: key, reference: "m/\(key)/t",
            about: "order", amount: fixture.amount(3300), evidence: Array("queryId=1".utf8), receivedAt: fixture.clock.now())
    }

    private func settlement(_ fixture: Fixture, _ request: String) -> UnmatchedNotice.Settlement {
        .init(way: "refund", remark: "why", outcome: "done", people: "lin, wang", request: request, at: fixture.clock.now())
    }

    @Test(arguments: StoreEngine.available) func copiesAreOneRowAndTheFirstIsNews(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let links = fixture.store.audit
            let (first, second, other) = (notice(fixture, "a"), notice(fixture, "a"), notice(fixture, "a", source: "wallet:A"))
            let merchant = fixture.merchant
            for (copy, isNews) in [(first, true), (second, false), (first, true), (other, true)] {
                #expect(try await database.write { tx in try UnmatchedNoticeRecords.keep(copy, linking: links, in: tx) } == isNews)
            }
            let open = try await database.read { tx in try UnmatchedNoticeRecords.open(merchant, limit: 10, in: tx) }
            #expect(open == [first, other])
            #expect(open.first?.summary == "payment of \(fixture.amount(3300)) by unionpay, reference m/a/t, about order")
        }
    }

    @Test(arguments: StoreEngine.available) func aNoticeIsSettledOnceAndStaysSoWhateverIsRepeated(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let (kept, copy, merchant) = (notice(fixture, "a"), notice(fixture, "a"), fixture.merchant)
            let links = fixture.store.audit
            let (mine, others) = (settlement(fixture, "r-1"), settlement(fixture, "r-2"))
            let settled = try await database.write { tx in
                _ = try UnmatchedNoticeRecords.keep(kept, linking: links, in: tx)
                return [
                    try UnmatchedNoticeRecords.settle(kept.id, owner: merchant, as: mine, linking: links, in: tx),
                    try UnmatchedNoticeRecords.settle(kept.id, owner: merchant, as: others, linking: links, in: tx),
                    try UnmatchedNoticeRecords.keep(copy, linking: links, in: tx), try UnmatchedNoticeRecords.holdsOpen(merchant, in: tx),
                ]
            }
            #expect(settled == [true, false, false, false])
            #expect(try await database.read { try UnmatchedNoticeRecords.find(kept.id, owner: merchant, in: $0) }?.settlement == mine)
            let now = fixture.clock.now()
            try await database.write { tx in
                try UnmatchedNoticeRecords.reopen(kept.id, owner: merchant, because: "refused", at: now, linking: links, in: tx)
            }
            let again = try await database.read { try UnmatchedNoticeRecords.open(merchant, limit: 10, in: $0) }
            #expect(again.map(\.id) == [kept.id] && again.first?.note == "refused")
            let rows = try await database.read { tx in
                try AuditRecords.rows(of: UnmatchedNoticeRecords.chain, merchant: merchant, in: tx)
            }
            #expect(rows.map(\.action) == ["notice.kept", "notice.settled", "notice.reopened"])
            #expect(rows.map(\.result) == [kept.digest, mine.digest, "refused"])
            #expect(rows.allSatisfy { $0.object == kept.id.description })
        }
    }

    @Test func aSourceThatErrsWithoutEndIsRefusedAndOthersAreNot() async throws {
        try await StoreEngine.sqlite.withDatabase { database in
            let fixture = try await Fixture(database)
            let links = fixture.store.audit
            let notices = (0..<4).map { notice(fixture, "\($0)") }
            let other = notice(fixture, "9", source: "wallet:A")
            let (isNews, isRefused) = try await database.write { tx -> ([Bool], Bool) in
                var isNews = try notices.prefix(3).map { try UnmatchedNoticeRecords.keep($0, most: 3, linking: links, in: tx) }
                var isRefused = false
                do { _ = try UnmatchedNoticeRecords.keep(notices[3], most: 3, linking: links, in: tx) } catch let error as PaymentsError {
                    isRefused = error.code == .tooManyNotices
                }
                isNews.append(try UnmatchedNoticeRecords.keep(other, most: 3, linking: links, in: tx))
                return (isNews, isRefused)
            }
            #expect(isNews == [true, true, true, true] && isRefused)
        }
    }

    @Test(arguments: StoreEngine.available) func manyNoticesHideNoneThatCameLaterAndNoOtherSources(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let (merchant, links) = (fixture.merchant, fixture.store.audit)
            let keys = (0..<9).map { "\($0)" }
            var notices = (keys + ["b"]).map { notice(fixture, $0, source: $0 == "b" ? "wallet:B" : "wallet:A") }
            for index in notices.indices { notices[index].receivedAt = fixture.clock.now().advanced(by: .seconds(index)) }
            let all = notices
            try await database.write { tx in for notice in all { _ = try UnmatchedNoticeRecords.keep(notice, linking: links, in: tx) } }
            let (shown, count, named) = try await database.read { tx in
                (
                    try UnmatchedNoticeRecords.shown(merchant, most: 2, in: tx), try UnmatchedNoticeRecords.countOpen(merchant, in: tx),
                    try ["m/3/t", "m/x/t"].map { try UnmatchedNoticeRecords.holdsOpen(merchant, naming: ["m/y/t", $0], in: tx) }
                )
            }
            #expect(shown.map(\.naturalKey) == ["0", "1", "7", "8", "b"] && count == 10)
            #expect(named == [true, false])
        }
    }

    @Test func anIdThatWasGivenOutIsKnownWithoutItsRowAndByItsOwnerAlone() throws {
        let (shop, other) = (try MerchantID("shop"), try MerchantID("other"))
        let random = IdentifierSource { 0x0123_4567_89ab_cdef }
        let issued = IssuedIdentifiers(key: HashingKey(SymmetricKey(data: [UInt8](repeating: 2, count: 32))), source: random)
        let now = Timestamp(secondsSince1970: 1_795_204_800)
        let id = issued.next(at: now, for: shop)
        #expect(issued.haveIssued(id, to: shop) && !issued.haveIssued(id, to: other))
        #expect(id.instant == now && !issued.haveIssued(random.next(at: now), to: shop))
        for place in [0, 5, 9, 11, 12, 15] {
            var bytes = id.bytes
            bytes[place] ^= 1
            let changed = try TimeOrderedID(bytes: bytes)
            #expect(!issued.haveIssued(changed, to: shop))
        }
        let intent = issued.id(ofIntent: [1, 2], at: now, for: shop)
        #expect(intent == issued.id(ofIntent: [1, 2], at: now, for: shop) && issued.haveIssued(intent, to: shop))
        #expect(intent != issued.id(ofIntent: [1, 3], at: now, for: shop) && intent != issued.id(ofIntent: [1, 2], at: now, for: other))
    }
}
