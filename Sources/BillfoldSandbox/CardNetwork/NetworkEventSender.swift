import ApplePayApp
import BillfoldStorage
import BillfoldTrace
import Logging
import ServiceLifecycle

/// Tells issuers what became of tokens, again until they acknowledge it. Events may overtake each other: each carries its number.
package struct NetworkEventSender: Service {
    /// Waits on the store's clock before each further attempt; the last repeats.
    static let waits: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(15), .seconds(60)]
    static let maximumSends = 200

    let service: NetworkService
    let interval: Duration

    package func run() async throws {
        await PartyWork.run(every: interval, logger: service.surroundings.logger, failure: "events could not be read") {
            try await deliverDue()
        }
    }

    /// Sends what is due now and returns how many there were.
    @discardableResult
    package func deliverDue() async throws -> Int {
        let now = service.surroundings.clock.now()
        let claimed = try await service.surroundings.database.write { transaction in
            try PartyRecords.due(NetworkEvent.self, at: now, limit: 16, in: transaction).map { event in
                var event = event
                event.sends += 1
                // Should this process end now, the event is due again by itself.
                let wait = Self.waits[min(event.sends, Self.waits.count) - 1]
                try PartyRecords.put(event, due: event.sends < Self.maximumSends ? now.advanced(by: wait) : nil, in: transaction)
                return event
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for event in claimed { group.addTask { await deliver(event) } }
        }
        return claimed.count
    }

    private func deliver(_ event: NetworkEvent) async {
        do {
            let fault = try await service.faults.claim("events")
            switch fault?.fault {
            // Lost or not taken: it is due again later.
            case .requestLost, .requestRefused: return
            case .replyLate: try await Task.sleep(for: .milliseconds(fault?.delayMilliseconds ?? 0))
            case .requestDoubled: _ = try await send(event)
            case .replyLost:
                _ = try await send(event)
                return
            case nil: break
            }
            guard try await send(event) else { return }
            try await service.surroundings.database.write { try PartyRecords.remove(NetworkEvent.self, event.id, in: $0) }
        } catch {
            // The event is due again by itself.
            service.surroundings.logger.debug("an event could not be delivered", metadata: ["event": "\(event.id)", "error": "\(error)"])
        }
    }

    /// Whether the issuer acknowledged it.
    private func send(_ event: NetworkEvent) async throws -> Bool {
        guard let issuer = try await service.surroundings.database.read({ try PartyRecords.find(NetworkIssuer.self, event.issuer, in: $0) })
        else { return false }
        var correlation = [Correlation.token: event.content.tokenReference]
        if let attempt = event.attempt { correlation[Correlation.attempt] = attempt }
        let answer = try await service.send(
            "events", title: "token \(event.content.kind)", body: event.content, to: issuer, network: event.network,
            correlation: correlation,
            fields: [
                .init("code", event.content.code), .init("sequence", String(event.content.sequence)),
                .init("state", event.content.state.rawValue),
            ])
        return answer.status < 300
    }
}
