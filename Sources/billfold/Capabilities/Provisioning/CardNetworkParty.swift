import ArgumentParser
import BillfoldSandbox
import BillfoldServer
import PaymentCryptoOpenSSL

extension ServerRole {
    /// What the network takes lies under `/card-network`.
    static let cardNetwork: Self = "card-network"
}

/// The card network, on a store and with keys of its own.
struct CardNetworkParty: SandboxParty, ParsableArguments {
    static let role = ServerRole.cardNetwork
    static let stores = [StoreKind.sandboxParty]

    @Option(name: .customLong("card-network-url"), help: "The card network, when it runs in another process.") var url: String?

    func play(in process: ServingProcess, adding part: inout CapabilityPart) async throws {
        let network = try CardNetwork(
            try await process.partySurroundings("card-network.sqlite"), keys: process.partyKeys("card-network"),
            makeTripleDESKey: { try OpenSSLTripleDESKey($0) },
            // A bank may take its time: the customer waits for its decision.
            connect: { process.connection(to: $0, limitSeconds: 15) })
        part.routes.append { network.addRoutes(to: $0) }
        part.workers.append(network.events)
    }
}
