import ApplePay
import BillfoldDiagnosis
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

/// What the API refuses before it does anything.
@Suite struct RequestTests {
    static let malformedOrders = [
        "", "[]", "null", "{", #"{"a":1}"#, "\u{FEFF}{}", #"{"reference":"a","reference":"b"}"#,
        Shop.electronicOrder.replacing("\"goods\":\"electronic\"", with: "\"goods\":\"virtual\""),
        Shop.electronicOrder.replacing("\"currency\":\"CNY\"", with: "\"currency\":\"cny\""),
        Shop.electronicOrder.replacing("\"country\":\"CN\"", with: "\"country\":\"China\""),
        Shop.electronicOrder.replacing("\"quantity\":2", with: "\"quantity\":2.0"),
        Shop.electronicOrder.replacing("\"quantity\":2", with: "\"quantity\":0"),
        Shop.electronicOrder.replacing("\"quantity\":2", with: "\"quantity\":2,\"discount\":1"),
        Shop.electronicOrder.replacing("\"unitAmount\":\"16.50\"", with: "\"unitAmount\":16.5"),
        Shop.electronicOrder.replacing("\"reference\":\"R\"", with: "\"reference\":\"a\\u0000b\""),
        Shop.electronicOrder.replacing("\"goods\":\"electronic\"", with: "\"goods\":\"delivered\""),
    ]

    @Test(arguments: malformedOrders.indices)
    func malformedOrderIsRefused(_ index: Int) async throws {
        try await Shop.open { shop in
            let answer = try await shop.send(
                .post, "/v1/orders", Array(Self.malformedOrders[index].utf8), bearer: Shop.apiKey, key: "k")
            #expect(answer.status == 400, "\(answer.body)")
            #expect(answer.errorCode == "malformed-request")
        }
    }

    @Test(arguments: ["16.5", "16.500", "1e3", "-1.00", "0.00", "92233720368547758.08", "+1.00"])
    func unusablePriceIsRefused(_ price: String) async throws {
        try await Shop.open { shop in
            let body = Shop.electronicOrder.replacing("16.50", with: price)
            let answer = try await shop.send(.post, "/v1/orders", Array(body.utf8), bearer: Shop.apiKey, key: "k")
            #expect(answer.status == 422, "\(answer.body)")
            #expect(answer.errorCode == "invalid-amount")
        }
    }

    @Test(arguments: [
        ("2026-12-31T23:59:59Z", true), ("2026-12-31t23:59:59.25+08:00", true), ("2028-02-29T00:00:00z", true),
        ("2027-02-29T00:00:00Z", false), ("2026-12-31T24:00:00Z", false), ("2026-12-31T23:59:59", false), ("2026-12-31", false),
        ("2026-12-31T23:59:59Zx", false), ("2026-12-31T23:59:59+25:00", false),
    ])
    func anInstantIsReadAsRFC3339Says(text: String, isTaken: Bool) async throws {
        try await Shop.open { shop in
            let coupons = #""coupons":[{"code":"a","label":"A","percentOff":"10","expiresAt":"\#(text)"}],"#
            let body = Shop.electronicOrder.replacing("\"lines\":", with: coupons + "\"lines\":")
            let answer = try await shop.send(.post, "/v1/orders", Array(body.utf8), bearer: Shop.apiKey, key: "k")
            #expect(answer.status == (isTaken ? 201 : 400), "\(answer.body)")
        }
    }

    @Test func oversizedBodyIsRefused() async throws {
        try await Shop.open { shop in
            let body = [UInt8](repeating: UInt8(ascii: " "), count: 10_000_000)
            let order = try await shop.send(.post, "/v1/orders", body, bearer: Shop.apiKey, key: "k")
            #expect(order.status == 413)
            let notification = try await shop.notify(body)
            #expect(notification.status == 413)
        }
    }

    @Test(arguments: [nil, "", "sk_test_wrong", "cs_shop.00", "cs_", "cs_other.ff"] as [String?])
    func operationOfTheMerchantNeedsItsKey(_ bearer: String?) async throws {
        try await Shop.open { shop in
            for (method, path) in [
                (HTTPRequest.Method.post, "/v1/orders"), (.get, "/v1/payments/00"), (.post, "/v1/payments/00/refunds"),
                (.post, "/v1/payments/00/cancellation"), (.get, "/v1/refunds/00"), (.get, "/v1/books"), (.post, "/v1/reconciliations"),
            ] {
                let answer = try await shop.send(method, path, Array("{}".utf8), bearer: bearer, key: "k")
                #expect(answer.status == 401, "\(path)")
                #expect(answer.errorCode == "unauthorized")
            }
        }
    }

    /// A program whose key was ended is told so, and not that it shows none.
    @Test func aKeyThatWasEndedIsToldFromOneThatNeverWas() async throws {
        try await Shop.open { shop in
            func reason(_ bearer: String?) async throws -> String {
                let answer = try await shop.send(.get, "/v1/orders", bearer: bearer)
                #expect(answer.status == 401 && answer.errorCode == "unauthorized", "\(answer.body)")
                return answer.json["error"]?.object?["reason"]?.string ?? ""
            }
            let unknown = try await reason("bf_test_nobodys_key_0123456789")
            #expect(try await shop.server.service.revoke(apiKey: Secret(Shop.apiKey)))
            let ended = try await reason(Shop.apiKey)
            #expect(ended.contains("was ended") && !unknown.contains("was ended"), "\(ended)")
            #expect(unknown.contains("not the registered one"), "\(unknown)")
            let none = try await reason(nil)
            #expect(none.contains("shows no credential"), "\(none)")
            for text in [ended, unknown] { #expect(text.contains("the merchant's API key") && !text.contains("bf_test_"), "\(text)") }
        }
    }

    @Test func clientSecretOpensItsOwnOrderOnly() async throws {
        try await Shop.open { shop in
            let (first, second) = (try await shop.place(), try await shop.place(reference: "A-2"))
            #expect(try await shop.order(first).status == 200)
            #expect(try await shop.order(first).json["clientSecret"] == nil)
            #expect(try await shop.send(.get, "/v1/orders/\(first.id)", bearer: second.secret).status == 401)
            #expect(try await shop.send(.get, "/v1/orders/\(first.id)", bearer: Shop.apiKey).status == 200)
            #expect(try await shop.send(.post, "/v1/orders/\(first.id)/quote", Array("{}".utf8), bearer: Shop.apiKey).status == 401)
        }
    }

    @Test func writeWithoutAnIdempotencyKeyIsRefused() async throws {
        try await Shop.open { shop in
            let answer = try await shop.send(.post, "/v1/orders", Array(Shop.electronicOrder.utf8), bearer: Shop.apiKey)
            #expect(answer.errorCode == "idempotency-key-missing")
        }
    }

    @Test func repeatedOrderIsAnsweredWithTheFirst() async throws {
        try await Shop.open { shop in
            let first = try await shop.place()
            let again = try await shop.place()
            #expect(first.id == again.id && first.secret == again.secret)
            let other = try await shop.send(
                .post, "/v1/orders", Array(Shop.electronicOrder.utf8), bearer: Shop.apiKey, key: "order-A-1")
            #expect(other.errorCode == "idempotency-conflict")
            let taken = try await shop.send(
                .post, "/v1/orders", Array(Shop.electronicOrder.replacing("\"R\"", with: "\"A-1\"").utf8), bearer: Shop.apiKey, key: "new")
            #expect(taken.errorCode == "reference-taken")
        }
    }

    @Test(arguments: ["", "a", "a=b", "a=1&a=2", "%zz=1", "merId=777290058167151", "merId=777290058167151&signature=AAAA"])
    func unreadableNotificationIsRefused(_ body: String) async throws {
        try await Shop.open { shop in
            let answer = try await shop.notify(Array(body.utf8))
            #expect(answer.status == 400)
            #expect(answer.errorCode == "notification-refused")
        }
    }

    @Test func unknownThingsAreNotFound() async throws {
        try await Shop.open { shop in
            let id = String(repeating: "0", count: 32)
            for (path, code) in [
                ("/v1/orders/\(id)", "order-not-found"), ("/v1/payments/\(id)", "payment-not-found"),
                ("/v1/payments/x", "payment-not-found"),
                ("/v1/refunds/\(id)", "refund-not-found"),
            ] {
                let answer = try await shop.send(.get, path, bearer: Shop.apiKey)
                #expect(answer.status == 404)
                #expect(answer.errorCode == code)
            }
        }
    }
}
