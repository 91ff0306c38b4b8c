import ApplePay
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldStorageSQLite
import BillfoldTestSupport
import BillfoldTrace
import CardPaymentsServer
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import UnionPay

@Suite struct PaymentTests {
    @Test func paymentSettledByQueryClosesTheSheetWithSuccess() async throws {
        try await Shop.open { shop in
            let order = try await shop.place()
            #expect(order.total == "33.00")
            let answer = try await shop.whileTimePasses { try await shop.pay(order) }
            #expect(answer.status == 200)
            #expect(answer.paymentState == "succeeded")
            #expect(answer.sheet == "success")
            let deduct = try #require(shop.acquirer.received(.consume).first)
            #expect(deduct["txnAmt"] == "3300")
            #expect(deduct["cardTransData"] == "{ICCardData=nyYIAQIDBAUGBwg=&carrierAppTp=2&carrierTp=6}")
            #expect(deduct["accNo"] == Shop.cardNumber)
            #expect(try await shop.balance(.sales) == -3300)
            #expect(try await shop.order(order).json["state"]?.string == "paid")
            let report = try await shop.payment(answer.paymentID)
            #expect(report.json["account"]?.string == "625094••••••9998")
            #expect(report.json["settlementDay"]?.string == "1121")
        }
    }

    /// The synchronous 00 says that the acquirer has the message. It must never be taken for money.
    @Test func acceptedAloneIsNotPaid() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            let answer = try await shop.pay(order)
            #expect(answer.paymentState == "accepted")
            #expect(try await shop.balance(.sales) == 0)
            #expect(try await shop.order(order).json["state"]?.string == "processing")
        }
    }

    @Test(arguments: ["64", "61", "11", "31"])
    func hardCodeFailsThePayment(code: String) async throws {
        try await Shop.open { shop in
            shop.acquirer.script { $0.syncCode = code }
            let order = try await shop.place()
            let answer = try await shop.pay(order)
            #expect(answer.paymentState == "failed")
            #expect(answer.sheet == "failure")
            #expect(try await shop.balance(.sales) == 0)
            // A new attempt is a new message under a new number.
            shop.acquirer.script { $0.syncCode = "00" }
            let second = try await shop.whileTimePasses { try await shop.pay(order, key: "pay-2") }
            #expect(second.paymentState == "succeeded")
            let numbers = shop.acquirer.received(.consume).map { $0["orderId"] }
            #expect(numbers.count == 2 && Set(numbers).count == 2)
        }
    }

    @Test func declineByQueryFailsThePayment() async throws {
        try await Shop.open { shop in
            shop.acquirer.script { $0.queryCodes = ["34", "05", "64"] }
            let order = try await shop.place()
            let answer = try await shop.whileTimePasses { try await shop.pay(order) }
            #expect(answer.paymentState == "failed")
            #expect(answer.sheet == "failure")
        }
    }

    @Test func lostReplyIsSettledByQueryAndNeverSentAgain() async throws {
        try await Shop.open { shop in
            shop.acquirer.script {
                $0.losesReply = true
                $0.queryCodes = ["34", "05", "00"]
            }
            let order = try await shop.place()
            let answer = try await shop.whileTimePasses { try await shop.pay(order) }
            #expect(answer.paymentState == "succeeded")
            try await shop.pass(.seconds(120), step: .seconds(10))
            #expect(shop.acquirer.received(.consume).count == 1)
        }
    }

    @Test func forgedReplyIsUnknownAndNotFailed() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script {
                $0.syncCode = "64"
                $0.isForged = true
            }
            let answer = try await shop.pay(shop.place())
            #expect(answer.paymentState == "unknown")
        }
    }

    @Test func unreachableAcquirerIsOfferedTheSameBytesLater() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script { $0.isUnreachable = true }
            let order = try await shop.place()
            let answer = try await shop.pay(order)
            #expect(answer.paymentState == "submitted")
            shop.acquirer.script { $0.isUnreachable = false }
            try await shop.pass(.seconds(60), step: .seconds(5))
            #expect(shop.acquirer.received(.consume).count == 1)
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "succeeded")
        }
    }

    @Test func notificationMayOvertakeTheReply() async throws {
        try await Shop.open { shop in
            shop.acquirer.whileConsuming { fields in
                let answer = try? await shop.notify(shop.acquirer.notification(of: fields))
                #expect(answer?.status == 200)
            }
            let answer = try await shop.pay(shop.place())
            #expect(answer.paymentState == "succeeded")
            #expect(shop.acquirer.received(.query).isEmpty)
        }
    }

    @Test func repeatedNotificationIsAcknowledgedAndBooksOnce() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            _ = try await shop.pay(shop.place())
            for _ in 0..<5 { #expect(try await shop.notify(about: .consume).status == 200) }
            #expect(try await shop.balance(.sales) == -3300)
        }
    }

    @Test func forgedNotificationChangesNothing() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let answer = try await shop.pay(shop.place())
            let refused = try await shop.notify(about: .consume, forged: true)
            #expect(refused.status == 400)
            #expect(refused.errorCode == "notification-refused")
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "accepted")
        }
    }

    @Test func notificationWithAnotherAmountIsNotApplied() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let answer = try await shop.pay(shop.place())
            let refused = try await shop.notify(about: .consume, amount: "1")
            #expect(refused.status == 409)
            #expect(refused.errorCode == "notification-mismatch")
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "accepted")
        }
    }

    /// It is somebody's money: kept for people, once, and acknowledged because it is kept.
    @Test func notificationOfAPaymentThatIsNotInTheBooksIsKept() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            _ = try await shop.pay(shop.place())
            var fields = try #require(shop.acquirer.received(.consume).last)
            fields["orderId"] = "00000000000000000000000000000000"
            for _ in 0..<3 { #expect(try await shop.notify(shop.acquirer.notification(of: fields)).status == 200) }
            #expect(try await shop.notify(shop.acquirer.notification(of: fields, forged: true)).status == 400)
            #expect(try await shop.server.notices.unmatchedNotices().count == 1)
            #expect(try await shop.balance(.sales) == 0)
        }
    }

    @Test func queryWithAnotherAmountSettlesNothing() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script { $0.otherAmount = "1" }
            let answer = try await shop.pay(shop.place())
            try await shop.pass(.seconds(20))
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "unknown")
            #expect(try await shop.balance(.sales) == 0)
        }
    }

    @Test func lateSuccessAfterADeclineIsBookedWithAnAlarm() async throws {
        try await Shop.open { shop in
            shop.acquirer.script { $0.syncCode = "64" }
            let order = try await shop.place()
            let answer = try await shop.pay(order)
            #expect(answer.paymentState == "failed")
            #expect(try await shop.notify(about: .consume).status == 200)
            let report = try await shop.payment(answer.paymentID)
            #expect(report.json["state"]?.string == "succeeded")
            #expect(report.json["alarm"]?.string == "contradiction")
            #expect(try await shop.order(order).json["state"]?.string == "paid")
        }
    }

    /// One hundred identical requests: one deduct message, one hundred identical answers.
    @Test(arguments: StoreEngine.available)
    func hundredIdenticalRequestsDeductOnce(engine: StoreEngine) async throws {
        try await Shop.open(engine) { shop in
            let order = try await shop.place()
            let token = try shop.token(for: order)
            let answers = try await shop.whileTimePasses {
                try await withThrowingTaskGroup(of: Shop.Answer.self) { group in
                    for _ in 0..<100 { group.addTask { try await shop.pay(order, token) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
            #expect(answers.count == 100)
            #expect(Set(answers.map(\.body)).count == 1)
            #expect(answers.allSatisfy { $0.status == 200 && $0.paymentState == "succeeded" })
            #expect(shop.acquirer.received(.consume).count == 1)
            #expect(try await shop.balance(.sales) == -3300)
        }
    }

    /// Submitted, accepted, settled: what the waiting request is answered is stored by the write that settles the payment.
    @Test func theOutcomeAndItsAnswerAreOneWrite() async throws {
        try await Shop.open { shop in
            let order = try await shop.place()
            let token = try shop.token(for: order)
            let store = try #require(shop.database as? SQLiteDatabase)
            let before = store.statistics.writes
            async let waiting = shop.pay(order, token)
            while shop.acquirer.received(.consume).isEmpty { await Task.yield() }
            while store.statistics.writes < before + 2 { await Task.yield() }
            #expect(try await shop.notify(about: .consume).status == 200)
            let answer = try await waiting
            #expect(answer.paymentState == "succeeded")
            #expect(store.statistics.writes == before + 3)
            #expect(try await shop.pay(order, token).body == answer.body)
            #expect(store.statistics.writes == before + 3)
        }
    }

    /// Commits whose answers are lost are found again by their own keys, and nothing is done twice.
    @Test(arguments: StoreEngine.available)
    func lostCommitsLoseNothing(engine: StoreEngine) async throws {
        try await Shop.open(engine, lostReplies: 100) { shop in
            for round in 0..<5 {
                let order = try await shop.place(reference: "order-\(round)")
                let answer = try await shop.whileTimePasses { try await shop.pay(order) }
                #expect(answer.paymentState == "succeeded", "\(answer.body)")
                let refund = try await shop.refund(answer.paymentID, "33.00", key: "r-\(round)")
                #expect(refund.status == 201, "\(refund.body)")
                #expect(try await shop.notify(about: .refund).status == 200)
                #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "refunded")
            }
            #expect(shop.acquirer.received(.consume).count == 5)
            #expect(shop.acquirer.received(.refund).count == 5)
            #expect(try await shop.balance(.refunds) == 5 * 3300)
            #expect(try #require(shop.faults?.counts.lostReplies) > 5)
        }
    }

    @Test func cardDataIsErasedOnceTheMessageIsDelivered() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            _ = try await shop.pay(shop.place())
            let lengths = try await shop.database.read { tx in
                try tx.query("SELECT LENGTH(body) FROM outbox WHERE kind = 'consume'", []).map { try $0.integer(0) }
            }
            #expect(lengths == [0])
        }
    }

    /// A request that is torn down has no final answer to give, and reverses nothing.
    @Test func cancelledRequestDecidesNothing() async throws {
        try await Shop.open(pending: .failAndReverse, sheetWait: .seconds(30)) { shop in
            shop.acquirer.script { $0.queryCodes = ["05"] }
            let order = try await shop.place()
            let token = try shop.token(for: order)
            let request = Task { try await shop.pay(order, token) }
            while shop.acquirer.received(.consume).isEmpty { await Task.yield() }
            request.cancel()
            _ = try? await request.value
            let state = try await shop.order(order).json["state"]?.string
            #expect(state == "processing")
            let kept = try await shop.database.read { tx in
                try tx.query("SELECT key FROM idempotency_keys WHERE key = 'pay-1' AND result IS NOT NULL", []).count
            }
            #expect(kept == 0)
            try await shop.pass(.seconds(3))
            #expect(shop.acquirer.received(.reversal).isEmpty)
        }
    }

    @Test func repeatedRequestGetsTheStoredAnswer() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            let token = try shop.token(for: order)
            let first = try await shop.pay(order, token)
            #expect(try await shop.notify(about: .consume).status == 200)
            // The stored answer, although the payment has moved on; progress is read from the order.
            #expect(try await shop.pay(order, token).body == first.body)
        }
    }

    @Test func keyWithAnotherBodyIsAConflict() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            _ = try await shop.pay(order)
            let answer = try await shop.pay(order)
            #expect(answer.status == 422)
            #expect(answer.errorCode == "idempotency-conflict")
        }
    }

    @Test func secondAttemptWhileTheFirstIsUnknownIsRefused() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script { $0.losesReply = true }
            let order = try await shop.place()
            _ = try await shop.pay(order)
            let answer = try await shop.pay(order, key: "pay-2")
            #expect(answer.status == 409)
            #expect(answer.errorCode == "payment-in-progress")
            #expect(shop.acquirer.received(.consume).count == 1)
        }
    }

    /// One code for both, as it always was; the order's state tells them apart, and for people the reason.
    @Test(arguments: [(isPaid: false, reason: "neither failed nor reversed"), (isPaid: true, reason: "has paid the order")])
    func secondAttemptIsToldWhatTheFirstCameTo(isPaid: Bool, reason: String) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            #expect(try await shop.pay(order).status == 200)
            if isPaid { #expect(try await shop.notify(about: .consume).status == 200) }
            let answer = try await shop.pay(order, key: "pay-2")
            #expect(answer.status == 409 && answer.errorCode == "payment-in-progress" && answer.body.contains(reason), "\(answer.body)")
            #expect(try await shop.order(order).json["state"]?.string == (isPaid ? "paid" : "processing"))
        }
    }

    @Test func sameTokenAndRequestUnderAnotherKeyIsTheSamePayment() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            let token = try shop.token(for: order)
            let first = try await shop.pay(order, token)
            let second = try await shop.pay(order, token, key: "pay-2")
            #expect(second.paymentID == first.paymentID)
            #expect(shop.acquirer.received(.consume).count == 1)
        }
    }

    /// A request that was accepted is not judged again when it comes once more: its token has grown stale since.
    @Test func theSameRequestAfterItsTokensTimeIsTheSamePayment() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            let token = try shop.token(for: order)
            let first = try await shop.pay(order, token)
            try await shop.pass(.seconds(600), step: .seconds(60))
            let second = try await shop.pay(order, token, key: "pay-2")
            #expect(second.status == 200)
            #expect(second.paymentID == first.paymentID)
        }
    }

    @Test func pendingPaymentIsAcceptedWherePolicySaysSo() async throws {
        try await Shop.open(pending: .acceptPending, sheetWait: .zero) { shop in
            shop.acquirer.script { $0.queryCodes = ["05"] }
            let answer = try await shop.pay(shop.place())
            #expect(answer.sheet == "success")
            #expect(answer.paymentState == "accepted")
            try await shop.pass(.seconds(30))
            #expect(shop.acquirer.received(.reversal).isEmpty)
        }
    }

    @Test func pendingPaymentIsReversedWherePolicySaysSo() async throws {
        try await Shop.open(pending: .failAndReverse, sheetWait: .zero) { shop in
            shop.acquirer.script { $0.queryCodes = ["05"] }
            let order = try await shop.place()
            let answer = try await shop.pay(order)
            #expect(answer.sheet == "failure")
            try await shop.pass(.seconds(2))
            let reversal = try #require(shop.acquirer.received(.reversal).first)
            let deduct = try #require(shop.acquirer.received(.consume).first)
            #expect(reversal["orderId"] == deduct["orderId"] && reversal["txnTime"] == deduct["txnTime"])
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "reversed")
            #expect(try await shop.pay(order, key: "pay-2").status == 200)
        }
    }

    /// Whoever waited beside the sheet is gone, as after a crash: what the store says of the wait's end decides.
    @Test func undecidedPaymentWhoseRequestIsGoneIsReversedWherePolicySaysSo() async throws {
        try await Shop.open(pending: .failAndReverse, sheetWait: .seconds(30)) { shop in
            shop.acquirer.script { $0.queryCodes = ["05"] }
            let order = try await shop.place()
            let token = try shop.token(for: order)
            let request = Task { try await shop.pay(order, token) }
            while shop.acquirer.received(.consume).isEmpty { await Task.yield() }
            request.cancel()
            _ = try? await request.value
            try await shop.pass(.seconds(39))
            #expect(shop.acquirer.received(.reversal).isEmpty)
            try await shop.pass(.seconds(600), step: .seconds(5))
            #expect(shop.acquirer.received(.reversal).count == 1)
            #expect(try await shop.order(order).json["payments"]?.array?.first?.object?["state"]?.string == "reversed")
            #expect(try await shop.pay(order, token).sheet == "failure")
        }
    }

    @Test func paymentThatNeverArrivedFailsOnlyPastItsTimeLimit() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script {
                $0.losesReply = true
                $0.queryCodes = ["34"]
            }
            let answer = try await shop.pay(shop.place())
            try await shop.pass(.seconds(1500), step: .seconds(60))
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "unknown")
            try await shop.pass(.seconds(3600), step: .seconds(60))
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "failed")
        }
    }

    /// The number of the device's card, its EMV data and PIN block must not lie in the store in clear.
    @Test func cardDataIsNotStoredInClear() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            _ = try await shop.pay(shop.place())
            let rows = try await shop.database.read { tx in
                try tx.query("SELECT body FROM outbox", []) + tx.query("SELECT detail FROM payments", [])
                    + tx.query("SELECT result FROM idempotency_keys WHERE result IS NOT NULL", [])
            }
            #expect(rows.count >= 3)
            for row in rows {
                let text = String(decoding: try row.blob(0), as: UTF8.self)
                for secret in [Shop.cardNumber, "nyYIAQIDBAUGBwg", "0123456789abcdef"] { #expect(!text.contains(secret)) }
            }
            for entry in shop.trace.entries {
                #expect(!"\(entry)".contains(Shop.cardNumber))
                #expect(!"\(entry)".contains("nyYIAQIDBAUGBwg"))
            }
        }
    }

    @Test func traceTellsTheStoryOfAPayment() async throws {
        try await Shop.open { shop in
            let order = try await shop.place()
            _ = try await shop.whileTimePasses { try await shop.pay(order) }
            let titles = Set(shop.trace.entries.map { "\($0.from.rawValue) \($0.kind.rawValue) \($0.title)" })
            for expected in [
                "shop request create order", "phone request pay", "merchant note token accepted", "merchant request consume",
                "unionpay response consume", "merchant request query", "merchant response pay",
            ] {
                #expect(titles.contains(expected), "\(expected)")
            }
        }
    }
}
