import ApplePay
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import HTTPTypes
import PaymentCrypto
import Synchronization
import Testing

@testable import ProvisioningServer

/// A bank with customers' cards, a network that asks and is asked, and an inbox.
struct TokenBank: Sendable {
    static let keys: [CardScheme: String] = [
        .visa: "visa's key at the issuer, 32 bytes", .mastercard: "mastercard's key at the issuer",
        .unionPay: "unionpay's key at the issuer, 32",
    ]
    static let decisionKey = Result {
        var generator = SeededGenerator(seed: 77, label: "decision key")
        return try P256PrivateKey(using: &generator)
    }
    static let contacts: [CardSecrets.Contact] = [
        .init(identifier: "c-1-text", type: "TEXT_TO_CARDHOLDER_NUMBER", value: "+86 139 0000 0042"),
        .init(identifier: "c-1-email", type: "EMAIL_TO_CARDHOLDER_ADDRESS", value: "mei.lin@example.com"),
        .init(identifier: "c-1-app", type: "CARDHOLDER_TO_USE_MOBILE_APP", value: "Bank app"),
    ]
    static let phone = String(repeating: "0A", count: 24)
    static let watch = String(repeating: "0B", count: 24)

    let bank: Bank
    let network: NetworkStub
    let inbox: InboxStub
    let tokens: TokenPart

    var office: ProvisioningBackOffice { tokens.backOffice }

    /// Opens a bank whose customer c-1 has logged in once, so that the cards are known.
    static func open(
        _ engine: StoreEngine = .sqlite, change: @Sendable @escaping (inout TokenConfiguration) -> Void = { _ in },
        body: @Sendable @escaping (TokenBank) async throws -> Void
    ) async throws {
        let key = try decisionKey.get()
        let (network, inbox) = (NetworkStub(accountKey: key), InboxStub())
        let connection = TokenConfiguration.Network(origin: "https://network.example", credential: Secret(NetworkStub.credential))
        var tokens = TokenConfiguration(
            decisionKeys: [key], networks: [.visa: connection, .mastercard: connection, .unionPay: connection], messenger: inbox)
        change(&tokens)
        let configuration = tokens
        let configure: @Sendable (inout ProvisioningConfiguration) -> Void = { $0.tokens = configuration }
        try await Bank.open(engine, http: network, change: configure) { bank in
            for (scheme, key) in keys { try await bank.server.callerKeys.add(Secret(key), for: .network(scheme)) }
            for card in Bank.demoCards { bank.cards.change(card.id) { $0.contacts = contacts } }
            _ = try await bank.logIn()
            _ = try await bank.logIn("c-2")
            try await body(TokenBank(bank: bank, network: network, inbox: inbox, tokens: #require(bank.server.tokens)))
        }
    }

    /// What a network asks; without changes it is answered green.
    struct Ask: Sendable {
        var id = "request-1"
        var network = CardScheme.visa
        var number = Bank.visaNumber
        var expiration = "12/30"
        var token = "token-1"
        var requestor = "40010030273"
        var secureElement = TokenBank.phone
        var kind = "phone"
        var outcome = "APPROVED"
        var scores = (5, 5, 5)
        var reasons: [String] = []
        var activation = ours
        var more = ""

        /// Activation data of the bank's own making; for Visa a code of this request's goes with it.
        static let ours = #"{"present":true,"valid":true}"#
        static let orange: @Sendable (inout Ask) -> Void = {
            $0.outcome = "DECLINED"
            $0.reasons = ["0G"]
        }
        static let yellow: @Sendable (inout Ask) -> Void = { $0.activation = #"{"present":false,"valid":false}"# }
        static let red: @Sendable (inout Ask) -> Void = { $0.scores.1 = 1 }

        func body() throws -> String {
            let plain = #"{"primaryAccountNumber":"\#(number)","expiration":"\#(expiration)"}"#
            let sealed = try HybridEncryption.seal(
                Array(plain.utf8), to: TokenBank.decisionKey.get().publicKey, info: "billfold network account")
            let reasons = reasons.map { "\"\($0)\"" }.joined(separator: ",")
            return """
                {"requestId":"\(id)","network":"\(network.rawValue)","encryptedAccount":"\(StrictBase64.encode(sealed))",\
                "primaryAccountIdentifier":"V-1","tokenReference":"\(token)","tokenRequestor":"\(requestor)",\
                "device":{"secureElement":"\(secureElement)","kind":"\(kind)","name":"Mei's \(kind)"},\
                "recommendation":{"outcome":"\(outcome)","deviceScore":\(scores.0),"accountScore":\(scores.1),\
                "phoneNumberScore":\(scores.2),"reasons":[\(reasons)],"panSource":"03"},"activation":\(activation)\(more)}
                """
        }
    }

    /// Notes a code as pass data of the card would have had it.
    func issue(_ code: String, card: String) async throws {
        let host = tokens.context.host
        let now = host.clock.now()
        let request = PassDataRecords.Request(
            session: host.identifiers.next(at: now), nonce: [1, 2, 3, 4], challenge: Array(code.utf8),
            fingerprint: RequestFingerprint(parts: []), card: card,
            authenticationCode: KeyedHash(of: code.utf8, purpose: "authentication-code", key: host.configuration.keys.hashing),
            result: [], at: now)
        _ = try await host.database.writeRepeatably { try PassDataRecords.insert(request, in: $0) }
    }

    private func activation(for ask: Ask) async throws -> String {
        guard ask.network == .visa else { return ask.activation }
        let code = "C-\(ask.id)"
        try await issue(code, card: Bank.demoCards.first { $0.number == ask.number }?.id ?? "card-visa")
        return #"{"present":true,"valid":true,"authCode":"\#(code)"}"#
    }

    func decide(_ change: (inout Ask) -> Void = { _ in }) async throws -> Bank.Answer {
        var ask = Ask()
        change(&ask)
        if ask.activation == Ask.ours { ask.activation = try await activation(for: ask) }
        return try await bank.send(.post, "/network/v1/decisions", try ask.body(), bearer: Self.keys[ask.network])
    }

    /// An event as the network writes it.
    static func event(
        _ id: String, _ kind: String, _ sequence: Int64, _ state: TokenState, by suspenders: [String] = [], token: String = "token-1",
        account: String = "V-1", secureElement: String = phone
    ) -> String {
        let by = suspenders.map { "\"\($0)\"" }.joined(separator: ",")
        return """
            {"eventId":"\(id)","tokenReference":"\(token)","primaryAccountIdentifier":"\(account)","kind":"\(kind)","code":"3700",\
            "occurredAt":1795204800000,"sequence":\(sequence),"state":"\(state.rawValue)","suspendedBy":[\(by)],\
            "deviceAccountSuffix":"4321","device":{"secureElement":"\(secureElement)","kind":"phone","name":"Mei's phone"}}
            """
    }

    func tell(_ event: String, from network: CardScheme = .visa) async throws -> Bank.Answer {
        try await bank.send(.post, "/network/v1/events", event, bearer: Self.keys[network])
    }

    /// Decides about a token and lets the network make it.
    func provision(
        _ token: String = "token-1", state: TokenState = .active, on secureElement: String = phone, _ change: (inout Ask) -> Void = { _ in }
    ) async throws {
        let answer = try await decide {
            $0.id = "request-\(token)"
            $0.token = token
            $0.secureElement = secureElement
            change(&$0)
        }
        #expect(answer.status == 200, "\(answer.body)")
        network.keep(token, .init(account: "V-1", snapshot: TokenSnapshot(sequence: 1, state: state)))
        let told = try await tell(Self.event("created-\(token)", "created", 1, state, token: token, secureElement: secureElement))
        #expect(told.status == 200, "\(told.body)")
    }

    func token(_ reference: String = "token-1") async throws -> StoredToken? { try await office.token(reference) }
    func file(_ card: String = "card-visa") async throws -> ProvisioningBackOffice.CardFile {
        try #require(try await office.file(card: card))
    }

    /// Lets the workers work until nothing is left that is due.
    func work() async throws {
        for _ in 0..<100 where try await tokens.outboxWorker.runOnce() == 0 { return }
    }

    /// Lets time pass with the workers working.
    func pass(_ total: Duration, step: Duration) async throws {
        var left = total
        while left > .zero {
            bank.clock.advance(by: step)
            try await work()
            left -= step
        }
    }
}

extension StoreEngine {
    /// For stories that ask each thing once.
    static let withoutInjectedFaults = available.filter { $0 != .postgreSQLSerializable }
}

extension TokenBank {
    /// As ``provision(_:state:on:_:)`` on a store with injected faults: asks and tells again, as networks do.
    func provisionPatiently(_ token: String = "token-1", state: TokenState = .inactive, change: (inout Ask) -> Void) async throws {
        network.keep(token, .init(account: "V-1", snapshot: TokenSnapshot(sequence: 1, state: state)))
        var isDecided = false
        for _ in 0..<20 where !isDecided {
            isDecided =
                try await decide {
                    ($0.id, $0.token) = ("request-\(token)", token)
                    change(&$0)
                }.status == 200
        }
        try await tellPatiently(Self.event("created-\(token)", "created", 1, state, token: token))
    }

    func tellPatiently(_ event: String) async throws {
        for _ in 0..<20 where try await tell(event).status == 200 { return }
        Issue.record("an event was never taken")
    }

    /// Looks for values in every row, in the trace and in the log: as they are, in base64, in hexadecimal, in UTF-16.
    func expectNowhere(_ values: [String]) async throws {
        let tables = [
            "idempotency_keys", "outbox", "token_decisions", "token_events", "tokens", "token_actions", "token_reviews", "token_messages",
            "token_code_sends", "audit_rows", "provisioning_cards",
        ]
        let rows = try await bank.store.database.read { tx in try tables.flatMap { try tx.query("SELECT * FROM \($0)").flatMap(\.values) } }
        let cells = rows.map { value -> [UInt8] in
            switch value {
            case .blob(let bytes): bytes
            case .text(let text): Array(text.utf8)
            case .integer(let number): Array(String(number).utf8)
            case .null: []
            }
        }
        let traced = try bank.recorder.entries.map { try Array(JSONEncoder().encode($0)) } + [Array(bank.recorder.log.utf8)]
        for value in values {
            let spellings = [
                Array(value.utf8), Array(Data(value.utf8).base64EncodedString().prefix(while: { $0 != "=" }).dropLast(2).utf8),
                Array(Hexadecimal.encode(Array(value.utf8)).utf8), Array(Hexadecimal.encode(Array(value.utf8), uppercase: true).utf8),
                value.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] },
            ]
            for place in cells + traced {
                for spelling in spellings { #expect(Data(place).range(of: Data(spelling)) == nil, "found \(value)") }
            }
        }
    }
}

extension ProvisioningBackOffice {
    /// What ``ProvisioningActions`` does once two persons have agreed; the queue that sees to it has tests of its own.
    func conclude(
        review: String, approve: Bool, remark: String, requestedBy: String, decidedBy: String, approval: String
    ) async throws -> String {
        try await ReviewService(context: context).conclude(
            TimeOrderedID(text: review), approve: approve, remark: remark, requestedBy: requestedBy, decidedBy: decidedBy,
            approval: approval)
    }
}
