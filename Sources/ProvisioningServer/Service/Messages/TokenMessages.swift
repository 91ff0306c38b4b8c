import BillfoldPayments
import BillfoldStorage

/// What a customer is told about a token, and when.
struct TokenMessages: Sendable {
    let context: TokenContext

    /// What a worker needs to deliver a message. Holds nothing secret: the contact is looked up when it is sent.
    struct Order: Sendable, Hashable, Codable {
        var card: String
        var token: String
        var text: String
    }

    /// Queues the message that a change calls for, in the write that stores the change.
    func tell(
        of token: StoredToken, was old: TokenState?, card id: String, at now: Timestamp, in tx: any Transaction
    ) throws {
        guard let card = try CardRecords.find(id, in: tx), let (subject, words) = Self.words(token.snapshot.state, after: old) else {
            return
        }
        let device = token.device.map { " on \($0.name)" } ?? ""
        let message = context.host.identifiers.next(at: now)
        try MessageRecords.insert(
            StoredMessage(
                id: message, card: id, channel: VerificationMethod.Kind.app.channel, contact: "", subject: subject, state: .queued, at: now),
            in: tx)
        try context.post(
            message, as: .customerMessage, to: "processor", about: message,
            body: Order(card: id, token: token.reference, text: "Your card ending in \(card.suffix)\(device): \(words)"), at: now, in: tx)
    }

    /// `nil` where nobody has to be told.
    static func words(_ state: TokenState, after old: TokenState?) -> (subject: String, words: String)? {
        switch (state, old) {
        case (.inactive, _): ("token added", "added. Please confirm that it was you before you pay with it.")
        case (.active, .suspended): ("token resumed", "you can pay with it again.")
        case (.active, _): ("token active", "ready to pay.")
        case (.suspended, _): ("token suspended", "suspended. You cannot pay with it for now.")
        case (.deleted, _): ("token deleted", "removed.")
        }
    }
}
