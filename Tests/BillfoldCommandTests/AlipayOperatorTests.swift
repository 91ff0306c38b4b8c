import Alipay
import AlipayServer
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldStorageSQLite
import BillfoldTrace
import Foundation
import Logging
import PaymentCrypto
import Testing
import WalletServer

@testable import billfold

/// What an operator in production does for a merchant and for a wallet's customer, on the stores that the servers leave.
final class AlipayOperatorTests {
    private let data = FileManager.default.temporaryDirectory.appendingPathComponent("operator-\(UUID().uuidString)").path
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    deinit { try? FileManager.default.removeItem(atPath: data) }

    private struct Mute: HTTPSender, TraceSink {
        func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
            throw SendFailure(code: .notConnected, reason: "nobody listens", mayHaveArrived: false)
        }
        func record(_ entry: TraceEntry) {}
    }

    /// A production store of a role in the folder.
    private func store(_ file: String, _ migrations: [Migration]) async throws -> SQLiteDatabase {
        let database = try SQLiteDatabase(SQLiteConfiguration(path: data + "/" + file), logger: logger)
        try await MigrationRunner(StoreMode.migrations + migrations, clock: SystemClock(), logger: logger).run(on: database)
        try await StoreMode.production.claim(database)
        return database
    }

    private func object(_ ending: Program.Ending) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any], "\(ending)")
    }

    @Test func aMerchantIsHandedTheGatewaysKeys() async throws {
        let missing = try await Program.run(["alipay", "merchant-keys", "--data", data, "--partner", "2088000000000101", "--json"])
        #expect(missing.status == 1 && missing.output.contains("gateway-keys-missing"), "\(missing)")
        #expect(!FileManager.default.fileExists(atPath: data))

        let folder = try DataFolder(data)
        let keys = try AlipayGatewayKeys.load(folder, at: SystemClock().now())
        let database = try await store(AlipayGatewayCapability.fileName, AlipayServer.migrations)
        let start = ContinuousClock.now
        let server = try AlipayServer(
            configuration: AlipayServerConfiguration(
                mode: .production, keys: keys,
                wallets: [
                    .init(
                        id: "ALIPAY_CN", origin: "https://wallet.test", bearer: Secret("wk_0123456789abcdef01234567"),
                        credential: Secret("gk_0123456789abcdef01234567"))
                ], origin: "https://gateway.test"), database: database, http: Mute(), addresses: try AddressPolicy(mode: .production),
            trace: Mute(), identifiers: IdentifierSource { SystemRandomness.bits() },
            surroundings: ServerSurroundings(logger: logger, clock: SystemClock(), uptime: { ContinuousClock.now - start }))
        let application = try RSAPrivateKey(bits: 2048)
        let request = try CertificateRequest(subject: CertificateName([.init(type: .commonName, value: "shop")]), signer: application)
        let given = try await server.onboarding.register(
            Array(
                #"{"partner":"2088000000000101","name":"Tea","applications":[{"appID":"2021000000000101","certificateRequest":"\#(StrictBase64.encode(request.der))"}]}"#
                    .utf8))
        try await database.close()

        let handed = try object(await Program.run(["alipay", "merchant-keys", "--data", data, "--partner", "2088000000000101"]))
        #expect(handed["partnerKey"] as? String == given.partnerKey)
        #expect(handed["partnerKey"] as? String == StrictBase64.encode(keys.partners.publicKey.subjectPublicKeyInfo))
        let applications = try #require(handed["applications"] as? [[String: Any]])
        #expect(applications.count == 1)
        for name in ["applicationCertificate", "gatewayCertificate", "rootCertificate"] {
            #expect((applications[0][name] as? String)?.hasPrefix("-----BEGIN CERTIFICATE") == true, "\(name)")
        }
        #expect(applications[0]["applicationCertificateSN"] as? String == given.applications[0].applicationCertificateSN)

        let unknown = try await Program.run(["alipay", "merchant-keys", "--data", data, "--partner", "2088000000000999", "--json"])
        #expect(unknown.status == 1 && unknown.output.contains("partner-unknown"))
    }

    private func open(_ number: String, payment: String = "975310") async throws -> Program.Ending {
        func file(_ text: String) throws -> String {
            let path = data + "/\(UUID().uuidString).txt"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return path
        }
        return try await Program.run([
            "alipay", "open-account", "--data", data, "--number", number, "--name", "Lin", "--email", "lin@example.test", "--phone",
            "+8613900001001", "--login-password-file", file("green-leaves\n"), "--payment-password-file", file(payment), "--json",
        ])
    }

    @Test func aWalletsAccountIsOpenedFrozenAndInTheTrail() async throws {
        let folder = try DataFolder(data)
        let early = try await open("2088000000001001")
        #expect(early.status == 1 && early.output.contains("wallet-keys-missing"), "\(early)")
        for name in ["audit", "hashing"] { _ = try folder.symmetric(name) }
        try folder.write(Array("wk_0123456789abcdef01234567".utf8), to: "wallet-link.key")
        try folder.write(Array("gk_0123456789abcdef01234567".utf8), to: "gateway-link.key")
        try await store(WalletCapability.fileName, WalletServer.migrations).close()

        #expect(try await open("2088000000001001", payment: "12345").output.contains("weak-password"))
        let opened = try await open("2088000000001001")
        #expect(opened.status == 0, "\(opened)")
        #expect(try object(opened)["state"] as? String == "frozen")
        #expect(try await open("2088000000001001").output.contains("account-exists"))

        let database = try await store(WalletCapability.fileName, WalletServer.migrations)
        let owner = try MerchantID("wallet")
        let states = try await database.read { try $0.query("SELECT state FROM wallet_accounts").map { try $0.text(0) } }
        #expect(states == ["frozen"])
        let trail = try await ChainedOperatorAudit(links: folder.auditChain(), owner: owner).trail(in: database)
        #expect(trail.rows.map { "\($0.action) \($0.object)" } == ["wallet.open 2088000000001001"])
        #expect(trail.rows.allSatisfy { $0.actor == "account:\(NSUserName())" })
        try await database.close()
    }
}
