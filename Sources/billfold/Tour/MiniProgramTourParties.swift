import BillfoldServer
import Foundation

/// The parties of the journey "run a mini program in a super app", each a process, and the proxies between them. The person with the phone
/// is the tour itself, and the page in the frame too.
struct MiniProgramTourParties: JourneyParties {
    /// Where the tour asks: through the proxies.
    struct Addresses: Sendable {
        var superApp: String
        var author: String
        var wallet: String
        var merchant: String
        /// As a wallet asks, and as the gateway does.
        var gatewayLink: String
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
    ) async throws -> MiniProgramTourParties {
        let links = Flip.Journey.miniProgram.links
        let ports = try FreePorts.find(6 + links.count)
        func address(_ index: Int) -> String { "http://127.0.0.1:\(ports[index])" }
        let (gateway, wallet, merchant) = (address(0), address(1), address(2))
        let (author, superApp, console) = (address(3), address(4), address(5))
        func target(_ link: Flip.Link) -> String? {
            switch link {
            case .holderToPhone: superApp
            case .everyoneToWallet: wallet
            case .superAppToAuthor: author
            case .holderToStories: console
            default: nil
            }
        }
        let proxies = TourProxies(links, to: target, ports: Array(ports[6...]), flip: flip, tally: tally, surroundings: surroundings)
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
            superApp: between(.holderToPhone), author: between(.superAppToAuthor), wallet: between(.everyoneToWallet), merchant: merchant,
            gatewayLink: gateway, walletLink: wallet, console: between(.holderToStories))
        do {
            try run("console", listener: "--console", at: 5)
            try run("alipay-gateway", listener: "--listen", at: 0, with: ["--wallet-url", wallet])
            try run(
                "wallet", listener: "--listen", at: 1,
                with: [
                    "--alipay-gateway-url", gateway, "--alipay-merchant-url", merchant, "--wallet-url", between(.everyoneToWallet),
                    "--super-app-url", between(.holderToPhone),
                ])
            try run(
                "alipay-merchant", listener: "--sandbox", at: 2,
                with: ["--alipay-gateway-url", gateway, "--wallet-url", wallet, "--alipay-merchant-url", merchant])
            try run(
                "mini-program-author", listener: "--sandbox", at: 3,
                with: [
                    "--wallet-url", between(.everyoneToWallet), "--alipay-merchant-url", merchant, "--mini-program-author-url",
                    between(.superAppToAuthor), "--super-app-url", between(.holderToPhone),
                ])
            try run(
                "super-app", listener: "--sandbox", at: 4,
                with: [
                    "--wallet-url", between(.everyoneToWallet), "--mini-program-author-url", between(.superAppToAuthor), "--super-app-url",
                    between(.holderToPhone),
                ])
            for process in processes { try await process.untilReady() }
        } catch {
            try? await Self(addresses: addresses, processes: processes, proxies: proxies, proxying: proxying).stop()
            throw error
        }
        return Self(addresses: addresses, processes: processes, proxies: proxies, proxying: proxying)
    }
}
