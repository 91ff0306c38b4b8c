import BillfoldEvents
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Crypto
import HTTPTypes
import Logging
import Synchronization
import Testing

/// The time of day, moved by hand.
final class HandClock: WallClock {
    private let instant = Mutex(Timestamp(secondsSince1970: 1_795_204_800))
    func now() -> Timestamp { instant.withLock { $0 } }
    func advance(by duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }
}

/// A back end that remembers what it was sent, and answers by script.
final class BackEnd: HTTPSender {
    struct Call: Sendable {
        var url: String
        var headers: HTTPFields
        var body: [UInt8]
        var destination: OutgoingRequest.Destination

        func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
        var event: String { header("webhook-id") ?? "" }
    }

    typealias Script = @Sendable (Call, _ number: Int) async -> Result<Int, SendFailure>

    private let calls = Mutex<[Call]>([])
    private let script = Mutex<Script>({ _, _ in .success(200) })

    /// What it was sent, in the order in which it came.
    var received: [Call] { calls.withLock { $0 } }
    func answers(_ new: @escaping Script) { script.withLock { $0 = new } }
    func answers(_ status: Int) { answers { _, _ in .success(status) } }

    func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
        let call = Call(url: request.url, headers: request.headers, body: request.body, destination: request.destination)
        let number = calls.withLock { calls in
            calls.append(call)
            return calls.count
        }
        let answer = await script.withLock { $0 }(call, number)
        return OutgoingAnswer(status: .init(code: try answer.get()), headers: [:], body: Array("heard".utf8))
    }
}

/// A store with events, and two owners of them.
struct Fixture: Sendable {
    let database: any Database
    let clock = HandClock()
    let backEnd = BackEnd()
    let identifiers: IdentifierSource
    let part: EventPart
    let owner: MerchantID
    let other: MerchantID

    static let logger = Logger(label: "billfold.tests") { _ in SwiftLogNoOpLogHandler() }
    static let url = "https://shop.example.com/hooks"
    static let hashing = HashingKey(SymmetricKey(data: [UInt8](repeating: 2, count: 32)))

    init(
        _ database: any Database, mode: ServerMode = .test, change: (inout EventConfiguration) -> Void = { _ in }
    ) async throws {
        self.database = database
        let migrations = PaymentsSchema.migrations + EventsSchema.migrations(of: "toy", from: 2, runsWith: "toy-0001-toys")
        try await MigrationRunner(
            [Migration("toy-0001-toys", ["CREATE TABLE toys (id BIGINT NOT NULL PRIMARY KEY)"])] + migrations, clock: clock,
            logger: Self.logger
        ).run(on: database)
        let random = SharedGenerator()
        identifiers = IdentifierSource { random.next() }
        (owner, other) = (try MerchantID("shop"), try MerchantID("bakery"))
        var configuration = EventConfiguration(mode: mode, hashing: Self.hashing, prefix: "/v1")
        configuration.retries = .fixed([.seconds(10), .seconds(20)])
        change(&configuration)
        part = Self.part(configuration, database, backEnd, clock, identifiers)
    }

    private final class SharedGenerator: Sendable {
        private let generator = Mutex(SeededGenerator(seed: 7, label: "events"))
        func next() -> UInt64 { generator.withLock { $0.next() } }
    }

    private static func part(
        _ configuration: EventConfiguration, _ database: any Database, _ backEnd: BackEnd, _ clock: HandClock,
        _ identifiers: IdentifierSource
    ) -> EventPart {
        EventPart(
            configuration: configuration, database: database, http: backEnd, identifiers: identifiers, clock: clock, realClock: clock,
            logger: logger)
    }

    /// The same server once more, as another process has it on the same store.
    func again() -> EventPart {
        var configuration = EventConfiguration(mode: .test, hashing: Self.hashing, prefix: "/v1")
        configuration.retries = .fixed([.seconds(10), .seconds(20)])
        return Self.part(configuration, database, backEnd, clock, identifiers)
    }

    /// Stores an event, as a change of its object does.
    @discardableResult
    func happen(_ type: EventType = .paymentSucceeded, to object: String, of owner: MerchantID? = nil) async throws -> Event {
        let (id, now, owner) = (identifiers.next(at: clock.now()), clock.now(), owner ?? self.owner)
        return try await database.write { tx in
            try EventRecords.append(
                type, of: .init("payment", id: object), data: Array(#"{"id":"\#(object)"}"#.utf8), owner: owner, id: id, at: now, in: tx)
        }
    }

    func page(
        after place: Int64? = nil, types: Set<EventType> = [], object: String? = nil, limit: Int = 100, of owner: MerchantID? = nil
    ) async throws -> EventRecords.Page {
        let owner = owner ?? self.owner
        return try await database.read { tx in
            try EventRecords.page(of: owner, after: place, filter: .init(types: types, object: object), limit: limit, in: tx)
        }.get()
    }

    /// Gives places, and delivers until nothing more is due.
    func deliver() async throws {
        try await part.dispatcher.runOnce()
        while try await part.outboxWorker.runOnce() > 0 {}
    }

    func integers(_ sql: String) async throws -> [Int64] { try await database.read { tx in try tx.query(sql).map { try $0.integer(0) } } }

    func findings() async throws -> [String] {
        try await database.read { tx in
            let findings = StoreFindings()
            try EventCheck.run(in: tx, findings)
            try OutboxCheck.run(in: tx, findings) { try EventCheck.problem(with: $0, in: tx) }
            return findings.list.map { "\($0.code) \($0.table) \($0.key): \($0.expected) / \($0.found)" }
        }
    }
}
