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
            /// Masked; `nil` where none was needed.
            var contact: String?
            var at: Int64
        }

        var messages: [Entry]
        var next: String?
    }

    private func messages(_ request: Request, of card: String) async throws -> Response {
        let query = try request.page(of: "messages of \(card)", keys: [.blob]).query
        let rows = try await context.database.read { tx in
            guard try CardRecords.find(card, in: tx) != nil else { throw CustomerCards.notFound }
            return try MessageRecords.list(card: card, after: query.after, limit: query.fetched, in: tx)
        }
        let page = query.page(of: rows) { [$0.id.sqlValue] }
        return try BankRequests.fresh(
            Messages(
                messages: page.items.map {
                    .init(
                        messageId: $0.id.description, subject: $0.subject, state: $0.state, channel: $0.channel,
                        contact: $0.contact.isEmpty ? nil : $0.contact, at: $0.at.milliseconds)
                }, next: page.next))
    }
}
