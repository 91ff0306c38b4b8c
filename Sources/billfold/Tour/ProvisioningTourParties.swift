import BillfoldServer
import Foundation

/// The parties of the journey "provision a card", each a process, and the proxies between them. The customer who taps on devices, the
/// bank's own server and the operators are the tour itself.
struct ProvisioningTourParties: JourneyParties {
    /// Where the tour asks: through the proxies.
    struct Addresses: Sendable {
        /// As the bank's own server asks.
        var issuerForBank: String
        /// The devices with the bank's app.
        var devices: String
        /// The issuer's back office and the stories.
        var console: String
        var broker: String
        var processor: String
        /// As an operator looks into the network's books.
        var network: String
    }

    let addresses: Addresses
    let processes: [PartyProcess]
    let proxies: TourProxies
    let proxying: Task<Void, any Error>

    /// Starts everything and waits until every party is ready. What was started is stopped again when one of them is not.
    static func start(executable: String, folder: String, flip: Flip?, tally: TamperingProxy.Tally, surroundings: ServerSurroundings)
        async throws -> ProvisioningTourParties
    {
        let links = Flip.Journey.provisioning.links
        let ports = try FreePorts.find(6 + links.count)
        func address(_ index: Int) -> String { "http://127.0.0.1:\(ports[index])" }
        let (processor, network, broker, issuer, console, devices) = (
            address(0), address(1), address(2), address(3), address(4), address(5)
        )
        func target(_ link: Flip.Link) -> String? {
            switch link {
            case .customerToDevice: devices
            case .ownerToBroker, .deviceToBroker, .issuerToBroker: broker
            case .appToIssuer, .bankToIssuer, .networkToIssuer: issuer
            case .operatorToProcessor, .deviceToProcessor, .issuerToProcessor: processor
            case .brokerToNetwork, .issuerToNetwork, .operatorToNetwork: network
            case .operatorToIssuer, .deviceToConsole, .brokerToConsole, .networkToConsole, .processorToConsole: console
            default: nil
            }
        }
        let proxies = TourProxies(links, to: target, ports: Array(ports[6...]), flip: flip, tally: tally, surroundings: surroundings)
        let between = proxies.address
        let proxying = proxies.run()
        var processes: [PartyProcess] = []
        func run(_ roles: String, at address: String, _ arguments: [String]) throws {
            processes.append(
                try PartyProcess(
                    name: roles, executable: executable,
                    arguments: ["serve", "--roles", roles, "--data", folder, "--log", "json"] + arguments, address: address,
                    errors: "\(folder)/\(roles).log"))
        }
        func listener(_ index: Int) -> String { "127.0.0.1:\(ports[index])" }
        let addresses = Addresses(
            issuerForBank: between(.bankToIssuer), devices: between(.customerToDevice), console: between(.operatorToIssuer),
            broker: between(.ownerToBroker), processor: between(.operatorToProcessor), network: between(.operatorToNetwork))
        do {
            try run("card-processor", at: processor, ["--sandbox", listener(0), "--console-url", between(.processorToConsole)])
            try run("card-network", at: network, ["--sandbox", listener(1), "--console-url", between(.networkToConsole)])
            try run(
                "broker", at: broker,
                ["--sandbox", listener(2), "--console-url", between(.brokerToConsole), "--card-network-url", between(.brokerToNetwork)])
            try run(
                "provisioning,console", at: issuer,
                [
                    "--sign-in", "--listen", listener(3), "--console", listener(4), "--issuer-url", between(.networkToIssuer),
                    "--broker-url",
                    between(.issuerToBroker), "--card-network-url", between(.issuerToNetwork), "--card-processor-url",
                    between(.issuerToProcessor),
                ])
            for process in processes { try await process.untilReady() }
            // The bank's app shares its key with the issuer's host, which has made it by now.
            try run(
                "bank-app", at: devices,
                [
                    "--sandbox", listener(5), "--console-url", between(.deviceToConsole), "--issuer-url", between(.appToIssuer),
                    "--broker-url", between(.deviceToBroker), "--card-processor-url", between(.deviceToProcessor),
                ])
            for process in processes { try await process.untilReady() }
        } catch {
            try? await Self(addresses: addresses, processes: processes, proxies: proxies, proxying: proxying).stop()
            throw error
        }
        return Self(addresses: addresses, processes: processes, proxies: proxies, proxying: proxying)
    }
}
