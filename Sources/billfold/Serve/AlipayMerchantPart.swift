import BillfoldDiagnosis
import BillfoldSandbox
import BillfoldServer
import Foundation
import Hummingbird

/// The merchant of express orders: its server and its app, on a store and with keys of their own. It shares the onboarding key with the
/// gateway through the data folder.
enum AlipayMerchantPart {
    /// What a merchant registers itself at the gateway with.
    static let onboardingKey = "alipay-onboarding.key"

    static func add(to router: Router<ServerRequestContext>, _ shared: ServeComposition.Shared, _ part: inout ServeComposition.Part)
        async throws
    {
        let addresses = shared.options.addresses
        let key = try shared.folder.secret(onboardingKey) { Array("ak_test_\(SystemRandomness.name())\(SystemRandomness.name())".utf8) }
        let merchant = await AlipayMerchant(
            .init(
                gateway: addresses.alipayGateway, wallet: addresses.wallet, merchant: addresses.alipayMerchant, console: addresses.console,
                onboardingKey: Secret(String(decoding: key.reveal(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))),
            keys: PartyKeys(URL(fileURLWithPath: shared.folder.path("alipay-merchant"), isDirectory: true)),
            surroundings: try await CardProcessorPart.surroundings("alipay-merchant.sqlite", shared, &part), client: shared.partyClient)
        merchant.addRoutes(to: router)
        part.workers.append(merchant.races)
    }
}
