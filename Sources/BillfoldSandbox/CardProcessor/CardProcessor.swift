import BillfoldDiagnosis
import BillfoldStorage
import BillfoldTrace
import Foundation
package import Hummingbird

/// The bank's card processor, played on this machine: it knows the customers, their cards and contacts, and delivers messages.
///
/// Card numbers are drawn from the cards' ids when they are asked for and are stored nowhere. Reports as the party `processor`.
///
/// | address under `/processor` | |
/// |---|---|
/// | `POST /v1/enrolment` | a bank becomes a client: its credential |
/// | `GET /v1/cards?customer=` | with a credential: that customer's cards, numbers in clear, and contacts |
/// | `POST /v1/card-lookups` | with a credential: whose card has a number |
/// | `GET /v1/card-changes?after=` | with a credential: the cards that changed behind a place in a count |
/// | `POST /v1/messages` | with a credential: one message to one contact, once for each `requestId` |
/// | `POST /push/v1/messages` | with a credential: one notice to the bank's app on the customer's devices |
/// | `GET /v1/inbox?customer=` | what the customer received |
/// | `GET /v1/bins` | the ranges that numbers come from |
/// | `PUT /control/cards/{id}/status`, `POST /control/cards/{id}/replacement` | what happens to a card |
/// | `/control/faults/…` | the fault plan: see ``PartyFault`` |
package struct CardProcessor: Sendable {
    /// A card's present state, where somebody changed it.
    struct CardState: PartyDocument {
        static let kind = "processor.card"
        var id: String
        var status: CardStatus
        /// How often the number was replaced.
        var replacement = 0
        /// Counts the changes of all cards; of this one the last. `nil` where it was changed before they were counted.
        var change: Int64?
    }

    struct CardAnswer: Encodable {
        var id: String
        var primaryAccountNumber: String
        var expiration: String
        var cardholderName: String
        var network: String
        var customer: String
        var status: CardStatus
        var contacts: [CardContact]
    }

    /// A card as the control interface shows it: without its number.
    struct CardSummary: Encodable {
        var id: String
        var customer: String
        var network: String
        var suffix: String
        var status: CardStatus
        var replacement: Int
    }

    static let operations = ["enrolment", "cards", "lookups", "changes", "messages"]

    private let surroundings: PartySurroundings
    private let inbox = CustomerInbox()
    private let intake: PartyIntake

    /// - Parameter surroundings: A store that no other party uses.
    package init(_ surroundings: PartySurroundings) {
        self.surroundings = surroundings
        intake = PartyIntake(
            party: .processor, reporter: surroundings.reporter,
            faults: PartyFaults(database: surroundings.database, operations: Self.operations))
    }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let processor = router.group("processor").add(middleware: SandboxErrors())
        let interface = processor.group("v1")
        interface.post("enrolment") { request, _ in
            try await intake.take(request, as: "enrolment", from: .issuer) { try await enrol($0) }
        }
        interface.get("cards") { request, _ in
            let customer = request.uri.queryParameters["customer"].map(String.init)
            return try await intake.take(request, as: "cards", from: .issuer) { try await cards($0, customer: customer) }
        }
        interface.post("card-lookups") { request, _ in
            try await intake.take(request, as: "lookups", from: .issuer) { try await lookUp($0) }
        }
        interface.get("card-changes") { request, _ in
            let place = request.uri.queryParameters["after"].map(String.init)
            return try await intake.take(request, as: "changes", from: .issuer, isQuiet: true) { try await changes($0, after: place) }
        }
        interface.post("messages") { request, _ in
            try await intake.take(request, as: "messages", from: .issuer) { try await deliver($0) }
        }
        // The bank's own sender of pushes, played beside: its app reads one inbox.
        processor.post("push/v1/messages") { request, _ in
            try await intake.take(request, as: "messages", from: .issuer) { try await push($0) }
        }
        interface.get("inbox") { request, _ in
            guard let customer = request.uri.queryParameters["customer"].map(String.init) else { throw Self.notFound("customer") }
            return try SandboxBody.json(["messages": inbox.messages(of: customer)])
        }
        interface.get("bins") { _, _ in try SandboxBody.json(["bins": BINRange.demo]) }
        let control = processor.group("control")
        intake.faults.addRoutes(to: control)
        control.get("cards") { _, _ in
            try SandboxBody.json(["cards": try await surroundings.database.read { try summaries(in: $0) }])
        }
        control.put("cards/{id}/status") { request, context in
            let wish = try await PartyRequest(request).decode(StatusWish.self)
            return try await change(context.parameters.get("id") ?? "") { $0.status = wish.status }
        }
        control.post("cards/{id}/replacement") { _, context in
            try await change(context.parameters.get("id") ?? "") { $0.replacement += 1 }
        }
    }

    // MARK: The bank's interface

    private struct Enrolment: StrictBody {
        static let members = ["issuer"]
        var issuer: String
    }

    private func enrol(_ request: PartyRequest) async throws -> Response {
        let wish = try request.decode(Enrolment.self)
        let credential = surroundings.reporter.makeName()
        try await surroundings.database.write { try PartyCredentials.give(credential, to: wish.issuer, in: $0) }
        return try SandboxBody.json(["credential": credential])
    }

    private func cards(_ request: PartyRequest, customer: String?) async throws -> Response {
        _ = try await PartyCredentials.holder(of: request, in: surroundings.database)
        guard let customer, let contacts = DemoCard.contacts[customer] else { throw Self.answeredUnknown("customer") }
        let cards = try await surroundings.database.read { transaction in
            try DemoCard.all.filter { $0.customer == customer }.map { answer($0, try state(of: $0, in: transaction), reachedBy: contacts) }
        }
        return try SandboxBody.json(["cards": cards])
    }

    private func answer(_ card: DemoCard, _ state: CardState, reachedBy contacts: [CardContact]) -> CardAnswer {
        CardAnswer(
            id: card.id, primaryAccountNumber: card.number(replacement: state.replacement).reveal(),
            expiration: card.expiration(replacement: state.replacement), cardholderName: card.cardholderName,
            network: card.range.network, customer: card.customer, status: state.status, contacts: contacts)
    }

    private struct Lookup: StrictBody {
        static let members = ["primaryAccountNumber"]
        var primaryAccountNumber: String
    }

    private func lookUp(_ request: PartyRequest) async throws -> Response {
        _ = try await PartyCredentials.holder(of: request, in: surroundings.database)
        let wish = try request.decode(Lookup.self)
        let found = try await surroundings.database.read { transaction in
            try DemoCard.all.first {
                $0.number(replacement: try state(of: $0, in: transaction).replacement).reveal() == wish.primaryAccountNumber
            }
        }
        guard let found else { throw Self.answeredUnknown("card") }
        return try SandboxBody.json(["customer": found.customer])
    }

    private struct Changes: Encodable {
        var cards: [CardAnswer]
        var next: String
        var more: Bool
    }

    private func changes(_ request: PartyRequest, after text: String?) async throws -> Response {
        _ = try await PartyCredentials.holder(of: request, in: surroundings.database)
        guard let place = text.map({ Int64($0) }) ?? 0 else {
            throw SandboxRefusal(code: "place-malformed", reason: "the place is none that was named", status: 400)
        }
        let changed = try await surroundings.database.read { transaction in
            try DemoCard.all.map { ($0, try state(of: $0, in: transaction)) }.filter { ($0.1.change ?? 0) > place }
                .sorted { ($0.1.change ?? 0) < ($1.1.change ?? 0) }
        }
        let last = changed.last?.1.change ?? place
        return try SandboxBody.json(
            Changes(
                cards: changed.map { answer($0.0, $0.1, reachedBy: DemoCard.contacts[$0.0.customer] ?? []) }, next: String(last),
                more: false))
    }

    private struct Message: StrictBody {
        static let members = ["requestId", "customer", "contact", "text"]
        var requestId: String
        var customer: String
        var contact: String
        var text: String
    }

    private func deliver(_ request: PartyRequest) async throws -> Response {
        _ = try await PartyCredentials.holder(of: request, in: surroundings.database)
        let message = try request.decode(Message.self)
        let contact = try contact(of: message.customer) { $0.identifier == message.contact }
        guard let contact else {
            // Contacts that the bank brings in with its cards are known to it alone: its name for one is the address here.
            return try deliver(
                .init(
                    id: message.requestId, at: surroundings.milliseconds, customer: message.customer, contact: message.contact,
                    to: message.contact, text: message.text), request)
        }
        return try deliver(
            .init(
                id: message.requestId, at: surroundings.milliseconds, customer: message.customer, contact: contact.identifier,
                type: contact.type, to: contact.masked, text: message.text), request)
    }

    /// How one of the processor's own customers is reached; `nil` for whom only the bank knows. Refuses with `contact-unknown`, or with the
    /// name of what is missing.
    private func contact(
        of customer: String, or missing: String = "contact", where isMeant: (CardContact) -> Bool
    ) throws -> CardContact? {
        guard let contacts = DemoCard.contacts[customer] else { return nil }
        guard let contact = contacts.first(where: isMeant) else {
            throw missing == "device" ? Self.answeredUnknown(missing) : Self.notFound(missing)
        }
        return contact
    }

    private func deliver(_ message: CustomerInbox.Message, _ request: PartyRequest) throws -> Response {
        if inbox.deliver(message) {
            surroundings.reporter.report(
                .note, from: .processor, to: .processor, "message delivered", correlation: request.correlation,
                fields: [.init("type", message.type?.rawValue ?? "the bank's own contact"), .init("to", message.to)])
        }
        return try SandboxBody.json(["delivered": true], status: .accepted)
    }

    private struct Push: StrictBody {
        static let members = ["requestId", "customer", "card", "language", "subject", "text"]
        var requestId: String
        var customer: String
        var card: String
        var language: String
        var subject: String
        var text: String
    }

    private func push(_ request: PartyRequest) async throws -> Response {
        _ = try await PartyCredentials.holder(of: request, in: surroundings.database)
        let push = try request.decode(Push.self)
        // Whoever is the bank's own customer has its app.
        let app = try contact(of: push.customer, or: "device") { $0.type == .app }
        let isNew = inbox.deliver(
            .init(
                id: push.requestId, at: surroundings.milliseconds, customer: push.customer, contact: app?.identifier ?? "app", type: .app,
                to: app?.masked ?? "Bank app", text: push.text))
        if isNew {
            surroundings.reporter.report(
                .note, from: .processor, to: .processor, "push shown", correlation: request.correlation,
                fields: [.init("subject", push.subject), .init("language", push.language)])
        }
        return try SandboxBody.json(["delivered": true], status: .accepted)
    }

    // MARK: What happens to cards

    private struct StatusWish: StrictBody {
        static let members = ["status"]
        var status: CardStatus
    }

    private func change(_ id: String, _ body: @escaping @Sendable (inout CardState) -> Void) async throws -> Response {
        guard let card = DemoCard.all.first(where: { $0.id == id }) else { throw Self.notFound("card") }
        let changed = try await surroundings.database.write { transaction in
            var state = try state(of: card, in: transaction)
            body(&state)
            state.change = (try DemoCard.all.compactMap { try self.state(of: $0, in: transaction).change }.max() ?? 0) + 1
            try PartyRecords.put(state, in: transaction)
            return try summary(of: card, in: transaction)
        }
        return try SandboxBody.json(changed)
    }

    private func summaries(in transaction: any Transaction) throws -> [CardSummary] {
        try DemoCard.all.map { try summary(of: $0, in: transaction) }
    }

    private func summary(of card: DemoCard, in transaction: any Transaction) throws -> CardSummary {
        let state = try state(of: card, in: transaction)
        return CardSummary(
            id: card.id, customer: card.customer, network: card.range.network,
            suffix: card.suffix(replacement: state.replacement), status: state.status,
            replacement: state.replacement)
    }

    private func state(of card: DemoCard, in transaction: any Transaction) throws -> CardState {
        try PartyRecords.find(CardState.self, card.id, in: transaction) ?? CardState(id: card.id, status: card.status)
    }

    /// The bank asks and is answered: whom it imported itself, and whose card is another bank's, the processor does not know.
    private static func answeredUnknown(_ what: String) -> SandboxRefusal {
        var refusal = notFound(what)
        refusal.isAnswer = true
        return refusal
    }

    private static func notFound(_ what: String) -> SandboxRefusal {
        SandboxRefusal(code: "\(what)-unknown", reason: "there is no such \(what)", status: 404)
    }
}
