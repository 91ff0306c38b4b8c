import ApplePay
import ApplePayForging
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import Crypto
import Foundation
import HTTPTypes
import PaymentCrypto
import PaymentCryptoOpenSSL
import Testing

@testable import ProvisioningServer

@Suite struct PassDataTests {
    private static func path(_ card: String) -> String { "/provisioning/v1/cards/\(card)/pass-data" }

    @Test(arguments: StoreEngine.available)
    func visaIsSealedTwiceAndComesWithActivationData(engine: StoreEngine) async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(engine, wallet: wallet) { bank in
            let (token, challenge) = (try await bank.logIn(), try wallet.challenge(1))
            let answer = try await bank.send(.post, Self.path("card-visa"), wallet.body(challenge), bearer: token)
            #expect(answer.status == 200, "\(answer.body)")
            #expect(answer.headers[.cacheControl] == "no-store")
            guard case .encryptedFPAN(let data) = try wallet.open(answer) else {
                Issue.record("not the encrypted form")
                return
            }
            #expect(data.primaryAccountNumberPrefix == "405551")
            #expect(data.networkName == "Visa")
            #expect(data.name == "MEI LIN")
            #expect(data.challenge == challenge)
            let zoneKey = try OpenSSLTripleDESKey(Wallet.zoneKey)
            let account = try await VisaAccountBlock(
                opening: VisaWireText(data.encryptedPrimaryAccountNumber, due: .account), key: zoneKey)
            #expect(account.primaryAccountNumber == (try CardNumber(Bank.visaNumber)))
            #expect(account.expiration.slashed == "12/30")
            #expect(account.instant == bank.clock.now().date)
            let text = String(decoding: try StrictBase64.decode(try #require(answer["activationData"])), as: UTF8.self)
            let activation = try await VisaActivationBlock(opening: VisaWireText(text, due: .activation), key: zoneKey)
            #expect(activation.names(challenge.nonce))
            // The bank knows its code again, for this card alone.
            let code = activation.authenticationCode.text.withUnsafeBytes {
                KeyedHash(of: $0, purpose: "authentication-code", key: bank.server.context.configuration.keys.hashing)
            }
            try await bank.store.database.read { tx in
                let start = Timestamp(microseconds: 0)
                let (known, foreign) = (
                    try PassDataRecords.isIssued(authenticationCode: code, card: "card-visa", since: start, in: tx),
                    try PassDataRecords.isIssued(authenticationCode: code, card: "card-mastercard", since: start, in: tx)
                )
                #expect(known)
                #expect(!foreign)
            }
        }
    }

    @Test func mastercardCarriesASignedValueThatNamesItsKey() async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(wallet: wallet) { bank in
            let (token, challenge) = (try await bank.logIn(), try wallet.challenge(2))
            let answer = try await bank.send(
                .post, Self.path("card-mastercard"), wallet.body(challenge, encoding: "base64"), bearer: token)
            guard case .fpan(let data) = try wallet.open(answer) else {
                Issue.record("not the form with the number in clear")
                return
            }
            #expect(data.primaryAccountNumber == (try CardNumber(Bank.mastercardNumber)))
            #expect(data.expiration.slashed == "12/30")
            #expect(data.challenge == challenge)
            let value = try TokenizationAuthenticationValue(json: StrictBase64.decode(try #require(answer["activationData"])))
            guard case .version4(let alias, _, _) = value.form else {
                Issue.record("not version 4")
                return
            }
            #expect(alias == "tav-1")
            try value.verify(
                for: .init(accountNumber: data.primaryAccountNumber, expiration: data.expiration), publicKey: wallet.tavKey.publicKey,
                at: bank.clock.now().date)
        }
    }

    @Test func otherNetworksAreMarkedUnconfirmed() async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(wallet: wallet) { bank in
            let (token, challenge) = (try await bank.logIn(), try wallet.challenge(3))
            let answer = try await bank.send(.post, Self.path("card-unionpay"), wallet.body(challenge, scheme: .rsaV2), bearer: token)
            #expect(answer.status == 200, "\(answer.body)")
            #expect(answer["activationData"] == nil)
            #expect(answer["ephemeralPublicKey"] == nil)
            guard case .fpan(let data) = try wallet.open(answer) else {
                Issue.record("not the form with the number in clear")
                return
            }
            #expect(data.primaryAccountNumber == (try CardNumber(Bank.unionPayNumber)))
            #expect(bank.recorder.entries.contains { $0.title == "pass data made" && $0.fields.contains { $0.name == "unconfirmed" } })
            // The other scheme's leaf does not do.
            let wrong = try await bank.send(.post, Self.path("card-unionpay"), wallet.body(try wallet.challenge(4)), bearer: token)
            #expect(wrong.errorCode == "chain-refused")
            // The trace has the reason that the caller got, beside the code.
            #expect(bank.recorder.entries.contains { $0.problem?.hasPrefix("chain-refused: ") == true })
        }
    }

    @Test(arguments: StoreEngine.available)
    func oneAttemptHasOneAnswer(engine: StoreEngine) async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(engine, wallet: wallet) { bank in
            let (token, challenge) = (try await bank.logIn(), try wallet.challenge(5))
            let body = wallet.body(challenge)
            let answers = try await withThrowingTaskGroup(of: Bank.Answer.self) { group in
                for _ in 0..<4 { group.addTask { try await bank.send(.post, Self.path("card-visa"), body, bearer: token) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(Set(answers.map(\.body)).count == 1)
            // The answer stays as long as the card may be added.
            _ = try await bank.logIn()
            #expect(try await bank.send(.post, Self.path("card-visa"), body, bearer: token).body == answers[0].body)
            // Another request with the nonce is refused, for another card as well.
            let reordered = wallet.body(challenge, certificates: wallet.authority.certificates().reversed())
            for (card, other) in [("card-visa", reordered), ("card-mastercard", body)] {
                let answer = try await bank.send(.post, Self.path(card), other, bearer: token)
                #expect(answer.status == 409)
                #expect(answer.errorCode == "nonce-reused")
            }
            // And so is the challenge in another session, whoever's.
            for session in [try await bank.logIn(), try await bank.logIn("c-1", device: "phone-2")] {
                let answer = try await bank.send(.post, Self.path("card-mastercard"), body, bearer: session)
                #expect(answer.status == 409)
                #expect(answer.errorCode == "session-mixed")
            }
        }
    }

    @Test func refusedChainsAreReportedToTheOperatorAlone() async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(wallet: wallet) { bank in
            let token = try await bank.logIn()
            let (leaf, intermediate) = (wallet.authority.leaf.der, wallet.authority.intermediate.der)
            var damaged = leaf
            damaged[damaged.count - 3] ^= 1
            var generator = SeededGenerator(seed: 9, label: "stranger")
            let stranger = try ProvisioningAuthority(at: bank.clock.now().date, using: &generator)
            let expired = try ProvisioningAuthority(at: bank.clock.now().date, flaws: [.leafExpired], using: &generator)
            let chains: [(String, [[UInt8]])] = [
                ("one", [leaf]), ("none", []), ("damaged", [damaged, intermediate]), ("stranger", stranger.certificates()),
                ("two leaves", [leaf, leaf, intermediate]), ("expired", expired.certificates()),
                ("four", [leaf, intermediate, wallet.authority.root.der, stranger.intermediate.der]),
            ]
            for (number, (name, chain)) in chains.enumerated() {
                bank.clock.advance(by: .seconds(1))
                let body = wallet.body(try wallet.challenge(100 + UInt64(number)), certificates: chain)
                let answer = try await bank.send(.post, Self.path("card-visa"), body, bearer: token)
                #expect(answer.status == 422, "\(name)")
                #expect(answer.errorCode == "chain-refused", "\(name)")
                #expect(answer.body.contains("could not be added"), "\(name)")
                let note = try #require(bank.recorder.entries.last { $0.title == "certificates refused" })
                #expect(note.fields.count > 10 && note.fields.contains { $0.value.hasPrefix("refused: ") || $0.value == "not reached" })
                #expect(note.correlation["provisioning.session"] != nil)
            }
            // In any order, with the root or without it, the right ones do.
            for (number, chain) in [[intermediate, leaf], [leaf, intermediate, wallet.authority.root.der]].enumerated() {
                let body = wallet.body(try wallet.challenge(200 + UInt64(number)), certificates: chain)
                #expect(try await bank.send(.post, Self.path("card-visa"), body, bearer: token).status == 200)
            }
        }
    }

    @Test func testAnchorsAreRefusedInProduction() async throws {
        let wallet = try Wallet.shared.get()
        var configuration = ProvisioningConfiguration(
            mode: .production, issuer: try BillfoldPayments.MerchantID("bank"), programmes: Bank.programmes,
            keys: .init(
                audit: SymmetricKey(size: .bits256), hashing: SymmetricKey(size: .bits256),
                sealer: EnvelopeSealer(ring: KeyRing(active: "k", try SealingKey(bytes: [UInt8](repeating: 1, count: 32))))))
        try configuration.validate()
        configuration.trust = wallet.authority.trust
        #expect(throws: ProvisioningError.self) { try configuration.validate() }
    }

    @Test(arguments: [
        ("nonce", "a1b2c3", "nonce-length"), ("nonce", "a1b2c3d4e5f6", "nonce-length"), ("nonce", "a1b2c3dg", "nonce-encoding"),
        ("nonceSignature", "40", "nonce-signature-length"), ("encoding", "text", "malformed-request"),
        ("certificates", "x", "malformed-request"),
    ])
    func challengesAreOfTheirLengths(field: String, value: String, code: String) async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(wallet: wallet) { bank in
            let token = try await bank.logIn()
            var object = try #require(
                JSONSerialization.jsonObject(with: Data(wallet.body(try wallet.challenge(6)).utf8)) as? [String: Any])
            object[field] = value
            let body = String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
            let answer = try await bank.send(.post, Self.path("card-visa"), body, bearer: token)
            #expect(answer.errorCode == code)
            // Eight hexadecimal digits that are read as base64 are six bytes.
            let challenge = try wallet.challenge(6)
            let mixed = wallet.body(challenge, encoding: "base64")
                .replacingOccurrences(of: StrictBase64.encode(challenge.nonce), with: Hexadecimal.encode(challenge.nonce))
            let misread = try await bank.send(.post, Self.path("card-visa"), mixed, bearer: token)
            #expect(misread.errorCode == "nonce-length")
            #expect(misread.body.contains("6 bytes"))
        }
    }

    @Test func cardsThatCannotBeAddedAreRefused() async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(wallet: wallet) { bank in
            let (one, two) = (try await bank.logIn(), try await bank.logIn("c-2"))
            try await bank.server.switches.set(programme: "mastercard-debit", isOn: false, remark: "r", by: "ada")
            let cases = [
                ("card-blocked", two, "card-blocked"), ("card-closed", two, "card-closed"), ("card-visa", two, "card-not-found"),
                ("card-none", one, "card-not-found"), ("card-mastercard", one, "switched-off"),
            ]
            for (number, (card, token, code)) in cases.enumerated() {
                let body = wallet.body(try wallet.challenge(300 + UInt64(number)))
                #expect(try await bank.send(.post, Self.path(card), body, bearer: token).errorCode == code)
            }
            bank.clock.advance(by: .seconds(900))
            let late = try await bank.send(.post, Self.path("card-visa"), wallet.body(try wallet.challenge(310)), bearer: one)
            #expect(late.errorCode == "session-expired")
        }
    }

    /// Idempotency is for what is allowed: what was sealed before the bank switched the card off is given out no more.
    @Test func aRepetitionIsRefusedOnceTheCardMayNotBeAdded() async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(wallet: wallet) { bank in
            let token = try await bank.logIn()
            let body = wallet.body(try wallet.challenge(41))
            func ask() async throws -> Bank.Answer { try await bank.send(.post, Self.path("card-visa"), body, bearer: token) }
            let first = try await ask()
            #expect(first.status == 200, "\(first.body)")
            let switches = bank.server.switches
            try await switches.set(card: "card-visa", isOn: false, remark: "test", by: "lin")
            #expect(try await ask().errorCode == "switched-off")
            try await switches.set(card: "card-visa", isOn: true, remark: "test", by: "lin")
            try await switches.set(programme: "visa-credit", isOn: false, remark: "test", by: "lin")
            #expect(try await ask().errorCode == "switched-off")
            try await switches.set(programme: "visa-credit", isOn: true, remark: "test", by: "lin")
            #expect(try await ask().body == first.body)
            bank.cards.change("card-visa") { $0.status = .blocked }
            _ = try await bank.logIn()
            #expect(try await ask().errorCode == "card-blocked")
        }
    }

    @Test func tooManyAttemptsForOneCardOrDeviceAreRefused() async throws {
        let wallet = try Wallet.shared.get()
        for perCard in [true, false] {
            try await Bank.open(
                wallet: wallet,
                change: {
                    $0.cardRate = .init(perSecond: 1, burst: perCard ? 2 : 100)
                    $0.deviceRate = .init(perSecond: 1, burst: perCard ? 100 : 2)
                }
            ) { bank in
                let token = try await bank.logIn()
                var codes: [String?] = []
                for number in 0..<3 {
                    let body = wallet.body(try wallet.challenge(400 + UInt64(number)))
                    codes.append(try await bank.send(.post, Self.path("card-visa"), body, bearer: token).errorCode)
                }
                #expect(codes == [nil, nil, "rate-limited"])
                // Another device, or another card, is not held up.
                let (other, card) =
                    perCard ? (token, "card-mastercard") : (try await bank.logIn(device: "phone-2"), "card-visa")
                let answer = try await bank.send(.post, Self.path(card), wallet.body(try wallet.challenge(410)), bearer: other)
                #expect(answer.status == 200)
            }
        }
    }

    @Test func keysAreRotatedWhileTheServerRuns() async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(wallet: wallet) { bank in
            let token = try await bank.logIn()
            func keySet(_ seed: UInt64) async throws -> String {
                let answer = try await bank.send(.post, Self.path("card-visa"), wallet.body(try wallet.challenge(seed)), bearer: token)
                let text = String(decoding: try StrictBase64.decode(try #require(answer["activationData"])), as: UTF8.self)
                return try VisaWireText(text).keySet.id
            }
            #expect(try await keySet(500) == "405551.1")
            var keys = bank.server.context.networkKeys.current
            try keys.visa.add("405551.2", OpenSSLTripleDESKey((1...16).map { UInt8($0 * 3) }))
            bank.server.replace(networkKeys: keys)
            #expect(try await keySet(501) == "405551.2")
        }
    }

    @Test(arguments: StoreEngine.available)
    func lostCommitsAndConflictsLeaveOneAnswerEach(engine: StoreEngine) async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(
            engine, wallet: wallet, faults: .init(serializationFailures: 300, lostReplies: 400),
            change: { $0.cardRate = .init(perSecond: 1, burst: 100) }
        ) { bank in
            let token = try await bank.logIn()
            for seed in UInt64(700)..<708 {
                let body = wallet.body(try wallet.challenge(seed))
                let first = try await bank.send(.post, Self.path("card-visa"), body, bearer: token)
                let second = try await bank.send(.post, Self.path("card-visa"), body, bearer: token)
                #expect(first.status == 200)
                #expect(first.body == second.body)
                bank.clock.advance(by: .seconds(1))
            }
            let rows = try await bank.store.database.read { tx in try tx.query("SELECT nonce FROM provisioning_pass_data") }
            #expect(rows.count == 8)
        }
    }

    /// Never answers, except to whoever gives it up.
    private struct SilentKey: TripleDESKey {
        func encrypt(_ blocks: [UInt8]) async throws(PaymentCryptoError) -> [UInt8] {
            try? await Task.sleep(for: .seconds(3_600))
            throw PaymentCryptoError(code: .keyStoreUnavailable, reason: "given up")
        }
    }

    private struct BrokenKey: TripleDESKey {
        func encrypt(_ blocks: [UInt8]) async throws(PaymentCryptoError) -> [UInt8] {
            throw PaymentCryptoError(code: .keyStoreUnavailable, reason: "the device is away")
        }
    }

    @Test(arguments: [true, false])
    func whatCouldNotBeMadeLeavesNothingAndTheRetryFinishes(isSilent: Bool) async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(wallet: wallet, change: { $0.passDataBudget = .seconds(2) }) { bank in
            let token = try await bank.logIn()
            var keys = NetworkKeys()
            try keys.visa.add("405551.1", isSilent ? SilentKey() : BrokenKey())
            bank.server.replace(networkKeys: keys)
            let body = wallet.body(try wallet.challenge(600))
            let failed = try await bank.send(.post, Self.path("card-visa"), body, bearer: token)
            #expect(failed.status == 503)
            #expect(failed.errorCode == (isSilent ? "timed-out" : "keys-unavailable"))
            let rows = try await bank.store.database.read { tx in try tx.query("SELECT card FROM provisioning_pass_data") }
            #expect(rows.isEmpty)
            bank.server.replace(networkKeys: try wallet.keys())
            #expect(try await bank.send(.post, Self.path("card-visa"), body, bearer: token).status == 200)
        }
    }
}
