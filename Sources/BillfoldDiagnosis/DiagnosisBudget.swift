import BillfoldConcurrency

/// What a diagnosis may spend on what strangers hand over. Whoever examines asks before dear work, and between one artifact and the next.
public final class DiagnosisBudget: Sendable {
    /// That of the diagnosis which is being made: searches deep inside the protocols ask it, and end.
    @TaskLocal public static var current = DiagnosisBudget.unlimited

    /// How many rounds of hashing passwords all files together may take.
    public let mostRounds: Int
    private let spent = Locked(0)
    private let ended: @Sendable () -> Bool

    /// - Parameters:
    ///   - rounds: Of hashing passwords, over all files and all passwords that are tried.
    ///   - isOver: Whether nobody waits for the diagnosis any more.
    public init(rounds: Int, isOver: @escaping @Sendable () -> Bool = { false }) {
        mostRounds = max(0, rounds)
        ended = isOver
    }

    /// For those who examine their own files.
    public static var unlimited: DiagnosisBudget { DiagnosisBudget(rounds: .max) }

    /// Whether nobody waits any more: what has been found so far is shown to nobody.
    public var isOver: Bool { ended() }

    public var roundsLeft: Int { spent.withLock { mostRounds - $0 } }

    /// Takes off what was done.
    public func spend(rounds: Int) { spent.withLock { $0 += min(max(0, rounds), mostRounds - $0) } }
}
