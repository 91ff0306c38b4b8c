/// Where secrets come from: the system's generator in production, a seeded one in tests.
public struct RandomBytes: Sendable {
    private let source: @Sendable (Int) -> [UInt8]

    /// - Parameter source: Returns that many bytes nobody can predict.
    public init(_ source: @escaping @Sendable (Int) -> [UInt8]) { self.source = source }

    public func bytes(_ count: Int) -> [UInt8] { source(count) }

    /// Text that is safe in a cookie and in a URL, with 256 bits of randomness.
    public func token() -> String { Hexadecimal.text(bytes(32)) }
}

enum Hexadecimal {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    static func bytes(_ text: String) -> [UInt8]? {
        let nibbles = text.utf8.map { byte -> UInt8? in
            switch byte {
            case 0x30...0x39: byte - 0x30
            case 0x61...0x66: byte - 0x61 + 10
            default: nil
            }
        }
        guard nibbles.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: nibbles.count, by: 2) {
            guard let high = nibbles[index], let low = nibbles[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

enum FixedTime {
    /// Compares in a time that depends on the lengths alone.
    static func equal(_ lhs: some Collection<UInt8>, _ rhs: some Collection<UInt8>) -> Bool {
        guard lhs.count == rhs.count else { return false }
        var difference: UInt8 = 0
        for (left, right) in zip(lhs, rhs) { difference |= left ^ right }
        return difference == 0
    }
}
