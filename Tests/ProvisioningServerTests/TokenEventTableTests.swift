import BillfoldTestSupport
import Testing

@testable import ProvisioningServer

/// What a network's events say of whether a token may be paid with, one row for each story, told over the network's own interface.
///
/// Sources: 12 stands for provisioning.md#token-states and provisioning.md#suspenders, [1] for [O] there; [I] is inferred.
struct TokenEventTableTests {
    struct Told: Sendable {
        var kind: String
        var sequence: Int64
        var state: TokenState
        var by: [String]

        init(_ kind: String, _ sequence: Int64, _ state: TokenState, _ by: String...) {
            (self.kind, self.sequence, self.state, self.by) = (kind, sequence, state, by)
        }
    }

    /// Each token was told as made and active, with the sequence 1, before.
    static let rows: [(story: [Told], state: TokenState, source: String)] = [
        ([], .active, "12 [1]"),
        ([.init("suspended", 2, .suspended, "ISSUER")], .suspended, "12 [1]"),
        ([.init("suspended", 2, .suspended, "CARDHOLDER"), .init("resumed", 3, .active)], .active, "12 [1]"),
        (
            [.init("suspended", 2, .suspended, "ISSUER", "CARDHOLDER"), .init("resumed", 3, .suspended, "CARDHOLDER")], .suspended,
            "12 [1]: a resume takes away one's own suspension; the state decides, not the kind"
        ),
        ([.init("activated", 2, .suspended, "ISSUER")], .suspended, "[I]: the state decides, not the kind"),
        ([.init("accountUpdated", 2, .inactive)], .inactive, "[I]: the state decides, not the kind"),
        ([.init("suspended", 3, .suspended, "ISSUER"), .init("resumed", 2, .active)], .suspended, "[I]: what is older changes nothing"),
        ([.init("resumed", 2, .active), .init("suspended", 2, .suspended, "ISSUER")], .suspended, "[I]: of two stories, what pays less"),
        ([.init("suspended", 2, .suspended, "ISSUER"), .init("resumed", 2, .active)], .suspended, "[I]: of two stories, what pays less"),
        ([.init("deleted", 2, .deleted)], .deleted, "12 [1]: final"),
        ([.init("deleted", 2, .deleted), .init("resumed", 3, .active)], .deleted, "12 [1]: final, whatever is told later"),
        ([.init("resumed", 9, .active), .init("deleted", 2, .deleted)], .deleted, "12 [1]: final, however late it is heard of"),
        ([.init("deleted", 2, .deleted, "ISSUER")], .deleted, "12 [1]: with its last suspender, or without"),
    ]

    @Test(arguments: rows.indices) func whatEventsSayOfAToken(index: Int) async throws {
        let row = Self.rows[index]
        try await TokenBank.open { bank in
            try await bank.provision()
            for (place, told) in row.story.enumerated() {
                let event = TokenBank.event("e\(place)", told.kind, told.sequence, told.state, by: told.by)
                #expect(try await bank.tell(event).status == 200)
                // Told twice, it says the same.
                #expect(try await bank.tell(event).status == 200)
            }
            #expect(try await bank.token()?.snapshot.state == row.state, "\(row.source)")
        }
    }

    /// Nothing is concluded from what is left out.
    @Test(arguments: ["state", "suspendedBy", "sequence", "kind", "tokenReference", "primaryAccountIdentifier", "occurredAt", "eventId"])
    func anEventWithoutAMemberSaysNothing(member: String) async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            let event = TokenBank.event("e", "suspended", 2, .suspended, by: ["ISSUER"])
            let without = event.replacing(try Regex("\"\(member)\":(\"[^\"]*\"|\\[[^\\]]*\\]|[0-9]+),?"), with: "")
            #expect(without != event)
            let answer = try await bank.tell(without)
            #expect(answer.status == 400 && answer.errorCode == "malformed-request", "\(answer.body)")
            #expect(try await bank.token()?.snapshot.state == .active)
        }
    }
}
