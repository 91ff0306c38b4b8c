import ApplePayApp
import BillfoldMoney
import BillfoldSandbox
import BillfoldTrace
import Foundation
import Synchronization

/// A merchant's server by the contract, small enough to read: orders, quotes and payments in memory.
final class StandInMerchant: MerchantConnection {
    struct Line: Decodable {
        var label: String
        var unitAmount: String
        var quantity: Int64
        var taxRate: String
    }
    struct Method: Codable {
        var identifier: String
        var label: String
        var detail: String
        var amount: String
    }
    struct Coupon: Decodable {
        var code: String
        var label: String
        var percentOff: String
        var expiresAt: String?
    }
    struct NewOrder: Decodable {
        var reference: String
        var goods: String
        var currency: String
        var country: String
        var merchantName: String
        var lines: [Line]
        var shippingMethods: [Method]
        var coupons: [Coupon]
        var serviceableCountries: [String]
    }
    struct Choices: Decodable {
        struct Contact: Decodable { var countryCode: String? }
        var shippingMethod: String?
        var shippingContact: Contact?
        var couponCode: String?
    }
    /// How the next payments are answered.
    enum Behaviour: Sendable { case succeeds, refusesToken, undecided, silent }

    private struct State {
        var order: NewOrder?
        var id = ""
        var payments: [String] = []
        var isPaid = false
        var seen: [(path: String, headers: [String: String], body: Data)] = []
        var exchanges: [String?] = []
    }
    private let state = Mutex(State())
    private let behaviour: Behaviour

    init(_ behaviour: Behaviour = .succeeds) { self.behaviour = behaviour }

    var seen: [(path: String, headers: [String: String], body: Data)] { state.withLock { $0.seen } }

    /// Under which name each request was reported before it was sent.
    var exchanges: [String?] { state.withLock { $0.exchanges } }

    func send(_ question: HTTPQuestion) async throws -> HTTPAnswer {
        let headers = Dictionary(question.headers.map { ($0.name, $0.value) }) { first, _ in first }
        state.withLock {
            $0.seen.append((question.path, headers, question.body ?? Data()))
            $0.exchanges.append(Exchange.reported)
        }
        if question.path == "/v1/orders" { return try create(question, headers) }
        guard headers["Authorization"] == "Bearer secret-of-order" else { return Self.refusal(401, "unauthorized") }
        if question.path.hasSuffix("/quote") { return try quote(question) }
        if question.path.hasSuffix("/payments") { return try pay(headers) }
        if question.path.hasSuffix("/transaction-numbers") { return number() }
        return HTTPAnswer(status: 200, body: try orderJSON())
    }

    private func create(_ question: HTTPQuestion, _ headers: [String: String]) throws -> HTTPAnswer {
        guard headers["Authorization"] == "Bearer api-key" else { return Self.refusal(401, "unauthorized") }
        let order = try JSONDecoder().decode(NewOrder.self, from: question.body ?? Data())
        state.withLock {
            $0.order = order
            $0.id = "order-" + order.reference
        }
        return HTTPAnswer(status: 201, body: try orderJSON())
    }

    private func quote(_ question: HTTPQuestion) throws -> HTTPAnswer {
        let choices = try JSONDecoder().decode(Choices.self, from: question.body ?? Data())
        return HTTPAnswer(status: 200, body: try JSONSerialization.data(withJSONObject: figures(choices)))
    }

    private func pay(_ headers: [String: String]) throws -> HTTPAnswer {
        switch behaviour {
        case .succeeds: return Self.answer(#"{"payment":{"id":"payment-1","state":"succeeded"},"sheet":"success"}"#)
        case .refusesToken: return Self.refusal(422, "token-refused")
        case .undecided:
            state.withLock { $0.payments = ["unknown"] }
            return Self.answer(#"{"payment":{"id":"payment-1","state":"unknown"},"sheet":"success"}"#)
        case .silent:
            struct Lost: Error {}
            throw Lost()
        }
    }

    private func number() -> HTTPAnswer {
        switch behaviour {
        case .refusesToken: Self.refusal(409, "payment-in-progress")
        default:
            Self.answer(
                state.withLock { $0.isPaid }
                    ? #"{"payment":{"id":"payment-1","state":"succeeded"}}"#
                    : #"{"payment":{"id":"payment-1","state":"accepted"},"tn":"202611201200001234567","mode":"01"}"#)
        }
    }

    /// UnionPay has told the server of the money.
    func settle() { state.withLock { $0.isPaid = true } }

    private func figures(_ choices: Choices) throws -> [String: Any] {
        let order = state.withLock { $0.order }
        guard let order else { return [:] }
        let currency = try Currency(order.currency)
        var items: [(String, Amount)] = []
        var tax = Amount.zero(currency)
        for line in order.lines {
            let sum = try Amount(line.unitAmount, currency: currency) * line.quantity
            items.append((line.label, sum))
            tax = try tax + sum.percentage(String(Int(line.taxRate.dropFirst(2)) ?? 0), rounding: .halfUp)
        }
        items.append(("Tax", tax))
        var errors: [[String: String]] = []
        let goods = try Amount.sum(items.map(\.1), currency: currency)
        if let code = choices.couponCode {
            let coupon = order.coupons.first { $0.code == code }
            switch coupon {
            case nil: errors.append(["code": "couponCodeInvalid", "message": "That code is not known."])
            case let coupon? where coupon.expiresAt != nil: errors.append(["code": "couponCodeExpired", "message": "That code is over."])
            case let coupon?: items.append((coupon.label, try goods.percentage(coupon.percentOff, rounding: .halfUp).negated()))
            }
        }
        if let country = choices.shippingContact?.countryCode, !order.serviceableCountries.contains(country) {
            errors.append(["code": "shippingAddressUnserviceable", "field": "country", "message": "We deliver within China only."])
        }
        if let method = order.shippingMethods.first(where: { $0.identifier == choices.shippingMethod }) ?? order.shippingMethods.first {
            items.append((method.label, try Amount(method.amount, currency: currency)))
        }
        return [
            "items": items.map { ["label": $0.0, "amount": $0.1.text, "type": "final"] },
            "total": try Amount.sum(items.map(\.1), currency: currency).text,
            "shippingMethods": order.shippingMethods.map {
                ["identifier": $0.identifier, "label": $0.label, "detail": $0.detail, "amount": $0.amount]
            },
            "errors": errors,
        ]
    }

    private func orderJSON() throws -> Data {
        var json = try figures(Choices())
        let state = state.withLock { $0 }
        guard let order = state.order else { return Data("{}".utf8) }
        json["id"] = state.id
        json["reference"] = order.reference
        json["state"] = state.isPaid ? "paid" : "open"
        json["goods"] = order.goods
        json["currency"] = order.currency
        json["country"] = order.country
        json["merchantName"] = order.merchantName
        json["merchantIdentifier"] = "merchant.example.tea"
        json["supportedNetworks"] = ["chinaUnionPay"]
        json["merchantCapabilities"] = ["threeDSecure", "emv"]
        json["applicationData"] = Data(state.id.utf8).base64EncodedString()
        json["requiredShippingContactFields"] =
            order.goods == "delivered" ? ["postalAddress", "name", "phoneNumber", "emailAddress"] : ["emailAddress"]
        json["clientSecret"] = "secret-of-order"
        json["payments"] = state.payments.map { ["id": "payment-1", "state": $0] }
        return try JSONSerialization.data(withJSONObject: json)
    }

    private static func answer(_ json: String) -> HTTPAnswer { HTTPAnswer(status: 200, body: Data(json.utf8)) }

    private static func refusal(_ status: Int, _ code: String) -> HTTPAnswer {
        HTTPAnswer(status: status, body: Data(#"{"error":{"code":"\#(code)","reason":"refused"}}"#.utf8))
    }
}
