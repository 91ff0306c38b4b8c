import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import Foundation
import HTTPTypes
import Testing

@testable import WalletServer

/// Paying by the pages, with the gateway by script: what is taken, once, and what is given back.
struct PaymentTests {
    @Test(arguments: StoreEngine.available) func aCustomerPaysAndIsLedBack(engine: StoreEngine) async throws {
        try await TestWallet.open(engine) { wallet in
            let (browser, path) = try await wallet.atPassword()
            let answer = try await browser.pay(path, "246810")
            #expect(answer.status == 303 && answer.headers[.location] == path, "\(answer.body)")
            let page = try await browser.get(path)
            #expect(page.body.contains("Paid") && page.field("resultStatus") == "9000", "\(page.body)")
            #expect(page.body.contains("billfoldshop://safepay/?%7B"))
            #expect(try await wallet.balance() == 1_000_000 - 912)
            let result = try await browser.send(.get, path + "/result", accept: "application/json")
            #expect(result.json["resultStatus"] as? String == "9000")
            #expect((result.json["result"] as? String)?.contains(#"success="true""#) == true)
            try await wallet.expectBalanced()
            #expect(try await wallet.server.backOffice.standing().waiting == 0)
        }
    }

    @Test(arguments: StoreEngine.available) func aHundredConfirmationsAtOnceDebitOnce(engine: StoreEngine) async throws {
        try await TestWallet.open(engine) { wallet in
            let (browser, path) = try await wallet.atPassword()
            let page = try await browser.get(path + "/password")
            let form = ["csrf": try #require(page.field("csrf")), "amount": "9.12", "password": "246810"]
            let answers = try await withThrowingTaskGroup(of: Browser.Answer.self) { group in
                for _ in 0..<100 { group.addTask { try await browser.send(.post, path + "/password", form: form) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 303 && $0.headers[.location] == path }, "\(Set(answers.map(\.status)))")
            #expect(wallet.gateway.paymentCount == 1 && wallet.gateway.calls("POST payments") == 1)
            #expect(try await wallet.balance() == 1_000_000 - 912)
            #expect(try await browser.get(path).field("resultStatus") == "9000")
            try await wallet.expectBalanced()
        }
    }

    @Test(arguments: StoreEngine.available) func twoCheckoutsOfOneTradePayItOnce(engine: StoreEngine) async throws {
        try await TestWallet.open(engine) { wallet in
            let (first, firstPath) = try await wallet.atPassword()
            let (second, secondPath) = try await wallet.atPassword()
            async let one = first.pay(firstPath, "246810")
            async let two = second.pay(secondPath, "246810")
            let statuses = try await [one.status, two.status].sorted()
            #expect(statuses == [303, 409])
            #expect(wallet.gateway.paymentCount == 1)
            #expect(try await wallet.balance() == 1_000_000 - 912)
            try await wallet.expectBalanced()
        }
    }

    @Test(arguments: [ScriptedGateway.Fault.answerLost, .requestLost, .serverError, .notSent])
    func aLostAnswerIsAskedForAndNeverPaidTwice(fault: ScriptedGateway.Fault) async throws {
        try await TestWallet.open { wallet in
            wallet.gateway.change { $0.faults = [fault] }
            let (browser, path) = try await wallet.atPassword()
            #expect(try await browser.pay(path, "246810").status == 303)
            let waiting = try await browser.get(path)
            #expect(waiting.body.contains("being processed") && waiting.headers[Browser.refresh] == "3")
            #expect(try await browser.send(.get, path + "/result").json["resultStatus"] as? String == "8000")
            #expect(try await wallet.balance() == 1_000_000 - 912)
            try await wallet.expectBalanced()
            #expect(try await wallet.server.backOffice.standing().held.minorUnits == 912)
            wallet.clock.advance(by: .seconds(30))
            try await wallet.server.deliverOnce()
            #expect(wallet.gateway.calls("GET payments") == 1)
            #expect(wallet.gateway.paymentCount == 1)
            #expect(try await browser.get(path).field("resultStatus") == "9000")
            #expect(try await wallet.balance() == 1_000_000 - 912)
            try await wallet.expectBalanced()
            // Nothing is left to deliver.
            wallet.clock.advance(by: .seconds(3600))
            #expect(try await wallet.server.deliverOnce() == 0)
        }
    }

    @Test func anUnknownOutcomeIsNeverGuessed() async throws {
        try await TestWallet.open { wallet in
            wallet.gateway.change { $0.faults = [.answerLost] }
            let (browser, path) = try await wallet.atPassword()
            _ = try await browser.pay(path, "246810")
            wallet.gateway.change { $0.isSilent = true }
            for _ in 0..<50 {
                wallet.clock.advance(by: .seconds(7200))
                try await wallet.server.deliverOnce()
            }
            #expect(try await wallet.server.backOffice.standing().waiting == 1)
            wallet.gateway.change { $0.isSilent = false }
            wallet.clock.advance(by: .seconds(7200))
            try await wallet.server.deliverOnce()
            #expect(try await wallet.server.backOffice.standing().waiting == 0)
            #expect(try await browser.get(path).field("resultStatus") == "9000")
            try await wallet.expectBalanced()
        }
    }

    @Test(arguments: StoreEngine.available) func aRefusalGivesTheHoldBack(engine: StoreEngine) async throws {
        try await TestWallet.open(engine) { wallet in
            wallet.gateway.change { $0.faults = [.refuse("ALIN10023")] }
            let (browser, path) = try await wallet.atPassword()
            #expect(try await browser.pay(path, "246810").status == 303)
            let page = try await browser.get(path)
            #expect(page.field("resultStatus") == "4000" && page.field("result") == "", "\(page.body)")
            #expect(try await wallet.balance() == 1_000_000)
            try await wallet.expectBalanced()
            // The same trade may be tried again, by a new checkout.
            let (again, other) = try await wallet.atPassword()
            #expect(try await again.pay(other, "246810").status == 303)
            #expect(try await again.get(other).field("resultStatus") == "9000")
            try await wallet.expectBalanced()
        }
    }

    @Test func aCrashBetweenHoldAndSendIsTakenOverByAWorker() async throws {
        try await TestWallet.open { wallet in
            let (browser, path) = try await wallet.atPassword()
            // The process dies while the gateway is asked: nothing is heard, nothing is stored after the hold.
            let (held, release) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
            wallet.gateway.change { books in
                books.hangs = {
                    held.continuation.finish()
                    for await _ in release.stream {}
                }
            }
            async let answer = browser.pay(path, "246810")
            for await _ in held.stream {}
            wallet.gateway.change { $0.hangs = nil }
            let (other, _) = try TestWallet.server(
                on: wallet.store.database, gateway: wallet.gateway, clock: wallet.clock, recorder: wallet.recorder, label: "other")
            wallet.clock.advance(by: .seconds(19))
            #expect(try await other.deliverOnce() == 0, "the row is leased to the page")
            wallet.clock.advance(by: .seconds(2))
            #expect(try await other.deliverOnce() == 1)
            #expect(wallet.gateway.paymentCount == 1)
            try await wallet.expectBalanced()
            // The dead request comes back to life, late: the gateway drops its copy.
            release.continuation.finish()
            #expect(try await answer.status == 303)
            #expect(wallet.gateway.paymentCount == 1)
            #expect(try await wallet.balance() == 1_000_000 - 912)
            #expect(try await browser.get(path).field("resultStatus") == "9000")
            try await wallet.expectBalanced()
        }
    }

    /// People say that the gateway does not have it while its answer is on the way.
    @Test(arguments: StoreEngine.available) func aContradictionMovesNothingAndWaitsForAPerson(engine: StoreEngine) async throws {
        try await TestWallet.open(engine) { wallet in
            let office = wallet.server.backOffice
            let (browser, path) = try await wallet.atPassword()
            let (held, release) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
            wallet.gateway.change { books in
                books.hangs = {
                    held.continuation.finish()
                    for await _ in release.stream {}
                }
            }
            async let answer = browser.pay(path, "246810")
            for await _ in held.stream {}
            wallet.clock.advance(by: .seconds(3 * 86_400))
            let waiting = try await office.alarms()
            #expect(waiting.map(\.kind) == [.unsettled] && waiting.first?.state.word == "held")
            let payment = try #require(waiting.first?.id)
            #expect(try await !office.clearContradiction(of: payment, remark: "too early", by: "ada"))
            #expect(try await office.settle(payment: payment, as: .released, by: "ada, bob", reason: "by telephone"))
            release.continuation.finish()
            #expect(try await answer.status == 303)
            #expect(try await wallet.balance() == 1_000_000)
            let alarm = try #require(try await office.alarms().first)
            #expect(alarm.kind == .contradiction && alarm.id == payment && alarm.state.word == "released")
            #expect(try await !office.clearContradiction(of: "no-payment", remark: "x", by: "ada"))
            #expect(try await office.clearContradiction(of: payment, remark: "the gateway gave it back", by: "ada"))
            #expect(try await !office.clearContradiction(of: payment, remark: "twice", by: "ada"))
            #expect(try await office.alarms().isEmpty)
            let owner = wallet.server.owner
            let rows = try await wallet.store.database.read {
                try AuditRecords.rows(of: ChainedOperatorAudit.chain, merchant: owner, in: $0)
            }
            let last = try #require(rows.last)
            #expect(last.action == "wallet.clear-contradiction" && last.object == payment && last.result == "the gateway gave it back")
            try await wallet.expectBalanced()
        }
    }

    @Test func aBalanceThatIsTooSmallTakesNothing() async throws {
        try await TestWallet.open { wallet in
            let path = try await wallet.checkout()
            let browser = wallet.browser()
            try await browser.logIn(TestWallet.wei, at: "\(path)/login")
            let page = try await browser.get(path + "/means")
            #expect(page.body.contains("The balance is too small"))
            let (other, otherPath) = try await wallet.atPassword(TestWallet.wei)
            let answer = try await other.pay(otherPath, "135791")
            #expect(answer.status == 422 && answer.body.contains("The balance is too small"), "\(answer.body)")
            #expect(try await wallet.balance(TestWallet.wei) == 500)
            #expect(wallet.gateway.calls("POST payments") == 0)
            try await wallet.expectBalanced()
        }
    }

    @Test func manyPaymentsAtOnceNeverOverdraw() async throws {
        try await TestWallet.open { wallet in
            wallet.gateway.change { $0.payable = "2.00" }
            let account = try #require(
                try await wallet.store.database.read { try AccountRecords.find(number: TestWallet.wei.number, in: $0) })
            let amount = try Amount("2.00", currency: TestWallet.cny)
            let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await wallet.store.database.write { try BalanceRecords.debit(amount, account.id, in: $0) }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(taken == 2)
            #expect(try await wallet.balance(TestWallet.wei) == 100)
        }
    }

    @Test func whatThePasswordPageShowedIsWhatIsPaid() async throws {
        try await TestWallet.open { wallet in
            let (browser, path) = try await wallet.atPassword()
            let csrf = try #require(try await browser.get(path + "/password").field("csrf"))
            let answer = try await browser.send(
                .post, path + "/password", form: ["csrf": csrf, "amount": "0.01", "password": "246810"])
            #expect(answer.status == 409 && answer.body.contains("has changed"))
            #expect(wallet.gateway.paymentCount == 0)
        }
    }

    @Test func closingIsCancelledBeforeSubmissionAndProcessingAfter() async throws {
        try await TestWallet.open { wallet in
            let path = try await wallet.checkout()
            #expect(try await wallet.browser().send(.post, path + "/closing").json["resultStatus"] as? String == "6001")
            #expect(try await wallet.browser().get(path).field("resultStatus") == "6001")
            wallet.gateway.change { $0.faults = [.requestLost] }
            let (browser, other) = try await wallet.atPassword()
            _ = try await browser.pay(other, "246810")
            #expect(try await wallet.browser().send(.post, other + "/closing").json["resultStatus"] as? String == "8000")
            wallet.clock.advance(by: .seconds(30))
            try await wallet.server.deliverOnce()
            #expect(try await wallet.browser().send(.post, other + "/closing").json["resultStatus"] as? String == "9000")
        }
    }

    @Test func anExpiredCheckoutPaysNothing() async throws {
        try await TestWallet.open { wallet in
            let (browser, path) = try await wallet.atPassword()
            wallet.clock.advance(by: .seconds(24 * 3600 + 1))
            #expect(try await browser.get(path).field("resultStatus") == "4000")
            #expect(wallet.gateway.paymentCount == 0)
        }
    }

    @Test func anOrderThatIsOverShowsTheGatewaysWord() async throws {
        try await TestWallet.open(change: { $0.console = "http://127.0.0.1:8081" }) { wallet in
            wallet.gateway.change { $0.orderState = "paid" }
            let path = try await wallet.checkout()
            let paid = try await wallet.browser().get(path)
            #expect(paid.field("resultStatus") == "9000")
            #expect(paid.body.contains("do not pay again") && paid.body.contains("data-why") && paid.body.contains("out_trade_no"))
            #expect(paid.body.contains("/stories/alipay.order%3AT%2F1"), "\(paid.body)")
            wallet.gateway.change {
                $0.orderState = "closed"
                $0.refusedTrade = "ALIN43911"
            }
            let closed = try await wallet.checkout()
            let page = try await wallet.browser().get(closed)
            #expect(page.field("resultStatus") == "4000" && page.body.contains("This order is over"), "\(page.body)")
        }
    }

    @Test(arguments: StoreEngine.available) func aLostCommitChangesNothing(engine: StoreEngine) async throws {
        try await TestWallet.open(engine, faults: FaultyDatabase.Faults(serializationFailures: 100, lostReplies: 200)) { wallet in
            for _ in 0..<5 {
                wallet.gateway.change { $0.trades = [:] }
                let (browser, path) = try await wallet.atPassword()
                _ = try await browser.pay(path, "246810")
                // A claim whose commit's answer is lost stays leased, and is looked for again when the lease ends.
                for _ in 0..<4 {
                    wallet.clock.advance(by: .seconds(120))
                    do {
                        try await wallet.server.deliverOnce()
                    } catch let error as StorageError { #expect(error.code == .commitUnknown) }
                }
                try await wallet.expectBalanced()
            }
            #expect(try await wallet.server.backOffice.standing().waiting == 0)
            #expect(wallet.gateway.paymentCount == 1, "one trade number, one payment")
            #expect(try await wallet.balance() == 1_000_000 - 912)
        }
    }
}
