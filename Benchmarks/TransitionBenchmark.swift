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
        let merchant = try MerchantID("bench")
        let identifiers = IdentifierSource { UInt64.random(in: .min ... .max) }
        let transition = DurableTransition(
            store: PaymentStore(books: PaymentBooks(acquirer: "unionpay"), auditKey: SymmetricKey(size: .bits256)), merchant: merchant,
            identifiers: identifiers)
        let now = SystemClock().now()

        // One store is filled and backed up three times, so that the job, the recording and the bound start from the same pages.
        let prepared = try await open(filled) { database in
            try await MigrationRunner(PaymentsSchema.migrations, clock: SystemClock(), logger: .silent).run(on: database)
            let ids = try await transition.prepare(count, at: now, in: database)
            for copy in [job, recording, raw] { try await database.backup(to: copy.path) }
            return ids
        }

        let statements = try await open(recording) { database in
            var all: [[Statement]] = []
            for start in stride(from: 0, to: prepared.count, by: Self.group) {
                let slice = prepared[start..<min(start + Self.group, prepared.count)]
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

        let bound = try RawSQLite(path: raw.path, cacheKibibytes: SQLiteConfiguration(path: raw.path).cacheKibibytes)
        return try await open(job) { database in
            var jobNext = 0
            var boundNext = 0
            let perTransition = statements[0].count
            return try await Comparison.run(
                "durable payment transition on SQLite",
                bound: "the same \(perTransition) statements through the SQLite C API, groups of \(Self.group), every commit synced",
                floor: Self.floor, blocks: blocks, perBlock: perBlock,
                job: { wanted in
                    let ids = prepared[jobNext..<jobNext + wanted]
                    jobNext += wanted
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
                },
                bound: { wanted in
                    try bound.run(statements[boundNext..<boundNext + wanted], group: Self.group)
                    boundNext += wanted
                })
        }
    }

    private func open<Result: Sendable>(_ file: URL, _ body: (SQLiteDatabase) async throws -> Result) async throws -> Result {
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

extension Logger {
    static var silent: Logger { Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() } }
}
