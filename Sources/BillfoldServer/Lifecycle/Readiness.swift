import Synchronization

/// What must work before a server takes requests: the database answers, keys are loaded, a counterparty's certificate is current.
public struct ReadinessCheck: Sendable {
    public var name: String
    /// Throws when the thing does not work. The error's text stays in the log.
    public var check: @Sendable () async throws -> Void

    public init(_ name: String, check: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.check = check
    }
}

/// Runs the checks behind `/readyz`, each with a time limit, and knows when the server is stopping.
public final class Readiness: Sendable {
    private let checks: [ReadinessCheck]
    private let limit: Duration
    private let isStopping = Atomic<Bool>(false)

    public init(checks: [ReadinessCheck] = [], limit: Duration = .seconds(2)) {
        self.checks = checks
        self.limit = limit
    }

    /// From now on the server says that it is not ready, so that whoever balances load sends no more.
    public func stop() { isStopping.store(true, ordering: .releasing) }

    /// Each check's name with whether it passed, plus `serving`.
    public func states() async -> [String: Bool] {
        var states = ["serving": !isStopping.load(ordering: .acquiring)]
        let limit = limit
        await withTaskGroup(of: (String, Bool).self) { group in
            for check in checks {
                group.addTask { (check.name, await Self.passes(check, within: limit)) }
            }
            for await (name, passed) in group { states[name] = passed }
        }
        return states
    }

    private static func passes(_ check: ReadinessCheck, within limit: Duration) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await check.check()) != nil }
            group.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
    }
}
