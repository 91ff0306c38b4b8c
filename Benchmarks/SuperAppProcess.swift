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
import MiniPrograms
import PaymentCrypto
import ServiceLifecycle
import WalletServer

/// The process that is measured: the wallet as a super app, composed as `billfold serve` composes it, and the writes of its bound, one
/// command a line on standard input.
///
/// `write-agreement N`, `write-code N`: runs the job N times and writes the seconds it took. `prepare-bare N`: makes
/// ready what N requests to the bare route write.
struct SuperAppProcess {
    /// Writes in one commit of the bound: as many as requests are under way at once.
    static let group = 128

    let folder: URL

    func run() async throws {
        let setup = try JSONDecoder().decode(ConsentSetup.self, from: Data(contentsOf: folder.appending(path: "setup.json")))
        let inner = try SQLiteDatabase(SQLiteConfiguration(path: folder.appending(path: "wallet.sqlite").path), logger: .silent)
        let agreements = RecordingDatabase(inner, keeping: RenewedWrite.agreement)
        let database = RecordingDatabase(inner, keeping: RenewedWrite.code, through: agreements)
        let writer = BareWriter()
        let step: BareRoute.Step = { try await writer.write() }
        let serving = Task {
            do { try await serve(setup, database, bare: [step, step]) } catch is CancellationError {} catch {
                // Whoever waits for an answer sees the output end.
                FileHandle.standardError.write(Data("the server ended: \(error)\n".utf8))
                exit(1)
            }
        }
        var writes: (agreement: RenewedWrite, code: RenewedWrite)?
        for await (job, count) in Commands.lines() {
            guard ["write-agreement", "write-code", "prepare-bare"].contains(job) else { continue }
            if writes == nil {
                writes = (
                    agreement: try await RenewedWrite(agreements, folder.appending(path: "agreement.sqlite")),
                    code: try await RenewedWrite(database, folder.appending(path: "code.sqlite"))
                )
            }
            guard let known = writes else { continue }
            switch job {
            case "write-agreement": Commands.say("\(try known.agreement.run(count))")
            case "write-code": Commands.say("\(try known.code.run(count))")
            default:
                // Both in one store, by one writer.
                let raw = known.agreement.raw
                writer.prepare(
                    try raw.ready((0..<count).map { ($0.isMultiple(of: 2) ? known.agreement : known.code).renewed() }), in: raw)
                Commands.say("0")
            }
        }
        serving.cancel()
        _ = await serving.result
        try await inner.close()
    }

    private func serve(_ setup: ConsentSetup, _ database: RecordingDatabase, bare: [BareRoute.Step]) async throws {
        let clock = SystemClock()
        LoggingSystem.bootstrap { label in StructuredLogHandler(label: label, format: .text, clock: clock) }
        let start = ContinuousClock.now
        let surroundings = ServerSurroundings(
            logger: Logger(label: "billfold"), clock: clock, uptime: { ContinuousClock.now - start }, errors: ErrorMapping().withWallet())
        try await MigrationRunner(WalletServer.migrations, clock: clock, logger: surroundings.logger).run(on: database)
        let sender = AsyncHTTPSender(policy: try AddressPolicy(mode: .test))
        let (buffer, store) = (TraceBuffer(), TraceStore())
        let server = try WalletServer(
            configuration: try configuration(setup), database: database, http: sender, trace: buffer, identifiers: .system,
            random: RandomBytes { count in SymmetricKey(size: .init(bitCount: 8 * count)).withUnsafeBytes { Array($0) } },
            surroundings: surroundings)
        try await register(setup, server)
        // All requests come from one address, and their connections wait for the next block: no limit ends anything.
        let limits = ServerLimits(
            idleTimeout: .seconds(3_600), rate: RateLimit(perSecond: 1_000_000, burst: 1_000_000), headerTimeout: .seconds(3_600),
            maximumConnectionsPerCaller: 4_096)
        let listener = ListenerConfiguration(name: "public", address: ListenAddress(port: 0), limits: limits)
        let router = surroundings.router(for: listener)
        server.addRoutes(to: router)
        EmptyRoute.add(to: router)
        BareRoute.add(to: router, steps: bare)
        try await ServerGroup(
            listeners: [Listener(listener, router: router, logger: surroundings.logger)],
            workers: [TraceForwardingService(TraceForwarder(buffer: buffer, into: store))] + server.workers,
            surroundings: surroundings, handlesSignals: false, onListening: { _, port in Commands.say("\(port)") }
        ).run()
        try await sender.shutdown()
    }

    private func register(_ setup: ConsentSetup, _ server: WalletServer) async throws {
        guard let office = server.backOffice.miniPrograms else { throw MeasuredProcess.Failure(reason: "the wallet hosts nothing") }
        let key = try RSAPrivateKey(der: Array(setup.key)).publicKey.subjectPublicKeyInfo
        let call = CallKey(version: 1, subjectPublicKeyInfo: key)
        try await office.register(MiniProgramWorkspace(id: ConsentSetup.workspace, kind: .local, name: "Wallet"), by: "bench")
        try await office.register(
            MiniProgramAuthor(
                id: ConsentSetup.author, name: "Tea", keys: [call], packageKeys: [.init(id: "packages", subjectPublicKeyInfo: key)],
                workspaces: [ConsentSetup.workspace]), by: "bench")
        try await office.register(
            OAuthClient(id: ConsentSetup.client, name: "Tea house", keys: [call], apps: [ConsentSetup.app]), by: "bench")
        for user in 0..<setup.users {
            try await server.backOffice.openAccount(
                number: setup.number(user), name: "User \(user)", email: setup.email(user), phone: "+86139\(10_000_000 + user)",
                loginPassword: Secret(ConsentSetup.loginPassword), paymentPassword: Secret(ConsentSetup.paymentPassword), by: "bench")
        }
    }

    private func configuration(_ setup: ConsentSetup) throws -> WalletConfiguration {
        var configuration = WalletConfiguration(
            mode: .test, owner: try BillfoldPayments.MerchantID("wallet"), currency: try BillfoldMoney.Currency("CNY"),
            keys: .init(audit: SymmetricKey(size: .bits256), hashing: SymmetricKey(size: .bits256)),
            gateway: .init(
                origin: "http://127.0.0.1:9", credential: Secret("wk_bench_credential_of_24_bytes"),
                callerKey: Secret("gk_bench_caller_key_of_24_bytes")))
        let key = try RSAPrivateKey(bits: 2048)
        var side = WalletConfiguration.SuperApp(
            origin: "http://127.0.0.1", name: "ALIPAY_CN", scheme: "billfoldwallet", codeHost: "mp.billfold.example", key: key,
            packageKey: key, packageKeyID: "platform-1", packageAlgorithm: .rsaPKCS1SHA256)
        side.userRate = RateLimit(perSecond: 1_000_000, burst: 1_000_000)
        side.callRate = RateLimit(perSecond: 1_000_000, burst: 1_000_000)
        configuration.superApp = side
        // What a login costs is not measured here.
        configuration.passwordCost = .init(logRounds: 4)
        configuration.loginScale = 1_000_000
        configuration.sessionPause = .seconds(3_600)
        return configuration
    }
}

/// A recorded write again and again through the SQLite C API, each with a row of its own, in a copy of the store.
private final class RenewedWrite {
    /// Tell the writes from others.
    static let agreement = "INSERT INTO wallet_agreements"
    static let code = "INSERT INTO wallet_oauth_codes"

    let raw: RawSQLite
    private let statements: [Statement]
    /// What the recorded row is called: an agreement's user and id, a code's hash. Without a user of its own each write would find the
    /// agreements of all before it.
    private let names: [[UInt8]]
    private var next: UInt64 = 0

    init(_ database: RecordingDatabase, _ copy: URL) async throws {
        try await database.inner.backup(to: copy.path)
        statements = database.recorded
        names =
            statements.lazy.compactMap { statement -> [[UInt8]]? in
                let blobs = statement.bindings.compactMap { if case .blob(let bytes) = $0 { bytes } else { [UInt8]?.none } }
                if statement.sql.contains(Self.agreement) { return blobs }
                return statement.sql.contains(Self.code) ? Array(blobs.prefix(1)) : nil
            }.first ?? []
        guard !names.isEmpty else { throw MeasuredProcess.Failure(reason: "nothing was stored yet") }
        raw = try RawSQLite(path: copy.path, cacheKibibytes: SQLiteConfiguration(path: copy.path).cacheKibibytes)
    }

    func run(_ count: Int) throws -> Double {
        let writes = try raw.ready((0..<count).map { _ in renewed() })
        return try seconds { try raw.run(writes[...], group: SuperAppProcess.group) }
    }

    func renewed() -> [Statement] {
        next += 1
        let hash = Array(withUnsafeBytes(of: next) { SHA256.hash(data: $0) })
        return statements.map { statement in
            Statement(
                statement.sql,
                statement.bindings.map { value in
                    guard case .blob(let bytes) = value, names.contains(bytes) else { return value }
                    // The statements hold each name to its own length.
                    return .blob(zip(bytes, hash).map { $0 ^ $1 })
                })
        }
    }
}
