import BillfoldServer
import Foundation

/// The parties of the tour, each a process, and the proxies between them.
struct TourParties: Sendable {
    /// Where the parties are. Each asks another through the proxy of its link.
    struct Addresses: Sendable {
        var console: String
        var certificates: String
        var unionPay: String
        var merchant: String
        var shop: String
        var phone: String
    }

    /// The same as the tour itself asks them: through the proxies of the customer and the operator.
    let addresses: Addresses
    let processes: [PartyProcess]
    let proxies: TourProxies

    /// Starts everything and waits until every party is ready. What was started is stopped again when one of them is not.
    static func start(executable: String, folder: String, flip: Flip?, tally: TamperingProxy.Tally, surroundings: ServerSurroundings)
        async throws
        -> (TourParties, Task<Void, any Error>)
    {
        let links = Flip.Journey.acceptance.links
        let ports = try FreePorts.find(6 + links.count)
        func address(_ index: Int) -> String { "http://127.0.0.1:\(ports[index])" }
        let addresses = Addresses(
            console: address(0), certificates: address(1), unionPay: address(2), merchant: address(3), shop: address(4), phone: address(5))
        func target(_ link: Flip.Link) -> String? {
            switch link {
            case .customerToPhone: addresses.phone
            case .phoneToShop: addresses.shop
            case .operatorToMerchant, .phoneToMerchant, .shopToMerchant, .unionPayToMerchant: addresses.merchant
            case .operatorToUnionPay, .merchantToUnionPay: addresses.unionPay
            case .merchantToCertificates: addresses.certificates
            case .operatorToConsole, .phoneToConsole, .shopToConsole, .merchantToConsole, .unionPayToConsole: addresses.console
            default: nil
            }
        }
        let proxies = TourProxies(links, to: target, ports: Array(ports[6...]), flip: flip, tally: tally, surroundings: surroundings)
        let between = proxies.address
        let proxying = proxies.run()

        var processes: [PartyProcess] = []
        func run(_ role: String, listener: String, at index: Int, reporting: Flip.Link? = nil, with arguments: [String] = []) throws {
            processes.append(
                try PartyProcess(
                    name: role, executable: executable,
                    arguments: [
                        "serve", "--roles", role, "--data", folder, "--log", "json", "--console-url",
                        reporting.map(between) ?? addresses.console, listener,
                        "127.0.0.1:\(ports[index])",
                    ] + arguments, address: address(index), errors: "\(folder)/\(role).log"))
        }
        do {
            try run("console", listener: "--console", at: 0, with: ["--unionpay-url", addresses.unionPay])
            try run("certificates", listener: "--sandbox", at: 1)
            try run("unionpay", listener: "--sandbox", at: 2, reporting: .unionPayToConsole)
            try run(
                "card-payments", listener: "--listen", at: 3, reporting: .merchantToConsole,
                with: [
                    "--merchant-url", between(.unionPayToMerchant), "--unionpay-url", between(.merchantToUnionPay), "--certificates-url",
                    between(.merchantToCertificates),
                ])
            // The wallet learns of the merchant's certificates when it starts, so they must have been issued by then.
            for process in processes { try await process.untilReady() }
            try run("shop", listener: "--sandbox", at: 4, reporting: .shopToConsole, with: ["--merchant-url", between(.shopToMerchant)])
            try run(
                "phone", listener: "--sandbox", at: 5, reporting: .phoneToConsole,
                with: [
                    "--merchant-url", between(.phoneToMerchant), "--shop-url", between(.phoneToShop), "--certificates-url",
                    addresses.certificates,
                ])
            for process in processes { try await process.untilReady() }
            let asked = Addresses(
                console: between(.operatorToConsole), certificates: addresses.certificates, unionPay: between(.operatorToUnionPay),
                merchant: between(.operatorToMerchant), shop: addresses.shop, phone: between(.customerToPhone))
            return (TourParties(addresses: asked, processes: processes, proxies: proxies), proxying)
        } catch {
            try? await TourParties(addresses: addresses, processes: processes, proxies: proxies).stop()
            _ = try? await proxying.value
            throw error
        }
    }

    /// Refuses with `party-not-ended` when a party did not stop by itself.
    func stop() async throws {
        let stopped = await Result { try await processes.stop() }
        await proxies.stop()
        try stopped.get()
    }
}
