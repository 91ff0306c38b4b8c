import Alipay
import AlipayServer
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
import NIOCore
import NIOHTTP1
import PaymentCrypto
import PaymentCryptoOpenSSL
import ServiceLifecycle

/// The process that is measured: the order gateway composed as `billfold serve` composes it, and the primitives of its bound, one
/// command a line on standard input.
///
/// `prepare N`, `transition N`, `verify N`, `sign N`, `sign-swift N`, `deliver N`: runs the job N times and writes the seconds it took. `prepare-bare N`: makes
/// ready what N requests to the bare route write.
struct OrderGatewayProcess {
    let folder: URL

    func run() async throws {
        let setup = try JSONDecoder().decode(ExpressOrderSetup.self, from: Data(contentsOf: folder.appending(path: "setup.json")))
        let database = try SQLiteDatabase(SQLiteConfiguration(path: folder.appending(path: "gateway.sqlite").path), logger: .silent)
        let signatures = try OrderSignatures()
        let writer = BareWriter()
        let delivery = "\(setup.merchantOrigin)/empty"
        let steps: [BareRoute.Step] = [
            { try signatures.verify() }, {},
            {
                try await writer.write()
                for _ in 0..<ExpressOrderBenchmark.signatures { try signatures.sign() }
                try await EmptyPosts.send(to: delivery)
            },
        ]
        let serving = Task {
            do { try await serve(setup, database, bare: steps) } catch is CancellationError {} catch {
                // Whoever waits for an answer sees the output end.
                FileHandle.standardError.write(Data("the server ended: \(error)\n".utf8))
                exit(1)
            }
        }
        var transitions: RawTransitions?
        for await (job, count) in Commands.lines() {
            let elapsed: Double
            switch job {
            case "prepare":
                transitions = try await RawTransitions(folder: folder, count: count)
                elapsed = 0
            case "transition":
                guard let transitions else { continue }
                elapsed = try transitions.run(count)
            case "verify": elapsed = try signatures.verify(count)
            case "sign": elapsed = try signatures.sign(count)
            case "sign-swift": elapsed = try signatures.signBySwiftCrypto(count)
            case "deliver": elapsed = try await EmptyPosts.send(count, to: delivery)
            case "prepare-bare":
                guard let transitions else { continue }
                writer.prepare(transitions.take(count / steps.count), in: transitions.raw)
                elapsed = 0
            default: continue
            }
            Commands.say("\(elapsed)")
        }
        serving.cancel()
        _ = await serving.result
        try await database.close()
    }

    private func serve(_ setup: ExpressOrderSetup, _ database: SQLiteDatabase, bare: [BareRoute.Step]) async throws {
        let clock = SystemClock()
        LoggingSystem.bootstrap { label in StructuredLogHandler(label: label, format: .text, clock: clock) }
        let start = ContinuousClock.now
        let surroundings = ServerSurroundings(
            logger: Logger(label: "billfold"), clock: clock, uptime: { ContinuousClock.now - start }, errors: ErrorMapping().withAlipay())
        try await MigrationRunner(AlipayServer.migrations, clock: clock, logger: surroundings.logger).run(on: database)
        let addresses = try AddressPolicy(mode: .test)
        let sender = AsyncHTTPSender(policy: addresses)
        let (buffer, store) = (TraceBuffer(), TraceStore())
        let server = try AlipayServer(
            configuration: try configuration(), database: database, http: sender, addresses: addresses, trace: buffer,
            identifiers: .system, surroundings: surroundings)
        for registration in try setup.registrations() { _ = try await server.onboarding.register(registration) }
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

    private func configuration() throws -> AlipayServerConfiguration {
        let authority = try RSAPrivateKey(bits: 2048)
        let keys = OrderGatewayKeys(
            audit: SymmetricKey(size: .bits256), hashing: SymmetricKey(size: .bits256),
            sealer: EnvelopeSealer(ring: KeyRing(active: "sealing-1", try SealingKey(bytes: SymmetricKey(size: .bits256).bytes))),
            partners: try LegacyRSAPrivateKey(bits: 2048), platform: try LegacyRSAPrivateKey(bits: 2048),
            authority: try OrderGatewayAuthority.make(
                key: authority, serialNumber: [1], from: Date().addingTimeInterval(-86_400), to: Date().addingTimeInterval(86_400)),
            signer: { algorithm, key in
                let held = try RSALibrary.faster(tryingWith: authority).signer(key)
                return algorithm == .rsa ? AlipayRSASigner.rsa(held) : AlipayRSASigner.rsa2(held)
            })
        return AlipayServerConfiguration(
            mode: .test, keys: keys,
            wallets: [
                .init(
                    id: ExpressOrderSetup.wallet, origin: "http://127.0.0.1", bearer: Secret(ExpressOrderSetup.bearer),
                    credential: Secret("gl_test_0123456789abcdef0123456789"))
            ], origin: "http://127.0.0.1")
    }
}

/// The RSA work of a payment by direct library calls: the order's signature checked, and a result or notification signed.
struct OrderSignatures {
    private let openSSL: OpenSSLLegacyRSAKey
    private let swiftCrypto: LegacyRSAPrivateKey
    /// As long as an order's or a notification's signed text.
    private let message = [UInt8](repeating: 0x37, count: 700)
    private let signature: [UInt8]
    private let faster: any LegacyRSASigner

    init() throws {
        swiftCrypto = try LegacyRSAPrivateKey(bits: 2048)
        openSSL = try OpenSSLLegacyRSAKey(swiftCrypto)
        signature = try openSSL.signature(over: message, hash: .sha256)
        faster = try RSALibrary.faster(tryingWith: RSAPrivateKey(bits: 2048)).signer(swiftCrypto)
    }

    /// Once, by the faster library.
    func sign() throws { _ = try faster.signature(over: message, hash: .sha256) }

    func verify() throws {
        guard swiftCrypto.publicKey.isValidSignature(signature, over: message, hash: .sha256) else {
            throw MeasuredProcess.Failure(reason: "a signature of our own does not verify")
        }
    }

    func sign(_ count: Int) throws -> Double {
        try seconds { for _ in 0..<count { _ = try openSSL.signature(over: message, hash: .sha256) } }
    }

    func signBySwiftCrypto(_ count: Int) throws -> Double {
        try seconds { for _ in 0..<count { _ = try swiftCrypto.signature(over: message, hash: .sha256) } }
    }

    func verify(_ count: Int) throws -> Double { try seconds { for _ in 0..<count { try verify() } } }
}
