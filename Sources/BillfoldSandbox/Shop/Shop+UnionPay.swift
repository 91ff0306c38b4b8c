import ApplePayApp
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PassKitSimulator

/// The shop as a page that is paid by UnionPay's own client: it asks the merchant's server for the order's number as an app would, and
/// believes that server alone (unionpay-tn.md#flow).
extension Shop {
    /// The scheme of the shop's page, in place of an app's.
    package static let scheme = "two-leaves-shop"

    /// An order as the merchant's server tells it to whoever has its secret.
    struct Standing: Decodable, Sendable {
        var id: String
        /// `open`, `processing`, `paid`, `refunded`, `closed` or `expired`.
        var state: String
        var total: String
        var currency: String

        var isPaid: Bool { state == "paid" || state == "refunded" }
    }

    private struct NumberAnswer: Decodable { var tn: String? }

    private struct NumberWish: Encodable { var shippingContact = Owner() }

    /// Who has signed in to the shop, as far as an order needs it.
    private struct Owner: Encodable {
        private static let home = PhoneOwner.contacts[0]
        var givenName = home.givenName
        var familyName = home.familyName
        var emailAddress = home.emailAddress
        var phoneNumber = home.phoneNumber
        var addressLines = [home.street]
        var locality = home.city
        var administrativeArea = home.state
        var postalCode = home.postalCode
        var country = home.country
        var countryCode = home.countryCode
    }

    private struct Result: Encodable {
        struct Signed: Encodable {
            var sign: String
            var data: String
        }
        var code: String
        var data: Signed?
    }

    /// The order's number; nil once it cannot be paid by it any more. Whoever asks again gets the same one.
    func number(of access: OrderAccess) async throws(SandboxRefusal) -> String? {
        let wish = try? Data(JSONDocument.encode(NumberWish()))
        let answer: NumberAnswer = try await ask("POST", "/transaction-numbers", of: access, key: "unionpay-\(access.orderID)", body: wish)
        return answer.tn
    }

    func standing(of access: OrderAccess) async throws(SandboxRefusal) -> Standing { try await ask("GET", "", of: access) }

    /// Hands on what the client brought, unread: the merchant's server asks UnionPay then.
    func bring(code: String, data: String, of access: OrderAccess) async throws(SandboxRefusal) {
        var result = Result(code: code)
        if let signed = try? JSONDecoder().decode([String: String].self, from: Data(data.utf8)), let sign = signed["sign"],
            let text = signed["data"]
        {
            result.data = Result.Signed(sign: sign, data: text)
        }
        let _: Standing = try await ask("POST", "/app-results", of: access, body: try? Data(JSONDocument.encode(result)))
    }

    private func ask<Answer: Decodable>(
        _ method: String, _ path: String, of access: OrderAccess, key: String? = nil, body: Data? = nil
    ) async throws(SandboxRefusal) -> Answer {
        var headers = [
            (name: "Authorization", value: "Bearer \(access.clientSecret.reveal())"), (name: "Accept", value: "application/json"),
        ]
        if let key { headers.append((name: "Idempotency-Key", value: key)) }
        if body != nil { headers.append((name: "Content-Type", value: "application/json")) }
        let answer: HTTPAnswer
        do {
            answer = try await merchant.send(
                HTTPQuestion(method: method, path: "/v1/orders/\(access.orderID)\(path)", headers: headers, body: body))
        } catch {
            throw SandboxRefusal(code: "merchant-unanswered", reason: "the merchant's server did not answer", status: 502)
        }
        if answer.status == 200, let read = try? JSONDecoder().decode(Answer.self, from: answer.body) { return read }
        let refusal = try? JSONDecoder().decode(MerchantRefusal.self, from: answer.body)
        throw SandboxRefusal(
            code: refusal?.error.code ?? "merchant-refused",
            reason: refusal?.error.reason ?? "the merchant's server answered \(answer.status)",
            status: (400...499).contains(answer.status) ? 422 : 502)
    }
}
