import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// Customers' cards by their ids, as the store has them or as they were when they were last read or brought in and could be added. Anybody
/// may have changed them since: what is made of a remembered one is stored only where the store still has it so.
final class CardRegister: Sendable {
    private let database: any Database
    private let known = Remembered<String, StoredCard>()

    init(database: any Database) { self.database = database }

    /// The card of a session's customer as it is remembered, unless it was fetched before the session was opened, perhaps by another process:
    /// then the store knows more.
    func remembered(_ id: String, for session: AppSession) -> StoredCard? {
        guard let card = known[id], ExactText.equal(card.id, id), card.customer == session.customer, card.fetchedAt >= session.createdAt
        else { return nil }
        return card
    }

    /// The card of a session's customer as it is now, with what else is read beside it. Refuses one that cannot be added.
    func read<Other: Sendable>(
        _ id: String, for session: AppSession, beside other: @escaping @Sendable (any Transaction) throws -> Other
    ) async throws -> (StoredCard, Other) {
        let found = try await database.lookup { tx in (try CustomerCards.find(id, session, in: tx), try other(tx)) }
        guard let (card, refusal) = found.0 else { throw CustomerCards.notFound }
        // Where it is refused, the next request is so without a key's work.
        remember(card, mayBeAdded: refusal == nil)
        if let refusal { throw refusal }
        return (card, found.1)
    }

    /// Keeps a card that may be added and is not too large, and forgets any other.
    func remember(_ card: StoredCard, mayBeAdded: Bool) {
        if mayBeAdded, card.sealed.count <= 4_096 { known.keep(card, for: card.id) } else { _ = known.take(card.id) }
    }
}
