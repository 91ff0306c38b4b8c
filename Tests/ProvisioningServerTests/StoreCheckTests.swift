import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import HTTPTypes
import Testing

@testable import ProvisioningServer

/// A store that the server has made is sound, and no row of it can be changed, left out or added without being found.
@Suite struct StoreCheckTests {
    static func check(_ bank: TokenBank) -> @Sendable (any Transaction) throws -> [String] {
        let links = AuditChain(key: bank.tokens.context.host.configuration.keys.audit)
        return { tx in
            let findings = StoreFindings()
            try ProvisioningServer.check(links: links).run(in: tx, findings)
            return findings.list.map { "\($0.code) \($0.table) \($0.key): \($0.expected) / \($0.found)" }
        }
    }

    private static let other = String(repeating: "0C", count: 24)

    /// Decisions of every colour, tokens that networks and the bank move, a closed card and a lost device.
    static func liveADay(_ bank: TokenBank) async throws {
        let service = LifeCycleService(context: bank.tokens.context)
        try await bank.provision("token-1", state: .inactive, TokenBank.Ask.yellow)
        _ = try await bank.tell(TokenBank.event("2", "activated", 2, .active))
        _ = try await bank.tell(TokenBank.event("3", "suspended", 3, .suspended, by: ["CARDHOLDER"]))
        _ = try await bank.tell(TokenBank.event("2-late", "suspended", 2, .suspended, by: ["CARDHOLDER"]))
        try await bank.provision("token-2", on: TokenBank.watch)
        try await bank.provision("token-3", state: .inactive, on: Self.other, TokenBank.Ask.orange)
        _ = try await bank.decide {
            ($0.id, $0.token) = ("request-red", "token-4")
            TokenBank.Ask.red(&$0)
        }
        try await bank.work()
        bank.bank.clock.advance(by: .seconds(60))
        _ = try await service.act(.suspend, on: "token-2", because: .other, by: "lin")
        try await bank.work()
        let closed = try #require(Bank.demoCards.last).id
        _ = try await service.report(.closed, of: closed, by: "lin", remark: "asked for")
        _ = try await BankEventTests.report(bank, BankEventTests.event("e-1", "lost", card: "card-mastercard"))
        let card = #"{"id":"n","primaryAccountNumber":"4055510000000046","expiration":"12/30","cardholderName":"N","network":"visa","#
        let part = #"{"importId":"night","part":1,"cards":[\#(card)"customer":"c-7","status":"active","contacts":[]}]}"#
        #expect(try await bank.bank.send(.post, "/bank/v1/card-imports", part, bearer: Bank.apiKey).status == 200)
        _ = try await service.reportLost(secureElement: String(repeating: "0D", count: 24), by: "lin")
        bank.bank.clock.advance(by: .seconds(60))
        _ = try await service.act(.delete, on: "token-2", because: .other, by: "wu")
        try await bank.work()
    }

    static let stranger: [UInt8] = [1, 0x9a, 0, 0, 0, 0, 0x70, 0, 0x80] + [UInt8](repeating: 7, count: 7)

    static let alterations: [Alteration] = [
        Alteration("a token's state", "UPDATE tokens SET state = 'active', suspended_by = '' WHERE reference = 'token-1'"),
        Alteration("a token that is active all the same", "UPDATE tokens SET state = 'active' WHERE reference = 'token-3'"),
        Alteration("a deleted token that is active", "UPDATE tokens SET state = 'active', suspended_by = '' WHERE reference = 'token-2'"),
        Alteration("who suspended a token", "UPDATE tokens SET suspended_by = 'ISSUER' WHERE reference = 'token-1'"),
        Alteration("a state without its suspenders", "UPDATE tokens SET suspended_by = '' WHERE reference = 'token-1'"),
        Alteration("a state that there is not", "UPDATE tokens SET state = 'gone' WHERE reference = 'token-1'"),
        Alteration("a token's count", "UPDATE tokens SET sequence = 2 WHERE reference = 'token-1'"),
        Alteration("a token's card", "UPDATE tokens SET card = 'card-none' WHERE reference = 'token-1'"),
        Alteration("a token's network", "UPDATE tokens SET network = 'mastercard' WHERE reference = 'token-1'"),
        Alteration("a token left out", "DELETE FROM tokens WHERE reference = 'token-1'"),
        Alteration("an event left out", "DELETE FROM token_events WHERE event_id = '3'"),
        Alteration("an event of no token", "UPDATE token_events SET token = 'none' WHERE event_id = '2'"),
        Alteration("an event's effect", "UPDATE token_events SET effect = 'none' WHERE event_id = '2'"),
        Alteration("a decision's colour", "UPDATE token_decisions SET colour = 'green' WHERE request_id = 'request-red'"),
        Alteration(
            "a decision",
            """
            UPDATE token_decisions SET colour = 'green', decision =
                (SELECT decision FROM token_decisions WHERE request_id = 'request-token-2')
            WHERE request_id = 'request-red'
            """),
        Alteration("a decision's device", "UPDATE token_decisions SET secure_element = 'x' WHERE request_id = 'request-red'"),
        Alteration("a decision's time", "UPDATE token_decisions SET at = at + 1 WHERE request_id = 'request-red'"),
        Alteration("a decision left out", "DELETE FROM token_decisions WHERE request_id = 'request-red'"),
        Alteration("an answer left out", "DELETE FROM idempotency_keys WHERE key = 'request-red'"),
        Alteration(
            "an answer",
            """
            UPDATE idempotency_keys SET result = (SELECT result FROM idempotency_keys WHERE key = 'request-token-2')
            WHERE key = 'request-red'
            """),
        Alteration("a review left out", "DELETE FROM token_reviews"),
        Alteration("a review that nobody concluded", "UPDATE token_reviews SET state = 'approved', concluded_at = 1"),
        Alteration("a review of another token", "UPDATE token_reviews SET token = 'token-1'"),
        Alteration("an action that was not made", "UPDATE token_actions SET state = 'waiting' WHERE action = 'suspend'"),
        Alteration("an action left out", "DELETE FROM token_actions WHERE action = 'suspend'"),
        Alteration("an action's place", "UPDATE token_actions SET place = 9 WHERE action = 'suspend'"),
        Alteration("an action's message left out", "DELETE FROM outbox WHERE kind = 'token-action'"),
        Alteration("a message's state", "UPDATE outbox SET state = 'lost' WHERE kind = 'token-action'"),
        Alteration("a message to nobody", "DELETE FROM token_messages"),
        Alteration("a closed card that is active", "UPDATE provisioning_cards SET status = 'active' WHERE status = 'closed'"),
        Alteration("a closure left out", "DELETE FROM token_card_holds"),
        Alteration("a closure that nobody reported", "UPDATE token_card_holds SET event = 'fraud'"),
        Alteration("an event of the bank's left out", "DELETE FROM bank_card_events"),
        Alteration("when the bank's event came", "UPDATE bank_card_events SET at = at + 1"),
        Alteration("an event of another card", "UPDATE bank_card_events SET card = 'card-visa'"),
        Alteration("an event's answer left out", "DELETE FROM idempotency_keys WHERE caller = 'bank' AND key = 'e-1'"),
        Alteration("a part of an import left out", "DELETE FROM bank_card_imports"),
        Alteration("another part of an import", "UPDATE bank_card_imports SET part = 2"),
        Alteration("a token that is held for nothing", "UPDATE token_suspensions SET cause = 'whim'"),
        Alteration("a suspension of no token", "UPDATE token_suspensions SET token = 'none'"),
        Alteration("a card left out", "DELETE FROM provisioning_cards WHERE id = 'card-visa'"),
        Alteration("a card's number", "UPDATE provisioning_cards SET number_hash = ? WHERE id = 'card-visa'", values: [.blob([1, 2])]),
        Alteration("a lost device", "UPDATE token_lost_devices SET secure_element = 'x'"),
        Alteration("when a device was lost", "UPDATE token_lost_devices SET at = at + 1"),
        Alteration(
            "a device that nobody allowed",
            "INSERT INTO token_allow_list (card, secure_element, remark, added_by, added_at) VALUES ('card-visa', 'x', 'x', 'x', 1)"),
        Alteration("pass data of no card", "UPDATE provisioning_pass_data SET card = 'card-none'"),
        Alteration("a code that no decision used", "UPDATE token_used_codes SET request_id = 'none'"),
        Alteration("an audit row left out", "DELETE FROM audit_rows WHERE sequence = 2"),
        Alteration("an audit row's actor", "UPDATE audit_rows SET actor = 'nobody' WHERE sequence = 1"),
        Alteration("the first audit rows left out", "DELETE FROM audit_rows WHERE sequence < 3"),
        Alteration("what tells of the lost device left out", "DELETE FROM audit_rows WHERE action = 'device.lost'"),
    ]

    @Test(arguments: StoreEngine.withoutInjectedFaults)
    func everyAlterationIsFoundAndNothingElse(engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            try await Self.liveADay(bank)
            let database = bank.bank.store.database
            #expect(try await database.read(Self.check(bank)) == [])
            for alteration in Self.alterations {
                let found = try await alteration.findings(in: database, by: Self.check(bank))
                #expect(!found.isEmpty, "\(alteration) is not found")
            }
        }
    }

    /// A decision that is asked for again long after gets what was decided; sessions that ended are gone.
    @Test(arguments: StoreEngine.withoutInjectedFaults)
    func afterAMonthADecisionIsTheSame(engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            let yellow: @Sendable (inout TokenBank.Ask) -> Void = { TokenBank.Ask.yellow(&$0) }
            let first = try await bank.decide(yellow)
            bank.bank.clock.advance(by: .seconds(92 * 86_400))
            try await bank.bank.server.retentionWorker.runOnce()
            let sessions = try await bank.bank.store.database.read {
                try $0.query("SELECT COUNT(*) FROM provisioning_sessions")[0].integer(0)
            }
            #expect(sessions == 0)
            let again = try await bank.decide(yellow)
            #expect(again.status == 200 && again.body == first.body)
            #expect(try await bank.bank.store.database.read(Self.check(bank)) == [])
        }
    }
}
