import ApplePay
package import BillfoldDiagnosis
import BillfoldJSON
package import BillfoldServer
import Foundation
import HTTPTypes
package import PaymentCrypto

/// Cards over HTTP from a card processor: `GET /processor/v1/cards?customer=…`, `POST /processor/v1/card-lookups` by number and
/// `GET /processor/v1/card-changes?after=…`.
package struct ProcessorCardSource: CardDirectory {
    /// `{"error":{"code":…}}` of the processor's 404.
    private static let unknownCustomer = "customer-unknown"
    private static let unknownCard = "card-unknown"

    private let http: any HTTPSender
    private let address: String
    private let credential: Secret<String>
    private let timeout: Duration

    /// - Parameters:
    ///   - address: The processor's origin, without a trailing slash.
    ///   - credential: The bearer that the processor knows this host by.
    package init(http: any HTTPSender, address: String, credential: Secret<String>, timeout: Duration = .seconds(5)) {
        self.http = http
        self.address = address
        self.credential = credential
        self.timeout = timeout
    }

    package func cards(of customer: String) async throws -> SourceAnswer {
        var answer = try await whole(get("cards?customer=\(try Self.encoded(customer))"))
        defer { answer.body.wipe() }
        guard answer.status == .ok else {
            if Self.says(Self.unknownCustomer, answer) {
                throw ProvisioningError(
                    code: .customerNotFound, reason: "the card processor has no such customer, and no card of theirs was imported")
            }
            throw Self.unanswered(answer)
        }
        return try Self.read { () throws(ProvisioningError) in
            try Self.cards(try RequestReader(answer.body, allowing: ["cards"]))
        }
    }

    package func customer(ofCardNumbered number: SecretBytes) async throws -> String? {
        var body = Array("{\"primaryAccountNumber\":\"".utf8)
        number.withUnsafeBytes { body += $0 }
        body += Array("\"}".utf8)
        defer { body.wipe() }
        var request = get("card-lookups")
        request.method = .post
        request.headers[.contentType] = "application/json"
        request.body = body
        let answer = try await whole(request)
        guard answer.status == .ok else {
            guard Self.says(Self.unknownCard, answer) else { throw Self.unanswered(answer) }
            return nil
        }
        return try Self.read { () throws(ProvisioningError) in
            try RequestReader(answer.body, allowing: ["customer"]).text("customer", maximum: 64)
        }
    }

    package func changes(after place: String?) async throws -> CardChanges {
        var answer = try await whole(get("card-changes" + (try place.map { "?after=\(try Self.encoded($0))" } ?? "")))
        defer { answer.body.wipe() }
        guard answer.status == .ok else { throw Self.unanswered(answer) }
        return try Self.read { () throws(ProvisioningError) in
            let reader = try RequestReader(answer.body, allowing: ["cards", "next", "more"])
            return CardChanges(
                answer: try Self.cards(reader), place: try reader.text("next", maximum: 128), hasMore: try reader.bool("more"))
        }
    }

    private func get(_ path: String) -> OutgoingRequest {
        OutgoingRequest(
            method: .get, url: "\(address)/processor/v1/\(path)",
            // A connection that is kept for later keeps what it read last: card numbers.
            headers: [.authorization: "Bearer \(credential.reveal())", .connection: "close"], destination: .configured, timeout: timeout)
    }

    private static func encoded(_ text: String) throws(ProvisioningError) -> String {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        guard let name = text.addingPercentEncoding(withAllowedCharacters: allowed) else {
            throw ProvisioningError(code: .malformedRequest, reason: "the name cannot be asked for")
        }
        return name
    }

    /// A wrong address is answered 404 too: only the processor's own word says that something is not known.
    private static func says(_ code: String, _ answer: OutgoingAnswer) -> Bool {
        answer.status == .notFound && (try? JSONReader.readObject(answer.body))?["error"]?["code"]?.string == code
    }

    private static func unanswered(_ answer: OutgoingAnswer) -> ProvisioningError {
        ProvisioningError(code: .processorUnavailable, reason: "the processor answered \(answer.status.code)")
    }

    /// Whatever the reader says of our callers' bodies it says here of the processor's.
    private static func read<Value>(_ body: () throws(ProvisioningError) -> Value) throws(ProvisioningError) -> Value {
        do { return try body() } catch { throw ProvisioningError(code: .processorAnswer, reason: error.reason) }
    }

    /// The whole answer in time: one that arrives byte by byte is late too.
    private func whole(_ request: OutgoingRequest) async throws(ProvisioningError) -> OutgoingAnswer {
        let http = http
        do {
            return try await TimeBudget.within(timeout) { try await http.send(request) }
        } catch {
            let why = (error as? SendFailure).map { "\($0.code)" } ?? "not in time"
            throw ProvisioningError(code: .processorUnavailable, reason: "the processor did not answer: \(why)")
        }
    }

    private static func cards(_ reader: RequestReader) throws(ProvisioningError) -> SourceAnswer {
        guard let values = reader.object["cards"]?.array, values.count <= 500 else {
            throw RequestReader.malformed("cards", "is not a list of at most 500")
        }
        var answer = SourceAnswer(cards: [])
        for value in values {
            do throws(ProvisioningError) {
                answer.cards.append(try card(value))
            } catch {
                if let id = value.object?["id"]?.string { answer.unreadable.insert(id) } else { answer.hasUnnamed = true }
            }
        }
        // Which of two that contradict each other holds nobody knows.
        let counts = Dictionary(answer.cards.map { ($0.id, 1) }, uniquingKeysWith: +)
        answer.unreadable.formUnion(counts.filter { $0.value > 1 }.keys)
        answer.cards.removeAll { answer.unreadable.contains($0.id) }
        return answer
    }

    /// Reads a card as a processor writes it, and as a bank's back end does.
    static func card(_ value: JSONValue) throws(ProvisioningError) -> SourceCard {
        let fields = [
            "id", "primaryAccountNumber", "expiration", "cardholderName", "network", "customer", "status", "contacts",
        ]
        guard let object = value.object else { throw RequestReader.malformed("cards", "holds something other than objects") }
        let card = try RequestReader(object, path: "cards.", allowing: fields)
        let id = try card.text("id")
        let scheme = try RequestReader.known(card.text("network"), in: "cards.network", as: CardScheme.self)
        let state = try RequestReader.known(card.text("status"), in: "cards.status", as: StoredCard.Status.self)
        var contacts: [CardSecrets.Contact] = []
        for contact in try card.objects("contacts", maximum: 20, allowing: ["identifier", "type", "value"]) {
            contacts.append(
                .init(identifier: try contact.text("identifier"), type: try contact.text("type"), value: try contact.text("value")))
        }
        return try SourceCard(
            id: id, customer: card.text("customer", maximum: 64), network: scheme, status: state,
            cardholderName: card.text("cardholderName"),
            secrets: CardSecrets(
                primaryAccountNumber: SecretBytes(Array(card.text("primaryAccountNumber", maximum: 19).utf8)),
                expiration: card.text("expiration", maximum: 5), contacts: contacts))
    }
}
