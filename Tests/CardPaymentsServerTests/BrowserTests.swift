import ApplePayForging
import BillfoldJSON
import BillfoldMoney
import BillfoldTestSupport
import CardPaymentsServer
import Foundation
import HTTPTypes
import Testing
import UnionPay

/// Contacts and tokens as pages hand them on, and what an order may say beside its prices.
@Suite struct BrowserTests {
    /// The form in which a browser hands over a contact: what is not known is an empty text.
    static let contact = """
        {"addressLines":[],"administrativeArea":"","country":"Netherlands","countryCode":"NL","familyName":"","givenName":"",
         "locality":"Amsterdam","phoneticFamilyName":"","phoneticGivenName":"","postalCode":"1000 AA","subAdministrativeArea":"",
         "subLocality":""}
        """
    private static let delivered = QuoteTests.deliveredOrder

    private func quote(_ shop: Shop, _ order: Shop.PlacedOrder, _ body: String) async throws -> Shop.Answer {
        try await shop.send(.post, "/v1/orders/\(order.id)/quote", Array(body.utf8), bearer: order.secret)
    }

    @Test func aBrowsersContactIsRead() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place(Self.delivered)
            let quoted = try await quote(shop, order, #"{"shippingContact":\#(Self.contact),"couponCode":"","shippingMethod":""}"#)
            #expect(quoted.status == 200, "\(quoted.body)")
            let paid = try await shop.pay(
                order, shop.token(for: order), extra: #","shippingContact":\#(Self.contact),"billingContact":\#(Self.contact)"#)
            #expect(paid.status == 200, "\(paid.body)")
        }
    }

    /// Kinds of emptiness: an empty line among full ones, no list, an empty country, names by sound, a card without words.
    @Test(arguments: [
        (#"{"shippingContact":{"countryCode":"CN","addressLines":["","1 Road",""]}}"#, 200),
        (#"{"shippingContact":{"countryCode":"","addressLines":null}}"#, 200),
        (#"{"shippingContact":{"countryCode":"CN","phoneticGivenName":"メイ","phoneticFamilyName":"リン"}}"#, 200),
        (#"{"paymentMethod":{"displayName":"","network":"","type":"","billingContact":{"postalCode":""},"paymentPass":{}}}"#, 200),
        (#"{"shippingContact":null,"paymentMethod":null}"#, 200),
        (#"{"shippingContact":{"phoneticName":"x"}}"#, 400), (#"{"shippingContact":{"givenName":"a\u0000"}}"#, 400),
        (#"{"shippingContact":{"addressLines":["1","2","3","4","5","6","7","8","9"]}}"#, 400),
        (#"{"shippingContact":{"addressLines":"1 Road"}}"#, 400),
    ])
    func emptyIsAbsentAndNothingElse(body: String, status: Int) async throws {
        try await Shop.open { shop in
            let answer = try await quote(shop, shop.place(Self.delivered), body)
            #expect(answer.status == status, "\(answer.body)")
        }
    }

    /// `paymentData` as base64, as the object that JavaScript has, as its text; and the token as text.
    @Test(arguments: ["object", "text", "spaced text", "token text"])
    func aTokenIsTakenInEveryForm(form: String) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            let token = try shop.token(for: order)
            let json = String(decoding: token.paymentData, as: UTF8.self)
            func quoted(_ text: String) -> String { String(decoding: JSONWriter.quoted(text), as: UTF8.self) }
            func whole(_ data: String) -> String { #"{"paymentData":\#(data),"transactionIdentifier":"\#(token.transactionIdentifier)"}"# }
            let sent =
                switch form {
                case "object": whole(json)
                case "text": whole(quoted(json))
                case "spaced text": whole(quoted(" \n" + json))
                default: quoted(whole(json))
                }
            let path = "/v1/orders/\(order.id)/payments"
            let first = try await shop.send(.post, path, Array(#"{"token":\#(sent)}"#.utf8), bearer: order.secret, key: "k")
            #expect(first.status == 200 && first.paymentState == "accepted", "\(first.body)")
            let again = try await shop.send(.post, path, Array(#"{"token":\#(sent)}"#.utf8), bearer: order.secret, key: "k")
            #expect(again.body == first.body && again.isReplayed)
            #expect(shop.acquirer.received(.consume).count == 1)
        }
    }

    @Test(arguments: ["{}", "[]", "7", "null", "\"\"", "\"{\"", "\"{}\"", "\"!\""])
    func whatIsNoTokenIsRefusedLikeAnyOther(data: String) async throws {
        try await Shop.open { shop in
            let order = try await shop.place()
            let body = #"{"token":{"paymentData":\#(data),"transactionIdentifier":"ab"}}"#
            let answer = try await shop.send(
                .post, "/v1/orders/\(order.id)/payments", Array(body.utf8), bearer: order.secret, key: "k")
            #expect(answer.status == 422 && answer.errorCode == "token-refused", "\(answer.body)")
        }
    }

    // MARK: What an order may say

    private func order(with member: String) -> String { String(Shop.electronicOrder.dropLast()) + ",\(member)}" }

    @Test func anOrderMayAskForMoreThanItsGoodsNeed() async throws {
        try await Shop.open { shop in
            let order = try await shop.place(order(with: #""requiredShippingContactFields":["phoneticName","emailAddress"]"#))
            let fields = try await shop.order(order).json["requiredShippingContactFields"]?.array?.compactMap(\.string)
            #expect(fields == ["emailAddress", "phoneticName"])
        }
    }

    /// Apple's JavaScript has other names for two of them.
    @Test func aBrowsersNamesOfFieldsAreTaken() async throws {
        try await Shop.open { shop in
            for wish in [#"["phone","name"]"#, #"["phoneNumber","phone","name","email"]"#] {
                let order = try await shop.place(order(with: #""requiredShippingContactFields":\#(wish)"#), reference: "A-\(wish.count)")
                let fields = try await shop.order(order).json["requiredShippingContactFields"]?.array?.compactMap(\.string)
                #expect(fields == ["emailAddress", "phoneNumber", "name"])
            }
        }
    }

    @Test func metadataIsForTheShopAlone() async throws {
        try await Shop.open { shop in
            let made = try await shop.send(
                .post, "/v1/orders", Array(order(with: #""metadata":{"cart":"7731","note":"左"}"#).utf8), bearer: Shop.apiKey, key: "k")
            #expect(made.status == 201, "\(made.body)")
            let (id, secret) = (try #require(made.json["id"]?.string), try #require(made.json["clientSecret"]?.string))
            let shops = try await shop.send(.get, "/v1/orders/\(id)", bearer: Shop.apiKey)
            let listed = try await shop.send(.get, "/v1/orders", bearer: Shop.apiKey).json["orders"]?.array?.first
            for metadata in [made.json["metadata"], shops.json["metadata"], listed?.object?["metadata"]] {
                #expect(metadata?.object?["cart"]?.string == "7731" && metadata?.object?["note"]?.string == "左")
            }
            let customers = try await shop.send(.get, "/v1/orders/\(id)", bearer: secret)
            #expect(customers.status == 200 && customers.json["metadata"] == nil)
            let told = try await shop.send(.post, "/v1/orders/\(id)/app-results", Array(#"{"code":"cancel"}"#.utf8), bearer: secret)
            #expect(told.status == 200 && !told.body.contains("7731"))
        }
    }

    static let refusedMembers = [
        #""metadata":[]"#, #""metadata":"a""#, #""metadata":{"a b":"x"}"#, #""metadata":{"":"x"}"#, #""metadata":{"a":1}"#,
        #""metadata":{"a":null}"#, #""metadata":{"a":""}"#, "\"metadata\":{\"a\":\"\(String(repeating: "x", count: 501))\"}",
        "\"metadata\":{\"\(String(repeating: "k", count: 41))\":\"x\"}",
        "\"metadata\":{\((1...21).map { "\"k\($0)\":\"v\"" }.joined(separator: ","))}",
        #""requiredShippingContactFields":["name","name"]"#, #""requiredShippingContactFields":["Phone"]"#,
        #""requiredShippingContactFields":["birthday"]"#,
    ]

    @Test(arguments: refusedMembers.indices)
    func anotherFormIsRefused(index: Int) async throws {
        try await Shop.open { shop in
            let body = order(with: Self.refusedMembers[index])
            let answer = try await shop.send(.post, "/v1/orders", Array(body.utf8), bearer: Shop.apiKey, key: "k")
            #expect(answer.status == 400 && answer.errorCode == "malformed-request", "\(answer.body)")
        }
    }

    @Test func mostMetadataIsTaken() async throws {
        try await Shop.open { shop in
            let value = String(repeating: "茶", count: 500)
            let notes = (10...29).map { "\"\(String(repeating: "k", count: 38))\($0)\":\"\(value)\"" }.joined(separator: ",")
            _ = try await shop.place(order(with: "\"metadata\":{\(notes)}"))
        }
    }

    // MARK: Settled currencies

    @Test func aCurrencyThatIsNotSettledIsRefused() async throws {
        try await Shop.open { shop in
            let body = Array(Shop.electronicOrder.replacing("\"CNY\"", with: "\"USD\"").utf8)
            for _ in 0..<2 {
                let answer = try await shop.send(.post, "/v1/orders", body, bearer: Shop.apiKey, key: "k")
                #expect(answer.status == 422 && answer.errorCode == "currency-not-settled", "\(answer.body)")
                #expect(!answer.isReplayed)
            }
            // Nothing was stored: key and reference are free.
            #expect(try await shop.send(.post, "/v1/orders", Array(Shop.electronicOrder.utf8), bearer: Shop.apiKey, key: "k").status == 201)
        }
    }

    @Test func aRequestThatWasTakenIsAnsweredWhateverIsSettledNow() async throws {
        try await Shop.open(change: { $0.merchants[0].settledCurrencies = [.usd] }) { shop in
            let body = Array(Shop.electronicOrder.replacing("\"CNY\"", with: "\"USD\"").utf8)
            let first = try await shop.send(.post, "/v1/orders", body, bearer: Shop.apiKey, key: "k")
            #expect(first.status == 201, "\(first.body)")
            var merchant = shop.merchant
            merchant.settledCurrencies = [.cny]
            try shop.server.service.replace(merchant)
            let again = try await shop.send(.post, "/v1/orders", body, bearer: Shop.apiKey, key: "k")
            #expect(again.body == first.body && again.isReplayed)
            #expect(try await shop.send(.post, "/v1/orders", body, bearer: Shop.apiKey, key: "k-2").errorCode == "currency-not-settled")
        }
    }

    // MARK: While a payment is pending

    @Test func aPendingPaymentIsToldAsOneWhereTheMerchantSaysSo() async throws {
        try await Shop.open(change: { configuration in
            configuration.merchants[0].pendingPolicy = .tellPending
            configuration.merchants[0].sheetWait = .zero
        }) { shop in
            shop.acquirer.script { $0.queryCodes = ["05"] }
            let answer = try await shop.pay(shop.place())
            #expect(answer.sheet == "pending" && answer.paymentState == "accepted", "\(answer.body)")
            try await shop.pass(.seconds(30))
            #expect(shop.acquirer.received(.reversal).isEmpty)
        }
    }

    /// The merchant's own word counts before the server's.
    @Test func aMerchantsPolicyReverses() async throws {
        try await Shop.open(pending: .acceptPending, sheetWait: .zero, change: { $0.merchants[0].pendingPolicy = .failAndReverse }) {
            shop in
            shop.acquirer.script { $0.queryCodes = ["05"] }
            #expect(try await shop.pay(shop.place()).sheet == "failure")
            try await shop.pass(.seconds(2))
            #expect(shop.acquirer.received(.reversal).count == 1)
        }
    }
}
