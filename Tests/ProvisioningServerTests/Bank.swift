import ApplePay
import ApplePayForging
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import PaymentCrypto
import Synchronization
import Testing

@testable import ProvisioningServer

/// A clock that a test moves.
final class HandClock: WallClock {
    private let instant = Mutex(Timestamp(secondsSince1970: 1_795_204_800))
    func now() -> Timestamp { instant.withLock { $0 } }
    func advance(by duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }
}

/// Everything that was traced or logged, to be looked at and searched.
final class Recorder: TraceSink {
    private let held = Mutex<[TraceEntry]>([])
    private let text = Mutex("")
    func record(_ entry: TraceEntry) { held.withLock { $0.append(entry) } }
    func log(_ line: String) { text.withLock { $0 += line + "\n" } }
    var entries: [TraceEntry] { held.withLock { $0 } }
    var log: String { text.withLock { $0 } }
}

struct RecordingLogHandler: LogHandler {
    let recorder: Recorder
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
    func log(event: LogEvent) { recorder.log("\(event.level) \(event.message) \(event.metadata ?? [:])") }
}

/// The processor's cards by script.
final class ScriptedCards: CardDirectory {
    struct Card: Sendable {
        var id: String
        var number: String
        var customer = "c-1"
        var network = CardScheme.visa
        var status = StoredCard.Status.active
        var name = "MEI LIN"
        var expiration = "12/30"
        var isReadable = true
        var contacts: [CardSecrets.Contact] = [.init(identifier: "sms-1", type: "phone", value: "+86 139 0000 0042")]
    }

    private let cards: Mutex<[Card]>
    private let isSilent = Mutex(false)
    private let meanwhile = Mutex<(@Sendable () async throws -> Void)?>(nil)

    init(_ cards: [Card]) { self.cards = Mutex(cards) }

    func change(_ id: String, _ body: (inout Card) -> Void) {
        cards.withLock { cards in
            for index in cards.indices where cards[index].id == id { body(&cards[index]) }
        }
    }

    func add(_ card: Card) { cards.withLock { $0.append(card) } }

    /// How often somebody asked by number.
    var lookups: Int { asked.withLock { $0 } }
    private let asked = Mutex(0)

    func customer(ofCardNumbered number: SecretBytes) async throws -> String? {
        asked.withLock { $0 += 1 }
        try await wait()
        if isSilent.withLock({ $0 }) { throw ProvisioningError(code: .processorUnavailable, reason: "silent") }
        let digits = number.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        return cards.withLock { $0 }.first { $0.number == digits }?.customer
    }

    /// Every card has changed, one by one, in the order of the script.
    func changes(after place: String?) async throws -> CardChanges {
        if isSilent.withLock({ $0 }) { throw ProvisioningError(code: .processorUnavailable, reason: "silent") }
        let all = cards.withLock { $0 }
        let start = place.flatMap { Int($0) } ?? 0
        let next = min(start + 1, all.count)
        let changed = all[min(start, all.count)..<next]
        try await runMeanwhile()
        return CardChanges(
            answer: SourceAnswer(
                cards: try changed.filter(\.isReadable).map(Self.source), unreadable: Set(changed.filter { !$0.isReadable }.map(\.id))),
            place: String(next), hasMore: next < all.count)
    }

    private static func source(_ card: Card) throws -> SourceCard {
        try SourceCard(
            id: card.id, customer: card.customer, network: card.network, status: card.status, cardholderName: card.name,
            secrets: CardSecrets(
                primaryAccountNumber: SecretBytes(Array(card.number.utf8)), expiration: card.expiration, contacts: card.contacts))
    }

    /// Says from now on of a customer without a card that there is none.
    func refuseStrangers() { refusesStrangers.withLock { $0 = true } }
    private let refusesStrangers = Mutex(false)

    /// Has no card of a customer any more.
    func forget(_ customer: String) { cards.withLock { $0.removeAll { $0.customer == customer } } }

    /// Has every question wait from now on.
    func dawdle(for duration: Duration) { delay.withLock { $0 = duration } }
    private let delay = Mutex(Duration.zero)

    private func wait() async throws {
        let delay = delay.withLock { $0 }
        if delay > .zero { try await Task.sleep(for: delay) }
    }

    func fallSilent(_ value: Bool = true) { isSilent.withLock { $0 = value } }

    /// Runs once, between the next answer and its arrival.
    func meanwhile(_ body: @Sendable @escaping () async throws -> Void) { meanwhile.withLock { $0 = body } }

    private func runMeanwhile() async throws {
        let body = meanwhile.withLock { body in
            defer { body = nil }
            return body
        }
        try await body?()
    }

    func cards(of customer: String) async throws -> SourceAnswer {
        if isSilent.withLock({ $0 }) { throw ProvisioningError(code: .processorUnavailable, reason: "silent") }
        let found = cards.withLock { $0 }.filter { $0.customer == customer }
        try await wait()
        try await runMeanwhile()
        if found.isEmpty, refusesStrangers.withLock({ $0 }) {
            throw ProvisioningError(code: .customerNotFound, reason: "the card processor has no such customer")
        }
        let readable = try found.filter(\.isReadable).map(Self.source)
        return SourceAnswer(cards: readable, unreadable: Set(found.filter { !$0.isReadable }.map(\.id)))
    }
}

/// An issuer host in this process, with a processor that has cards by script.
struct Bank: Sendable {
    static let apiKey = "bk_test_0123456789abcdef0123456789"
    static let visaNumber = "4055510000000004"
    static let visaNumberAfterwards = "4055510000000012"
    static let mastercardNumber = "5204000000000003"
    static let unionPayNumber = "6214000000000009"
    static let blockedNumber = "4055510000000020"
    static let closedNumber = "4055510000000038"

    let store: TestStore
    let server: ProvisioningServer
    let client: any TestClientProtocol
    let cards: ScriptedCards
    let clock: HandClock
    let recorder: Recorder

    struct Answer: Sendable {
        var status: Int
        var headers: HTTPFields
        var body: String

        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
        }
        var errorCode: String? { (json["error"] as? [String: Any])?["code"] as? String }
        subscript(key: String) -> String? { json[key] as? String }
    }

    static let demoCards: [ScriptedCards.Card] = [
        .init(id: "card-visa", number: visaNumber),
        .init(id: "card-mastercard", number: mastercardNumber, network: .mastercard),
        .init(id: "card-unionpay", number: unionPayNumber, network: .unionPay),
        .init(id: "card-blocked", number: blockedNumber, customer: "c-2", status: .blocked, name: "LI WEI"),
        .init(id: "card-closed", number: closedNumber, customer: "c-2", status: .closed, name: "LI WEI"),
    ]

    static let programmes = [
        Programme(
            id: "visa-credit", network: .visa, numberPrefixes: ["405551"], displayName: "Two Leaves Visa",
            payload: .encryptedFPAN(prefixDigits: 6)),
        Programme(
            id: "mastercard-debit", network: .mastercard, numberPrefixes: ["5204"], displayName: "Two Leaves Mastercard", payload: .fpan),
        Programme(
            id: "unionpay-debit", network: .unionPay, numberPrefixes: ["6214"], displayName: "Two Leaves UnionPay", payload: .fpan,
            encryptionScheme: "EV_RSA_v2"),
    ]

    /// Opens a bank on an engine, and runs `body` against its routes.
    static func open(
        _ engine: StoreEngine = .sqlite, wallet: Wallet? = nil, http: any HTTPSender = NoNetwork(),
        faults: FaultyDatabase.Faults? = nil,
        change: @Sendable @escaping (inout ProvisioningConfiguration) -> Void = { _ in },
        body: @Sendable @escaping (Bank) async throws -> Void
    ) async throws {
        try await engine.withStore { store in
            let (clock, recorder, cards) = (HandClock(), Recorder(), ScriptedCards(demoCards))
            let random = Mutex(SeededGenerator(seed: StoreEngine.seed, label: "bank"))
            var configuration = ProvisioningConfiguration(
                mode: .test, issuer: try BillfoldPayments.MerchantID("bank"), programmes: programmes,
                keys: .init(
                    audit: SymmetricKey(data: [UInt8](repeating: 1, count: 32)),
                    hashing: SymmetricKey(data: [UInt8](repeating: 2, count: 32)),
                    sealer: EnvelopeSealer(ring: KeyRing(active: "k1", try SealingKey(bytes: [UInt8](repeating: 3, count: 32))))))
            if let wallet {
                configuration.trust = wallet.authority.trust
                configuration.networkKeys = try wallet.keys()
            }
            change(&configuration)
            let surroundings = ServerSurroundings(
                logger: Logger(label: "bank") { _ in RecordingLogHandler(recorder: recorder) }, clock: clock,
                uptime: { .microseconds(clock.now().microseconds) }, errors: ErrorMapping().withProvisioning())
            try await MigrationRunner(ProvisioningServer.migrations, clock: clock, logger: TestStore.logger).run(on: store.database)
            let server = try ProvisioningServer(
                configuration: configuration,
                database: faults.map { FaultyDatabase(store.database, seed: StoreEngine.seed, faults: $0) } ?? store.database,
                cardSource: cards, http: http, trace: recorder,
                identifiers: IdentifierSource { random.withLock { $0.next() } }, surroundings: surroundings)
            try await server.callerKeys.add(Secret(apiKey), for: .bank)
            var limits = ServerLimits()
            limits.rate = nil
            let router = surroundings.router(
                for: ListenerConfiguration(name: "public", address: ListenAddress(port: 0), limits: limits, hosts: ["localhost"]))
            server.addRoutes(to: router)
            try await Application(responder: router.buildResponder(), logger: surroundings.logger).test(.router) { client in
                try await body(
                    Bank(store: store, server: server, client: client, cards: cards, clock: clock, recorder: recorder))
            }
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, bearer: String? = nil, headers added: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = added
        headers[.authorization] = bearer.map { "Bearer \($0)" }
        if body != nil { headers[.contentType] = "application/json" }
        return try await client.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) }) {
            response in
            Answer(status: Int(response.status.code), headers: response.headers, body: String(buffer: response.body))
        }
    }

    /// Logs a customer in and returns the app's token.
    func logIn(_ customer: String = "c-1", device: String = "phone-1") async throws -> String {
        let answer = try await send(
            .post, "/provisioning/v1/sessions", #"{"customer":"\#(customer)","device":"\#(device)"}"#, bearer: Self.apiKey)
        #expect(answer.status == 201, "\(answer.body)")
        return try #require(answer["token"])
    }
}

/// Nothing is reached by it.
struct NoNetwork: HTTPSender {
    func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
        throw SendFailure(code: .notConnected, reason: "no network here", mayHaveArrived: false)
    }
}
