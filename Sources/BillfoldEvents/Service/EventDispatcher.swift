import BillfoldPayments
import BillfoldStorage
import Logging
import ServiceLifecycle
import Synchronization

/// Gives events that were committed their places in their owners' feeds, and stores with them what is owed to endpoints.
///
/// Any number of them, in any number of processes, share one store: an owner's places are given by one at a time. What one has not done when
/// it is killed, the next one does.
package final class EventDispatcher: Service {
    /// Events that one transaction takes.
    private static let batch = 200

    private let context: EventContext
    private let poll: Duration
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init(context: EventContext, poll: Duration = .milliseconds(200)) {
        (self.context, self.poll) = (context, poll)
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Has it look at once. Call it after a commit that may have stored events; whoever does not waits for the next look.
    package func ring() { signal.yield() }

    /// Works until the service group shuts down.
    package func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in
                while !Task.isShuttingDownGracefully, !Task.isCancelled {
                    signal.yield()
                    try? await Task.sleep(for: poll)
                }
                signal.finish()
            }
            for await _ in signals {
                do {
                    while try await runOnce() > 0, !Task.isShuttingDownGracefully, !Task.isCancelled {}
                } catch {
                    context.logger.log(
                        level: StorageError.isTold(error) ? .debug : .error, "events cannot be given their places",
                        metadata: ["error": "\(error)"])
                }
            }
        }
    }

    /// Gives places to what waits now, and returns how many events that were. An owner whose rows cannot be read keeps no other waiting:
    /// its error is thrown when nothing else was done.
    @discardableResult
    package func runOnce() async throws -> Int {
        var (count, failure): (Int, (any Error)?) = (0, nil)
        for owner in try await context.database.read({ try EventRecords.waiting(limit: Self.batch, in: $0) }) {
            do {
                count += try await OwnTime.of(owner.description) { try await place(owner) }
                context.news.tell(owner)
            } catch { failure = error }
        }
        if count > 0 { context.bell.ring() }
        if count == 0, let failure { throw failure }
        return count
    }

    private func place(_ owner: MerchantID) async throws -> Int {
        let now = context.clock.now()
        return try await context.database.writeRepeatably { [context] tx in
            let placed = try EventRecords.place(owner, limit: Self.batch, in: tx)
            try Self.owe(placed, to: owner, context, at: now, in: tx)
            return placed.count
        }
    }

    /// Stores what endpoints are owed of events, and lets go what may go at once.
    private static func owe(
        _ placed: [EventRecords.Placed], to owner: MerchantID, _ context: EventContext, at now: Timestamp, in tx: any Transaction
    ) throws {
        guard !placed.isEmpty else { return }
        for known in try WebhookEndpointRecords.all(of: owner, in: tx) {
            guard try WebhookEndpointRecords.takeTurn(known.id, owner: owner, in: tx),
                let endpoint = try WebhookEndpointRecords.find(known.id, owner: owner, in: tx)
            else { continue }
            let owed = placed.filter { endpoint.wants($0.event.type) }
            guard !owed.isEmpty else { continue }
            _ = try tx.executeBatch(
                owed.map { placed in
                    WebhookDeliveryRecords.insertion(
                        WebhookDelivery(
                            owner: owner, id: context.identifiers.next(at: now), endpoint: endpoint.id, event: placed.event.id,
                            state: .held,
                            createdAt: now), of: placed.event.object, position: placed.position)
                })
            try WebhookDeliveryRecords.release(to: endpoint, at: now, in: tx)
        }
    }
}
