import BillfoldServer
import Foundation
import Logging
import ServiceLifecycle

/// The proxies between the parties of one journey, a port for each link.
struct TourProxies: Sendable {
    private let ports: [Flip.Link: Int]
    private let group: ServiceGroup

    /// - Parameters:
    ///   - target: Where each link leads; a link that leads nowhere gets no proxy.
    ///   - ports: As many as there are links.
    init(
        _ links: [Flip.Link], to target: (Flip.Link) -> String?, ports: [Int], flip: Flip?, tally: TamperingProxy.Tally,
        surroundings: ServerSurroundings
    ) {
        self.ports = Dictionary(uniqueKeysWithValues: zip(links, ports))
        let listeners = zip(links, ports).compactMap { link, port in
            target(link).map { address in
                Listener(
                    ListenerConfiguration(
                        name: "proxy", address: ListenAddress(port: port),
                        limits: ServerLimits(
                            maximumBodyBytes: 8 * 1_048_576, bodyTimeout: .seconds(60), requestTimeout: .seconds(120), rate: nil,
                            shutdownGrace: .seconds(1))),
                    responder: TamperingProxy(target: address, flip: flip?.link == link ? flip : nil, tally: tally),
                    logger: surroundings.logger)
            }
        }
        group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [ServerGroup(listeners: listeners, surroundings: surroundings, handlesSignals: false)],
                logger: surroundings.logger))
    }

    /// Where whoever stands at the link's beginning asks.
    func address(_ link: Flip.Link) -> String { "http://127.0.0.1:\(ports[link] ?? 0)" }

    func run() -> Task<Void, any Error> {
        let group = group
        return Task { try await group.run() }
    }

    func stop() async { await group.triggerGracefulShutdown() }
}
