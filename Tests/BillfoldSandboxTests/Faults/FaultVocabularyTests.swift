import BillfoldSandbox
import BillfoldWeb
import Foundation
import Testing

/// One word per fault, for every party, page and control interface.
struct FaultVocabularyTests {
    private static let words: [(party: String, cases: [(name: String, word: String)])] = [
        ("a party's messages", named(PartyFault.Kind.self)), ("an express order", named(ExpressFault.self)),
        ("a payment in a wallet", named(MobileWalletFault.self)), ("an order of one's own", named(OrderFault.self)),
    ]

    private static func named<Fault: NamedFault>(_: Fault.Type) -> [(name: String, word: String)] {
        Fault.allCases.map { ("\($0)", $0.rawValue) }
    }

    @Test func aWordIsTheSameCaseWhereverItStands() {
        for (party, cases) in Self.words {
            for (name, word) in cases {
                let parts = word.split(separator: "-")
                let spelled = parts[0] + parts.dropFirst().map(\.capitalized).joined()
                #expect(spelled == name, "\(party) calls \(word) \(name)")
            }
        }
    }

    @Test func messagesAndNotificationsAreNamedAlikeInTheConsole() {
        let known = Set(Self.words.flatMap(\.cases).map(\.word))
        let choices = Set(FaultMenu.unionPay.choices.map(\.name))
        // What only the gateway of cards can do.
        #expect(choices.subtracting(known) == ["notification-early", "notification-wrong-amount"])
    }

    @Test(arguments: [
        ("drop", PartyFault.Kind.requestLost), ("duplicate", .requestDoubled), ("refuse", .requestRefused), ("loseReply", .replyLost),
        ("delay", .replyLate), ("reply-late", .replyLate),
    ]) func anEarlierWordIsStillRead(word: String, fault: PartyFault.Kind) throws {
        let read = try JSONDecoder().decode(PartyFault.self, from: Data(#"{"fault":"\#(word)"}"#.utf8))
        #expect(read.fault == fault)
        #expect(String(decoding: try JSONEncoder().encode(read), as: UTF8.self).contains(fault.rawValue))
    }

    @Test func storesOfEarlierProgramsAreStillRead() throws {
        let written = Data(
            #"["notifications-lost","notifications-late","notifications-doubled","notifications-reordered","corrupt-signature"]"#.utf8)
        #expect(
            try JSONDecoder().decode([ExpressFault].self, from: written)
                == [.notificationLost, .notificationLate, .notificationDoubled, .notificationReordered, .orderCorrupt])
        #expect(try JSONDecoder().decode([MobileWalletFault].self, from: Data(#"["corrupt-signature"]"#.utf8)) == [.replyCorrupt])
    }

    @Test(arguments: ["dorp", "", "request_lost"]) func anUnknownWordIsRefusedAndTheKnownAreNamed(word: String) {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(PartyFault.self, from: Data(#"{"fault":"\#(word)"}"#.utf8))
        }
        #expect("\(String(describing: error))".contains("request-lost, request-doubled, request-refused, reply-lost, reply-late"))
    }

    @Test func aSeedDrawsTheSameFaultForTheSameName() {
        let drawn = (0..<400).map { FaultPlan.drawn(seed: 7, for: "ORDER\($0)") }
        #expect(drawn == (0..<400).map { FaultPlan.drawn(seed: 7, for: "ORDER\($0)") })
        #expect(Set(drawn).count > 10)
    }
}
