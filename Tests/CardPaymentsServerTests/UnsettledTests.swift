import ApplePay
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import CardPaymentsServer
import Foundation
import Testing
import UnionPay

/// What is not known stays unknown, is asked about again, and ends with a person where nobody can tell.
@Suite struct UnsettledTests {
    private func state(_ shop: Shop, _ payment: String) async throws -> String? { try await shop.payment(payment).json["state"]?.string }

    // MARK: Reversals

    @Test func refusedReversalCallsAPersonAndIsReplacedByAVoid() async throws {
        try await Shop.open(pending: .failAndReverse, sheetWait: .zero) { shop in
            shop.acquirer.script {
                $0.queryCodes = ["05"]
                $0.reversalCode = "32"
            }
            let order = try await shop.place()
            let answer = try await shop.pay(order)
            #expect(answer.sheet == "failure")
            try await shop.pass(.seconds(2))
            #expect(try await shop.alarms() == [.reversalFailed])
            #expect(try await shop.notify(about: .consume).status == 200)
            #expect(try await state(shop, answer.paymentID) == "succeeded")
            // The shopper was told "failure": nothing is delivered for it.
            #expect(try await shop.order(order).json["state"]?.string == "processing")
            try await shop.pass(.seconds(1))
            #expect(shop.acquirer.received(.void).count == 1)
            #expect(try await shop.notify(about: .void).status == 200)
            #expect(try await state(shop, answer.paymentID) == "reversed")
            #expect(try await shop.balance(.sales) == 0)
            #expect(try await shop.order(order).json["state"]?.string == "open")
            #expect(shop.acquirer.received(.reversal).count == 1)
        }
    }

    /// The acquirer has taken the money, and it is being given back: whoever asks is not told to deliver.
    @Test func aSuccessThatIsBeingUndoneIsNoSuccessForTheSheet() async throws {
        try await Shop.open(pending: .failAndReverse, sheetWait: .zero) { shop in
            shop.acquirer.script { $0.reversalCode = "35" }
            let order = try await shop.place()
            let token = try shop.token(for: order)
            #expect(try await shop.pay(order, token).sheet == "failure")
            #expect(try await shop.notify(about: .consume).status == 200)
            // The same intent under another key is answered anew.
            let again = try await shop.pay(order, token, key: "pay-again")
            #expect(again.sheet == "failure")
            #expect(again.paymentState == "unknown")
        }
    }

    /// A reversal that the acquirer refuses is not begun anew by every later query.
    @Test func aRefusedReversalIsNotRepeated() async throws {
        try await Shop.open(pending: .failAndReverse, sheetWait: .zero) { shop in
            shop.acquirer.script {
                $0.queryCodes = ["05"]
                $0.reversalCode = "32"
            }
            let answer = try await shop.pay(shop.place())
            #expect(answer.sheet == "failure")
            try await shop.pass(.seconds(7_200), step: .seconds(60))
            #expect(shop.acquirer.received(.reversal).count == 1)
        }
    }

    @Test func reversalOfAKnownSuccessIsReplacedByAVoid() async throws {
        try await Shop.open(pending: .failAndReverse, sheetWait: .zero) { shop in
            shop.acquirer.script { $0.reversalCode = "35" }
            let order = try await shop.place()
            let payment = try await shop.pay(order).paymentID
            #expect(try await shop.notify(about: .consume).status == 200)
            #expect(try await shop.order(order).json["state"]?.string == "processing")
            try await shop.pass(.seconds(2))
            #expect(try await shop.alarms() == [.reversalFailed])
            #expect(shop.acquirer.received(.void).count == 1)
            try await shop.pass(.seconds(3))
            #expect(try await state(shop, payment) == "reversed")
        }
    }

    @Test func refundReplacesTheReversalOnceTheDayIsOver() async throws {
        try await Shop.open(pending: .failAndReverse, sheetWait: .zero) { shop in
            shop.acquirer.script {
                $0.queryCodes = ["05"]
                $0.reversalCode = "32"
            }
            let payment = try await shop.pay(shop.place()).paymentID
            try await shop.pass(.seconds(2))
            shop.clock.advance(by: .seconds(86_400))
            #expect(try await shop.notify(about: .consume).status == 200)
            try await shop.pass(.seconds(1))
            #expect(shop.acquirer.received(.void).isEmpty)
            #expect(shop.acquirer.received(.refund).count == 1)
            #expect(try await shop.notify(about: .refund).status == 200)
            #expect(try await state(shop, payment) == "refunded")
        }
    }

    @Test func reversalThatIsGivenUpLetsGoOfTheMoney() async throws {
        try await Shop.open(pending: .failAndReverse, sheetWait: .zero) { shop in
            shop.acquirer.script {
                $0.queryCodes = ["05"]
                $0.reversalCode = "05"
            }
            let payment = try await shop.pay(shop.place()).paymentID
            try await shop.pass(.seconds(36_000), step: .seconds(300))
            let merchant = try BillfoldPayments.MerchantID("shop")
            let letters = try await shop.database.read { tx in try OutboxRecords.deadLetters(merchant, in: tx) }
            #expect(letters.map(\.message.kind) == ["reversal"])
            #expect(try await shop.alarms() == [.reversalFailed])
            #expect(try await shop.notify(about: .consume).status == 200)
            #expect(try await shop.payment(payment).json["modifications"]?.array?.count == 2)
        }
    }

    // MARK: Lost refunds

    @Test func refundThatWasLostOnTheWayIsSentAgain() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let payment = try await shop.pay(shop.place()).paymentID
            #expect(try await shop.notify(about: .consume).status == 200)
            shop.acquirer.script { $0.losesMessages = [.refund] }
            #expect(try await shop.refund(payment, "33.00", key: "r").json["state"]?.string == "unknown")
            shop.acquirer.script { $0.losesMessages = [] }
            try await shop.pass(.seconds(50))
            #expect(shop.acquirer.received(.refund).isEmpty)
            try await shop.pass(.seconds(500), step: .seconds(5))
            let arrived = shop.acquirer.received(.refund)
            #expect(arrived.count == 1)
            #expect(arrived.first == shop.acquirer.lost.first)
            #expect(try await state(shop, payment) == "refunded")
            #expect(try await shop.alarms().isEmpty)
        }
    }

    /// A void that nobody answers for ever: bounded copies, then a person.
    @Test func refundThatNobodyKnowsEndsWithAPerson() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let payment = try await shop.pay(shop.place()).paymentID
            #expect(try await shop.notify(about: .consume).status == 200)
            shop.acquirer.script { $0.losesMessages = [.refund] }
            _ = try await shop.refund(payment, "33.00", key: "r")
            try await shop.pass(.seconds(240_000), step: .seconds(1200))
            #expect(try await shop.alarms() == [.outcomeUnknown])
            #expect(shop.acquirer.lost.count <= 40)
        }
    }

    /// A second copy may be refused because the first was taken: that is no failure.
    @Test(arguments: ["31", "11", "64", "83"])
    func refusedSecondCopyIsNoDecline(code: String) async throws {
        try await Shop.open(sheetWait: .zero) { (shop: Shop) async throws in
            shop.acquirer.script {
                $0.isUnreachable = true
                $0.queryCodes = ["05"]
            }
            let order = try await shop.place()
            let payment = try await shop.pay(order).paymentID
            shop.acquirer.script {
                $0.isUnreachable = false
                $0.syncCode = code
            }
            try await shop.pass(.seconds(45), step: .seconds(5))
            #expect(shop.acquirer.received(.consume).count == 1)
            #expect(try await state(shop, payment) == "unknown")
            #expect(try await shop.pay(order, key: "pay-2").errorCode == "payment-in-progress")
        }
    }

    @Test func disputedDeductCallsAPerson() async throws {
        try await Shop.open(sheetWait: .zero) { (shop: Shop) async throws in
            shop.acquirer.script { $0.syncCode = "42" }
            let answer = try await shop.pay(shop.place())
            #expect(answer.paymentState == "unknown")
            let alarms = try await shop.alarms()
            #expect(alarms == [.disputed])
        }
    }

    // MARK: Time limits

    /// The acquirer has it: however late it is, that is no failure.
    @Test(arguments: ["05", "A1", "03", "99", "12", "38"])
    func whatTheAcquirerHasDoesNotFailByTime(code: String) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script {
                $0.losesReply = true
                $0.queryCodes = [code]
            }
            let payment = try await shop.pay(shop.place()).paymentID
            try await shop.pass(.seconds(7200), step: .seconds(120))
            #expect(try await state(shop, payment) == "unknown")
            try await shop.pass(.seconds(240_000), step: .seconds(2400))
            #expect(try await state(shop, payment) == "unknown")
            #expect(try await shop.alarms() == [.outcomeUnknown])
        }
    }

    @Test func deductDoesNotLeaveAfterItsTimeLimit() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script { $0.isUnreachable = true }
            let payment = try await shop.pay(shop.place()).paymentID
            shop.acquirer.script { $0.isUnreachable = false }
            shop.clock.advance(by: .seconds(2100))
            try await shop.server.outboxWorker.runOnce()
            #expect(shop.acquirer.received(.consume).isEmpty)
            try await shop.server.deadlineWorker.runOnce()
            #expect(try await state(shop, payment) == "failed")
        }
    }

    // MARK: Replies to other messages

    /// The consume's own reply names the same order and time.
    @Test func consumesReplyDoesNotReverse() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script {
                $0.queryCodes = ["05"]
                $0.changesReply = { type, reply in if type == .reversal { reply["txnType"] = "01" } }
            }
            let payment = try await shop.pay(shop.place()).paymentID
            _ = try await shop.cancel(payment)
            try await shop.pass(.seconds(5))
            #expect(try await state(shop, payment) != "reversed")
        }
    }

    @Test(arguments: [["orderId": "ANOTHER1"], ["orderId": "", "txnTime": ""]])
    func replyAboutAnotherMessageSettlesNothing(change: [String: String]) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script {
                $0.syncCode = "64"
                $0.changesReply = { _, reply in for (name, value) in change { reply[name] = value } }
            }
            let payment = try await shop.pay(shop.place()).paymentID
            try await shop.pass(.seconds(10))
            #expect(try await state(shop, payment) == "unknown")
        }
    }

    @Test func refundsQueryWithAnotherAmountSettlesNothing() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let payment = try await shop.pay(shop.place()).paymentID
            #expect(try await shop.notify(about: .consume).status == 200)
            _ = try await shop.refund(payment, "10.00", key: "r")
            shop.acquirer.script { $0.otherAmount = "3300" }
            try await shop.pass(.seconds(10))
            #expect(try await state(shop, payment) == "succeeded")
            #expect(try await shop.alarms() == [.amountDiffers])
        }
    }

    @Test func paymentWithoutTheAcquirersNumberCanBeRefunded() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script { $0.changesReply = { type, reply in if type == .query { reply["queryId"] = nil } } }
            let payment = try await shop.pay(shop.place()).paymentID
            try await shop.pass(.seconds(3))
            #expect(try await state(shop, payment) == "succeeded")
            #expect(try await shop.refund(payment, "33.00", key: "r").json["state"]?.string == "accepted")
            let (deduct, refund) = try (#require(shop.acquirer.received(.consume).last), #require(shop.acquirer.received(.refund).last))
            #expect(refund["origQryId"] == nil)
            #expect(refund["origOrderId"] == deduct["orderId"] && refund["origTxnTime"] == deduct["txnTime"])
        }
    }

    // MARK: Work that this process does not know

    @Test func rowsOfAnotherVersionOrMerchantAreLeftToOthers() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let now = shop.clock.now()
            let other = try BillfoldPayments.MerchantID("elsewhere")
            let known = try BillfoldPayments.MerchantID("shop")
            let id = try TimeOrderedID(text: await shop.place().id)
            let deadlines = [
                Deadline(merchant: other, subject: id, kind: Deadline.paymentQuery, dueAt: now),
                Deadline(merchant: known, subject: id, kind: "new-kind", dueAt: now),
            ]
            let row = OutboxMessage(
                merchant: other, id: id, destination: "unionpay", kind: "refund", subject: id, subjectVersion: 1, body: [1],
                schedule: "refund", dueAt: now, createdAt: now)
            try await shop.database.write { tx in
                _ = try tx.executeBatch(deadlines.map(DeadlineRecords.arming) + [OutboxRecords.insertion(row)])
            }
            try await shop.pass(.seconds(10))
            let (left, dead) = try await shop.database.read { tx in
                let left = try deadlines.filter { try DeadlineRecords.find($0.kind, subject: id, merchant: $0.merchant, in: tx) != nil }
                return (left.count, try OutboxRecords.deadLetters(other, in: tx).count)
            }
            #expect(left == 2)
            #expect(dead == 0)
        }
    }
}
