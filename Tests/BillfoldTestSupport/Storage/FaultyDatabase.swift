public import BillfoldStorage
import Synchronization

/// A store that fails as stores do, by the roll of seeded dice at every write: with a serialisation failure before the
/// commit, or with a commit whose answer is lost.
public final class FaultyDatabase: InspectableDatabase {
    public struct Faults: Sendable {
        /// Chance, in thousandths, that a run of a body ends in a serialisation failure before its commit.
        public var serializationFailures: Int
        /// Chance, in thousandths, that the answer to a commit is lost.
        public var lostReplies: Int

        public init(serializationFailures: Int = 0, lostReplies: Int = 0) {
            self.serializationFailures = serializationFailures
            self.lostReplies = lostReplies
        }
    }

    /// What was done so far, so that a test can demand that something was.
    public struct Counts: Sendable {
        public var serializationFailures = 0
        public var lostReplies = 0
    }

    private let base: any InspectableDatabase
    private let faults: Faults
    private let state: Mutex<(generator: SeededStoreGenerator, counts: Counts)>

    public init(_ base: any InspectableDatabase, seed: UInt64, faults: Faults) {
        self.base = base
        self.faults = faults
        state = Mutex((SeededStoreGenerator(seed: seed), Counts()))
    }

    public var counts: Counts { state.withLock { $0.counts } }
    // `lookup` is a read here, with a read's faults.
    public var isShared: Bool { base.isShared }
    public var engine: String { base.engine }
    public var durabilitySettings: [String: String] { base.durabilitySettings }

    public func write<Result: Sendable>(
        resolve: (@Sendable (any Transaction) throws -> Result?)?,
        _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        while true {
            let value = try await base.write(resolve: resolve) { [self] transaction in
                let value = try body(transaction)
                if rolls(faults.serializationFailures, { $0.serializationFailures += 1 }) {
                    throw StorageError(code: .serializationFailure, reason: "an injected serialisation failure")
                }
                return value
            }
            guard rolls(faults.lostReplies, { $0.lostReplies += 1 }) else { return value }
            guard let resolve else { throw StorageError(code: .commitUnknown, reason: "an injected loss of the commit's answer") }
            if let found = try await base.read(.strong, { try resolve($0) }) { return found }
        }
    }

    public func read<Result: Sendable>(
        _ consistency: ReadConsistency, _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        try await base.read(consistency, body)
    }

    public var illness: StorageError? { base.illness }
    public func probe() async throws { try await base.probe() }
    public func tableNames() async throws -> [String] { try await base.tableNames() }
    public func integrityProblems() async throws -> [String] { try await base.integrityProblems() }
    public func close() async throws { try await base.close() }

    private func rolls(_ thousandths: Int, _ count: (inout Counts) -> Void) -> Bool {
        state.withLock { state in
            guard thousandths > 0, Int.random(in: 0..<1_000, using: &state.generator) < thousandths else { return false }
            count(&state.counts)
            return true
        }
    }
}
