import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes
import Hummingbird

/// What the host knows of a card, for whoever brought it in: `GET /bank/v1/cards/{id}`, and `GET /bank/v1/cards/{id}/messages` for what its
/// customer was told.
struct BankCardRoutes: Sendable {
    let context: TokenContext

    private var requests: BankRequests { BankRequests(context: context) }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/bank/v1/cards/:id") { request, context in
            let id = try Self.card(in: context)
            try await requests.authorize(request)
            return try await read(id)
        }
        router.get("/bank/v1/cards/:id/messages") { request, context in
            let id = try Self.card(in: context)
            try await requests.authorize(request)
            return try await messages(request, of: id)
        }
    }

    private static func card(in context: some RequestContext) throws -> String {
        try BankRequests.card(try BankRequests.name(in: context, "id"), "id")
    }

    private struct Card: Encodable {
        var id: String
        var customer: String
        var network: CardScheme
        var programme: String
        var suffix: String
        var status: String
        /// The bank's switch for this card; its programme has one too.
        var on: Bool
        /// Whether the bank brought it in and the processor never told of it.
        var imported: Bool
        var changedAt: Int64
    }

    private func read(_ id: String) async throws -> Response {
        guard let card = try await context.database.read({ try CardRecords.find(id, in: $0) }) else { throw CustomerCards.notFound }
        return try BankRequests.fresh(
            Card(
                id: card.id, customer: card.customer, network: card.network, programme: card.programme, suffix: card.suffix,
                status: card.status.rawValue, on: card.isEnabled, imported: card.isImported, changedAt: card.updatedAt.milliseconds))
    }

    private struct Messages: Encodable {
        struct Entry: Encodable {
            var messageId: String
            var subject: String
            var state: StoredMessage.State
            var channel: String
            /// Masked; `nil` where it went to the bank's app, which is nobody's address.
            var contact: String?
            /// How often it was tried to deliver it, how the last attempt ended, in words, and when the next one comes. `nil` for a code,
            /// which is sent once, and where it is forgotten.
            var attempts: Int64?
            var note: String?
            var nextAttemptAt: Int64?
            var at: Int64

            init(_ message: StoredMessage, _ standing: OutboxRecords.Standing?) {
                messageId = message.id.description
                subject = message.subject
                state = message.state
                channel = message.channel
                let isInApp = message.channel == VerificationMethod.Kind.app.channel
                contact = isInApp || message.contact.isEmpty ? nil : message.contact
                attempts = standing?.attempts
                note = standing.flatMap { $0.note.isEmpty ? nil : $0.note }
                nextAttemptAt = standing?.nextAttempt?.milliseconds
                at = message.at.milliseconds
            }
        }

        var messages: [Entry]
        var next: String?
    }

    private func messages(_ request: Request, of card: String) async throws -> Response {
        let query = try request.page(of: "messages of \(card)", keys: [.blob]).query
        let owner = context.host.configuration.issuer
        let rows = try await context.database.read { tx in
            guard try CardRecords.find(card, in: tx) != nil else { throw CustomerCards.notFound }
            return try MessageRecords.list(card: card, after: query.after, limit: query.fetched, in: tx).map { message in
                (message: message, standing: try OutboxRecords.standing(of: message.id, merchant: owner, in: tx))
            }
        }
        let page = query.page(of: rows) { [$0.message.id.sqlValue] }
        return try BankRequests.fresh(
            Messages(messages: page.items.map { .init($0.message, $0.standing) }, next: page.next))
    }
}
