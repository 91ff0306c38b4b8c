import ArgumentParser
import BillfoldSandbox
import BillfoldServer

extension ServerRole {
    static let broker: Self = "broker"
}

/// The wallet's broker, on a store and with an authority of its own.
struct BrokerParty: SandboxParty, ParsableArguments {
    static let role = ServerRole.broker
    static let stores = [StoreKind.sandboxParty]

    @Option(name: .customLong("broker-url"), help: "The wallet's broker, when it runs in another process.") var url: String?

    func play(in process: ServingProcess, adding part: inout CapabilityPart) async throws {
        let broker = try await WalletBroker(
            try await process.partySurroundings("broker.sqlite"), keys: process.partyKeys("broker"),
            network: process.connection(to: process.addresses[.cardNetwork].origin, limitSeconds: 18))
        part.routes.append { broker.addRoutes(to: $0) }
    }
}
