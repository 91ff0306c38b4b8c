public import BillfoldStorage

/// Names that are made of what a caller has named, so that they come out the same again when every row about it is lost: a party that knows
/// a request by such a name takes its repetition for what it is.
public struct DerivedIdentifiers: Sendable {
    private struct OneWord: RandomNumberGenerator {
        let word: UInt64
        func next() -> UInt64 { word }
    }

    private let key: HashingKey

    public init(key: HashingKey) { self.key = key }

    /// An id among those that are made at an instant, which has to be known after a loss as well: its parent's.
    ///
    /// - Parameters:
    ///   - purpose: What the id is for, such as `refund`: the same parts give another id for another purpose.
    ///   - parts: What names it, for the purpose. The last part alone may hold a zero byte.
    ///   - instant: The time in the id; the same one has to be given again.
    public func id(_ purpose: String, of parts: [String], at instant: Timestamp) -> TimeOrderedID {
        var random = OneWord(word: hash(purpose, parts).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        return TimeOrderedID(at: instant, using: &random)
    }

    /// 32 lower-case hexadecimal digits, where nothing is known that tells an instant.
    public func text(_ purpose: String, of parts: [String]) -> String {
        hash(purpose, parts).prefix(16).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 0x0F, radix: 16)
        }.joined()
    }

    private func hash(_ purpose: String, _ parts: [String]) -> [UInt8] {
        KeyedHash(of: Array(parts.map { Array($0.utf8) }.joined(separator: [0])), purpose: "derived \(purpose)", key: key).bytes
    }
}
