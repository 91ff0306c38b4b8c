import AlipayServer
import ArgumentParser
import BillfoldStorage
import Foundation

/// `alipay merchant-keys`.
struct AlipayMerchantKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merchant-keys", abstract: "Print what a merchant is handed of the gateway: public keys and certificates.",
        discussion: """
            It reads the gateway's own store and data folder, and prints the object that the gateway answers a registration with in test \
            mode. Nothing in it is secret; over a way that nobody can change it on, it is what the merchant believes answers by.
            """)

    @Option(help: "The merchant's partner id: 16 digits.") var partner: String
    @OptionGroup var store: RoleStore

    func run() async throws {
        try await store.answer {
            let folder = try store.folder(holding: AlipayGatewayKeys.files, refusing: "gateway-keys-missing")
            let keys = try AlipayGatewayKeys.load(folder, at: SystemClock().now())
            let handed = try await store.with(
                variable: AlipayGatewayCapability.databaseVariable, file: AlipayGatewayCapability.fileName, kind: .alipayGateway
            ) { database in
                try await OrderGatewayHandover(database: database, keys: keys).keys(of: partner)
            }
            guard let handed else {
                throw CommandFailure(.refused, code: "partner-unknown", reason: "no partner of this id is registered in this store")
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(handed), as: UTF8.self)
        }
    }
}
