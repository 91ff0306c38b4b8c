import BillfoldConcurrency
import Synchronization

/// What must work before a server takes requests: the database answers, keys are loaded, a counterparty's certificate is current.
public struct ReadinessCheck: Sendable {
    package var name: String
    package var check: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - name: Shown in the answer of `/readyz`, with a number behind it where the name is taken: `database`, `database 2`.
    ///   - check: Throws when the thing does not work. Nobody is shown the error's text.
    public init(_ name: String, check: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.check = check
    }
}

/// Runs the checks behind `/readyz`, each with a time limit, and knows when the server is stopping.
public final class Readiness: Sendable {
    private let probes: Mutex<[Probe]>
    private let limit: Duration
    private let isStopping = Atomic<Bool>(false)

    public init(checks: [ReadinessCheck] = [], limit: Duration = .seconds(2)) {
        probes = Mutex(checks.reduce(into: []) { $0.add($1) })
        self.limit = limit
    }

    /// Adds what a part of the process needs; it is checked from the next question on.
    public func add(_ check: ReadinessCheck) { probes.withLock { $0.add(check) } }

    /// From now on the server says that it is not ready, so that whoever balances load sends no more.
    package func stop() { isStopping.store(true, ordering: .releasing) }

    /// Each check's name with whether it passed, plus `serving`.
    package func states() async -> [String: Bool] {
        var states = ["serving": !isStopping.load(ordering: .acquiring)]
        let limit = limit
        await withTaskGroup(of: (String, Bool).self) { group in
            for probe in probes.withLock({ $0 }) {
                group.addTask { (probe.check.name, await probe.passes(within: limit)) }
            }
            for await (name, passed) in group { states[name] = passed }
        }
        return states
    }
}

extension [Probe] {
    /// What the answer of `/readyz` says besides the checks.
    private static let reserved: Set = ["serving", "status"]

    /// Each check keeps a name of its own: one that fails must not stand behind another that passes.
    fileprivate mutating func add(_ check: ReadinessCheck) {
        let taken = Self.reserved.union(map(\.check.name))
        var check = check
        let name = check.name
        var number = 1
        while taken.contains(check.name) {
            number += 1
            check.name = "\(name) \(number)"
        }
        append(Probe(check))
    }
}

/// One check, of which one run at most is under way: whoever asks meanwhile waits for the same answer.
private final class Probe: Sendable {
    let check: ReadinessCheck
    private let running = Mutex<Task<Bool, Never>?>(nil)

    init(_ check: ReadinessCheck) { self.check = check }

    /// A check that heeds no cancellation, such as a call into a library that waits for a silent server, goes on alone and holds up nobody.
    func passes(within limit: Duration) async -> Bool {
        let run = run()
        return (try? await firstAnswer(within: limit) { await run.value }) ?? false
    }

    private func run() -> Task<Bool, Never> {
        running.withLock { running in
            if let running { return running }
            let run = Task {
                let passed = (try? await check.check()) != nil
                self.running.withLock { $0 = nil }
                return passed
            }
            running = run
            return run
        }
    }
}
