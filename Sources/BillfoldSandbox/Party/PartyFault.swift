/// What goes wrong with a party's next messages of one kind, on purpose.
///
/// As JSON: `{"fault":"drop"}`, with `times` (1 where it is left out) and, for a delay, `delayMilliseconds`; or `{"seed":7}`, which
/// draws a fault for each message and goes on until it is taken away. An unknown key is refused.
package struct PartyFault: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// The message never arrives: nothing is done, and there is no answer.
        case drop
        /// It waits, in real time.
        case delay
        /// It arrives twice; the second answer is what the caller sees.
        case duplicate
        /// It is done, and the answer is lost.
        case loseReply
        /// It is answered with 503 and not done.
        case refuse
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
        var state = seed ^ UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        for byte in operation.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
        state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
        state ^= state >> 31
        guard state & 1 == 0 else { return nil }
        return PartyFault(Kind.allCases[Int((state >> 1) % UInt64(Kind.allCases.count))], delayMilliseconds: Int((state >> 8) % 400))
    }
}
