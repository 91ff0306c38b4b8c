import BillfoldPayments
import BillfoldStorage

/// What a request for pass data begins with: the card, and whether its session asked with the same nonce before.
final class PassDataRegister: Sendable {
    /// A session's nonce, its four bytes as a number.
    private struct Attempt: Hashable, Sendable {
        var session: TimeOrderedID
        var nonce: UInt32

        init(_ session: AppSession, nonce: [UInt8]) {
            self.session = session.id
            self.nonce = nonce.reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    private let cards: CardRegister
    /// What was asked here not long ago.
    private let attempts = Remembered<Attempt, Void>(capacity: 1_024)

    init(cards: CardRegister) { self.cards = cards }

    /// The customer's card as it is remembered, unless the request came before: then the store knows more.
    func remembered(_ card: String, for session: AppSession, nonce: [UInt8]) -> StoredCard? {
        let attempt = Attempt(session, nonce: nonce)
        let isNew = attempts[attempt] == nil
        attempts.keep((), for: attempt)
        return isNew ? cards.remembered(card, for: session) : nil
    }

    /// The card as it is now, and what the nonce was answered with before. Refuses a card that cannot be added, repetitions too: what was
    /// sealed before the bank switched the card off is given out no more.
    func read(_ card: String, for session: AppSession, nonce: [UInt8]) async throws -> (StoredCard, PassDataRecords.Earlier?) {
        try await cards.read(card, for: session) { try PassDataRecords.find(session: session.id, nonce: nonce, in: $0) }
    }
}
