/// Draws the same numbers for the same seed (SplitMix64): every randomised test starts from one printed seed.
///
/// Not for keys outside tests.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The seed to repeat the run with.
    public let seed: UInt64
    private var state: UInt64

    /// Starts from `seed` and prints it with `label`, so that a failing run can be repeated.
    public init(seed: UInt64, label: String = "seed") {
        self.seed = seed
        state = seed
        print("\(label): seed \(seed)")
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}
