import AlipayPlusServer
import BillfoldDiagnosis
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldStorageSQLite
import BillfoldTrace
import Crypto
import Foundation
import Hummingbird
import Logging
import PaymentCrypto
import PaymentCryptoOpenSSL
import ServiceLifecycle

/// The process that is measured: the acquiring gateway composed as `billfold serve` composes it, and the primitives of its bound, one
/// command a line on standard input.
///
/// `verify N`, `sign N`, `sign-swift N`, `write N`: runs the job N times and writes the seconds it took. `prepare-bare N`: makes
/// ready what N requests to the bare route write.
struct AcquiringGatewayProcess {
    /// Writes in one commit of the bound: as many as requests are under way at once.
    static let group = 128

    let folder: URL

    func run() async throws {
        let setup = try JSONDecoder().decode(SheetPaymentSetup.self, from: Data(contentsOf: folder.appending(path: "setup.json")))
        let file = folder.appending(path: "gateway.sqlite")
        let database = RecordingDatabase(
            try SQLiteDatabase(SQLiteConfiguration(path: file.path), logger: .silent), keeping: RenamedPayment.insertion)
        let signatures = try OrderSignatures()
        let writer = BareWriter()
        let serving = Task {
            do {
                try await serve(
                    setup, database,
                    bare: {
                        try signatures.verify()
                        try await writer.write()
                        try signatures.sign()
                    })
            } catch is CancellationError {} catch {
                // Whoever waits for an answer sees the output end.
                FileHandle.standardError.write(Data("the server ended: \(error)\n".utf8))
                exit(1)
            }
        }
        var raw: RenamedPayment?
        for await (job, count) in Commands.lines() {
            let elapsed: Double
            switch job {
            case "verify": elapsed = try signatures.verify(count)
            case "sign": elapsed = try signatures.sign(count)
            case "sign-swift": elapsed = try signatures.signBySwiftCrypto(count)
            case "write":
                let write = if let raw { raw } else { try await RenamedPayment(database, folder: folder) }
                raw = write
                elapsed = try write.run(count)
            case "prepare-bare":
                let write = if let raw { raw } else { try await RenamedPayment(database, folder: folder) }
                raw = write
                writer.prepare(try write.raw.ready(write.writes(count)), in: write.raw)
                elapsed = 0
            default: continue
            }
            Commands.say("\(elapsed)")
        }
        serving.cancel()
        _ = await serving.result
        try await database.close()
    }

    private func serve(_ setup: SheetPaymentSetup, _ database: RecordingDatabase, bare: @escaping BareRoute.Step) async throws {
        let clock = SystemClock()
        LoggingSystem.bootstrap { label in StructuredLogHandler(label: label, format: .text, clock: clock) }
        let start = ContinuousClock.now
        let surroundings = ServerSurroundings(
            logger: Logger(label: "billfold"), clock: clock, uptime: { ContinuousClock.now - start },
            errors: ErrorMapping().withAlipayPlus())
        try await MigrationRunner(AlipayPlusServer.migrations, clock: clock, logger: surroundings.logger).run(on: database)
        let addresses = try AddressPolicy(mode: .test)
        let sender = AsyncHTTPSender(policy: addresses)
        let (buffer, store) = (TraceBuffer(), TraceStore())
        let server = try AlipayPlusServer(
            configuration: try configuration(), database: database, http: sender, addresses: addresses, trace: buffer,
            identifiers: .system, surroundings: surroundings)
        for acquirer in try setup.acquirerRegistrations() { _ = try await server.onboarding.registerAcquirer(acquirer) }
        for wallet in try setup.walletRegistrations() { _ = try await server.onboarding.registerWallet(wallet) }
        try await server.quotes.publish(
            [.sgd: "1.3475", .hkd: "7.7812", .php: "58.71", .krw: "1385.5", .myr: "4.215"], at: Timestamp(microseconds: 0))
        // All requests come from one address, and their connections wait for the next block: no limit ends anything.
        let limits = ServerLimits(
            idleTimeout: .seconds(3_600), rate: RateLimit(perSecond: 1_000_000, burst: 1_000_000), headerTimeout: .seconds(3_600),
            maximumConnectionsPerCaller: 4_096)
        let listener = ListenerConfiguration(name: "public", address: ListenAddress(port: 0), limits: limits)
        let router = surroundings.router(for: listener)
        server.addRoutes(to: router)
        EmptyRoute.add(to: router)
        BareRoute.add(to: router, steps: [bare])
        try await ServerGroup(
            listeners: [Listener(listener, router: router, logger: surroundings.logger)],
            workers: [TraceForwardingService(TraceForwarder(buffer: buffer, into: store))] + server.workers,
            surroundings: surroundings, handlesSignals: false, onListening: { _, port in Commands.say("\(port)") }
        ).run()
        try await sender.shutdown()
    }

    private func configuration() throws -> AlipayPlusServerConfiguration {
        let keys = AlipayPlusGatewayKeys(
            audit: SymmetricKey(size: .bits256), hashing: SymmetricKey(size: .bits256),
            sealer: EnvelopeSealer(ring: KeyRing(active: "sealing-1", try SealingKey(bytes: SymmetricKey(size: .bits256).bytes))),
            acquirerSide: try RSAPrivateKey(bits: 2048).fasterSigner, walletSide: try RSAPrivateKey(bits: 2048).fasterSigner)
        var configuration = AlipayPlusServerConfiguration(mode: .test, keys: keys, origin: "http://127.0.0.1")
        configuration.callRate = RateLimit(perSecond: 1_000_000, burst: 1_000_000)
        return configuration
    }
}

/// The recorded write of a payment again and again through the SQLite C API, each under names of its own, in a copy of the store.
private final class RenamedPayment {
    /// Tells the write from others.
    static let insertion = "INSERT INTO alipay_plus_payments"

    let raw: RawSQLite
    private let statements: [Statement]
    /// What the recorded payment was called, each name as long as what replaces it: its id, the acquirer's request id, our reference.
    private let id: TimeOrderedID
    private let names: [String]
    private var next: UInt64 = 0

    init(_ database: RecordingDatabase, folder: URL) async throws {
        let copy = folder.appending(path: "bound.sqlite")
        try await database.inner.backup(to: copy.path)
        statements = database.recorded
        guard let payment = statements.first(where: { $0.sql.contains(Self.insertion) })?.bindings,
            case .blob(let id) = payment[1], case .text(let request) = payment[2], case .text(let reference) = payment[3]
        else { throw MeasuredProcess.Failure(reason: "no payment was stored yet") }
        self.id = try TimeOrderedID(bytes: id)
        names = [request, reference]
        raw = try RawSQLite(path: copy.path, cacheKibibytes: SQLiteConfiguration(path: copy.path).cacheKibibytes)
    }

    func writes(_ count: Int) throws -> [[Statement]] {
        try (0..<count).map { _ in
            next += 1
            return try renamed()
        }
    }

    func run(_ count: Int) throws -> Double {
        let writes = try raw.ready(writes(count))
        return try seconds { try raw.run(writes[...], group: AcquiringGatewayProcess.group) }
    }

    /// Ids follow each other, as those of new payments do.
    private func renamed() throws -> [Statement] {
        var bytes = id.bytes
        withUnsafeBytes(of: (next & 0xFFFF_FFFF).bigEndian) { bytes.replaceSubrange(12..<16, with: $0.suffix(4)) }
        let new = try TimeOrderedID(bytes: bytes)
        let digits = String(next)
        let texts =
            names.map { name in (name, "\(name.dropLast(10))\(String(repeating: "0", count: 10 - digits.count))\(digits)") }
            + [(id.description, new.description)]
        return statements.map { statement in
            Statement(
                statement.sql,
                statement.bindings.map { value in
                    switch value {
                    case .blob(id.bytes): .blob(new.bytes)
                    case .text(let text): .text(texts.reduce(text) { $0.replacing($1.0, with: $1.1) })
                    case .null, .integer, .blob: value
                    }
                })
        }
    }
}
