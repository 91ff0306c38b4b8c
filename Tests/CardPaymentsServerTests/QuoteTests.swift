import ApplePay
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import CardPaymentsServer
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import UnionPay

@Suite struct QuoteTests {
    static let deliveredOrder = """
        {"reference":"R","goods":"delivered","currency":"CNY","country":"CN","merchantName":"Shop",
         "lines":[{"label":"Cup","unitAmount":"9.99","quantity":3,"taxRate":"0.13"},{"label":"Card","unitAmount":"0.05","quantity":1,"taxRate":"0.06"}],
         "shippingMethods":[{"identifier":"slow","label":"Post","detail":"Five days","amount":"5.00"},
                            {"identifier":"fast","label":"Courier","detail":"Tomorrow","amount":"12.00"}],
         "coupons":[{"code":"TEN","label":"Ten off","percentOff":"10","expiresAt":null},
                    {"code":"OLD","label":"Gone","percentOff":"50","expiresAt":"2020-01-01T00:00:00Z"}],
         "serviceableCountries":["CN"]}
        """

    /// What was chosen, and the total. 3 × 9.99 = 29.97, tax 3.8961 is 3.90; 0.05, tax 0.003 is 0.00. With ten per cent off:
    /// 3.00 (2.997) and 0.01 (0.005), tax on 26.97 is 3.51 (3.5061), on 0.04 nothing.
    static let totals = [
        ("{}", "38.92"), (#"{"shippingMethod":"fast"}"#, "45.92"), (#"{"couponCode":"TEN"}"#, "35.52"),
        (#"{"couponCode":"TEN","shippingMethod":"fast","shippingContact":{"countryCode":"CN"}}"#, "42.52"),
        (#"{"couponCode":"OLD"}"#, "38.92"), (#"{"couponCode":"ten"}"#, "38.92"),
    ]

    @Test(arguments: totals.indices)
    func totalIsTheSumOfRoundedLines(_ index: Int) async throws {
        let (body, total) = Self.totals[index]
        try await Shop.open { shop in
            let order = try await shop.place(Self.deliveredOrder)
            let answer = try await shop.send(.post, "/v1/orders/\(order.id)/quote", Array(body.utf8), bearer: order.secret)
            #expect(answer.status == 200)
            #expect(answer.json["total"]?.string == total, "\(answer.body)")
            let items = answer.json["items"]?.array?.compactMap { $0.object?["amount"]?.string } ?? []
            let sum = items.reduce(Decimal(0)) { $0 + (Decimal(string: $1) ?? 0) }
            #expect(sum == Decimal(string: total))
        }
    }

    static let errors = [
        (#"{"couponCode":"OLD"}"#, "couponCodeExpired"), (#"{"couponCode":"NONE"}"#, "couponCodeInvalid"),
        (#"{"shippingContact":{"countryCode":"US","locality":"Springfield"}}"#, "shippingAddressUnserviceable"),
    ]

    @Test(arguments: errors.indices)
    func choiceThatCannotBeHonouredIsNamed(_ index: Int) async throws {
        let (body, code) = Self.errors[index]
        try await Shop.open { shop in
            let order = try await shop.place(Self.deliveredOrder)
            let answer = try await shop.send(.post, "/v1/orders/\(order.id)/quote", Array(body.utf8), bearer: order.secret)
            #expect(answer.json["errors"]?.array?.compactMap { $0.object?["code"]?.string } == [code])
            // The sheet would show a total of nothing if the list were empty.
            #expect(answer.json["items"]?.array?.isEmpty == false)
        }
    }

    @Test func unknownShippingMethodIsRefused() async throws {
        try await Shop.open { shop in
            let order = try await shop.place(Self.deliveredOrder)
            let answer = try await shop.send(
                .post, "/v1/orders/\(order.id)/quote", Array(#"{"shippingMethod":"x"}"#.utf8), bearer: order.secret)
            #expect(answer.status == 422)
            #expect(answer.errorCode == "shipping-method-unknown")
        }
    }

    @Test func deliveredOrderAsksForAnAddressAndChargesWhatWasChosen() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place(Self.deliveredOrder)
            let token = try shop.token(for: order, minorUnits: 4252)
            let without = try await shop.pay(order, token, extra: #","couponCode":"TEN","shippingMethod":"fast""#)
            #expect(without.sheet == "failure")
            #expect(without.json["errors"]?.array?.first?.object?["code"]?.string == "shippingContactInvalid")
            // A refused answer stays with its key: what the shopper corrects is another request.
            let abroad = try await shop.pay(order, token, key: "pay-2", extra: #","shippingContact":{"countryCode":"US"}"#)
            #expect(abroad.json["errors"]?.array?.first?.object?["code"]?.string == "shippingAddressUnserviceable")
            #expect(shop.acquirer.received(.consume).isEmpty)
            let chosen = #","couponCode":"TEN","shippingMethod":"fast","shippingContact":{"countryCode":"CN","addressLines":["1 Road"]}"#
            #expect(try await shop.pay(order, token, key: "pay-3", extra: chosen).status == 200)
            #expect(shop.acquirer.received(.consume).first?["txnAmt"] == "4252")
        }
    }

    @Test func electronicOrderAsksForAnEmailAddressOnly() async throws {
        try await Shop.open { shop in
            let electronic = try await shop.order(shop.place())
            #expect(electronic.json["requiredShippingContactFields"]?.array?.compactMap(\.string) == ["emailAddress"])
            let delivered = try await shop.order(shop.place(Self.deliveredOrder, reference: "A-2"))
            #expect(delivered.json["requiredShippingContactFields"]?.array?.count == 4)
        }
    }
}
