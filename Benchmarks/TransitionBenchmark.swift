import BillfoldPayments
import BillfoldStorage
import BillfoldStorageSQLite
import Crypto
import Foundation
import Logging

/// Durable payment transitions on SQLite, grouped and synced, against the same statements through the SQLite C API.
struct TransitionBenchmark {
    static let floor = 0.65
    static let group = 100

    var folder: URL
    var blocks = 9
    var perBlock = 4_000
    /// Requests in flight at once, so that groups fill as they do under load.
    var inFlight = 400

    func run() async throws -> Comparison {
        let count = perBlock * blocks + perBlock / 10
        let filled = folder.appending(path: "filled.sqlite")
        let job = folder.appending(path: "job.sqlite")
        let recording = folder.appending(path: "recording.sqlite")
        let raw = folder.appending(path: "raw.sqlite")
        let transition = Self.transition(of: try MerchantID("bench"))
        let now = SystemClock().now()

        // One store is filled and backed up three times, so that the job, the recording and the bound start from the same pages.
        let prepared = try await Self.open(filled) { database in
            try await MigrationRunner(PaymentsSchema.migrations, clock: SystemClock(), logger: .silent).run(on: database)
            let ids = try await transition.prepare(count, at: now, in: database)
            for copy in [job, recording, raw] { try await database.backup(to: copy.path) }
            return ids
        }

        let statements = try await Self.open(recording) { database in
            try await Self.recorded(prepared, of: transition, at: now, in: database)
        }

        let bound = try RawSQLite(path: raw.path, cacheKibibytes: SQLiteConfiguration(path: raw.path).cacheKibibytes)
        let ready = try bound.ready(statements)
        return try await Self.open(job) { database in
            var jobNext = 0
            var boundNext = 0
            let perTransition = statements[0].count
            return try await Comparison.run(
                "durable payment transition on SQLite",
                bound: "the same \(perTransition) statements through the SQLite C API, groups of \(Self.group), every commit synced",
                floor: Self.floor, blocks: blocks, perBlock: perBlock,
                job: { wanted in
                    try await Self.settle(prepared[jobNext..<jobNext + wanted], with: transition, at: now, inFlight: inFlight, in: database)
                    jobNext += wanted
                },
                bound: { wanted in
                    try bound.run(ready[boundNext..<boundNext + wanted], group: Self.group)
                    boundNext += wanted
                })
        }
    }

    /// The job: settles payments, so many requests at a time.
    static func settle(
        _ ids: ArraySlice<TimeOrderedID>, with transition: DurableTransition, at now: Timestamp, inFlight: Int, in database: any Database
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            var remaining = ids.makeIterator()
            func add() -> Bool {
                guard let id = remaining.next() else { return false }
                tasks.addTask { try await database.write { tx in try transition.settle(id, at: now, in: tx) } }
                return true
            }
            for _ in 0..<inFlight where !add() { break }
            while try await tasks.next() != nil { _ = add() }
        }
    }

    /// The statements that settling prepared payments consists of, by settling them.
    static func recorded(
        _ ids: [TimeOrderedID], of transition: DurableTransition, at now: Timestamp, in database: SQLiteDatabase
    ) async throws -> [[Statement]] {
        var all: [[Statement]] = []
        for start in stride(from: 0, to: ids.count, by: group) {
            let slice = ids[start..<min(start + group, ids.count)]
            all += try await database.write { tx in
                try slice.map { id in
                    let recorder = RecordingTransaction(tx)
                    try transition.settle(id, at: now, in: recorder)
                    return recorder.statements
                }
            }
        }
        return all
    }

    static func transition(of merchant: MerchantID) -> DurableTransition {
        DurableTransition(
            store: PaymentStore(books: PaymentBooks(acquirer: "unionpay"), auditKey: SymmetricKey(size: .bits256)), merchant: merchant,
            identifiers: .system)
    }

    static func open<Result: Sendable>(_ file: URL, _ body: (SQLiteDatabase) async throws -> Result) async throws -> Result {
        let database = try SQLiteDatabase(SQLiteConfiguration(path: file.path), logger: .silent)
        do {
            let result = try await body(database)
            try await database.close()
            return result
        } catch {
            try await database.close()
            throw error
        }
    }
}

/// Payments that wait to be settled, for the process whose rate of transitions is a part of a payment's bound.
final class PreparedTransitions {
    let database: SQLiteDatabase
    private let transition: DurableTransition
    private let ids: [TimeOrderedID]
    private let now = SystemClock().now()
    private var next = 0

    init(folder: URL, count: Int) async throws {
        database = try SQLiteDatabase(SQLiteConfiguration(path: folder.appending(path: "transitions.sqlite").path), logger: .silent)
        transition = TransitionBenchmark.transition(of: try MerchantID("bench"))
        try await MigrationRunner(PaymentsSchema.migrations, clock: SystemClock(), logger: .silent).run(on: database)
        ids = try await transition.prepare(count, at: now, in: database)
    }

    func settle(_ count: Int) async throws {
        let wanted = ids[next..<next + count]
        next += count
        try await TransitionBenchmark.settle(wanted, with: transition, at: now, inFlight: 400, in: database)
    }
}

/// Recorded transitions through the SQLite C API, for a process whose bound has one.
final class RawTransitions {
    let raw: RawSQLite
    private let writes: [ReadyWrite]
    private var next = 0

    /// Makes a store of so many payments that wait to be settled.
    init(folder: URL, count: Int) async throws {
        let (copy, recording) = (folder.appending(path: "raw.sqlite"), folder.appending(path: "recording.sqlite"))
        let transition = TransitionBenchmark.transition(of: try MerchantID("bench"))
        let now = SystemClock().now()
        let statements = try await TransitionBenchmark.open(recording) { database in
            try await MigrationRunner(PaymentsSchema.migrations, clock: SystemClock(), logger: .silent).run(on: database)
            let ids = try await transition.prepare(count, at: now, in: database)
            try await database.backup(to: copy.path)
            return try await TransitionBenchmark.recorded(ids, of: transition, at: now, in: database)
        }
        raw = try RawSQLite(path: copy.path, cacheKibibytes: SQLiteConfiguration(path: copy.path).cacheKibibytes)
        writes = try raw.ready(statements)
    }

    /// Runs so many of them, each once, and returns the seconds it took.
    func run(_ count: Int) throws -> Double {
        let taken = take(count)
        return try seconds { try raw.run(taken[...], group: TransitionBenchmark.group) }
    }

    /// The next so many, each once.
    func take(_ count: Int) -> [ReadyWrite] {
        defer { next += count }
        return Array(writes[next..<next + count])
    }
}

extension Logger {
    static var silent: Logger { Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() } }
}
