import BillfoldSandbox
import BillfoldServer
import Foundation
import Hummingbird

/// The author of mini programs with its server, on a store and with keys of its own. It shares the onboarding key with the wallet through
/// the data folder.
enum MiniProgramAuthorPart {
    static func add(to router: Router<ServerRequestContext>, _ shared: ServeComposition.Shared, _ part: inout ServeComposition.Part)
        async throws
    {
        let addresses = shared.options.addresses
        let author = try MiniProgramAuthor(
            .init(
                wallet: addresses.wallet, author: addresses.miniProgramAuthor, alipayMerchant: addresses.alipayMerchant,
                superApp: addresses.superApp,
                onboardingKey: try AlipayGatewayInstallation.bearer(WalletPart.superAppOnboardingKey, in: shared.folder)),
            keys: PartyKeys(URL(fileURLWithPath: shared.folder.path("mini-program-author"), isDirectory: true)),
            surroundings: try await CardProcessorPart.surroundings("mini-program-author.sqlite", shared, &part), client: shared.partyClient)
        author.addRoutes(to: router)
        part.workers.append(author.publisher)
    }
}
