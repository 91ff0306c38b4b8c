import BillfoldPayments
import Testing

/// Every (state, event) pair against a table that a person can read. Columns: state before, event, state after, what happened
/// (`advanced`, `unchanged`, `refused`), templates booked, alarm.
@Suite struct PaymentStateTableTests {
    static let table = """
        created         authorised     authorised      advanced   -                 -
        created         submitted      submitted       advanced   -                 -
        created         closed         closed          advanced   -                 -
        created         accepted       accepted        advanced   -                 unexpected-evidence
        created         unresolved     unknown         advanced   -                 unexpected-evidence
        created         declined       failed          advanced   -                 -
        created         succeeded      succeeded       advanced   capture           unexpected-evidence
        created         reversed       reversed        advanced   -                 unexpected-evidence
        created         refunded-40    partlyRefunded  advanced   refund            unexpected-evidence
        created         refunded-100   refunded        advanced   refund            unexpected-evidence
        authorised      authorised     authorised      unchanged  -                 -
        authorised      submitted      submitted       advanced   -                 -
        authorised      closed         closed          advanced   -                 -
        authorised      accepted       accepted        advanced   -                 unexpected-evidence
        authorised      unresolved     unknown         advanced   -                 unexpected-evidence
        authorised      declined       failed          advanced   -                 -
        authorised      succeeded      succeeded       advanced   capture           unexpected-evidence
        authorised      reversed       reversed        advanced   -                 unexpected-evidence
        authorised      refunded-40    partlyRefunded  advanced   refund            unexpected-evidence
        authorised      refunded-100   refunded        advanced   refund            unexpected-evidence
        submitted       authorised     submitted       unchanged  -                 -
        submitted       submitted      submitted       unchanged  -                 -
        submitted       closed         submitted       refused    -                 -
        submitted       accepted       accepted        advanced   -                 -
        submitted       unresolved     unknown         advanced   -                 -
        submitted       declined       failed          advanced   -                 -
        submitted       succeeded      succeeded       advanced   capture           -
        submitted       reversed       reversed        advanced   -                 -
        submitted       refunded-40    partlyRefunded  advanced   refund            unexpected-evidence
        submitted       refunded-100   refunded        advanced   refund            unexpected-evidence
        accepted        authorised     accepted        unchanged  -                 -
        accepted        submitted      accepted        unchanged  -                 -
        accepted        closed         accepted        refused    -                 -
        accepted        accepted       accepted        unchanged  -                 -
        accepted        unresolved     unknown         advanced   -                 -
        accepted        declined       failed          advanced   -                 -
        accepted        succeeded      succeeded       advanced   capture           -
        accepted        reversed       reversed        advanced   -                 -
        accepted        refunded-40    partlyRefunded  advanced   refund            unexpected-evidence
        accepted        refunded-100   refunded        advanced   refund            unexpected-evidence
        unknown         authorised     unknown         unchanged  -                 -
        unknown         submitted      unknown         unchanged  -                 -
        unknown         closed         unknown         refused    -                 -
        unknown         accepted       unknown         advanced   -                 -
        unknown         unresolved     unknown         unchanged  -                 -
        unknown         declined       failed          advanced   -                 -
        unknown         succeeded      succeeded       advanced   capture           -
        unknown         reversed       reversed        advanced   -                 -
        unknown         refunded-40    partlyRefunded  advanced   refund            unexpected-evidence
        unknown         refunded-100   refunded        advanced   refund            unexpected-evidence
        failed          authorised     failed          unchanged  -                 -
        failed          submitted      failed          unchanged  -                 -
        failed          closed         failed          refused    -                 -
        failed          accepted       failed          advanced   -                 -
        failed          unresolved     failed          advanced   -                 -
        failed          declined       failed          unchanged  -                 -
        failed          succeeded      succeeded       advanced   capture           contradiction
        failed          reversed       reversed        advanced   -                 -
        failed          refunded-40    partlyRefunded  advanced   refund            unexpected-evidence
        failed          refunded-100   refunded        advanced   refund            unexpected-evidence
        succeeded       authorised     succeeded       unchanged  -                 -
        succeeded       submitted      succeeded       unchanged  -                 -
        succeeded       closed         succeeded       refused    -                 -
        succeeded       accepted       succeeded       advanced   -                 -
        succeeded       unresolved     succeeded       advanced   -                 -
        succeeded       declined       succeeded       advanced   -                 contradiction
        succeeded       succeeded      succeeded       unchanged  -                 -
        succeeded       reversed       reversed        advanced   reversal          -
        succeeded       refunded-40    partlyRefunded  advanced   refund            -
        succeeded       refunded-100   refunded        advanced   refund            -
        partlyRefunded  authorised     partlyRefunded  unchanged  -                 -
        partlyRefunded  submitted      partlyRefunded  unchanged  -                 -
        partlyRefunded  closed         partlyRefunded  refused    -                 -
        partlyRefunded  accepted       partlyRefunded  advanced   -                 -
        partlyRefunded  unresolved     partlyRefunded  advanced   -                 -
        partlyRefunded  declined       partlyRefunded  advanced   -                 contradiction
        partlyRefunded  succeeded      partlyRefunded  unchanged  -                 -
        partlyRefunded  reversed       partlyRefunded  advanced   reversal          undone-twice
        partlyRefunded  refunded-40    partlyRefunded  unchanged  -                 -
        partlyRefunded  refunded-100   refunded        advanced   refund            -
        refunded        authorised     refunded        unchanged  -                 -
        refunded        submitted      refunded        unchanged  -                 -
        refunded        closed         refunded        refused    -                 -
        refunded        accepted       refunded        advanced   -                 -
        refunded        unresolved     refunded        advanced   -                 -
        refunded        declined       refunded        advanced   -                 contradiction
        refunded        succeeded      refunded        unchanged  -                 -
        refunded        reversed       refunded        advanced   reversal          undone-twice
        refunded        refunded-40    refunded        unchanged  -                 -
        refunded        refunded-100   refunded        unchanged  -                 -
        reversed        authorised     reversed        unchanged  -                 -
        reversed        submitted      reversed        unchanged  -                 -
        reversed        closed         reversed        refused    -                 -
        reversed        accepted       reversed        advanced   -                 -
        reversed        unresolved     reversed        advanced   -                 -
        reversed        declined       reversed        advanced   -                 -
        reversed        succeeded      reversed        advanced   capture,reversal  -
        reversed        reversed       reversed        unchanged  -                 -
        reversed        refunded-40    partlyRefunded  advanced   refund            undone-twice
        reversed        refunded-100   refunded        advanced   refund            undone-twice
        closed          authorised     closed          refused    -                 -
        closed          submitted      closed          refused    -                 -
        closed          closed         closed          unchanged  -                 -
        closed          accepted       accepted        advanced   -                 unexpected-evidence
        closed          unresolved     unknown         advanced   -                 unexpected-evidence
        closed          declined       failed          advanced   -                 -
        closed          succeeded      succeeded       advanced   capture           unexpected-evidence
        closed          reversed       reversed        advanced   -                 unexpected-evidence
        closed          refunded-40    partlyRefunded  advanced   refund            unexpected-evidence
        closed          refunded-100   refunded        advanced   refund            unexpected-evidence
        """.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init) }

    static let events: [String: PaymentEvent] = [
        "authorised": .authorised, "submitted": .submitted, "closed": .closed, "accepted": .accepted, "unresolved": .unresolved,
        "declined": .declined, "succeeded": .succeeded, "reversed": .reversed, "refunded-40": .refunded(total: 40),
        "refunded-100": .refunded(total: 100),
    ]

    static func standing(_ state: PaymentState) -> PaymentStanding {
        let sent: PaymentEvidence = [.authorised, .submitted]
        return switch state {
        case .created: PaymentStanding(amount: 100)
        case .authorised: PaymentStanding(amount: 100, evidence: .authorised)
        case .submitted: PaymentStanding(amount: 100, evidence: sent)
        case .accepted: PaymentStanding(amount: 100, evidence: sent.union(.accepted))
        case .unknown: PaymentStanding(amount: 100, evidence: sent.union(.unresolved))
        case .failed: PaymentStanding(amount: 100, evidence: sent.union(.declined))
        case .succeeded: PaymentStanding(amount: 100, evidence: sent.union(.succeeded))
        case .partlyRefunded: PaymentStanding(amount: 100, evidence: sent.union(.succeeded), refunded: 40)
        case .refunded: PaymentStanding(amount: 100, evidence: sent.union(.succeeded), refunded: 100)
        case .reversed: PaymentStanding(amount: 100, evidence: sent.union(.reversed))
        case .closed: PaymentStanding(amount: 100, evidence: [.authorised, .closed])
        }
    }

    let books = PaymentBooks(acquirer: "unionpay")

    @Test func tableHoldsEveryPairOnce() {
        let pairs = Self.table.map { "\($0[0]) \($0[1])" }
        #expect(Set(pairs).count == pairs.count)
        #expect(pairs.count == PaymentState.allCases.count * Self.events.count)
    }

    @Test(arguments: Self.table)
    func pairGivesTheTabledOutcome(_ row: [String]) throws {
        let state = try #require(PaymentState(rawValue: row[0]))
        let event = try #require(Self.events[row[1]])
        let before = Self.standing(state)
        #expect(before.state == state)
        let transition = before.apply(event, books: books)
        #expect(transition.standing.state.rawValue == row[2])
        #expect("\(transition.disposition)" == row[3])
        let booked = transition.postings.map(\.template.name).joined(separator: ",")
        #expect((booked.isEmpty ? "-" : booked) == row[4])
        #expect((transition.alarm?.rawValue ?? "-") == row[5])
        if transition.disposition != .advanced {
            #expect(transition.standing == before)
            #expect(transition.messages.isEmpty && transition.deadlines.isEmpty)
        }
    }

    @Test func submittingOwesTheMessageAndArmsTheQuery() {
        let transition = Self.standing(.authorised).apply(.submitted, books: books, queryAfter: .seconds(3))
        #expect(transition.messages == [.submit])
        #expect(transition.deadlines == [.armQuery(after: .seconds(3))])
    }

    @Test(arguments: [PaymentEvent.declined, .succeeded, .reversed])
    func settlingAnnouncesTheStateAndDisarmsTheQuery(_ event: PaymentEvent) {
        let transition = Self.standing(.unknown).apply(event, books: books)
        #expect(transition.messages == [.announce(transition.standing.state)])
        #expect(transition.deadlines == [.disarmQuery])
    }

    @Test func refundBeyondTheCaptureRaisesAnAlarm() {
        let transition = Self.standing(.partlyRefunded).apply(.refunded(total: 101), books: books)
        #expect(transition.alarm == .overRefunded)
    }

    @Test func runningRefundTotalBooksOnlyTheDifference() {
        let transition = Self.standing(.partlyRefunded).apply(.refunded(total: 70), books: books)
        #expect(transition.postings.map(\.amount) == [30])
    }
}
