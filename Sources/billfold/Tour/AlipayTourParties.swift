import BillfoldServer
import Foundation

/// The parties of the journey "pay an express order", each a process, and the proxies between them. The customer with the phone is the
/// tour itself.
struct AlipayTourParties: JourneyParties {
    /// Where the tour asks: through the proxies.
    struct Addresses: Sendable {
        var shop: String
        var wallet: String
        /// As a wallet asks.
        var gatewayLink: String
        /// As the gateway asks.
        var walletLink: String
        var console: String
    }

    let addresses: Addresses
    let processes: [PartyProcess]
    let proxies: TourProxies
    let proxying: Task<Void, any Error>

    /// Starts everything and waits until every party is ready. What was started is stopped again when one of them is not.
    static func start(
        executable: String, folder: String, flip: Flip?, tally: TamperingProxy.Tally, surroundings: ServerSurroundings
    ) async throws -> AlipayTourParties {
        let links = Flip.Journey.expressOrder.links
        let ports = try FreePorts.find(4 + links.count)
        func address(_ index: Int) -> String { "http://127.0.0.1:\(ports[index])" }
        let (gateway, wallet, shop, console) = (address(0), address(1), address(2), address(3))
        func target(_ link: Flip.Link) -> String? {
            switch link {
            case .shopToGateway, .walletToGateway: gateway
            case .payerToWallet, .gatewayToWallet: wallet
            case .payerToShop, .everyoneToShop: shop
            case .payerToStories: console
            default: nil
            }
        }
        let proxies = TourProxies(links, to: target, ports: Array(ports[4...]), flip: flip, tally: tally, surroundings: surroundings)
        let between = proxies.address
        let proxying = proxies.run()
        var processes: [PartyProcess] = []
        func run(_ role: String, listener: String, at index: Int, with arguments: [String] = []) throws {
            processes.append(
                try PartyProcess(
                    name: role, executable: executable,
                    arguments: [
                        "serve", "--roles", role, "--data", folder, "--log", "json", "--console-url", console, listener,
                        "127.0.0.1:\(ports[index])",
                    ] + arguments, address: address(index), errors: "\(folder)/\(role).log"))
        }
        let addresses = Addresses(
            shop: between(.payerToShop), wallet: between(.payerToWallet), gatewayLink: between(.walletToGateway),
            walletLink: between(.gatewayToWallet), console: between(.payerToStories))
        do {
            try run("console", listener: "--console", at: 3)
            try run("alipay-gateway", listener: "--listen", at: 0, with: ["--wallet-url", between(.gatewayToWallet)])
            try run(
                "wallet", listener: "--listen", at: 1,
                with: ["--alipay-gateway-url", between(.walletToGateway), "--alipay-merchant-url", between(.payerToShop)])
            try run(
                "alipay-merchant", listener: "--sandbox", at: 2,
                with: [
                    "--alipay-gateway-url", between(.shopToGateway), "--wallet-url", between(.payerToWallet), "--alipay-merchant-url",
                    between(.everyoneToShop),
                ])
            for process in processes { try await process.untilReady() }
        } catch {
            try? await Self(addresses: addresses, processes: processes, proxies: proxies, proxying: proxying).stop()
            throw error
        }
        return Self(addresses: addresses, processes: processes, proxies: proxies, proxying: proxying)
    }
}
