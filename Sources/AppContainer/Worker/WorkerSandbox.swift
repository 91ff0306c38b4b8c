import BillfoldJSON

/// What a worker took from itself before any script ran, by its own word. The system enforces each measure from then on.
public struct WorkerSandbox: Sendable, Hashable {
    /// One of the things a worker gives up.
    public enum Measure: String, Sendable, CaseIterable {
        /// No program that it starts gains a right.
        case noNewPrivileges = "no-new-privileges"
        /// Nothing that the host had open but the worker's own three descriptors.
        case closedDescriptors = "closed-descriptors"
        /// A user that owns nothing, or a namespace of users in which it has no capability.
        case ownUser = "own-user"
        /// A network without an interface that is up.
        case ownNetwork = "own-network"
        /// No file but those that the engine reads at its start (Landlock).
        case fileRules = "file-rules"
        /// No system call that opens, connects, starts a process or reaches one (seccomp).
        case callFilter = "call-filter"
    }

    /// Why the system refused a measure, in its words.
    public var missing: [Measure: String]

    public init(missing: [Measure: String] = [:]) { self.missing = missing }

    /// Whether native code in the worker finds no file, no connection and no process even where one layer has a hole: the filter of system
    /// calls, and behind it rules for files or a user and a network of its own.
    public var isSufficient: Bool {
        [.noNewPrivileges, .closedDescriptors, .callFilter].allSatisfy { holds($0) }
            && (holds(.fileRules) || holds(.ownUser) && holds(.ownNetwork))
    }

    private func holds(_ measure: Measure) -> Bool { missing[measure] == nil }

    /// What is missing and why, in the order of the measures; empty where all hold.
    public var complaint: String {
        Measure.allCases.compactMap { measure in missing[measure].map { "\(measure.rawValue): \($0)" } }.joined(separator: ", ")
    }

    var json: JSONValue {
        .object(JSONObject(Measure.allCases.map { .init($0.rawValue, missing[$0].map(JSONValue.string) ?? .bool(true)) }))
    }

    /// A measure that is not named does not hold.
    init?(_ json: JSONValue) {
        guard let object = json.object else { return nil }
        missing = [:]
        for measure in Measure.allCases where object[measure.rawValue]?.bool != true {
            missing[measure] = AppContainerError.shown(object[measure.rawValue]?.string ?? "the worker says nothing of it")
        }
    }
}
