import BillfoldServer
import Foundation
import Logging
import ServiceLifecycle

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
    let proxies: ServiceGroup

    /// Starts everything and waits until every party is ready. What was started is stopped again when one of them is not.
    static func start(executable: String, folder: String, flip: Flip?, tally: TamperingProxy.Tally, surroundings: ServerSurroundings)
        async throws
        -> (TourParties, Task<Void, any Error>)
    {
        let ports = try FreePorts.find(6 + Flip.Link.allCases.count)
        func address(_ index: Int) -> String { "http://127.0.0.1:\(ports[index])" }
        let addresses = Addresses(
            console: address(0), certificates: address(1), unionPay: address(2), merchant: address(3), shop: address(4), phone: address(5))
        func proxyPort(_ link: Flip.Link) -> Int { ports[6 + (Flip.Link.allCases.firstIndex(of: link) ?? 0)] }
        func between(_ link: Flip.Link) -> String { "http://127.0.0.1:\(proxyPort(link))" }

        func target(_ link: Flip.Link) -> String {
            switch link {
            case .customerToPhone: addresses.phone
            case .phoneToShop: addresses.shop
            case .operatorToMerchant, .phoneToMerchant, .shopToMerchant, .unionPayToMerchant: addresses.merchant
            case .operatorToUnionPay, .merchantToUnionPay: addresses.unionPay
            case .merchantToCertificates: addresses.certificates
            case .operatorToConsole, .phoneToConsole, .shopToConsole, .merchantToConsole, .unionPayToConsole: addresses.console
            }
        }
        let listeners = Flip.Link.allCases.map { link in
            Listener(
                ListenerConfiguration(
                    name: "proxy", address: ListenAddress(port: proxyPort(link)),
                    limits: ServerLimits(
                        maximumBodyBytes: 8 * 1_048_576, bodyTimeout: .seconds(60), requestTimeout: .seconds(120), rate: nil,
                        shutdownGrace: .seconds(1))),
                responder: TamperingProxy(target: target(link), flip: flip?.link == link ? flip : nil, tally: tally),
                logger: surroundings.logger)
        }
        let proxies = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [ServerGroup(listeners: listeners, surroundings: surroundings, handlesSignals: false)],
                logger: surroundings.logger))
        let proxying = Task { try await proxies.run() }

        var processes: [PartyProcess] = []
        func run(_ role: String, _ listener: String, _ index: Int, reporting: Flip.Link? = nil, _ arguments: [String] = []) throws {
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
            try run("console", "--console", 0, ["--unionpay-url", addresses.unionPay])
            try run("certificates", "--sandbox", 1)
            try run("unionpay", "--sandbox", 2, reporting: .unionPayToConsole)
            try run(
                "card-payments", "--listen", 3, reporting: .merchantToConsole,
                [
                    "--merchant-url", between(.unionPayToMerchant), "--unionpay-url", between(.merchantToUnionPay), "--certificates-url",
                    between(.merchantToCertificates),
                ])
            // The wallet learns of the merchant's certificates when it starts, so they must have been issued by then.
            for process in processes { try await waitUntilReady(process) }
            try run("shop", "--sandbox", 4, reporting: .shopToConsole, ["--merchant-url", between(.shopToMerchant)])
            try run(
                "phone", "--sandbox", 5, reporting: .phoneToConsole,
                [
                    "--merchant-url", between(.phoneToMerchant), "--shop-url", between(.phoneToShop), "--certificates-url",
                    addresses.certificates,
                ])
            for process in processes { try await waitUntilReady(process) }
            let asked = Addresses(
                console: between(.operatorToConsole), certificates: addresses.certificates, unionPay: between(.operatorToUnionPay),
                merchant: between(.operatorToMerchant), shop: addresses.shop, phone: between(.customerToPhone))
            return (TourParties(addresses: asked, processes: processes, proxies: proxies), proxying)
        } catch {
            await TourParties(addresses: addresses, processes: processes, proxies: proxies).stop()
            _ = try? await proxying.value
            throw error
        }
    }

    func stop() async {
        await withTaskGroup(of: Void.self) { group in
            for process in processes { group.addTask { await process.stop() } }
        }
        await proxies.triggerGracefulShutdown()
    }

    private static func waitUntilReady(_ process: PartyProcess) async throws {
        let end = ContinuousClock.now.advanced(by: .seconds(60))
        while ContinuousClock.now < end {
            guard process.isRunning else {
                throw CommandFailure(.refused, code: "party-ended", reason: "\(process.name) ended: \(process.lastWords)")
            }
            if let answer = try? await TourClient.get(process.address + "/readyz"), answer.status == 200 { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw CommandFailure(
            .refused, code: "party-not-ready", reason: "\(process.name) was not ready within a minute: \(process.lastWords)")
    }
}
