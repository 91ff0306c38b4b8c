import AlipayPlusServer
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldStorageSQLite
import BillfoldTrace
import Foundation
import Logging
import PaymentCrypto
import Testing

@testable import billfold

/// Reports of a day from the store that the gateway leaves.
final class AlipayPlusReportsTests {
    private let data = FileManager.default.temporaryDirectory.appendingPathComponent("reports-\(UUID().uuidString)").path

    deinit { try? FileManager.default.removeItem(atPath: data) }

    private struct Mute: HTTPSender, TraceSink {
        func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
            throw SendFailure(code: .notConnected, reason: "nobody listens", mayHaveArrived: false)
        }
        func record(_ entry: TraceEntry) {}
    }

    /// A production store with one acquirer and no payment.
    private func makeStore() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let folder = try DataFolder(data)
        let database = try SQLiteDatabase(SQLiteConfiguration(path: data + "/" + AlipayPlusCapability.fileName), logger: logger)
        try await MigrationRunner(StoreMode.migrations + AlipayPlusServer.migrations, clock: SystemClock(), logger: logger).run(
            on: database)
        try await StoreMode.production.claim(database)
        let start = ContinuousClock.now
        let server = try AlipayPlusServer(
            configuration: AlipayPlusServerConfiguration(
                mode: .production, keys: try AlipayPlusKeys.load(folder), origin: "https://gateway.test"), database: database, http: Mute(),
            addresses: try AddressPolicy(mode: .production), trace: Mute(), identifiers: IdentifierSource { SystemRandomness.bits() },
            surroundings: ServerSurroundings(logger: logger, clock: SystemClock(), uptime: { ContinuousClock.now - start }))
        let key = try RSAPrivateKey(bits: 2048).publicKey.subjectPublicKeyInfo
        let wish = """
            {"clientId":"ACQUIRER_1","acquirerId":"1022188000000001","name":"Corner Acquiring","keys":[{"version":1,
            "publicKey":"\(Data(key).base64EncodedString())"}],"settlementCurrency":"SGD","agreementId":"AG-1",
            "merchants":[{"id":"MER-0001","name":"Corner Tea","mcc":"5411"}]}
            """
        _ = try await server.onboarding.registerAcquirer(Array(wish.utf8))
        try await database.close()
    }

    private func run(_ arguments: String...) async throws -> (status: Int32, object: [String: Any]) {
        let ending = try await Program.run(["alipay-plus", "reports", "--data", data, "--day", "20260301", "--json"] + arguments)
        let object = try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any]
        return (Int32(ending.status), try #require(object, "\(ending)"))
    }

    @Test func aDaysReportsAreMadeAndComparedWithTheBooks() async throws {
        try await makeStore()
        let folder = data + "/reports"
        let made = try await run("--to", folder)
        let files = try #require(made.object["files"] as? [String])
        // A Sunday: the settlement pays out the weekend.
        #expect(made.status == 0 && files.count == 4 && files.allSatisfy { $0.hasPrefix(folder + "/v1/settlements/") })
        let agreed = try await run("--check", folder)
        #expect(agreed.status == 0 && agreed.object["outcome"] as? String == "agreed")
        let detail = try #require(files.first { $0.contains("transactionItems") })
        let text = try String(contentsOfFile: detail, encoding: .utf8)
        #expect(text.contains("AG-1,20260301,0,"))
        try text.replacing("AG-1,20260301,0,", with: "AG-1,20260301,1,").write(toFile: detail, atomically: true, encoding: .utf8)
        let altered = try await run("--check", folder)
        let differences = try #require(altered.object["differences"] as? [[String: Any]])
        #expect(altered.status == 1 && altered.object["outcome"] as? String == "differs")
        #expect(differences.contains { $0["kind"] as? String == "total" && $0["field"] as? String == "totalCount" })
        try FileManager.default.removeItem(atPath: detail)
        let missing = try await run("--check", folder)
        #expect((missing.object["differences"] as? [[String: Any]])?.contains { $0["kind"] as? String == "file-missing" } == true)
        let unknown = try await run("--check", folder, "--acquirer", "1022188000000009")
        #expect(unknown.status == 1 && "\(unknown.object)".contains("acquirer-unknown"))
    }

    /// What was done to the made files, and by which difference it has to be named.
    private struct Alteration {
        var name: String
        var kind: String
        var change: (_ settlement: String) -> String
    }

    @Test func everyAlterationOfASettlementIsNamed() async throws {
        try await makeStore()
        let folder = data + "/reports"
        let files = try #require(try await run("--to", folder).object["files"] as? [String])
        let path = try #require(files.first { $0.contains("settlement_") })
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let sunday = try #require(text.split(separator: "\n").last.map { "\($0)\n" })
        #expect(sunday.hasSuffix(",20260302,C20260301,20260301,0,0\n"))
        let alterations = [
            Alteration(name: "a batch less", kind: "missing-batch") { $0.replacing(sunday, with: "") },
            Alteration(name: "a batch doubled", kind: "duplicate-batch") { $0 + sunday },
            Alteration(name: "a batch renamed", kind: "missing-batch") {
                $0.replacing("C20260301,20260301,0,0", with: "C20260305,20260305,0,99999")
            },
            Alteration(name: "a batch more", kind: "extra-batch") {
                $0 + sunday.replacing("C20260301,20260301,0,0", with: "C20260305,20260305,1,5")
            },
            Alteration(name: "another value date", kind: "value-date") { $0.replacing(",20260302,", with: ",20260303,") },
            Alteration(name: "another net", kind: "settlement-line") { $0.replacing("20260228,0,0", with: "20260228,0,1") },
        ]
        for alteration in alterations {
            let changed = alteration.change(text)
            #expect(changed != text, "\(alteration.name)")
            try changed.write(toFile: path, atomically: true, encoding: .utf8)
            let (status, object) = try await run("--check", folder)
            let kinds = (object["differences"] as? [[String: Any]])?.compactMap { $0["kind"] as? String } ?? []
            #expect(status == 1 && kinds.contains(alteration.kind), "\(alteration.name): \(object)")
        }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try await run("--check", folder).status == 0)
    }

    @Test(arguments: ["transactionItems", "settlement"]) func fileOfNobodysIsNamed(kind: String) async throws {
        try await makeStore()
        let folder = data + "/reports"
        let files = try #require(try await run("--to", folder).object["files"] as? [String])
        let real = try #require(files.first { $0.contains("/\(kind)_") })
        let more = real.replacing("_000.csv", with: "_001.csv")
        try FileManager.default.copyItem(atPath: real, toPath: more)
        let (status, object) = try await run("--check", folder)
        let differences = try #require(object["differences"] as? [[String: Any]])
        #expect(status == 1 && differences.count == 1 && differences.first?["kind"] as? String == "unexpected-file", "\(object)")
        #expect((differences.first?["file"] as? String).map { folder + $0 } == more)
    }
}
