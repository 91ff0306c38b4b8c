import BillfoldSandbox
import BillfoldServer
import Foundation
import Hummingbird

/// The wallet's broker, on a store and with an authority of its own.
enum BrokerPart {
    static func add(to router: Router<ServerRequestContext>, _ shared: ServeComposition.Shared, _ part: inout ServeComposition.Part)
        async throws
    {
        let broker = try await WalletBroker(
            try await CardProcessorPart.surroundings("broker.sqlite", shared, &part),
            keys: PartyKeys(URL(fileURLWithPath: shared.folder.path("broker"), isDirectory: true)),
            network: HTTPMerchantConnection(origin: shared.options.addresses.cardNetwork, client: shared.partyClient, limitSeconds: 18))
        broker.addRoutes(to: router)
    }
}
