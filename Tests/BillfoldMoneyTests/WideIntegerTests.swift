import BillfoldMoney
import Testing

/// Held to the standard library's `Int128`.
struct WideIntegerTests {
    private static func wide(_ value: Int128) -> WideInteger {
        WideInteger(high: Int64(truncatingIfNeeded: value >> 64), low: UInt64(truncatingIfNeeded: value))
    }

    /// Of every size and both signs.
    private static func number(_ random: inout Seeded) -> Int128 {
        let (high, low) = (Int128(Int64(bitPattern: random.next())), Int128(random.next()))
        return (high << 64 | low) >> Int.random(in: 0..<128, using: &random)
    }

    /// Where a word, 64 bits or 128 bits end, and the neighbours, with both signs.
    private static let edges: [Int128] = {
        let one: Int128 = 1
        let ends: [Int128] = [0, 10, 10_000_000_000_000_000_000, one << 32, one << 63, one << 64, one << 126, .max]
        let near: [Int128] = ends.flatMap { [$0 &- 1, $0, $0 &+ 1] }
        return Array(Set(near + near.map { 0 &- $0 }))
    }()

    /// The edges, and what they make with one another.
    private static let products: [Int128] = {
        var found = Set(edges)
        for a in edges {
            for b in edges {
                let (product, overflow) = a.multipliedReportingOverflow(by: b)
                if !overflow { found.insert(product) }
            }
        }
        return Array(found)
    }()

    /// The first operation on two numbers whose results differ; nil where none does.
    private static func difference(_ a: Int128, _ b: Int128) -> String? {
        let (x, y) = (wide(a), wide(b))
        func differ(_ mine: (partialValue: WideInteger, overflow: Bool), _ other: (partialValue: Int128, overflow: Bool)) -> Bool {
            mine.partialValue != wide(other.partialValue) || mine.overflow != other.overflow
        }
        let (sum, difference, product) = (
            a.addingReportingOverflow(b), a.subtractingReportingOverflow(b), a.multipliedReportingOverflow(by: b)
        )
        if differ(x.addingReportingOverflow(y), sum) { return "\(a) + \(b), reported" }
        if differ(x.subtractingReportingOverflow(y), difference) { return "\(a) - \(b), reported" }
        if differ(x.multipliedReportingOverflow(by: y), product) { return "\(a) * \(b), reported" }
        if !sum.overflow, x + y != wide(sum.partialValue) { return "\(a) + \(b)" }
        if !difference.overflow, x - y != wide(difference.partialValue) { return "\(a) - \(b)" }
        if !product.overflow, x * y != wide(product.partialValue) { return "\(a) * \(b)" }
        if (x < y) != (a < b) { return "\(a) < \(b)" }
        if (x == y) != (a == b) { return "\(a) == \(b)" }

        guard b != 0, b != -1 || a != .min else { return nil }
        let (mine, other) = (x.quotientAndRemainder(dividingBy: y), a.quotientAndRemainder(dividingBy: b))
        if mine.quotient != wide(other.quotient) || x / y != mine.quotient { return "\(a) / \(b)" }
        if mine.remainder != wide(other.remainder) || x % y != mine.remainder { return "\(a) % \(b)" }
        return nil
    }

    @Test func numbersOfEverySizeGiveWhatInt128Gives() {
        var random = Seeded(seed: 31)
        for _ in 0..<30_000 {
            let (a, b) = (Self.number(&random), Self.number(&random))
            if let found = Self.difference(a, b) { Issue.record("\(found)") }
        }
    }

    @Test func numbersOf64BitsGiveWhatInt128Gives() {
        var random = Seeded(seed: 37)
        for _ in 0..<10_000 {
            let (a, b, c) = (random.integer(), random.integer(), random.integer())
            #expect(WideInteger(a) == Self.wide(Int128(a)))
            if let found = Self.difference(Int128(a), Int128(b)) { Issue.record("\(found)") }
            if let found = Self.difference(Int128(a) * Int128(b), Int128(c)) { Issue.record("\(found)") }
        }
    }

    @Test func numbersAtTheEndsOfWordsGiveWhatInt128Gives() {
        #expect(Self.edges.contains(.min) && Self.edges.contains(Int128(Int64.min)) && Self.products.count > 100)
        for a in Self.products {
            for b in Self.edges {
                if let found = Self.difference(a, b) ?? Self.difference(b, a) { Issue.record("\(found)") }
            }
        }
    }

    @Test func oneNumberIsTheSameInEveryForm() {
        var random = Seeded(seed: 41)
        for value in Self.products + (0..<10_000).map({ _ in Self.number(&random) }) {
            let wide = Self.wide(value)
            #expect(wide.description == "\(value)")
            #expect(Int64(exactly: wide) == Int64(exactly: value))
            guard value != .min else { continue }
            #expect(-wide == Self.wide(-value))
            #expect(wide.magnitude == Self.wide(value < 0 ? -value : value))
        }
        let literals: [WideInteger] = [-1, 0, 1]
        #expect(literals == [Int128(-1), 0, 1].map(Self.wide))
    }
}
