import ApplePay
import ApplePayApp
import BillfoldSandbox
import BillfoldServer
import Foundation
import HTTPTypes
import Hummingbird

/// The customer's phone, with the wallet behind it.
enum PhonePart {
    static func add(to router: Router<ServerRequestContext>, _ shared: ServeComposition.Shared, directory: MerchantDirectory) async throws {
        let addresses = shared.options.addresses
        let wallet = WalletSimulator(
            directory: directory, hashPairs: OpenSSLHashPairs(), clock: SandboxPart.dates(shared), generator: SystemRandomNumberGenerator())
        let merchant = HTTPMerchantConnection(origin: addresses.merchant, client: shared.partyClient, limitSeconds: 40)
        var surroundings = PhoneSurroundings(
            shop: HTTPShopFront(connection: HTTPMerchantConnection(origin: addresses.shop, client: shared.partyClient)),
            merchant: HTTPMerchantServer(send: { try await merchant.send($0) }), wallet: wallet, reporter: SandboxPart.reporter(shared))
        let console = addresses.console
        surroundings.story = { order in "\(console)/orders/\(order)" }
        let phones = await PhoneDirectory(surroundings: surroundings)
        PhoneRoutes(directory: phones).addRoutes(to: router)
        WalletRoutes(wallet: wallet).addRoutes(to: router)
    }
}
