import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import HTTPTypes
import Hummingbird

/// Cards that the bank's back end brings, a part at a time: `POST /bank/v1/card-imports`, and `GET /bank/v1/card-imports/{import}` for the
/// parts that were taken.
struct CardImportRoutes: Sendable {
    let context: TokenContext

    private var requests: BankRequests { BankRequests(context: context) }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("/bank/v1/card-imports") { request, _ in
            try await requests.authorize(request)
            let part = try CardIntakeService.Part(try await request.json(upTo: BankRequests.largest))
            return try await context.host.trace.exchange(
                request, from: ProvisioningTrace.bank, title: "card import",
                asked: [.init("part", "\(part.importID) \(part.number)"), .init("cards", String(part.entries.count))], about: [:]
            ) { (BankRequests.stored(try await CardIntakeService(context: context).take(part)), []) }
        }
        router.get("/bank/v1/card-imports/:import") { request, context in
            try await list(request, try BankRequests.name(context.parameters.require("import"), "import"))
        }
    }

    private struct Listed: Encodable {
        struct Part: Encodable {
            var part: Int64
            var created: Int
            var changed: Int
            var unchanged: Int
            var overtaken: Int
            var refused: Int
            var takenAt: Int64
        }

        var importId: String
        var parts: [Part]
        var next: String?
    }

    private func list(_ request: Request, _ id: String) async throws -> Response {
        try await requests.authorize(request)
        let query = try request.page(of: "import \(id)", keys: [.integer]).query
        let rows = try await context.database.read { tx in
            try CardImportRecords.list(id, after: query.after?.first, limit: query.fetched, in: tx)
        }
        if rows.isEmpty, query.after == nil {
            throw ProvisioningError(code: .importNotFound, reason: "no part of such an import was taken")
        }
        let page = query.page(of: rows) { [.integer($0.number)] }
        return try BankRequests.fresh(
            Listed(
                importId: id,
                parts: page.items.map {
                    .init(
                        part: $0.number, created: $0.created, changed: $0.changed, unchanged: $0.unchanged, overtaken: $0.overtaken,
                        refused: $0.refused, takenAt: $0.at.milliseconds)
                }, next: page.next))
    }
}

extension CardIntakeService.Part {
    /// Cards have the processor's form. One that cannot be read keeps none of the others out.
    init(_ bytes: [UInt8]) throws(ProvisioningError) {
        let body = try RequestReader(large: bytes, allowing: ["importId", "part", "asOf", "cards"])
        importID = try body.identifier("importId")
        number = try body.integer("part", in: 0...1_000_000)
        asOf = body.object["asOf"] == nil ? nil : try body.instant("asOf")
        entries = []
        for value in try body.values("cards", maximum: CardIntakeService.most) {
            do throws(ProvisioningError) {
                entries.append(.card(try Self.card(value)))
            } catch {
                let id = value.object?["id"]?.string.flatMap { $0.utf8.count <= 64 ? $0 : nil }
                entries.append(.unreadable(id: id ?? "", reason: error.reason))
            }
        }
        self.bytes = bytes
    }

    /// Reads a card. A contact of a kind that nobody can be reached by is a mistake of the bank's, which it hears of at once.
    private static func card(_ value: JSONValue) throws(ProvisioningError) -> SourceCard {
        let card = try ProcessorCardSource.card(value)
        guard card.secrets.contacts.allSatisfy({ VerificationMethod.Kind(rawValue: $0.type) != nil }) else {
            let known = VerificationMethod.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw RequestReader.malformed("cards.contacts.type", "is none of \(known)")
        }
        return card
    }
}
