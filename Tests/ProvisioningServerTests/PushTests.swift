import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import CustomerLanguages
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import ProvisioningServer

/// What customers are told, in their language and as far as they agreed to it.
struct PushTests {
    /// A sender of pushes by script.
    private final class PusherStub: CustomerPusher {
        private let held = Mutex<(pushes: [CustomerPush], fails: Int, hasDevice: Bool, refusal: String?)>(([], 0, true, nil))
        var pushes: [CustomerPush] { held.withLock { $0.pushes } }
        func fail(_ count: Int) { held.withLock { $0.fails = count } }
        func refuse(_ reason: String) { held.withLock { $0.refusal = reason } }
        func loseDevice() { held.withLock { $0.hasDevice = false } }

        func send(_ push: CustomerPush) async throws(MessageFailure) -> CustomerPush.Outcome {
            if let refusal = held.withLock({ $0.refusal }) {
                throw MessageFailure(reason: refusal, mayHaveArrived: false, isTransient: false)
            }
            let outcome: CustomerPush.Outcome? = held.withLock { held in
                guard held.fails == 0 else {
                    held.fails -= 1
                    return nil
                }
                guard held.hasDevice else { return .noDevice }
                held.pushes.append(push)
                return .taken
            }
            guard let outcome else { throw MessageFailure(reason: "down", mayHaveArrived: false, isTransient: true) }
            return outcome
        }
    }

    private static func prefer(_ bank: TokenBank, _ language: String, cards: Bool = true, transactions: Bool = false) async throws
        -> Bank.Answer
    {
        try await bank.bank.send(
            .put, "/bank/v1/customers/c-1/preferences",
            #"{"language":"\#(language)","cardMessages":\#(cards),"transactionMessages":\#(transactions)}"#, bearer: Bank.apiKey)
    }

    private static func transaction(_ id: String, at instant: Int64 = BankEventTests.start, amount: String = "12.30") -> String {
        #"{"transactionId":"\#(id)","card":"card-visa","merchant":"Tea House","amount":{"value":"\#(amount)","currency":"EUR"},"#
            + #""occurredAt":\#(instant)}"#
    }

    private static func tell(_ bank: TokenBank, _ transaction: String) async throws -> Bank.Answer {
        try await bank.bank.send(.post, "/bank/v1/card-transactions", transaction, bearer: Bank.apiKey)
    }

    @Test(arguments: StoreEngine.withoutInjectedFaults)
    func aCardsLifeIsPushedInTheCustomersLanguage(_ engine: StoreEngine) async throws {
        let pusher = PusherStub()
        try await TokenBank.open(engine, change: { $0.pusher = pusher }) { bank in
            #expect(try await Self.prefer(bank, "ko-KR")["language"] == "ko")
            try await bank.provision()
            pusher.fail(2)
            try await bank.pass(.seconds(30), step: .seconds(5))
            let push = try #require(pusher.pushes.first)
            #expect(pusher.pushes.count == 1 && bank.inbox.messages.isEmpty)
            #expect(push.language == "ko" && push.subject == "token active" && push.customer == "c-1" && push.card == "card-visa")
            #expect(push.text.contains("0004") && push.text.contains("결제할 수 있습니다") && push.text.contains("Mei's phone"))
            #expect(try await bank.file().messages.map { "\($0.channel) \($0.state.rawValue)" } == ["app delivered"])
            // Whoever has no device is told in another way.
            pusher.loseDevice()
            _ = try await BankEventTests.report(bank, BankEventTests.event("e-1", "blocked"))
            try await bank.work()
            #expect(bank.inbox.messages.count == 1 && bank.inbox.messages.first?.text.contains("정지") == true)
            let answers = bank.bank.recorder.entries.filter { $0.from == "push-sender" }
            #expect(answers.map(\.problem) == ["down", "down", nil, nil], "nobody has to have a device")
            // Whoever wants none is told nothing.
            #expect(try await Self.prefer(bank, "en", cards: false).status == 200)
            bank.bank.clock.advance(by: .seconds(1))
            _ = try await BankEventTests.report(bank, BankEventTests.event("e-2", "unblocked", at: 10))
            try await bank.work()
            #expect(bank.inbox.messages.count == 1 && pusher.pushes.count == 1)
            #expect(try await bank.token()?.snapshot.state == .active)
            #expect(try await bank.bank.store.database.read(StoreCheckTests.check(bank)) == [])
        }
    }

    @Test func aPushThatIsRefusedForGoodTakesAnotherWayAtOnce() async throws {
        let pusher = PusherStub()
        try await TokenBank.open(change: { $0.pusher = pusher }) { bank in
            pusher.refuse("the push sender answered 410: Unregistered")
            try await bank.provision()
            try await bank.work()
            #expect(
                pusher.pushes.isEmpty && bank.inbox.messages.map(\.contact) == ["c-1-text"], "told in another way, with the first attempt")
            #expect(bank.bank.recorder.log.contains("410: Unregistered"))
            // Its story has the push like any delivery, with why it was refused and without what it says.
            let reported = bank.bank.recorder.entries.filter { $0.title == "push" }
            #expect(reported.map { "\($0.from.rawValue) \($0.to.rawValue)" } == ["issuer push-sender", "push-sender issuer"])
            #expect(reported.map(\.problem) == [nil, "the push sender answered 410: Unregistered"])
            #expect(reported.allSatisfy { $0.correlation["provisioning.token"] != nil && !"\($0)".contains("Mei's phone") })
            #expect(try await bank.file().messages.map(\.state) == [.delivered])
            let told = try #require(try await Self.told(bank).first)
            #expect(told["channel"] as? String == "SMS" && told["note"] as? String == "the push sender answered 410: Unregistered; SMS")
            #expect(told["contact"] as? String == "•••42", "\(told)")
        }
    }

    /// What the bank reads of the messages about the first card, newest first.
    private static func told(_ bank: TokenBank) async throws -> [[String: Any]] {
        let answer = try await bank.bank.send(.get, "/bank/v1/cards/card-visa/messages", bearer: Bank.apiKey)
        return try #require(answer.json["messages"] as? [[String: Any]], "\(answer.body)")
    }

    @Test func theBankReadsWhyAPushWaitsWhyItFailedAndNoContactOfOneThatArrived() async throws {
        let pusher = PusherStub()
        try await TokenBank.open(change: { $0.pusher = pusher }) { bank in
            bank.bank.cards.change("card-visa") { $0.contacts = [] }
            _ = try await bank.bank.logIn()
            try await bank.provision()
            pusher.fail(1)
            try await bank.work()
            let waiting = try #require(try await Self.told(bank).first)
            #expect(waiting["state"] as? String == "queued" && waiting["note"] as? String == "down" && waiting["attempts"] as? Int == 1)
            let next = try #require(waiting["nextAttemptAt"] as? Int)
            #expect(next > BankEventTests.start && waiting["contact"] == nil, "\(waiting)")
            try await bank.pass(.seconds(10), step: .seconds(5))
            let pushed = try #require(try await Self.told(bank).first)
            #expect(pushed["state"] as? String == "delivered" && pushed["channel"] as? String == "app", "\(pushed)")
            #expect(pushed["note"] as? String == "pushed" && pushed["contact"] == nil && pushed["nextAttemptAt"] == nil, "\(pushed)")

            pusher.refuse("the push sender answered 400: BadDeviceToken")
            _ = try await BankEventTests.report(bank, BankEventTests.event("e-1", "blocked", at: 20))
            try await bank.pass(.seconds(20), step: .seconds(5))
            let failed = try #require(try await Self.told(bank).first)
            #expect(failed["state"] as? String == "failed" && failed["attempts"] as? Int == 1, "\(failed)")
            #expect(failed["note"] as? String == "the push sender answered 400: BadDeviceToken" && failed["nextAttemptAt"] == nil)
        }
    }

    @Test func aPushThatIsRefusedForGoodAndHasNoOtherWayIsADeadLetterWithItsReason() async throws {
        let pusher = PusherStub()
        try await TokenBank.open(change: { $0.pusher = pusher }) { bank in
            bank.bank.cards.change("card-visa") { $0.contacts = [] }
            _ = try await bank.bank.logIn()
            pusher.refuse("the push sender answered 400: BadDeviceToken")
            try await bank.provision()
            try await bank.work()
            #expect(try await bank.file().messages.map(\.state) == [.failed] && bank.inbox.messages.isEmpty)
            let rows = try await bank.bank.store.database.read { tx in
                try tx.query("SELECT state, attempt, note FROM outbox WHERE kind = 'customer-message'").map {
                    "\(try $0.text(0)) \(try $0.integer(1)) \(try $0.text(2))"
                }
            }
            #expect(rows == ["dead 1 the push sender answered 400: BadDeviceToken"])
        }
    }

    @Test func paymentsAreToldToWhoAgreedAndOnce() async throws {
        let pusher = PusherStub()
        try await TokenBank.open(change: { $0.pusher = pusher }) { bank in
            #expect(try await Self.tell(bank, Self.transaction("t-0"))["message"] == "not-wanted", "consent is given, never assumed")
            _ = try await Self.prefer(bank, "zh-Hant-TW", transactions: true)
            let first = try await Self.tell(bank, Self.transaction("t-1"))
            #expect(first.status == 202 && first["message"] == "queued", "\(first.body)")
            #expect(try await Self.tell(bank, Self.transaction("t-1")).body == first.body)
            #expect(try await Self.tell(bank, Self.transaction("t-1", amount: "12.31")).errorCode == "request-reused")
            let old = Self.transaction("t-2", at: BankEventTests.start - 86_400_001)
            #expect(try await Self.tell(bank, old)["message"] == "too-late")
            // It would be news still when its key is forgotten, and told twice.
            let ahead = try await Self.tell(bank, Self.transaction("t-5", at: BankEventTests.start + 300_001))
            #expect(ahead.status == 422 && ahead.errorCode == "instant-ahead", "\(ahead.body)")
            try await bank.work()
            #expect(pusher.pushes.map(\.text) == ["您用尾號0004的卡片向Tea House支付了12.30 EUR。"])
            for wrong in ["12.301", "-1.00", "0.00", "1e2", ""] {
                #expect(try await Self.tell(bank, Self.transaction("t-3", amount: wrong)).status == 400, "\(wrong)")
            }
            let unknown = Self.transaction("t-4").replacingOccurrences(of: "card-visa", with: "card-none")
            #expect(try await Self.tell(bank, unknown).errorCode == "card-not-found")
            #expect(try await bank.bank.store.database.read(StoreCheckTests.check(bank)) == [])
        }
    }

    @Test func preferencesAreReadAsTheyWereSet() async throws {
        try await TokenBank.open { bank in
            let path = "/bank/v1/customers/c-1/preferences"
            let unsaid = try await bank.bank.send(.get, path, bearer: Bank.apiKey)
            #expect(unsaid.body == #"{"cardMessages":true,"customer":"c-1","language":"en","transactionMessages":false}"#)
            for _ in 0..<2 { #expect(try await Self.prefer(bank, "th", cards: false, transactions: true).status == 200) }
            let said = try await bank.bank.send(.get, path, bearer: Bank.apiKey)
            #expect(said.body == #"{"cardMessages":false,"customer":"c-1","language":"th","transactionMessages":true}"#)
            #expect(try await bank.trail().map(\.action) == ["customer.preferences"], "said twice is said once")
            for language in ["fr", "", "english"] { #expect(try await Self.prefer(bank, language).status == 400, "\(language)") }
            #expect(try await bank.bank.send(.get, path, bearer: TokenBank.keys[.visa]).status == 401)
        }
    }

    @Test func everyLanguageHasEveryNotice() {
        for language in CustomerLanguage.allCases {
            for subject in NoticeTexts.Subject.allCases {
                let text = NoticeTexts.text(subject, in: language, card: "0004", on: "Mei's phone")
                let bare = NoticeTexts.text(subject, in: language, card: "0004", on: nil)
                #expect(text.contains("0004") && text.contains("Mei's phone") && !bare.contains("Mei's phone"), "\(language) \(subject)")
                #expect(bare.count > 12, "\(language) \(subject)")
            }
            let texts = Set(NoticeTexts.Subject.allCases.map { NoticeTexts.text($0, in: language, card: "0004", on: nil) })
            #expect(texts.count == NoticeTexts.Subject.allCases.count, "\(language)")
            let payment = NoticeTexts.payment(of: "12.30 EUR", to: "Tea House", in: language, card: "0004")
            #expect(payment.contains("12.30 EUR") && payment.contains("Tea House") && payment.contains("0004"), "\(language)")
        }
    }

    @Test func theSendersOwnWordAloneIsThatThereIsNoDevice() async throws {
        let push = CustomerPush(id: "p-1", customer: "c-1", card: "card-visa", language: "en", subject: "token active", text: "ready")
        func send(_ status: HTTPResponse.Status, _ body: String) async throws(MessageFailure) -> CustomerPush.Outcome {
            try await PushSender(http: OneAnswer(status: status, body: body), origin: "https://push.example", credential: Secret("key"))
                .send(push)
        }
        #expect(try await send(.accepted, "") == .taken)
        #expect(try await send(.notFound, #"{"error":{"code":"device-unknown","reason":"none"}}"#) == .noDevice)
        // Of what is refused it is no use to ask again, whoever said it: the sender, or Apple, whose word it hands on.
        let refusals: [(HTTPResponse.Status, String, String)] = [
            (.notFound, "", "404"), (.notFound, #"{"error":{"code":"not-found"}}"#, "404: not-found"),
            (.badRequest, #"{"reason":"BadDeviceToken"}"#, "400: BadDeviceToken"),
            (.gone, #"{"reason":"Unregistered","timestamp":1795204800000}"#, "410: Unregistered"), (.contentTooLarge, "", "413"),
            (.forbidden, #"{"reason":"not a word"}"#, "403"), (.unauthorized, "", "401"), (.conflict, "", "409"),
            (.gone, #"{"reason":"\#(String(repeating: "a", count: 65))"}"#, "410"),
        ]
        for (status, body, reason) in refusals {
            let failure = await #expect(throws: MessageFailure.self) { _ = try await send(status, body) }
            #expect(failure?.isTransient == false && failure?.reason == "the push sender answered \(reason)")
        }
        for status in [
            HTTPResponse.Status.badGateway, .internalServerError, .serviceUnavailable, .tooManyRequests, .tooEarly, .requestTimeout, .found,
        ] {
            let failure = await #expect(throws: MessageFailure.self) { _ = try await send(status, #"{"reason":"TooManyRequests"}"#) }
            #expect(failure?.isTransient == true, "\(status)")
        }
    }

    private struct OneAnswer: HTTPSender {
        var status: HTTPResponse.Status
        var body: String
        func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
            OutgoingAnswer(status: status, headers: [:], body: Array(body.utf8))
        }
    }
}
