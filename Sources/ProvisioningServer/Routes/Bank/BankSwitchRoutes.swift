import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import HTTPTypes
import Hummingbird

/// The remote switches and the allow list for the bank's own systems. All of it can be said twice: the second time changes nothing.
struct BankSwitchRoutes: Sendable {
    let context: TokenContext

    private var requests: BankRequests { BankRequests(context: context) }
    private var switches: ProvisioningSwitches { ProvisioningSwitches(context: context.host) }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/bank/v1/programmes") { request, _ in
            try await requests.authorize(request)
            return try BankRequests.fresh(Programmes(programmes: try await switches.states().map(Programmes.Entry.init)))
        }
        router.put("/bank/v1/programmes/:id/switch") { request, context in
            let (id, turn) = (try BankRequests.name(context.parameters.require("id"), "id"), try await turn(request))
            try await switches.set(programme: id, isOn: turn.on, remark: turn.remark, by: CardEventService.actor)
            return try BankRequests.fresh(Turned(id: id, on: turn.on))
        }
        router.put("/bank/v1/cards/:id/switch") { request, context in
            let (id, turn) = (try BankRequests.name(context.parameters.require("id"), "id"), try await turn(request))
            try await switches.set(card: id, isOn: turn.on, remark: turn.remark, by: CardEventService.actor)
            return try BankRequests.fresh(Turned(id: id, on: turn.on))
        }
        router.get("/bank/v1/allow-list") { request, _ in try await list(request) }
        router.post("/bank/v1/allow-list") { request, _ in try await allow(request) }
    }

    // MARK: Switches

    private struct Turned: Encodable {
        var id: String
        var on: Bool
    }

    private struct Programmes: Encodable {
        struct Entry: Encodable {
            var id: String
            var network: CardScheme
            var displayName: String
            /// The first digits of the numbers that belong to it.
            var numberPrefixes: [String]
            var on: Bool
            var remark: String?
            var changedBy: String?
            var changedAt: Int64?

            init(_ state: ProvisioningSwitches.State) {
                id = state.programme.id
                network = state.programme.network
                displayName = state.programme.displayName
                numberPrefixes = state.programme.numberPrefixes
                on = state.isOn
                remark = state.lastChange?.remark
                changedBy = state.lastChange?.by
                changedAt = state.lastChange?.at.milliseconds
            }
        }

        var programmes: [Entry]
    }

    private func turn(_ request: Request) async throws -> (on: Bool, remark: String) {
        try await requests.authorize(request)
        let body = try RequestReader(try await request.json(), allowing: ["on", "remark"])
        return (try body.bool("on"), try body.text("remark", maximum: 200))
    }

    // MARK: The allow list

    private struct Listed: Encodable {
        struct Entry: Encodable {
            var card: String
            var secureElement: String
            var remark: String
            var addedBy: String
            var addedAt: Int64
        }

        var entries: [Entry]
        var next: String?
    }

    private func list(_ request: Request) async throws -> Response {
        try await requests.authorize(request)
        let (query, filter) = try request.page(of: "allow list", keys: [.text, .text], filters: ["card"])
        let card = try filter["card"].map { text throws(ProvisioningError) in try BankRequests.card(text, "card") }
        let rows = try await context.database.read { tx in
            try AllowListRecords.list(card: card, after: query.after, limit: query.fetched, in: tx)
        }
        let page = query.page(of: rows) { [.text($0.card), .text($0.secureElement)] }
        return try BankRequests.fresh(
            Listed(
                entries: page.items.map {
                    .init(
                        card: $0.card, secureElement: $0.secureElement, remark: $0.remark, addedBy: $0.addedBy,
                        addedAt: $0.addedAt.milliseconds)
                }, next: page.next))
    }

    private struct Allowed: Encodable {
        var card: String
        var secureElement: String
        var allowed: Bool
    }

    private func allow(_ request: Request) async throws -> Response {
        try await requests.authorize(request)
        let body = try RequestReader(try await request.json(), allowing: ["card", "secureElement", "allowed", "remark"])
        let (card, isAllowed) = (try body.card("card"), try body.bool("allowed"))
        let element = try BankRequests.secureElement(try body.text("secureElement", maximum: 48))
        let remark = try body.optionalText("remark", maximum: 200) ?? ""
        guard
            try await AllowList(context: context).set(
                isAllowed, card: card, secureElement: element, remark: remark, by: CardEventService.actor)
        else { throw CustomerCards.notFound }
        return try BankRequests.fresh(Allowed(card: card, secureElement: element, allowed: isAllowed))
    }
}
