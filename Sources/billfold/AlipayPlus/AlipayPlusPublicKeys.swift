import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldServer
import Foundation
import PaymentCrypto

/// `alipay-plus public-keys`.
struct AlipayPlusPublicKeys: ReplyingCommand {
    enum Party: String, ExpressibleByArgument, CaseIterable { case gateway, wallet }

    static let configuration = CommandConfiguration(
        commandName: "public-keys", abstract: "Print the public keys that a gateway or a wallet of Alipay+ hands to the other parties.",
        discussion: """
            Of a gateway: what acquirers and wallets check its messages with, as gatewayKeys in a wallet's file takes it. Of a wallet: \
            what the gateway's file registers it with. Keys that the data folder does not hold yet are made, as a first start would make \
            them. Nothing that is printed is secret; hand it over on a way on which nobody can change it.
            """)

    @Argument(help: "gateway or wallet.") var party: Party
    @Option(help: "The servers' data folder, which holds their keys.") var data = ".billfold"
    @Flag(help: "Print one JSON object.") var json = false

    func reply() async throws -> CommandReply {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: data, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandFailure(
                .refused, code: "data-folder-unusable",
                reason: "there is no folder \(data): name the data folder of the servers with --data")
        }
        let folder = try DataFolder(data, encryption: KeyEncryptionKey.encryption())
        let names: [(member: String, key: String)] =
            switch party {
            case .gateway: [("forAcquirers", AlipayPlusKeys.acquirerSide), ("forWallets", AlipayPlusKeys.walletSide)]
            case .wallet: [("keys", AlipayPlusKeys.wallet)]
            }
        var object = JSONObject()
        var lines: [String] = []
        for (member, name) in names {
            let key = StrictBase64.encode(try folder.rsaSigner(name).publicKey.subjectPublicKeyInfo)
            object[member] = .array([.object(JSONObject([.init("version", 1), .init("publicKey", .string(key))]))])
            lines += ["\(member), version 1", "  \(key)"]
        }
        return CommandReply(text: lines.joined(separator: "\n"), object: object)
    }
}
