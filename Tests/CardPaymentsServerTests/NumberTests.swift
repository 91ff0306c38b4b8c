import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import CardPaymentsServer
import Crypto
import CryptoExtras
import Foundation
import Testing
import UnionPay
import X509

/// Who gets an order's number, for how long, and what becomes of it where something fails.
@Suite struct NumberTests {
    private static func count(_ shop: Shop, _ table: String, _ condition: String) async throws -> Int64 {
        try await shop.database.read { tx in try tx.query("SELECT COUNT(*) FROM \(table) WHERE \(condition)")[0].integer(0) }
    }

    // MARK: For how long

    @Test func aNumberIsNotHandedOutPastItsTimeLimit() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            let first = try await shop.askForNumber(order)
            shop.clock.advance(by: .seconds(899))
            #expect(try await shop.askForNumber(order).body == first.body)
            shop.clock.advance(by: .seconds(2))
            let late = try await shop.askForNumber(order)
            #expect(late.status == 200 && late.paymentID == first.paymentID && late.paymentState == "accepted", "\(late.body)")
            #expect(late.json["tn"] == nil && late.json["mode"] == nil)
            // The order waits for the end of that attempt.
            #expect(try await shop.askForNumber(order, key: "n-2").errorCode == "payment-in-progress")
            #expect(shop.acquirer.received(.consume).count == 1)
        }
    }

    /// The acquirer's "success" for a push is no payment's: people would read it as paid.
    @Test func aPushThatIsTakenHasNoReasonYet() async throws {
        try await Shop.openForNumbers { shop in
            let answer = try await shop.askForNumber(shop.place())
            #expect(answer.paymentState == "accepted" && !answer.body.contains("成功"), "\(answer.body)")
            #expect(try await shop.payment(answer.paymentID).json["reason"]?.string == nil)
            #expect(try await shop.notify(about: .consume).status == 200)
            #expect(try await shop.payment(answer.paymentID).json["reason"]?.string?.hasPrefix("00") == true)
        }
    }

    @Test func aNumberIsNotHandedOutOnceItIsPaid() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            _ = try await shop.askForNumber(order)
            #expect(try await shop.notify(about: .consume).status == 200)
            let again = try await shop.askForNumber(order)
            #expect(again.status == 200 && again.paymentState == "succeeded", "\(again.body)")
            #expect(again.json["tn"] == nil && again.json["mode"] == nil)
        }
    }

    /// The number came after the app had gone, and the app asks an hour later.
    @Test func aKeyThatStayedRunningGetsNoOldNumber() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            shop.acquirer.script { $0.losesMessages = [.consume] }
            #expect(try await shop.askForNumber(order).errorCode == "idempotency-running")
            shop.acquirer.script { $0.losesMessages = [] }
            try await shop.pass(.seconds(4))
            shop.clock.advance(by: .seconds(3_600))
            for _ in 0..<2 {
                let answer = try await shop.askForNumber(order)
                #expect(answer.status == 200 && answer.paymentState == "accepted", "\(answer.body)")
                #expect(answer.json["tn"] == nil && answer.json["mode"] == nil)
            }
        }
    }

    @Test func keysAreForgottenAndARepeatMovesNothing() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            _ = try await shop.askForNumber(order)
            #expect(try await shop.notify(about: .consume).status == 200)
            let keys = "operation = 'POST /v1/orders/{id}/transaction-numbers'"
            #expect(try await Self.count(shop, "idempotency_keys", keys) == 1)
            shop.clock.advance(by: .seconds(31 * 86_400))
            try await shop.server.retentionWorker.runOnce()
            #expect(try await Self.count(shop, "idempotency_keys", keys) == 0)
            #expect(try await shop.askForNumber(order).errorCode == "payment-in-progress")
            #expect(shop.acquirer.received(.consume).count == 1)
        }
    }

    // MARK: For what

    /// Equal amounts do not make it the same wish.
    @Test func anotherChoiceDoesNotGetTheNumber() async throws {
        try await Shop.openForNumbers { shop in
            let coupons = ["A", "B"].map { #"{"code":"\#($0)","label":"Ten off","percentOff":"10"}"# }.joined(separator: ",")
            let order = try await shop.place(String(Shop.electronicOrder.dropLast()) + #","coupons":[\#(coupons)]}"#)
            let first = try await shop.askForNumber(order, #"{"couponCode":"A"}"#)
            #expect(first.json["tn"]?.string == Shop.number)
            #expect(try await shop.askForNumber(order, key: "n-2", #"{"couponCode":"B"}"#).errorCode == "payment-in-progress")
            #expect(try await shop.askForNumber(order, key: "n-3", #"{"couponCode":"A"}"#).json["tn"]?.string == Shop.number)
            #expect(shop.acquirer.received(.consume).count == 1)
        }
    }

    /// What has no effect on an order is no other choice; where its goods go is one.
    @Test func aChoiceWithoutEffectGetsTheNumber() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            _ = try await shop.askForNumber(order, #"{"shippingMethod":"nope","shippingContact":{}}"#)
            for (place, same) in ["{}", #"{"shippingContact":{"countryCode":"CN"}}"#, #"{"shippingMethod":"other"}"#].enumerated() {
                let answer = try await shop.askForNumber(order, key: "same-\(place)", same)
                #expect(answer.json["tn"]?.string == Shop.number, "\(same): \(answer.body)")
            }
            let elsewhere = #"{"shippingContact":{"emailAddress":"other@example.com"}}"#
            #expect(try await shop.askForNumber(order, key: "other", elsewhere).errorCode == "payment-in-progress")
            #expect(shop.acquirer.received(.consume).count == 1)
        }
    }

    /// The method that is taken where none is named is the order's first.
    @Test func deliveredGoodsGoWhereTheNumberWasAskedFor() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place(QuoteTests.deliveredOrder)
            func choice(_ method: String = "", to city: String) -> String {
                #"{\#(method)"shippingContact":{"locality":"\#(city)","countryCode":"CN"}}"#
            }
            _ = try await shop.askForNumber(order, choice(to: "Shanghai"))
            let first = try await shop.askForNumber(order, key: "n-2", choice(#""shippingMethod":"slow","#, to: "Shanghai"))
            #expect(first.json["tn"]?.string == Shop.number, "\(first.body)")
            #expect(try await shop.askForNumber(order, key: "n-3", choice(to: "Beijing")).errorCode == "payment-in-progress")
        }
    }

    @Test(arguments: [("CNY", #"{"couponCode":"ALL"}"#), ("16.50", "9999999999.99"), ("CNY", "USD")])
    func whatCannotBePushedIsRefused(part: String, change: String) async throws {
        try await Shop.openForNumbers(change: { $0.merchants[0].settledCurrencies = [.cny, .usd] }) { shop in
            let isChoice = change.hasPrefix("{")
            let text = isChoice ? Shop.electronicOrder : Shop.electronicOrder.replacing(part, with: change)
            let coupons = #","coupons":[{"code":"ALL","label":"For nothing","percentOff":"100"}]}"#
            let order = try await shop.place(String(text.dropLast()) + coupons)
            for _ in 0..<2 {
                let answer = try await shop.askForNumber(order, isChoice ? change : "{}")
                #expect(answer.status == 422 && answer.errorCode == "invalid-amount", "\(answer.body)")
            }
            #expect(shop.acquirer.received(.consume).isEmpty)
            #expect(try await shop.order(order).json["state"]?.string == "open")
        }
    }

    @Test func aChoiceThatDoesNotFitIsRefused() async throws {
        try await Shop.openForNumbers { shop in
            let answer = try await shop.askForNumber(await shop.place(), #"{"couponCode":"X"}"#)
            #expect(answer.status == 422 && answer.errorCode == "choice-refused", "\(answer.body)")
            #expect(shop.acquirer.received(.consume).isEmpty)
        }
    }

    @Test func aTokenUnderWayKeepsTheNumberAway() async throws {
        try await Shop.openForNumbers(sheetWait: .zero) { shop in
            let order = try await shop.place()
            #expect(try await shop.pay(order).paymentState == "accepted")
            #expect(try await shop.askForNumber(order).errorCode == "payment-in-progress")
            #expect(shop.acquirer.received(.consume).count == 1)
        }
    }

    // MARK: How often

    @Test func questionsOfOneOrderAreLimited() async throws {
        try await Shop.openForNumbers(change: { $0.orderRate = RateLimit(perSecond: 1, burst: 2) }) { shop in
            let (order, other) = (try await shop.place(), try await shop.place(reference: "A-2"))
            // At once, as the limiter's clock is the machine's.
            let codes = try await withThrowingTaskGroup(of: [String?].self) { group in
                for count in 0..<40 {
                    group.addTask {
                        let asked = try await shop.askForNumber(order, key: "n-\(count)").errorCode
                        return [asked, try await shop.tell(other).errorCode]
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for place in 0..<2 { #expect(codes.contains { $0[place] == "rate-limited" }, "\(codes)") }
            #expect(shop.acquirer.received(.consume).count == 1)
        }
    }

    /// Each word that an app brings would else have the acquirer asked.
    @Test func resultsAskTheAcquirerAFewTimes() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            _ = try await shop.askForNumber(order)
            for _ in 0..<8 { #expect(try await shop.tell(order).status == 200) }
            #expect((3...4).contains(shop.acquirer.received(.query).count))
        }
    }

    /// What is asked by schedule has a kind that servers of the version before leave alone, though they count it.
    @Test func theQuestionIsOfAKindOfItsOwn() async throws {
        try await Shop.openForNumbers { shop in
            let answer = try await shop.askForNumber(await shop.place())
            #expect(try await Self.count(shop, "deadlines", "kind = 'payment-query'") == 0)
            #expect(try await Self.count(shop, "deadlines", "kind = 'pushed-payment-query'") == 1)
            try await shop.database.write { tx in _ = try tx.execute("UPDATE deadlines SET attempt = 1000") }
            try await shop.pass(.seconds(1_790), step: .seconds(10))
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "accepted")
            try await shop.pass(.seconds(20), step: .seconds(1))
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "failed")
            #expect(try await shop.alarms().isEmpty)
            #expect(try await Self.count(shop, "deadlines", "1 = 1") == 0)
        }
    }

    @Test func theLastQuestionComesAsSoonAsItsAnswerIsFinal() async throws {
        try await Shop.openForNumbers { shop in
            let answer = try await shop.askForNumber(await shop.place())
            try await shop.pass(.seconds(1_800), step: .seconds(1))
            #expect(shop.acquirer.received(.query).count == 3)
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "accepted")
            try await shop.pass(.seconds(2))
            #expect(shop.acquirer.received(.query).count == 4)
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "failed")
        }
    }

    // MARK: What fails

    @Test(arguments: ["01", "02", "06", "37"]) func aBusyAcquirerIsAskedAgain(code: String) async throws {
        for (copy, state, number) in [("00", "accepted", Shop.number), ("33", "unknown", nil)] {
            try await Shop.openForNumbers { shop in
                shop.acquirer.script { ($0.syncCode, $0.codeOfCopies) = (code, copy) }
                let order = try await shop.place()
                #expect(try await shop.askForNumber(order).errorCode == "idempotency-running")
                try await shop.pass(.seconds(4))
                let answer = try await shop.askForNumber(order)
                #expect(answer.paymentState == state && answer.json["tn"]?.string == number, "\(answer.body)")
                #expect(shop.acquirer.received(.consume).count == 2)
            }
        }
    }

    /// The process dies, or its store fails, when the message has left: nobody is told that nothing was changed, and the worker that takes
    /// over does not know whether a first copy arrived.
    @Test func whatMayHaveLeftIsNoFirstCopy() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            try await shop.database.write { tx in
                _ = try tx.execute("CREATE TRIGGER fails BEFORE UPDATE ON outbox BEGIN SELECT RAISE(ABORT, 'no'); END")
            }
            shop.acquirer.script { $0.losesMessages = [.consume] }
            let answer = try await shop.askForNumber(order)
            #expect(answer.status == 503 && answer.errorCode == "outcome-unknown", "\(answer.body)")
            try await shop.database.write { tx in _ = try tx.execute("DROP TRIGGER fails") }
            shop.acquirer.script { ($0.losesMessages, $0.syncCode) = ([], "33") }
            try await shop.pass(.seconds(45), step: .seconds(5))
            #expect(shop.acquirer.received(.consume).count == 1)
            let again = try await shop.askForNumber(order)
            #expect(again.paymentState == "unknown" && again.json["tn"] == nil, "\(again.body)")
        }
    }

    @Test func aNotificationThatIsFasterThanTheNumberCounts() async throws {
        try await Shop.openForNumbers { shop in
            shop.acquirer.whileConsuming { fields in _ = try? await shop.notify(shop.acquirer.notification(of: fields)) }
            let order = try await shop.place()
            let answer = try await shop.askForNumber(order)
            #expect(answer.status == 200 && answer.paymentState == "succeeded" && answer.json["tn"] == nil, "\(answer.body)")
            #expect(try await shop.order(order).json["state"]?.string == "paid")
            #expect(try await shop.balance(.sales) == -3_300)
        }
    }

    @Test func anotherAmountSettlesNothing() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            _ = try await shop.askForNumber(order)
            #expect(try await shop.notify(about: .consume, amount: "1").status == 409)
            #expect(try await shop.alarms() == [.amountDiffers])
            let other = try await shop.place(reference: "A-2")
            let asked = try await shop.askForNumber(other)
            shop.acquirer.script { ($0.queryCodes, $0.otherAmount) = (["00"], "1") }
            #expect(try await shop.tell(other).json["state"]?.string == "processing")
            try await shop.pass(.seconds(2))
            #expect(try await shop.payment(asked.paymentID).json["state"]?.string == "unknown")
            #expect(try await shop.alarms() == [.amountDiffers, .amountDiffers])
            #expect(try await shop.balance(.sales) == 0)
        }
    }

    @Test func aSignedResultAboutAnotherNumberIsTold() async throws {
        let key = Certificate.PrivateKey(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        let id = try CertificateID("7")
        let signer = LegacyAppResultSHA1Signer(key: key, certificateID: id)
        let (own, other) = try (
            signer.signed(.success, of: TransactionNumber(Shop.number)),
            signer.signed(.success, of: TransactionNumber("201602141008032671528"))
        )
        try await Shop.openForNumbers(
            change: { $0.merchants[0].appResults = LegacyAppResultSHA1Verifier(keys: [id: key.publicKey]) }
        ) { shop in
            let order = try await shop.place()
            _ = try await shop.askForNumber(order)
            for signed in [own, other] {
                _ = try await shop.tell(order, #"{"code":"success","data":{"sign":"\#(signed.sign)","data":"\#(signed.data)"}}"#)
            }
            let told = shop.trace.entries.filter { $0.title == "result from the app" }.map(\.problem)
            #expect(told == [nil, "UnionPay signed about a number that is none of the order's"])
        }
    }
}
