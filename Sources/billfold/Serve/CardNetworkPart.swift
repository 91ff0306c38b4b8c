import BillfoldSandbox
import BillfoldServer
import Foundation
import Hummingbird
import PaymentCryptoOpenSSL

/// The card network, on a store and with keys of its own.
enum CardNetworkPart {
    static func add(to router: Router<ServerRequestContext>, _ shared: ServeComposition.Shared, _ part: inout ServeComposition.Part)
        async throws
    {
        let client = shared.partyClient
        let network = try CardNetwork(
            try await CardProcessorPart.surroundings("card-network.sqlite", shared, &part),
            keys: PartyKeys(URL(fileURLWithPath: shared.folder.path("card-network"), isDirectory: true)),
            makeTripleDESKey: { try OpenSSLTripleDESKey($0) },
            // A bank may take its time: the customer waits for its decision.
            connect: { HTTPMerchantConnection(origin: $0, client: client, limitSeconds: 15) })
        network.addRoutes(to: router)
        part.workers.append(network.events)
    }
}
