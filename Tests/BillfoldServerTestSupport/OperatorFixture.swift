import BillfoldDiagnosis
import BillfoldJSON
package import BillfoldServer
package import BillfoldStorage
package import BillfoldTestSupport
import Logging
import Synchronization

/// Randomness that repeats, so that a failure does.
package func countingRandomness() -> RandomBytes {
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
package struct TableAudit: OperatorAudit {
    package static let migration = Migration(
        "testaudit-0001-actions",
        [
            """
            CREATE TABLE test_audit (
                place BIGINT NOT NULL PRIMARY KEY, actor TEXT NOT NULL, action TEXT NOT NULL, object TEXT NOT NULL, result TEXT NOT NULL)
            """
        ])

    package init() {}

    package func append(_ action: OperatorAction, in transaction: any Transaction) throws {
        let place = try transaction.query("SELECT COUNT(*) FROM test_audit").first?.integer(0) ?? 0
        try transaction.execute(
            "INSERT INTO test_audit (place, actor, action, object, result) VALUES (?, ?, ?, ?, ?)",
            [.integer(place), .text(action.actor), .text(action.action), .text(action.object), .text(action.result)])
    }

    package static func lines(in database: any Database) async throws -> [String] {
        try await database.read { tx in
            try tx.query("SELECT actor, action, result FROM test_audit ORDER BY place").map {
                "\(try $0.text(0)) \(try $0.text(1)) \(try $0.text(2))"
            }
        }
    }
}

/// A database with operators in it, and the clocks that they live by.
package struct OperatorFixture: Sendable {
    package static let password = "correct horse battery"
    package static let cost = PasswordHash.Cost(logRounds: 5)

    package let database: any Database
    package let clock: StandingClock
    package let uptime: StandingUptime
    package let directory: OperatorDirectory

    package static func with(_ engine: StoreEngine, body: @Sendable (OperatorFixture) async throws -> Void) async throws {
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

    package func queue(
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
    package static let ann = OperatorIdentity(name: "ann", roles: [.viewer, .operator, .approver], isSignedIn: true)
    package static let bob = OperatorIdentity(name: "bob", roles: [.viewer, .approver], isSignedIn: true)
    package static let eve = OperatorIdentity(name: "eve", roles: [.viewer], isSignedIn: true)
}
