/// Numbers that a seed and a name decide: the same two give the same numbers in the same order, on every machine.
///
/// The seed and the name's bytes are mixed by FNV-1a, and the numbers are drawn by SplitMix64.
struct FaultDraw {
    private var state: UInt64

    init(seed: UInt64, for name: String) {
        state = seed ^ 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below this one.
    mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// One of a party's faults; nil for about half of all names.
    mutating func fault<Fault: NamedFault>() -> Fault? where Fault.AllCases == [Fault] {
        next(below: 2) == 0 ? Fault.allCases[next(below: Fault.allCases.count)] : nil
    }
}
