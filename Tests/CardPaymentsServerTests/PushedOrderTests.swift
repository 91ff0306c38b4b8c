import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import CardPaymentsServer
import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import Logging
import Testing
import UnionPay
import X509

/// Orders that are paid by UnionPay's own client.
@Suite struct PushedOrderTests {
    @Test func aNotificationSettlesWhatTheCustomerPaid() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            let answer = try await shop.askForNumber(order)
            #expect(answer.status == 200)
            #expect(answer.json["tn"]?.string == Shop.number)
            #expect(answer.json["mode"]?.string == "01")
            #expect(answer.paymentState == "accepted")
            let push = try #require(shop.acquirer.received(.consume).first)
            #expect(push["bizType"] == "000201")
            #expect(push["channelType"] == "08")
            #expect(push["txnAmt"] == "3300")
            #expect(push["accNo"] == nil)
            #expect(push["reqReserved"] == order.id)
            #expect(push["payTimeout"] != nil)
            #expect(try await shop.order(order).json["state"]?.string == "processing")
            #expect(try await shop.balance(.sales) == 0)
            #expect(try await shop.notify(about: .consume).status == 200)
            #expect(try await shop.order(order).json["state"]?.string == "paid")
            #expect(try await shop.balance(.sales) == -3300)
            // What is given back goes by the product that it was paid by.
            #expect(try await shop.refund(answer.paymentID, "33.00", key: "r").status == 201)
            #expect(shop.acquirer.received(.refund).first?["bizType"] == "000201")
        }
    }

    @Test(arguments: ["success", "fail", "cancel", "something"]) func noWordOfTheAppSettlesAnything(word: String) async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            _ = try await shop.askForNumber(order)
            let answer = try await shop.tell(order, #"{"code":"\#(word)"}"#)
            #expect(answer.status == 200)
            #expect(answer.json["state"]?.string == "processing")
            #expect(try await shop.balance(.sales) == 0)
        }
    }

    @Test func aWordMakesTheServerAskAtOnce() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            _ = try await shop.askForNumber(order)
            shop.acquirer.script { $0.queryCodes = ["00"] }
            // Whatever the word: the acquirer knows.
            #expect(try await shop.tell(order, #"{"code":"cancel"}"#).json["state"]?.string == "paid")
            #expect(try await shop.balance(.sales) == -3300)
            #expect(shop.acquirer.received(.query).count == 1)
        }
    }

    @Test func whoComesBackPaysByTheSameNumber() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            let first = try await shop.askForNumber(order, key: "n-1")
            let again = try await shop.askForNumber(order, key: "n-1")
            let second = try await shop.askForNumber(order, key: "n-2")
            #expect(first.body == again.body)
            #expect(second.json["tn"]?.string == Shop.number)
            #expect(second.paymentID == first.paymentID)
            #expect(shop.acquirer.received(.consume).count == 1)
            #expect(try await shop.pay(order).errorCode == "payment-in-progress")
        }
    }

    @Test func aKeyStandsForOneRequest() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            _ = try await shop.askForNumber(order, key: "n-1")
            #expect(try await shop.askForNumber(order, key: "n-1", #"{"couponCode":"X"}"#).errorCode == "idempotency-conflict")
            #expect(try await shop.askForNumber(order, key: nil).errorCode == "idempotency-key-missing")
        }
    }

    /// A card that was refused is not the end: the customer may take another one.
    @Test func aRefusalByQueryCountsWhenTheTimeIsOver() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            let answer = try await shop.askForNumber(order)
            shop.acquirer.script { $0.queryCodes = ["64"] }
            try await shop.pass(.seconds(600), step: .seconds(60))
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "accepted")
            try await shop.pass(.seconds(2_400), step: .seconds(60))
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "failed")
            // Money that comes all the same is never ignored.
            #expect(try await shop.notify(about: .consume).status == 200)
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "succeeded")
            #expect(try await shop.alarms().isEmpty == false)
        }
    }

    @Test func nobodyPayingEndsWithTheTimeLimit() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            let answer = try await shop.askForNumber(order)
            try await shop.pass(.seconds(3_000), step: .seconds(60))
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "failed")
            #expect(try await shop.balance(.sales) == 0)
            #expect(try await shop.alarms().isEmpty)
        }
    }

    @Test func aLostRequestIsSentAgainAndGetsItsNumber() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            shop.acquirer.script { $0.losesMessages = [.consume] }
            #expect(try await shop.askForNumber(order).errorCode == "idempotency-running")
            shop.acquirer.script { $0.losesMessages = [] }
            try await shop.pass(.seconds(4))
            let answer = try await shop.askForNumber(order)
            #expect(answer.json["tn"]?.string == Shop.number)
            let (lost, sent) = (try #require(shop.acquirer.lost.first), try #require(shop.acquirer.received(.consume).first))
            #expect(lost == sent)
        }
    }

    /// The copy is a duplicate, and its number is not told again: nobody can pay it, and its time limit ends it.
    @Test func aLostNumberIsNoPayment() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            shop.acquirer.script { $0.losesReply = true }
            #expect(try await shop.askForNumber(order).errorCode == "idempotency-running")
            shop.acquirer.script { $0.losesReply = false }
            try await shop.pass(.seconds(4))
            let answer = try await shop.askForNumber(order)
            #expect(answer.status == 200)
            #expect(answer.json["tn"] == nil)
            #expect(answer.json["mode"] == nil)
            #expect(answer.paymentState == "unknown")
            try await shop.pass(.seconds(3_000), step: .seconds(60))
            #expect(try await shop.payment(answer.paymentID).json["state"]?.string == "failed")
        }
    }

    @Test func zeroZeroWithoutANumberIsNotKnown() async throws {
        try await Shop.openForNumbers { shop in
            shop.acquirer.script { $0.changesReply = nil }
            let answer = try await shop.askForNumber(await shop.place())
            #expect(answer.paymentState == "unknown")
            #expect(answer.json["tn"] == nil)
        }
    }

    @Test func aForgedNumberIsNotHandedOut() async throws {
        try await Shop.openForNumbers { shop in
            shop.acquirer.script { $0.isForged = true }
            let order = try await shop.place()
            #expect(try await shop.askForNumber(order).errorCode == "idempotency-running")
            try await shop.pass(.seconds(30))
            let answer = try await shop.askForNumber(order)
            #expect(answer.json["tn"] == nil)
            #expect(answer.paymentState == "unknown")
        }
    }

    @Test func aRefusedPushLeavesTheOrderOpen() async throws {
        try await Shop.openForNumbers { shop in
            shop.acquirer.script { $0.syncCode = "33" }
            let order = try await shop.place()
            let answer = try await shop.askForNumber(order)
            #expect(answer.paymentState == "failed")
            #expect(answer.json["tn"] == nil)
            shop.acquirer.script { $0.syncCode = "00" }
            #expect(try await shop.askForNumber(order, key: "n-2").json["tn"]?.string == Shop.number)
        }
    }

    @Test(arguments: CardPaymentsConfiguration.PendingPolicy.allCases)
    func whatTheCustomerMayBePayingIsNotReversed(policy: CardPaymentsConfiguration.PendingPolicy) async throws {
        try await Shop.openForNumbers(pending: policy) { shop in
            let answer = try await shop.askForNumber(await shop.place())
            #expect(try await shop.cancel(answer.paymentID).errorCode == "wrong-state")
            try await shop.pass(.seconds(120), step: .seconds(10))
            #expect(shop.acquirer.received(.reversal).isEmpty)
        }
    }

    @Test func withoutAnAddressThereAreNoNumbers() async throws {
        try await Shop.open { shop in
            let order = try await shop.place()
            #expect(try await shop.askForNumber(order).errorCode == "numbers-not-configured")
            #expect(shop.acquirer.received(.consume).isEmpty)
        }
    }

    @Test func aStrangerGetsNoNumber() async throws {
        try await Shop.openForNumbers { shop in
            let (order, other) = (try await shop.place(), try await shop.place(reference: "A-2"))
            let path = "/v1/orders/\(order.id)/transaction-numbers"
            #expect(try await shop.send(.post, path, Array("{}".utf8), bearer: other.secret, key: "n").status == 401)
            #expect(try await shop.send(.post, path, Array("{}".utf8), bearer: Shop.apiKey, key: "n").status == 401)
        }
    }

    /// What a signature says beside the app's word is for people: neither settles anything.
    @Test func aSignedWordThatDiffersIsTold() async throws {
        let key = Certificate.PrivateKey(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        let id = try CertificateID("7")
        let signed = try LegacyAppResultSHA1Signer(key: key, certificateID: id).signed(.fail, of: TransactionNumber(Shop.number))
        try await Shop.openForNumbers(change: { $0.merchants[0].appResults = LegacyAppResultSHA1Verifier(keys: [id: key.publicKey]) }) {
            shop in
            let order = try await shop.place()
            _ = try await shop.askForNumber(order)
            for sign in [signed.sign, "AAAA"] {
                let answer = try await shop.tell(order, #"{"code":"success","data":{"sign":"\#(sign)","data":"\#(signed.data)"}}"#)
                #expect(answer.json["state"]?.string == "processing")
            }
            let told = shop.trace.entries.filter { $0.title == "result from the app" }.map { $0.problem ?? "" }
            #expect(told.count == 2)
            #expect(told[0].contains("UnionPay signed fail"))
            #expect(told[1].contains("not believed"))
        }
    }

    @Test func theStoreIsWhole() async throws {
        try await Shop.openForNumbers { shop in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            try await MigrationRunner(OperatorRecords.migrations, clock: shop.clock, logger: logger).run(on: shop.database)
            let order = try await shop.place()
            _ = try await shop.askForNumber(order)
            _ = try await shop.askForNumber(order, key: "n-2")
            #expect(try await Self.findings(shop).isEmpty)
            #expect(try await shop.notify(about: .consume).status == 200)
            #expect(try await Self.findings(shop).isEmpty)
        }
    }

    @Test(arguments: [
        "DELETE FROM card_pushed_orders", "UPDATE card_pushed_orders SET number = '1'",
        "UPDATE card_pushed_orders SET merchant = 'other'",
    ])
    func aNumberThatWasTamperedWithIsFound(change: String) async throws {
        try await Shop.openForNumbers { shop in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            try await MigrationRunner(OperatorRecords.migrations, clock: shop.clock, logger: logger).run(on: shop.database)
            let order = try await shop.place()
            _ = try await shop.askForNumber(order)
            try await shop.database.write { tx in _ = try tx.execute(change) }
            #expect(try await Self.findings(shop).contains { $0.contains("card_pushed_orders") })
        }
    }

    private static func findings(_ shop: Shop) async throws -> [String] {
        let links = AuditChain(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
        return try await shop.database.read { tx in
            let findings = StoreFindings()
            try CardPaymentsServer.check(links: links).run(in: tx, findings)
            return findings.list.map { "\($0.code) \($0.table) \($0.key): \($0.expected) / \($0.found)" }
        }
    }
}
