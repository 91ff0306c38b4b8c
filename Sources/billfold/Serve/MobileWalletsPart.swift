import BillfoldSandbox
import BillfoldServer
import Foundation
import Hummingbird

/// The wallets of the payment sheet, each on a store and with keys of its own. They share the onboarding key with the gateway through the
/// data folder.
enum MobileWalletsPart {
    static func add(to router: Router<ServerRequestContext>, _ shared: ServeComposition.Shared, _ part: inout ServeComposition.Part)
        async throws
    {
        let options = shared.options
        let key = try AlipayGatewayInstallation.bearer(AlipayPlusPart.onboardingKey, in: shared.folder)
        var wallets: [MobileWallet] = []
        for type in options.mobileWallets {
            guard let slug = MobileWallet.slug(type), let origin = options.addresses.mobileWallets[type] else { continue }
            wallets.append(
                try await MobileWallet(
                    .init(
                        type: type, gateway: options.addresses.alipayPlus, origin: origin, console: options.addresses.console,
                        onboardingKey: key),
                    keys: PartyKeys(URL(fileURLWithPath: shared.folder.path("mobile-wallet-\(slug)"), isDirectory: true)),
                    surroundings: try await CardProcessorPart.surroundings("mobile-wallet-\(slug).sqlite", shared, &part),
                    client: shared.partyClient))
        }
        let all = MobileWallets(wallets)
        all.addRoutes(to: router)
        part.workers += all.workers
    }
}
