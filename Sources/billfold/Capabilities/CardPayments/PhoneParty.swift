import ApplePayApp
import ArgumentParser
import BillfoldSandbox
import BillfoldServer
import Foundation

extension ServerRole {
    static let phone: Self = "phone"
}

/// The customer's phone, with the wallet behind it.
struct PhoneParty: SandboxParty, ParsableArguments {
    static let role = ServerRole.phone

    func play(in process: ServingProcess, adding part: inout CapabilityPart) async throws {
        let addresses = process.addresses
        let wallet = WalletSimulator(
            directory: try process.certificateDirectory(), hashPairs: OpenSSLHashPairs(), clock: process.dates,
            generator: SystemRandomNumberGenerator())
        let merchant = process.connection(to: addresses[.cardPayments].origin, limitSeconds: 40)
        var surroundings = PhoneSurroundings(
            shop: HTTPShopFront(connection: process.connection(to: addresses[.shop].origin)),
            merchant: HTTPMerchantServer(send: { try await merchant.send($0) }), wallet: wallet, reporter: process.reporter)
        let console = addresses[.console].origin
        surroundings.story = { order in "\(console)/orders/\(order)" }
        let phones = await PhoneDirectory(surroundings: surroundings)
        part.routes.append {
            PhoneRoutes(directory: phones).addRoutes(to: $0)
            WalletSimulatorRoutes(wallet: wallet).addRoutes(to: $0)
        }
        try part.addSandboxAssets()
    }
}

extension ServingProcess {
    /// The register of merchants' certificates. The wallet's owner issues certificates and makes tokens: one authority, kept in one folder.
    func certificateDirectory() throws -> MerchantDirectory {
        try WalletFolder(URL(fileURLWithPath: folder.path("wallet"), isDirectory: true))
            .directory(at: dates(), clock: dates, generator: SystemRandomNumberGenerator())
    }
}
