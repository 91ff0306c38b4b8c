import BillfoldPayments
import BillfoldStorage
import CustomerLanguages

/// What a customer is told about a token or a payment, and when.
struct TokenMessages: Sendable {
    /// What a message about a payment is called.
    static let transaction = "card transaction"

    let context: TokenContext

    /// What a worker needs to deliver a message. Holds nothing secret: the contact is looked up when it is sent.
    struct Order: Sendable, Hashable, Codable {
        var card: String
        /// `nil` for what is about no token.
        var token: String?
        var text: String
        /// `nil` in orders that were queued before messages had a language.
        var language: String?
        var subject: String?
    }

    /// Queues the message that a change calls for, in the write that stores the change. Nothing, for a customer who wants none.
    func tell(
        of token: StoredToken, was old: TokenState?, card id: String, at now: Timestamp, in tx: any Transaction
    ) throws {
        guard let card = try CardRecords.find(id, in: tx) else { return }
        let preferences = try CustomerRecords.preferences(of: card.customer, in: tx)
        guard preferences.wantsCardMessages else { return }
        let subject = Self.subject(token.snapshot.state, after: old)
        let text = NoticeTexts.text(subject, in: preferences.language, card: card.suffix, on: token.device?.name)
        try queue(
            Order(
                card: id, token: token.reference, text: text, language: preferences.language.rawValue, subject: subject.rawValue),
            at: now, in: tx)
    }

    /// Queues a message for a card's customer.
    func queue(_ order: Order, at now: Timestamp, in tx: any Transaction) throws {
        let message = context.host.identifiers.next(at: now)
        try MessageRecords.insert(
            StoredMessage(
                id: message, card: order.card, channel: VerificationMethod.Kind.app.channel, contact: "", subject: order.subject ?? "",
                state: .queued, at: now),
            in: tx)
        try context.post(message, as: .customerMessage, to: "processor", about: message, body: order, at: now, in: tx)
    }

    static func subject(_ state: TokenState, after old: TokenState?) -> NoticeTexts.Subject {
        switch (state, old) {
        case (.inactive, _): .added
        case (.active, .suspended): .resumed
        case (.active, _): .active
        case (.suspended, _): .suspended
        case (.deleted, _): .deleted
        }
    }
}
