/// SplitMix64: the same seed gives the same cases on every machine, so that a failing case can be run again.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// Numbers of every size: uniform draws alone would nearly all have nineteen digits.
    mutating func integer() -> Int64 {
        Int64(truncatingIfNeeded: next()) >> Int64.random(in: 0..<64, using: &self)
    }

    mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &self)] }
}
