import ApplePay
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import Foundation
import HTTPTypes
import PaymentCrypto
import PaymentCryptoOpenSSL
import Synchronization
import Testing

@testable import ProvisioningServer

/// Pass data are made of the card as this process knows it, and given only if the store still has it so.
@Suite struct RememberedCardTests {
    private static let path = "/provisioning/v1/cards/card-visa/pass-data"

    private static func open(
        _ engine: StoreEngine = .sqlite, budget: Duration = .seconds(10), _ body: @Sendable @escaping (Bank, Wallet) async throws -> Void
    ) async throws {
        let wallet = try Wallet.shared.get()
        let rate = RateLimit(perSecond: 1, burst: 100)
        try await Bank.open(
            engine, wallet: wallet,
            change: {
                ($0.cardRate, $0.deviceRate) = (rate, rate)
                $0.passDataBudget = budget
            }
        ) { bank in try await body(bank, wallet) }
    }

    @Test(arguments: StoreEngine.available)
    func whatAnotherProcessDoesToACardIsSeen(engine: StoreEngine) async throws {
        try await Self.open(engine) { bank, wallet in
            let token = try await bank.logIn()
            let other = try bank.anotherProcess()
            var (asked, given) = (UInt64(800), 0)
            func ask() async throws -> Bank.Answer {
                asked += 1
                let answer = try await bank.send(.post, Self.path, wallet.body(try wallet.challenge(asked)), bearer: token)
                if answer.status == 200 { given += 1 }
                return answer
            }
            func bringIn(_ customer: String = "c-1", _ change: (inout ScriptedCards.Card) -> Void) async throws {
                bank.cards.change("card-visa", change)
                try await CardImport(context: other.context).run(customer: customer)
            }
            #expect(try await ask().status == 200)
            for isOn in [false, true] {
                try await other.switches.set(card: "card-visa", isOn: isOn, remark: "test", by: "lin")
                #expect(try await ask().errorCode == (isOn ? nil : "switched-off"))
            }
            for isOn in [false, true] {
                try await other.switches.set(programme: "visa-credit", isOn: isOn, remark: "test", by: "lin")
                #expect(try await ask().errorCode == (isOn ? nil : "switched-off"))
            }
            let statuses: [(StoredCard.Status, String?)] = [(.blocked, "card-blocked"), (.closed, "card-closed"), (.active, nil)]
            for (status, code) in statuses {
                // As a hold does it: nothing is sealed anew.
                try await other.context.database.write { tx in
                    try CardRecords.set(status, card: "card-visa", at: other.context.clock.now(), in: tx)
                }
                #expect(try await ask().errorCode == code)
            }
            for (status, code) in statuses {
                try await bringIn { $0.status = status }
                #expect(try await ask().errorCode == code)
            }
            try await bringIn {
                $0.number = Bank.visaNumberAfterwards
                $0.expiration = "11/31"
                $0.name = "MEI LI"
            }
            let answer = try await ask()
            guard case .encryptedFPAN(let data) = try wallet.open(answer) else {
                Issue.record("not the encrypted form")
                return
            }
            #expect(data.name == "MEI LI")
            let account = try await VisaAccountBlock(
                opening: VisaWireText(data.encryptedPrimaryAccountNumber, due: .account), key: OpenSSLTripleDESKey(Wallet.zoneKey))
            #expect(account.primaryAccountNumber == (try CardNumber(Bank.visaNumberAfterwards)))
            #expect(account.expiration.slashed == "11/31")
            try await bringIn("c-2") { $0.customer = "c-2" }
            #expect(try await ask().errorCode == "card-not-found")
            #expect(try await bank.storedAnswers() == given)
            #expect(bank.recorder.entries.contains { $0.title == "pass data not given: the card was changed" })
        }
    }

    @Test(arguments: StoreEngine.available)
    func anotherProcessKnowsSessionAndAnswer(engine: StoreEngine) async throws {
        try await Self.open(engine) { bank, wallet in
            let (token, body) = (try await bank.logIn(), wallet.body(try wallet.challenge(820)))
            let first = try await bank.send(.post, Self.path, body, bearer: token)
            #expect(first.status == 200, "\(first.body)")
            let routes = try bank.anotherProcess().appRoutes
            let request = try PassDataRequest(Array(body.utf8))
            for _ in 0..<2 {
                let session = try await routes.sessions.session(bearer: token)
                let again = try await routes.passData.make(request, card: "card-visa", session, about: [:])
                #expect(String(decoding: again, as: UTF8.self) == first.body)
            }
            await #expect(throws: ProvisioningError.self) { try await routes.sessions.session(bearer: token + "0") }
            bank.clock.advance(by: .seconds(900))
            await #expect { try await routes.sessions.session(bearer: token) } throws: {
                ($0 as? ProvisioningError)?.code == .sessionExpired
            }
        }
    }

    // MARK: Keys

    /// Counts what it encrypts, and does something else before.
    private final class BusyKey: TripleDESKey {
        private let meanwhile: @Sendable () async throws -> Void
        private let counted = Mutex(0)

        init(_ meanwhile: @Sendable @escaping () async throws -> Void = {}) { self.meanwhile = meanwhile }

        /// Encryptions since it was last asked.
        func count() -> Int {
            counted.withLock { count in
                defer { count = 0 }
                return count
            }
        }

        func encrypt(_ blocks: [UInt8]) async throws(PaymentCryptoError) -> [UInt8] {
            counted.withLock { $0 += 1 }
            do { try await meanwhile() } catch { throw PaymentCryptoError(code: .keyStoreUnavailable, reason: "\(error)") }
            return try OpenSSLTripleDESKey(Wallet.zoneKey).encrypt(blocks)
        }
    }

    private static func take(_ key: any TripleDESKey, at bank: Bank) throws {
        var keys = NetworkKeys()
        try keys.visa.add("405551.1", key)
        bank.server.replace(networkKeys: keys)
    }

    @Test(arguments: StoreEngine.available)
    func aCardThatIsSwitchedOffWhileItIsSealedIsNotGiven(engine: StoreEngine) async throws {
        try await Self.open(engine) { bank, wallet in
            let (token, body) = (try await bank.logIn(), wallet.body(try wallet.challenge(830)))
            let switches = bank.server.switches
            try Self.take(BusyKey { try await switches.set(card: "card-visa", isOn: false, remark: "test", by: "lin") }, at: bank)
            let answer = try await bank.send(.post, Self.path, body, bearer: token)
            #expect(answer.errorCode == "switched-off")
            #expect(try await bank.storedAnswers() == 0)
        }
    }

    @Test func aCardThatNeverStaysIsGivenUp() async throws {
        try await Self.open(budget: .seconds(19)) { bank, wallet in
            let (token, body) = (try await bank.logIn(), wallet.body(try wallet.challenge(840)))
            let other = try bank.anotherProcess()
            let key = BusyKey { try await CardImport(context: other.context).run(customer: "c-1") }
            try Self.take(key, at: bank)
            let answer = try await bank.send(.post, Self.path, body, bearer: token)
            #expect(answer.status == 503)
            #expect(answer.errorCode == "timed-out")
            #expect(answer.body.contains("the card is being changed"))
            // Account and activation data, once from memory and three times from the store.
            #expect(key.count() == 8)
            #expect(try await bank.storedAnswers() == 0)
            bank.server.replace(networkKeys: try wallet.keys())
            #expect(try await bank.send(.post, Self.path, body, bearer: token).status == 200)
        }
    }

    /// The time is that of the whole request, however often the card changes.
    @Test func aSlowKeyAndACardThatChangesTakeOneBudget() async throws {
        try await Self.open(budget: .seconds(1)) { bank, wallet in
            let (token, body) = (try await bank.logIn(), wallet.body(try wallet.challenge(845)))
            let other = try bank.anotherProcess()
            let key = BusyKey {
                try await CardImport(context: other.context).run(customer: "c-1")
                try? await Task.sleep(for: .seconds(60))
            }
            try Self.take(key, at: bank)
            let answer = try await bank.send(.post, Self.path, body, bearer: token)
            #expect(answer.errorCode == "timed-out")
            // None where the machine was too busy to begin, and eight if each turn had a budget of its own.
            #expect(key.count() <= 2)
            #expect(try await bank.storedAnswers() == 0)
        }
    }

    /// Who repeats a request needs no key.
    @Test func aRepetitionIsAnsweredWithoutAKey() async throws {
        try await Self.open { bank, wallet in
            let (token, body) = (try await bank.logIn(), wallet.body(try wallet.challenge(850)))
            let first = try await bank.send(.post, Self.path, body, bearer: token)
            #expect(first.status == 200, "\(first.body)")
            let key = BusyKey { throw CancellationError() }
            try Self.take(key, at: bank)
            #expect(try await bank.send(.post, Self.path, body, bearer: token).body == first.body)
            #expect(key.count() == 0)
            let new = wallet.body(try wallet.challenge(851))
            #expect(try await bank.send(.post, Self.path, new, bearer: token).errorCode == "keys-unavailable")
            #expect(key.count() == 1)
            #expect(try await bank.storedAnswers() == 1)
        }
    }

    @Test func aCardThatWasRefusedCostsNoKeysWork() async throws {
        try await Self.open { bank, wallet in
            let token = try await bank.logIn()
            let (other, key) = (try bank.anotherProcess(), BusyKey())
            try Self.take(key, at: bank)
            var asked = UInt64(860)
            func ask() async throws -> (code: String?, work: Int) {
                asked += 1
                let answer = try await bank.send(.post, Self.path, wallet.body(try wallet.challenge(asked)), bearer: token)
                return (answer.errorCode, key.count())
            }
            #expect(try await ask() == (nil, 2))
            // The first request after another process's change is made in vain.
            try await other.switches.set(card: "card-visa", isOn: false, remark: "test", by: "lin")
            #expect(try await ask() == ("switched-off", 2))
            #expect(try await ask() == ("switched-off", 0))
            try await other.switches.set(card: "card-visa", isOn: true, remark: "test", by: "lin")
            #expect(try await ask() == (nil, 2))
            // What this process brings in, it knows.
            try await other.switches.set(programme: "visa-credit", isOn: false, remark: "test", by: "lin")
            #expect(try await ask() == ("switched-off", 2))
            _ = try await bank.logIn()
            #expect(try await ask() == ("switched-off", 0))
            try await other.switches.set(programme: "visa-credit", isOn: true, remark: "test", by: "lin")
            #expect(try await ask() == (nil, 2))
            bank.cards.change("card-visa") { $0.isReadable = false }
            _ = try await bank.logIn()
            #expect(try await ask() == ("card-blocked", 0))
        }
    }

    /// A card that was fetched before the session is not made anything of: the log-in may have brought another one in, elsewhere.
    @Test func aSessionOfAnotherProcessBeginsWithALook() async throws {
        try await Self.open { bank, wallet in
            _ = try await bank.logIn()
            bank.clock.advance(by: .seconds(1))
            let opened = try await bank.anotherProcess().appRoutes.sessions.open(customer: "c-1", device: "phone-1")
            let key = BusyKey()
            try Self.take(key, at: bank)
            for seed in UInt64(880)..<882 {
                let body = wallet.body(try wallet.challenge(seed))
                #expect(try await bank.send(.post, Self.path, body, bearer: opened.token).status == 200)
                #expect(key.count() == 2)
            }
            #expect(!bank.recorder.entries.contains { $0.title == "pass data not given: the card was changed" })
        }
    }

    // MARK: Texts

    /// A Kelvin sign is a K to Swift's text, and no base64.
    @Test func certificatesThatAreAlikeAreNotTheSame() async throws {
        try await Self.open { bank, wallet in
            let token = try await bank.logIn()
            func ask(_ seed: UInt64, _ change: (String) -> String = { $0 }) async throws -> String? {
                let body = change(wallet.body(try wallet.challenge(seed)))
                return try await bank.send(.post, Self.path, body, bearer: token).errorCode
            }
            let alike: (String) -> String = { $0.replacingOccurrences(of: "K", with: "\u{212A}") }
            #expect(alike(wallet.body(try wallet.challenge(900))).utf8.count > wallet.body(try wallet.challenge(900)).utf8.count)
            #expect(try await ask(900, alike) == "chain-refused")
            #expect(try await ask(901) == nil)
            #expect(try await ask(902, alike) == "chain-refused")
            #expect(try await ask(903) == nil)
        }
    }

    // MARK: The store

    /// A store that takes no writes any more.
    private struct IllDatabase: Database {
        let base: any Database
        var isShared: Bool { base.isShared }

        func write<Result: Sendable>(
            resolve: (@Sendable (any Transaction) throws -> Result?)?, _ body: @escaping @Sendable (any Transaction) throws -> Result
        ) async throws -> Result { throw StorageError(code: .storeIll, reason: "the disk is full") }

        func read<Result: Sendable>(
            _ consistency: ReadConsistency, _ body: @escaping @Sendable (any Transaction) throws -> Result
        ) async throws -> Result { try await base.read(consistency, body) }

        func close() async throws {}
    }

    @Test func aStoreThatTakesNoWritesStillGivesWhatItHas() async throws {
        try await Self.open { bank, wallet in
            let (token, challenge) = (try await bank.logIn(), try wallet.challenge(890))
            let first = try await bank.send(.post, Self.path, wallet.body(challenge), bearer: token)
            #expect(first.status == 200, "\(first.body)")
            let ill = try bank.anotherProcess(on: IllDatabase(base: bank.store.database))
            let session = try await ill.appRoutes.sessions.session(bearer: token)
            let card = try #require(try await bank.store.database.read { try CardRecords.find("card-visa", in: $0) })
            ill.context.cards.remember(card, mayBeAdded: true)
            let request = try PassDataRequest(Array(wallet.body(challenge).utf8))
            let again = try await ill.appRoutes.passData.make(request, card: "card-visa", session, about: [:])
            #expect(String(decoding: again, as: UTF8.self) == first.body)
            let new = try PassDataRequest(Array(wallet.body(try wallet.challenge(891)).utf8))
            await #expect {
                try await ill.appRoutes.passData.make(new, card: "card-visa", session, about: [:])
            } throws: { ($0 as? StorageError)?.code == .storeIll }
        }
    }

    /// Whoever has no session learns nothing, not even that a body is too long.
    @Test func aStrangersBodyIsNotRead() async throws {
        try await Self.open { bank, _ in
            let answer = try await bank.send(.post, Self.path, String(repeating: " ", count: 100_000), bearer: "pst_unknown")
            #expect(answer.status == 401)
            #expect(answer.errorCode == "unauthorized")
        }
    }
}

extension Bank {
    /// Another process of the issuer's host on the same store, with a memory of its own.
    fileprivate func anotherProcess(on database: (any Database)? = nil) throws -> ProvisioningServer {
        let (context, clock) = (server.context, clock)
        return try ProvisioningServer(
            configuration: context.configuration, database: database ?? context.database, cardSource: cards, http: context.http,
            trace: recorder, identifiers: context.identifiers,
            surroundings: ServerSurroundings(
                logger: context.logger, clock: clock, uptime: { .microseconds(clock.now().microseconds) },
                errors: ErrorMapping().withProvisioning()))
    }

    fileprivate func storedAnswers() async throws -> Int {
        try await store.database.read { tx in try tx.query("SELECT nonce FROM provisioning_pass_data").count }
    }
}
