import BillfoldServer
import Foundation

/// The parties of the journey "pay through a payment sheet of many wallets", each a process, and the proxies between them. The guest with
/// the phone and the cashier at the till are the tour itself.
struct PlusTourParties: JourneyParties {
    /// The wallets that the tour pays with. Each is a process.
    static let wallets = ["ALIPAY_HK", "GCASH", "KAKAOPAY"]

    /// Where the tour asks: through the proxies.
    struct Addresses: Sendable {
        /// The merchant's app, its till and its desk.
        var shop: String
        /// The acquirer's own interface.
        var acquirer: String
        var console: String
        /// By `paymentMethodType`.
        var wallets: [String: String]
    }

    let addresses: Addresses
    let processes: [PartyProcess]
    /// The one whose books the reports are made from.
    var gateway: PartyProcess? { processes.first { $0.name == "alipay-plus" } }
    let proxies: TourProxies
    let proxying: Task<Void, any Error>

    /// Starts everything and waits until every party is ready. What was started is stopped again when one of them is not.
    static func start(
        executable: String, folder: String, flip: Flip?, tally: TamperingProxy.Tally, surroundings: ServerSurroundings
    ) async throws -> PlusTourParties {
        let links = Flip.Journey.paymentSheet.links
        let own = 3 + wallets.count
        let ports = try FreePorts.find(own + links.count)
        func address(_ index: Int) -> String { "http://127.0.0.1:\(ports[index])" }
        let (gateway, acquirer, console) = (address(0), address(1), address(2))
        func target(_ link: Flip.Link) -> String? {
            switch link {
            case .guestToSheet, .acquirerToPlus, .walletsToPlus: gateway
            case .guestToShop, .everyoneToAcquirer: acquirer
            case .everyoneToFirstWallet: address(3)
            case .guestToStories: console
            default: nil
            }
        }
        let proxies = TourProxies(links, to: target, ports: Array(ports[own...]), flip: flip, tally: tally, surroundings: surroundings)
        let between = proxies.address
        var origins: [String: String] = [:]
        for (index, type) in wallets.enumerated() { origins[type] = index == 0 ? between(.everyoneToFirstWallet) : address(3 + index) }
        let pairs = origins.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
        let proxying = proxies.run()
        var processes: [PartyProcess] = []
        func run(_ name: String, role: String, listener: String, at index: Int, with arguments: [String] = []) throws {
            processes.append(
                try PartyProcess(
                    name: name, executable: executable,
                    arguments: [
                        "serve", "--roles", role, "--data", folder, "--log", "json", "--console-url", console, listener,
                        "127.0.0.1:\(ports[index])",
                    ] + arguments, address: address(index), errors: "\(folder)/\(name).log"))
        }
        let addresses = Addresses(
            shop: between(.guestToShop), acquirer: between(.guestToShop), console: between(.guestToStories), wallets: origins)
        do {
            try run("console", role: "console", listener: "--console", at: 2)
            try run("alipay-plus", role: "alipay-plus", listener: "--listen", at: 0, with: ["--alipay-plus-url", between(.guestToSheet)])
            try run(
                "acquirer", role: "acquirer", listener: "--sandbox", at: 1,
                with: [
                    "--alipay-plus-url", between(.acquirerToPlus), "--alipay-plus-pages-url", between(.guestToSheet),
                    "--acquirer-url", between(.everyoneToAcquirer), "--acquirer-pages-url", between(.guestToShop),
                    "--mobile-wallets-url", pairs,
                ])
            for (index, type) in wallets.enumerated() {
                try run(
                    "wallet-\(type)", role: "mobile-wallets", listener: "--sandbox", at: 3 + index,
                    with: ["--mobile-wallets", type, "--alipay-plus-url", between(.walletsToPlus), "--mobile-wallets-url", pairs])
            }
            for process in processes { try await process.untilReady() }
        } catch {
            try? await Self(addresses: addresses, processes: processes, proxies: proxies, proxying: proxying).stop()
            throw error
        }
        return Self(addresses: addresses, processes: processes, proxies: proxies, proxying: proxying)
    }
}
