import BillfoldSandbox
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Synchronization
import Testing

/// What a provisioning party is given in a test: a store of its own, a clock that the test moves, seeded randomness.
struct PartySetting: Sendable {
    let clock: TestClock
    let sink: TestSink
    let surroundings: PartySurroundings

    /// 2026-11-20 12:00 UTC.
    static let start = Timestamp(secondsSince1970: 1_795_176_000)

    static func with(_ body: @escaping @Sendable (PartySetting) async throws -> Void) async throws {
        try await StoreEngine.sqlite.withDatabase { database in
            try await body(make(database, label: "party"))
        }
    }

    static func make(_ database: any Database, label: String, clock: TestClock = TestClock(start), sink: TestSink = TestSink())
        async throws -> PartySetting
    {
        var logger = Logger(label: label)
        logger.logLevel = .critical
        try await MigrationRunner(PartySurroundings.migrations, clock: clock, logger: logger).run(on: database)
        let draws = Mutex(SeededGenerator(seed: 11, label: label))
        let random: @Sendable () -> UInt64 = { draws.withLock { $0.next() } }
        let reporter = PartyReporter(
            sink: sink, now: { clock.now().microseconds },
            makeName: { String(random(), radix: 16) + "x" + String(random(), radix: 16) })
        return PartySetting(
            clock: clock, sink: sink,
            surroundings: PartySurroundings(database: database, clock: clock, reporter: reporter, random: random, logger: logger))
    }
}

/// A party's answers, as a test reads them.
struct PartyClient: Sendable {
    let client: any TestClientProtocol
    var credential: String?

    func send(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws -> (status: Int, json: [String: Any]) {
        var headers: HTTPFields = [:]
        if let credential { headers[.authorization] = "Bearer \(credential)" }
        let response = try await client.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        let json = try? JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
        return (Int(response.status.code), json as? [String: Any] ?? [:])
    }

    /// The stable code of a refusal.
    func refusal(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws -> String {
        let error = try await send(method, path, body).json["error"] as? [String: Any]
        return error?["code"] as? String ?? "none"
    }
}
