/// A decimal number as amounts are written: digits, or digits on both sides of one point. No sign, no exponent, no blank.
///
/// Exact at any length, and of no currency: for what has to be compared before anything else about it is known.
package struct PlainDecimal: Hashable, Comparable {
    /// Without zeros in front.
    private let whole: [UInt8]
    /// Without zeros at the end.
    private let fraction: [UInt8]

    package init?(_ text: String) {
        let parts = Array(text.utf8).split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard text.utf8.count <= 64, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
        whole = Array(parts[0].drop { $0 == 0x30 })
        fraction = parts.count == 1 ? [] : Array(parts[1].reversed().drop { $0 == 0x30 }.reversed())
    }

    package var isZero: Bool { whole.isEmpty && fraction.isEmpty }

    package static func < (left: Self, right: Self) -> Bool {
        if left.whole.count != right.whole.count { return left.whole.count < right.whole.count }
        if left.whole != right.whole { return left.whole.lexicographicallyPrecedes(right.whole) }
        return left.fraction.lexicographicallyPrecedes(right.fraction)
    }
}
