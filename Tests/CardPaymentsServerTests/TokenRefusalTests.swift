import ApplePay
import ApplePayForging
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import CardPaymentsServer
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import UnionPay

/// Whatever is wrong with a token, the answer is the same bytes, and nothing was sent, nor written but the key's answer.
@Suite struct TokenRefusalTests {
    private static let refusal = #"{"error":{"code":"token-refused","reason":"the payment token was not accepted"}}"#

    private func expectRefused(
        _ shop: Shop, _ order: Shop.PlacedOrder, _ token: ComposedToken, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await shop.pay(order, token)
        #expect(answer.status == 422, sourceLocation: sourceLocation)
        #expect(answer.body == Self.refusal, sourceLocation: sourceLocation)
        #expect(shop.acquirer.received(.consume).isEmpty, sourceLocation: sourceLocation)
        #expect(try await shop.order(order).json["payments"]?.array?.isEmpty == true, sourceLocation: sourceLocation)
    }

    @Test(
        arguments: TokenFlaw.allCases.filter {
            // The OAEP and RSA flaws need another kind of token; applicationData in text form is another signer's mistake.
            !$0.isHarmless && ![.oaepSHA1, .oaepMaskSHA1, .oaepHashSHA1].contains($0)
        })
    func flawedTokenIsRefused(_ flaw: TokenFlaw) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            try await expectRefused(shop, order, shop.token(for: order, flaws: [flaw]))
        }
    }

    @Test(arguments: TokenFlaw.allCases.filter(\.isHarmless))
    func unusualTokenIsTaken(_ flaw: TokenFlaw) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            #expect(try await shop.pay(order, shop.token(for: order, flaws: [flaw])).status == 200)
        }
    }

    @Test(arguments: ChainFlaw.allCases)
    func tokenOfABadChainIsRefused(_ flaw: ChainFlaw) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            var generator = SeededGenerator(seed: 3, label: "chain")
            let rogue = try WalletAuthority(at: shop.clock.date, flaws: [flaw], using: &generator)
            let order = try await shop.place()
            try await expectRefused(shop, order, shop.token(for: order, wallet: rogue))
        }
    }

    @Test(arguments: [Duration.seconds(600), .seconds(-600)])
    func tokenOfAnotherTimeIsRefused(_ age: Duration) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            try await expectRefused(shop, order, shop.token(for: order, age: age))
        }
    }

    @Test(arguments: [1, 3299, 3301, 330_000] as [Int64])
    func tokenForAnotherAmountIsRefused(_ minorUnits: Int64) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            try await expectRefused(shop, order, shop.token(for: order, minorUnits: minorUnits))
        }
    }

    @Test func tokenInAnotherCurrencyIsRefused() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            try await expectRefused(shop, order, shop.token(for: order) { $0.payload.currencyCode = "840" })
        }
    }

    @Test(arguments: [nil, [1, 2, 3]] as [[UInt8]?])
    func tokenOfAnotherOrderIsRefused(_ applicationData: [UInt8]?) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            try await expectRefused(shop, order, shop.token(for: order) { $0.applicationData = applicationData })
        }
    }

    @Test func tokenThatPaidAnotherOrderIsRefused() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let first = try await shop.place()
            let token = try shop.token(for: first)
            #expect(try await shop.pay(first, token).status == 200)
            let second = try await shop.place(reference: "A-2")
            let answer = try await shop.pay(second, token)
            #expect(answer.body == Self.refusal)
            #expect(shop.acquirer.received(.consume).count == 1)
        }
    }

    /// The replay is caught in whatever letter case the transaction is named, and after the payment has failed.
    @Test func tokenOfAFailedPaymentIsNotUsedAgain() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script { $0.syncCode = "64" }
            let order = try await shop.place()
            var token = try shop.token(for: order)
            let first = try await shop.pay(order, token)
            #expect(first.paymentState == "failed")
            token.transactionIdentifier = token.transactionIdentifier.uppercased()
            let again = try await shop.pay(order, token, key: "pay-2", extra: #","couponCode":null,"shippingMethod":null"#)
            #expect(again.paymentID == first.paymentID)
            let other = try await shop.pay(order, token, key: "pay-3", extra: #","shippingContact":{"countryCode":"CN"}"#)
            #expect(other.body == Self.refusal)
            #expect(shop.acquirer.received(.consume).count == 1)
        }
    }

    /// A refusal is an answer as any other: it stays with its key, whatever time or the shop's clock make of the token later.
    @Test func refusalStaysWithItsKey() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            let stale = try shop.token(for: order, age: .seconds(600))
            #expect(try await shop.pay(order, stale).body == Self.refusal)
            // The shop's clock was fast, and is set right.
            shop.clock.advance(by: .seconds(-600))
            let again = try await shop.pay(order, stale)
            #expect(again.status == 422)
            #expect(again.body == Self.refusal)
            let other = try await shop.pay(order)
            #expect(other.status == 422)
            #expect(other.errorCode == "idempotency-conflict")
            #expect(shop.acquirer.received(.consume).isEmpty)
            #expect(try await shop.pay(order, stale, key: "pay-2").status == 200)
        }
    }

    /// What only this server lacks, its clock's time here, is no judgement of the token: the same request may be sent again.
    @Test func refusalOfATokenFromTheFutureIsNotFinal() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            let early = try shop.token(for: order, age: .seconds(-600))
            #expect(try await shop.pay(order, early).body == Self.refusal)
            shop.clock.advance(by: .seconds(600))
            #expect(try await shop.pay(order, early).status == 200)
        }
    }

    /// So does the refusal of a token that was used elsewhere, and of one that cannot be read.
    @Test func keyOfAnyRefusalTakesNoOtherRequest() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let first = try await shop.place()
            let token = try shop.token(for: first)
            #expect(try await shop.pay(first, token).status == 200)
            let second = try await shop.place(reference: "A-2")
            for _ in 0..<2 { #expect(try await shop.pay(second, token).body == Self.refusal) }
            #expect(try await shop.pay(second).errorCode == "idempotency-conflict")
            let unreadable = Array(#"{"token":{"paymentData":"not base64!","transactionIdentifier":"00"}}"#.utf8)
            for _ in 0..<2 {
                let refused = try await shop.send(
                    .post, "/v1/orders/\(second.id)/payments", unreadable, bearer: second.secret, key: "k")
                #expect(refused.body == Self.refusal)
            }
            #expect(try await shop.pay(second, key: "k").errorCode == "idempotency-conflict")
            #expect(try await shop.pay(second, key: "pay-2").status == 200)
        }
    }

    @Test(arguments: ["", "e30=", "not base64!", "W10=", "eyJ2ZXJzaW9uIjoiRUNfdjEiLCJ2ZXJzaW9uIjoiRUNfdjEifQ=="])
    func unreadableTokenIsRefusedLikeAnyOther(_ paymentData: String) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            let body = #"{"token":{"paymentData":"\#(paymentData)","transactionIdentifier":"00"}}"#
            let answer = try await shop.send(
                .post, "/v1/orders/\(order.id)/payments", Array(body.utf8), bearer: order.secret, key: "k")
            #expect(answer.status == 422)
            #expect(answer.body == Self.refusal)
        }
    }

    @Test func traceNamesTheReasonThatTheAnswerHides() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            _ = try await shop.pay(order, shop.token(for: order, minorUnits: 1))
            #expect(shop.trace.entries.contains { $0.title == "token refused" && $0.problem?.hasPrefix("amount-mismatch") == true })
        }
    }
}
