import ApplePay
import BillfoldDiagnosis
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
import PaymentCryptoPKCS11
import ProvisioningServer
import ServiceLifecycle

/// The process that is measured: the issuer's host composed as `billfold serve` composes it, and the primitives of its bound, one
/// command a line on standard input.
///
/// `seal N`, `triple-des N`, `sign N`, `write N`: runs the job N times and writes the seconds it took. `prepare-bare N`: makes
/// ready what N requests to the bare route write.
struct PassDataProcess {
    /// Writes in one commit of the bound: as many as requests are under way at once.
    static let group = 128

    /// How the bound's statement begins.
    static let write = "INSERT INTO provisioning_pass_data"

    let folder: URL

    func run() async throws {
        let setup = try JSONDecoder().decode(PassDataSetup.self, from: Data(contentsOf: folder.appending(path: "setup.json")))
        let file = folder.appending(path: "issuer.sqlite")
        let database = RecordingDatabase(
            try SQLiteDatabase(SQLiteConfiguration(path: file.path), logger: .silent), keeping: Self.write)
        try await MigrationRunner(ProvisioningServer.migrations, clock: SystemClock(), logger: .silent).run(on: database)
        let sealing = try ProvisioningSealingBenchmark()
        let zoneKey = try OpenSSLTripleDESKey(Array(setup.zoneKey))
        let signingKey = try RSAPrivateKey(der: Array(setup.signingKey))
        let (blocks, message) = ([UInt8](repeating: 7, count: 64), [UInt8](repeating: 7, count: 64))
        let writer = BareWriter()
        let steps: [BareRoute.Step] = [
            {
                // Account and activation data.
                for _ in 0..<2 { _ = try zoneKey.encrypt(blocks) }
                try sealing.direct(1)
                try await writer.write()
            },
            {
                _ = try signingKey.signature(over: message, algorithm: .rsaPKCS1SHA256)
                try sealing.direct(1)
                try await writer.write()
            },
        ]
        let serving = Task {
            do { try await serve(setup, database, bare: steps) } catch is CancellationError {} catch {
                // Whoever waits for an answer sees the output end.
                FileHandle.standardError.write(Data("the server ended: \(error)\n".utf8))
                exit(1)
            }
        }
        var raw: RepeatedWrite?
        for await (job, count) in Commands.lines() {
            let elapsed: Double
            switch job {
            case "seal": elapsed = try seconds { try sealing.direct(count) }
            case "triple-des":
                // Account and activation data.
                elapsed = try seconds { for _ in 0..<count * 2 { _ = try zoneKey.encrypt(blocks) } }
            case "sign":
                elapsed = try seconds { for _ in 0..<count { _ = try signingKey.signature(over: message, algorithm: .rsaPKCS1SHA256) } }
            case "write":
                let write = if let raw { raw } else { try await RepeatedWrite(database, folder: folder) }
                raw = write
                elapsed = try write.run(count)
            case "prepare-bare":
                let write = if let raw { raw } else { try await RepeatedWrite(database, folder: folder) }
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

    private func serve(_ setup: PassDataSetup, _ database: RecordingDatabase, bare: [BareRoute.Step]) async throws {
        let clock = SystemClock()
        LoggingSystem.bootstrap { label in StructuredLogHandler(label: label, format: .text, clock: clock) }
        let start = ContinuousClock.now
        let surroundings = ServerSurroundings(
            logger: Logger(label: "billfold"), clock: clock, uptime: { ContinuousClock.now - start },
            errors: ErrorMapping().withProvisioning())
        let sender = AsyncHTTPSender(policy: try AddressPolicy(mode: .test, privateOrigins: []))
        let (buffer, store) = (TraceBuffer(), TraceStore())
        let server = try ProvisioningServer(
            configuration: try await configuration(setup), database: database, cardSource: BenchCards(), http: sender, trace: buffer,
            identifiers: .system, surroundings: surroundings)
        try await server.callerKeys.add(Secret(PassDataSetup.apiKey), for: .bank)
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

    private func configuration(_ setup: PassDataSetup) async throws -> ProvisioningConfiguration {
        let programmes = [
            Programme(
                id: "visa", network: .visa, numberPrefixes: ["405551"], displayName: "Visa", payload: .encryptedFPAN(prefixDigits: 6)),
            Programme(id: "mastercard", network: .mastercard, numberPrefixes: ["5204"], displayName: "Mastercard", payload: .fpan),
        ]
        var configuration = ProvisioningConfiguration(
            mode: .test, issuer: try BillfoldPayments.MerchantID("bank"), programmes: programmes,
            keys: .init(
                audit: SymmetricKey(size: .bits256), hashing: SymmetricKey(size: .bits256),
                sealer: EnvelopeSealer(ring: KeyRing(active: "sealing-1", try SealingKey(bytes: SymmetricKey(size: .bits256).bytes)))))
        configuration.trust = .test(roots: [try ParsedCertificate(der: Array(setup.root))])
        configuration.networkKeys = try await networkKeys(setup)
        configuration.sessionLifetime = .seconds(86_400)
        configuration.cardRate = RateLimit(perSecond: 1_000_000, burst: 1_000_000)
        configuration.deviceRate = RateLimit(perSecond: 1_000_000, burst: 1_000_000)
        return configuration
    }

    private func networkKeys(_ setup: PassDataSetup) async throws -> NetworkKeys {
        guard let token = setup.token else {
            var keys = NetworkKeys()
            try keys.visa.add(PassDataSetup.zoneKeySet, OpenSSLTripleDESKey(Array(setup.zoneKey)))
            try keys.mastercard.add(PassDataSetup.signingKey, LocalMessageSigner(RSAPrivateKey(der: Array(setup.signingKey))))
            return keys
        }
        setenv("SOFTHSM2_CONF", token.configuration, 1)
        var configuration = PKCS11Token.Configuration(module: token.module, label: token.label, pin: SecretPIN(Secret(token.pin)))
        configuration.isReadWrite = true
        let store = PKCS11KeyStore(token: try await PKCS11Token(configuration))
        try await store.importTripleDESKey(PassDataSetup.zoneKeySet, SecretBytes(Array(setup.zoneKey)))
        return try await NetworkKeys(visa: [PassDataSetup.zoneKeySet], mastercard: [PassDataSetup.signingKey], from: store)
    }
}

/// A customer's two cards.
private struct BenchCards: CardSource {
    func cards(of customer: String) async throws -> SourceAnswer {
        let cards = try [("visa-1", CardScheme.visa, "4055510000000004"), ("mastercard-1", .mastercard, "5204000000000003")].map {
            id, network, number in
            try SourceCard(
                id: id, customer: customer, network: network, status: .active, cardholderName: "JANE SPECIMEN",
                secrets: CardSecrets(
                    primaryAccountNumber: SecretBytes(Array(number.utf8)), expiration: "12/30",
                    contacts: [.init(identifier: "text-1", type: "TEXT_TO_CARDHOLDER_NUMBER", value: "+1 555 0100")]))
        }
        return SourceAnswer(cards: cards)
    }
}

/// A recorded write again and again through the SQLite C API, each with a nonce of its own, in a copy of the store.
private final class RepeatedWrite {
    let raw: RawSQLite
    private let statements: [Statement]
    private var next: Int64 = 0

    init(_ database: RecordingDatabase, folder: URL) async throws {
        let copy = folder.appending(path: "bound.sqlite")
        try await database.inner.backup(to: copy.path)
        // The look at the card in front of it is not part of the bound.
        statements = database.recorded.filter { !$0.sql.hasPrefix("SELECT") }
        guard statements.count == 1, statements[0].sql.contains(PassDataProcess.write) else {
            throw MeasuredProcess.Failure(reason: "pass data are stored by other statements than one, or were not yet")
        }
        raw = try RawSQLite(path: copy.path, cacheKibibytes: SQLiteConfiguration(path: copy.path).cacheKibibytes)
    }

    func writes(_ count: Int) -> [[Statement]] { (0..<count).map { _ in statements.map(renewed) } }

    func run(_ count: Int) throws -> Double {
        let writes = try raw.ready(writes(count))
        return try seconds { try raw.run(writes[...], group: PassDataProcess.group) }
    }

    /// The row's nonce and challenge, which come second and third, have to be new.
    private func renewed(_ statement: Statement) -> Statement {
        next += 1
        let name = withUnsafeBytes(of: next.bigEndian) { Array($0) }
        var bindings = statement.bindings
        bindings[1] = .blob(name)
        bindings[2] = .blob(Array(SHA256.hash(data: name)))
        return Statement(statement.sql, bindings)
    }
}
