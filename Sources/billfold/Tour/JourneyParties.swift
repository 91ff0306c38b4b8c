/// The parties of a journey, each in a process of its own, with the proxies between them.
protocol JourneyParties: Sendable {
    var processes: [PartyProcess] { get }
    var proxies: TourProxies { get }
    /// What the proxies run in; it ends with them.
    var proxying: Task<Void, any Error> { get }
}

extension JourneyParties {
    /// Refuses with `party-not-ended` when a party did not stop by itself.
    func stop() async throws {
        let stopped = await Result { try await processes.stop() }
        await proxies.stop()
        _ = try? await proxying.value
        try stopped.get()
    }
}
