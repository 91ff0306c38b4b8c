import BillfoldPayments
import BillfoldStorage

/// Tells an endpoint of an event once more, as its owner or an operator asks.
enum WebhookResend {
    enum Outcome: Sendable, Hashable {
        /// It waits for its turn like any other, and later events of the object wait for it.
        case stored(WebhookDelivery)
        /// It waited for its next attempt, and has that now.
        case hurried(WebhookDelivery)
        /// It is just being sent, or stays behind an earlier event of its object: it is not sent twice.
        case underWay(WebhookDelivery)
        /// Nothing is sent to the endpoint.
        case stopped
        /// The owner has no such endpoint any more.
        case gone
    }

    /// - Parameters:
    ///   - event: One that has a place in its owner's feed.
    ///   - position: That place.
    ///   - endpoint: Whom to tell.
    ///   - id: Of the new delivery.
    ///   - now: The owner's time.
    ///   - tx: A write. It has the endpoint's turn from here to its end.
    static func store(
        _ event: Event, at position: Int64, to endpoint: TimeOrderedID, as id: TimeOrderedID, now: Timestamp, in tx: any Transaction
    ) throws -> Outcome {
        guard try WebhookEndpointRecords.takeTurn(endpoint, owner: event.owner, in: tx),
            let endpoint = try WebhookEndpointRecords.find(endpoint, owner: event.owner, in: tx)
        else { return .gone }
        guard endpoint.stop == nil else { return .stopped }
        if let open = try WebhookDeliveryRecords.open(of: event.id, to: endpoint, in: tx) {
            return try hurry(open, at: now, in: tx) ? .hurried(open) : .underWay(open)
        }
        let delivery = WebhookDelivery(
            owner: event.owner, id: id, endpoint: endpoint.id, event: event.id, state: .held, createdAt: now)
        let insertion = WebhookDeliveryRecords.insertion(delivery, of: event.object, position: position)
        try tx.execute(insertion.sql, insertion.bindings)
        try WebhookDeliveryRecords.release(to: endpoint, at: now, in: tx)
        return .stored(try WebhookDeliveryRecords.find(id, owner: event.owner, in: tx) ?? delivery)
    }
    /// Has a delivery's next attempt now, where it waits for one: all its attempts have ended.
    private static func hurry(_ delivery: WebhookDelivery, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        let ended = try WebhookDeliveryRecords.deliveries.attempts(of: delivery.id, owner: delivery.owner, in: tx).map(\.number).max() ?? 0
        guard let begun = try OutboxRecords.standing(of: delivery.id, merchant: delivery.owner, in: tx)?.attempts, begun <= ended else {
            return false
        }
        return try OutboxRecords.hurry(delivery.id, merchant: delivery.owner, at: now, in: tx)
    }
}
