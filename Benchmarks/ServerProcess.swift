import ApplePay
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldStorageSQLite
import BillfoldTrace
import CardPaymentsServer
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PaymentCrypto
import PaymentCryptoOpenSSL
import ServiceLifecycle
import SwiftASN1
import UnionPay
import X509

/// The process that is measured: the card-payments server composed as `billfold serve` composes it, and the jobs and
/// primitives of its bound, one command a line on standard input.
///
/// `token N`, `transition N`, `post N`, `sign N`, `sign-swift N`, `verify N`: runs the job N times and writes the seconds it took.
struct ServerProcess {
    let folder: URL

    func run() async throws {
        let setup = try JSONDecoder().decode(PaymentSetup.self, from: Data(contentsOf: folder.appending(path: "setup.json")))
        let database = try SQLiteDatabase(SQLiteConfiguration(path: folder.appending(path: "payments.sqlite").path), logger: .silent)
        let serving = Task {
            do { try await serve(setup, database) } catch is CancellationError {} catch {
                // Whoever waits for an answer sees the output end.
                FileHandle.standardError.write(Data("the server ended: \(error)\n".utf8))
                exit(1)
            }
        }
        var tokens: TokenBenchmark?
        var transitions: PreparedTransitions?
        for await (job, count) in Commands.lines() {
            let elapsed: Double
            switch job {
            case "token":
                let bench = try tokens ?? TokenBenchmark(leaves: 64)
                tokens = bench
                elapsed = try seconds { try bench.verifyAndOpen(count) }
            case "prepare":
                let made = try await PreparedTransitions(folder: folder, count: count)
                transitions = made
                elapsed = 0
            case "transition":
                guard let transitions else { continue }
                elapsed = try await seconds { try await transitions.settle(count) }
            case "post": elapsed = try await EmptyPosts.send(count, to: "http://127.0.0.1:\(setup.gatewayPort)/empty")
            case "sign-swift": elapsed = try RSAJobs(setup).sign(count, by: .swiftCrypto)
            case "sign": elapsed = try RSAJobs(setup).sign(count, by: .openSSL)
            case "verify": elapsed = try RSAJobs(setup).verify(count)
            default: continue
            }
            Commands.say("\(elapsed)")
        }
        serving.cancel()
        _ = await serving.result
        try await transitions?.database.close()
        try await database.close()
    }

    private func serve(_ setup: PaymentSetup, _ database: SQLiteDatabase) async throws {
        let clock = SystemClock()
        LoggingSystem.bootstrap { label in StructuredLogHandler(label: label, format: .text, clock: clock) }
        let start = ContinuousClock.now
        let surroundings = ServerSurroundings(
            logger: Logger(label: "billfold"), clock: clock, uptime: { ContinuousClock.now - start },
            errors: ErrorMapping().withCardPayments())
        try await MigrationRunner(CardPaymentsServer.migrations, clock: clock, logger: surroundings.logger).run(on: database)
        let sender = AsyncHTTPSender(policy: try AddressPolicy(mode: .test, privateOrigins: []))
        let (buffer, store) = (TraceBuffer(), TraceStore())
        let server = try CardPaymentsServer(
            configuration: try configuration(setup), database: database, http: sender, trace: buffer,
            identifiers: .system, surroundings: surroundings)
        try await server.service.register(
            apiKey: Secret(PaymentSetup.apiKey), merchant: BillfoldPayments.MerchantID("shop"), label: "bench")
        // All requests come from one address: the limit stays in the chain and never ends anything.
        // Nor does a connection end for being idle while the next payments are prepared.
        let limits = ServerLimits(
            idleTimeout: .seconds(3_600), rate: RateLimit(perSecond: 1_000_000, burst: 1_000_000), headerTimeout: .seconds(3_600),
            maximumConnectionsPerCaller: 4_096)
        let listener = ListenerConfiguration(name: "public", address: ListenAddress(port: 0), limits: limits)
        let router = surroundings.router(for: listener)
        server.addRoutes(to: router)
        EmptyRoute.add(to: router)
        try await ServerGroup(
            listeners: [Listener(listener, router: router, logger: surroundings.logger)],
            workers: [TraceForwardingService(TraceForwarder(buffer: buffer, into: store))] + server.workers,
            surroundings: surroundings, handlesSignals: false, onListening: { _, port in Commands.say("\(port)") }
        ).run()
        try await sender.shutdown()
    }

    private func configuration(_ setup: PaymentSetup) throws -> CardPaymentsConfiguration {
        let certificate = try MerchantCertificate(ParsedCertificate(der: Array(setup.processingCertificate)))
        let key = try P256PrivateKey(der: Array(setup.processingKey))
        let merchant = MerchantProfile(
            id: try BillfoldPayments.MerchantID("shop"), applePayIdentifier: PaymentSetup.applePayIdentifier,
            processingKeys: try .processing([ProcessingKey(.p256(key), certificate: certificate)]),
            acquirerID: try UnionPay.MerchantID(PaymentSetup.acquirerID), signer: try RSAJobs(setup).signer(),
            verifier: UnionPayVerifier(trust: UnionPayTrust(anchors: [try Certificate(derEncoded: Array(setup.gateway.root))])))
        let gateway = "http://127.0.0.1:\(setup.gatewayPort)"
        return CardPaymentsConfiguration(
            mode: .test, merchants: [merchant],
            tokenTrust: .testAnchors([try ParsedCertificate(der: Array(setup.root))]),
            endpoints: .init(
                transaction: "\(gateway)/gateway/api/backTransReq.do", query: "\(gateway)/gateway/api/queryTrans.do",
                file: "\(gateway)/file/", notification: "http://127.0.0.1/unionpay/notify"),
            keys: .init(
                audit: SymmetricKey(size: .bits256), hashing: SymmetricKey(size: .bits256),
                sealer: EnvelopeSealer(ring: KeyRing(active: "sealing-1", try SealingKey(bytes: SymmetricKey(size: .bits256).bytes)))))
    }
}

extension SymmetricKey {
    var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}

/// The RSA work of a payment: the deduct's signature, and the check of what the acquirer signed.
struct RSAJobs {
    private let keys: [RSALibrary: any MessageSigner]
    private let key: any MessageSigner
    private let verification: Certificate.PublicKey
    private let certificate: Certificate
    private let message = Array(String(repeating: "0123456789abcdef", count: 4).utf8)

    init(_ setup: PaymentSetup) throws {
        certificate = try Certificate(derEncoded: Array(setup.merchantCertificate))
        verification = certificate.publicKey
        let own = try RSAPrivateKey(der: Array(setup.merchantKey))
        keys = try Dictionary(uniqueKeysWithValues: RSALibrary.allCases.map { ($0, try $0.signer(own)) })
        key = try own.fasterSigner
    }

    func signer() throws -> UnionPaySigner { try UnionPaySigner(key: key, certificate: certificate) }

    func sign(_ count: Int, by library: RSALibrary) throws -> Double {
        try seconds { for _ in 0..<count { _ = try keys[library]?.signature(over: message, algorithm: .rsaPKCS1SHA256) } }
    }

    func verify(_ count: Int) throws -> Double {
        let signature = try key.signature(over: message, algorithm: .rsaPKCS1SHA256)
        return seconds {
            for _ in 0..<count {
                precondition(
                    verification.isValidSignature(signature, for: message, signatureAlgorithm: .sha256WithRSAEncryption))
            }
        }
    }
}
