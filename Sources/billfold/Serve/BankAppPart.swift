import BillfoldSandbox
import BillfoldServer
import Foundation
import Hummingbird

/// The bank's app on its customers' phones, and the bank's own server behind it, which shares its key with the issuer's host
/// through the data folder.
enum BankAppPart {
    static func add(to router: Router<ServerRequestContext>, _ shared: ServeComposition.Shared) async throws {
        let addresses = shared.options.addresses
        func connection(_ origin: String, seconds: Int64 = 20) -> HTTPMerchantConnection {
            HTTPMerchantConnection(origin: origin, client: shared.partyClient, limitSeconds: seconds)
        }
        let issuer = connection(addresses.issuer)
        let reporter = SandboxPart.reporter(shared)
        // The broker waits for the network, and the network for the bank.
        let wallet = WalletDevice(broker: connection(addresses.broker, seconds: 40), reporter: reporter)
        var surroundings = BankSurroundings(
            issuer: issuer, backEnd: HTTPBankBackEnd(issuer: issuer, key: try IssuerInstallation.bankKey(in: shared.folder)),
            messages: HTTPMessageReader(processor: connection(addresses.cardProcessor)), reporter: reporter, wallet: wallet)
        let console = addresses.console
        surroundings.story = { "\(console)/stories/provisioning.attempt:\($0)" }
        let phones = await BankPhoneDirectory(surroundings: surroundings)
        BankAppRoutes(directory: phones, console: console).addRoutes(to: router)
    }
}
