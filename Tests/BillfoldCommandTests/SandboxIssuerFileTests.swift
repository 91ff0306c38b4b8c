import ApplePay
import BillfoldDiagnosis
import BillfoldServer
import Foundation
import ProvisioningServer
import Testing

@testable import billfold

/// What the sandbox's issuer's host leaves for whoever brings a sender of pushes or a processor of their own.
struct SandboxIssuerFileTests {
    @Test func theFileThatIsLeftIsAnIssuersFileWithItsCredentials() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("issuer-file-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try DataFolder(path, encryption: nil)
        let programmes = [
            Programme(
                id: "visa-credit", network: .visa, numberPrefixes: ["405551"], displayName: "Visa",
                payload: .encryptedFPAN(prefixDigits: 8)),
            Programme(
                id: "unionpay-debit", network: .unionPay, numberPrefixes: ["621483"], displayName: "UnionPay", payload: .fpan,
                encryptionScheme: "EV_RSA_v2"),
        ]
        let left = SandboxIssuerFile(
            issuer: "bank", programmes: programmes.map(SandboxIssuerFile.Entry.init),
            keys: .init(folder: "issuer-keys", visa: ["405551.1"], mastercard: ["bank-tav-1"]), decisionKeys: ["decision-1"],
            bankKey: "bank.key", processor: .init(origin: "http://127.0.0.1:8082", changesEverySeconds: 2),
            pushes: .init(origin: "http://127.0.0.1:8082/processor"),
            networks: [.init(network: "visa", origin: "http://127.0.0.1:8082/card-network", callerKey: "network-visa.key")])
        // Each start leaves it anew.
        for turn in ["first", "second"] {
            try left.write(in: folder, network: Secret("network \(turn)"), processor: Secret("processor \(turn)"))
            let disk = try IssuerFileOnDisk(folder.path(SandboxIssuerFile.fileName))
            #expect(disk.file.programmes == programmes && disk.file.changeInterval == .seconds(2) && disk.file.token == nil)
            #expect(disk.file.pushes?.origin == "http://127.0.0.1:8082/processor" && disk.file.networks.map(\.network) == [.visa])
            try disk.file.validate(.test)
            let pushes = try #require(disk.file.pushes)
            #expect(try ConfigurationFile.secret(disk.place(pushes.credential)).reveal() == "processor \(turn)")
            #expect(try ConfigurationFile.secret(disk.place(disk.file.networks[0].peer.credential)).reveal() == "network \(turn)")
        }
        #expect(throws: (any Error).self) { try IssuerFileOnDisk(folder.path(SandboxIssuerFile.fileName)).file.validate(.production) }
    }
}
