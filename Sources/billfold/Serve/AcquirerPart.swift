import BillfoldSandbox
import BillfoldServer
import Foundation
import Hummingbird

/// The acquirer of the payment sheet with its merchant's app and till, on a store and with keys of its own.
enum AcquirerPart {
    static func add(to router: Router<ServerRequestContext>, _ shared: ServeComposition.Shared, _ part: inout ServeComposition.Part)
        async throws
    {
        let addresses = shared.options.addresses
        let wallets = addresses.mobileWallets
        let acquirer = try await AlipayPlusAcquirer(
            .init(
                gateway: addresses.alipayPlus, sheets: addresses.alipayPlusPages, acquirer: addresses.acquirer,
                shop: addresses.acquirerPages, walletPages: { wallets[$0] }, console: addresses.console,
                onboardingKey: try AlipayGatewayInstallation.bearer(AlipayPlusPart.onboardingKey, in: shared.folder)),
            keys: PartyKeys(URL(fileURLWithPath: shared.folder.path("acquirer"), isDirectory: true)),
            surroundings: try await CardProcessorPart.surroundings("acquirer.sqlite", shared, &part), client: shared.partyClient)
        acquirer.addRoutes(to: router)
        part.workers.append(acquirer.worker)
    }
}
