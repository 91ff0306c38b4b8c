import Synchronization

/// Bytes that a test draws: the same in each run, and no two draws alike.
public final class DrawnBytes: Sendable {
    private let generator: Mutex<SeededGenerator>

    public init(seed: UInt64 = 11, label: String = "drawn bytes") { generator = Mutex(SeededGenerator(seed: seed, label: label)) }

    public func next(_ count: Int) -> [UInt8] {
        generator.withLock { generator in (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) } }
    }
}
