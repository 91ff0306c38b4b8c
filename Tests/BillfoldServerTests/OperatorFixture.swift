import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import BillfoldWeb
import Foundation
import Logging
import Synchronization

/// Randomness that repeats, so that a failure does.
func countingRandomness() -> RandomBytes {
    let state = Mutex<UInt64>(0x9e37_79b9_7f4a_7c15)
    return RandomBytes { count in
        state.withLock { state in
            (0..<count).map { _ in
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return UInt8(truncatingIfNeeded: state >> 24)
            }
        }
    }
}

/// Keeps what was audited, as the rows of a table, so that a write rolled back leaves nothing here either.
struct TableAudit: OperatorAudit {
    static let migration = Migration(
        "testaudit-0001-actions",
        [
            """
            CREATE TABLE test_audit (
                place BIGINT NOT NULL PRIMARY KEY, actor TEXT NOT NULL, action TEXT NOT NULL, object TEXT NOT NULL, result TEXT NOT NULL)
            """
        ])

    func append(_ action: OperatorAction, in transaction: any Transaction) throws {
        let place = try transaction.query("SELECT COUNT(*) FROM test_audit").first?.integer(0) ?? 0
        try transaction.execute(
            "INSERT INTO test_audit (place, actor, action, object, result) VALUES (?, ?, ?, ?, ?)",
            [.integer(place), .text(action.actor), .text(action.action), .text(action.object), .text(action.result)])
    }

    static func lines(in database: any Database) async throws -> [String] {
        try await database.read { tx in
            try tx.query("SELECT actor, action, result FROM test_audit ORDER BY place").map {
                "\(try $0.text(0)) \(try $0.text(1)) \(try $0.text(2))"
            }
        }
    }
}

/// A database with operators in it, and the clocks that they live by.
struct OperatorFixture: Sendable {
    static let password = "correct horse battery"
    static let cost = PasswordHash.Cost(logRounds: 5)

    let database: any Database
    let clock: StandingClock
    let uptime: StandingUptime
    let directory: OperatorDirectory

    static func with(_ engine: StoreEngine, body: @Sendable (OperatorFixture) async throws -> Void) async throws {
        try await engine.withDatabase { database in
            let clock = StandingClock()
            let uptime = StandingUptime()
            let runner = MigrationRunner(
                OperatorRecords.migrations + [TableAudit.migration], clock: clock,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            try await runner.run(on: database)
            let directory = try OperatorDirectory(
                database: database, clock: clock, uptime: { uptime.now }, random: countingRandomness(), audit: TableAudit(), cost: cost)
            for (name, roles) in [
                ("ann", [.viewer, .operator, .approver]), ("bob", [.viewer, .approver]), ("eve", [.viewer]),
            ] as [(String, Set<OperatorRole>)] {
                try await directory.add(name, password: Secret(password), roles: roles, by: "setup")
            }
            try await body(OperatorFixture(database: database, clock: clock, uptime: uptime, directory: directory))
        }
    }

    func queue(
        mode: ServerMode = .production, policy: ApprovalPolicy = .twoPersons,
        actions: [String: ApprovalAction.Run] = ["refund": { _ in "done" }]
    ) throws -> ApprovalQueue {
        // Any members, an amount with its currency among them.
        let actions = actions.mapValues { run in
            ApprovalAction(
                read: { subject, bytes in
                    var object = JSONObject()
                    let reader = try ApprovalReader(bytes, allowing: ["remark", "amount"])
                    var lines: [ApprovalAction.Line] = [.init("Refund of", subject)]
                    if reader.object["amount"] != nil {
                        object["amount"] = JSONValue(try reader.amount())
                        lines.append(.init("Amount", "\(try reader.amount())"))
                    }
                    if reader.object["remark"] != nil { object["remark"] = .string(try reader.reason("remark")) }
                    return ApprovalAction.Wish(detail: object, lines: lines)
                }, run: run)
        }
        return try ApprovalQueue(
            database: database, clock: clock, random: countingRandomness(), audit: TableAudit(), mode: mode, policy: policy,
            actions: actions,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
}

extension OperatorIdentity {
    static let ann = OperatorIdentity(name: "ann", roles: [.viewer, .operator, .approver], isSignedIn: true)
    static let bob = OperatorIdentity(name: "bob", roles: [.viewer, .approver], isSignedIn: true)
    static let eve = OperatorIdentity(name: "eve", roles: [.viewer], isSignedIn: true)
}

/// Pages that say what they were given.
struct PlainPages: ConsolePages {
    func home(_ stories: [TraceStory], for reader: ConsoleReader) -> String { "home \(reader.mode.rawValue) \(stories.map(\.id))" }
    func stories(_ stories: [TraceStory], for reader: ConsoleReader) -> String { "stories \(stories.map(\.id))" }
    func story(_ contents: StoryContents, for reader: ConsoleReader) -> String {
        let order = contents.order.map { " order \($0.id) \($0.state)" } ?? ""
        let plan = contents.faultPlan.map { " plan \($0.scope.name) \($0.chosen.sorted())" } ?? ""
        return "story \(contents.story?.entries.map(\.id) ?? [])\(order)\(plan) \(contents.eventsPath)"
    }
    func journey(_ name: String, stories: [TraceStory], faultPlan: FaultPlanForm?, for reader: ConsoleReader) -> String? {
        name == "known" ? "journey" + (faultPlan.map { " plan \($0.scope.name) \($0.chosen.sorted())" } ?? "") : nil
    }
    func signIn(next: String) -> String { "sign in" }
    func approvals(_ requests: [ApprovalRequest], policy: ApprovalPolicy, for reader: ConsoleReader) -> String {
        "approvals \(requests.count) \(policy)"
    }
    func alarms(_ list: AlarmList, ofPayments: Bool, for reader: ConsoleReader) -> String {
        "alarms \(list.deadLetters.map(\.id)) \(reader.offersRequests)"
    }
    func audit(_ contents: AuditContents, for reader: ConsoleReader) -> String {
        func word(_ trail: AuditTrail) -> String {
            if case .broken(let sequence) = trail.verdict { "broken \(sequence)" } else { "intact" }
        }
        let chains = contents.page.chains.map { "\($0.name) \($0.trail.rows.count) \(word($0.trail))" }
        return "audit \(contents.owners) \(contents.owner) \(contents.chain) \(contents.trail.rows.map(\.action)) "
            + "\(word(contents.trail)) \(chains) \(contents.page.next ?? "end")"
    }
    func doctor(_ diagnosis: Diagnosis?, for reader: ConsoleReader) -> String {
        "doctor " + (diagnosis.map { "\($0.identified.map(\.summary))" } ?? "form")
    }
    func problem(_ refusal: Refusal, for reader: ConsoleReader) -> String { "problem \(refusal.code)" }
}
