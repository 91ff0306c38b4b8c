/// What goes wrong with a party's next messages of one kind, on purpose.
///
/// As JSON: `{"fault":"request-lost"}`, with `times` (1 where it is left out) and, for a delay, `delayMilliseconds`; or `{"seed":7}`, which
/// draws a fault for each message and goes on until it is taken away. An unknown key is refused.
package struct PartyFault: Sendable, Hashable, Codable {
    package enum Kind: String, NamedFault {
        /// The message never arrives: nothing is done, and there is no answer.
        case requestLost = "request-lost"
        /// It arrives twice; the second answer is what the caller sees.
        case requestDoubled = "request-doubled"
        /// It is answered with 503 and not done.
        case requestRefused = "request-refused"
        /// It is done, and the answer is lost.
        case replyLost = "reply-lost"
        /// It is late: done, or sent, after a wait in real time.
        case replyLate = "reply-late"

        package static let earlierWords: [String: Kind] = [
            "drop": .requestLost, "duplicate": .requestDoubled, "refuse": .requestRefused, "loseReply": .replyLost, "delay": .replyLate,
        ]
    }

    /// Absent where a seed draws.
    package var fault: Kind?
    /// How many messages it still befalls.
    package var times: Int
    package var delayMilliseconds: Int
    package var seed: UInt64?

    package init(_ fault: Kind, times: Int = 1, delayMilliseconds: Int = 200) {
        self.fault = fault
        self.times = times
        self.delayMilliseconds = delayMilliseconds
    }

    private enum CodingKeys: String, CodingKey, CaseIterable { case fault, times, delayMilliseconds, seed }

    package init(from decoder: any Decoder) throws {
        try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.stringValue), of: "a fault")
        let container = try decoder.container(keyedBy: CodingKeys.self)
        fault = try container.decodeIfPresent(Kind.self, forKey: .fault)
        times = try container.decodeIfPresent(Int.self, forKey: .times) ?? 1
        delayMilliseconds = try container.decodeIfPresent(Int.self, forKey: .delayMilliseconds) ?? 200
        seed = try container.decodeIfPresent(UInt64.self, forKey: .seed)
        guard (fault == nil) != (seed == nil), (1...1_000_000).contains(times), (0...60_000).contains(delayMilliseconds) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "a fault names a fault or a seed, 1 to 1000000 times, and waits for 60000 milliseconds at most"))
        }
    }

    /// What befalls the message with this number; the same seed gives the same. About half of all messages pass.
    static func drawn(seed: UInt64, operation: String, number: Int) -> PartyFault? {
        var draw = FaultDraw(seed: seed, for: "\(operation) \(number)")
        guard let fault: Kind = draw.fault() else { return nil }
        return PartyFault(fault, delayMilliseconds: draw.next(below: 400))
    }
}
