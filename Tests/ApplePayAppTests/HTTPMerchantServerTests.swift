import Foundation
import Synchronization
import Testing

@testable import ApplePayApp
@testable import PassKitSimulator

@Suite struct HTTPMerchantServerTests {
    private final class Wire: Sendable {
        let questions = Mutex<[HTTPQuestion]>([])
        let status: Int
        let body: String

        init(_ status: Int, _ body: String) {
            self.status = status
            self.body = body
        }

        var server: HTTPMerchantServer {
            HTTPMerchantServer { question in
                self.questions.withLock { $0.append(question) }
                return HTTPAnswer(status: self.status, body: Data(self.body.utf8))
            }
        }
    }

    private let submission = PaymentSubmission(
        PKPayment(
            token: PKPaymentToken(
                paymentMethod: PKPaymentMethod(displayName: "ChinaUnionPay 1234", network: .chinaUnionPay, type: .debit),
                transactionIdentifier: "AB", paymentData: Data([0x7B, 0x20, 0x22, 0x61, 0x22, 0x3A, 0x31, 0x20, 0x7D, 0xFF, 0xEF])),
            billingContact: nil, shippingContact: nil, shippingMethod: nil),
        couponCode: "TEA")

    @Test func paymentCarriesKeySecretAndBytes() async throws {
        let wire = Wire(200, #"{"payment":{"id":"p1","state":"unknown","reason":"asked"},"sheet":"success"}"#)
        let answer = try await wire.server.pay(submission, key: IdempotencyKey(rawValue: "key-1"), access: Fixture.access)
        #expect(answer.payment == CheckoutPayment(id: "p1", state: "unknown", reason: "asked"))
        let question = try #require(wire.questions.withLock { $0.first })
        #expect(question.method == "POST")
        #expect(question.path == "/v1/orders/0198c0de/payments")
        let headers = Dictionary(uniqueKeysWithValues: question.headers.map { ($0.name, $0.value) })
        #expect(headers["Idempotency-Key"] == "key-1")
        #expect(headers["Authorization"] == "Bearer client-secret")
        let text = String(decoding: try #require(question.body), as: UTF8.self)
        #expect(text.contains(#""paymentData":"eyAiYSI6MSB9/+8=""#))
        #expect(text.contains(#""couponCode":"TEA""#))
    }

    @Test func repeatedPaymentHasTheSameBytes() async throws {
        let wire = Wire(200, #"{"payment":{"id":"p1","state":"succeeded"},"sheet":"success"}"#)
        for _ in 0..<2 { _ = try await wire.server.pay(submission, key: IdempotencyKey(rawValue: "k"), access: Fixture.access) }
        #expect(Set(wire.questions.withLock { $0.map(\.body) }).count == 1)
    }

    @Test(arguments: [400, 401, 404, 422])
    func clientErrorDecides(status: Int) async throws {
        let wire = Wire(status, #"{"error":{"code":"token-refused","reason":"refused"}}"#)
        await #expect(throws: ApplePayAppError(code: .serverRefused, reason: "", serverCode: "token-refused")) {
            try await wire.server.pay(submission, key: IdempotencyKey(rawValue: "k"), access: Fixture.access)
        }
    }

    @Test(arguments: [408, 409, 425, 429, 500, 502, 503, 504, 302])
    func otherStatusDecidesNothing(status: Int) async throws {
        let wire = Wire(status, #"{"error":{"code":"busy","reason":"later"}}"#)
        await #expect(throws: ApplePayAppError(code: .serverUnanswered, reason: "", serverCode: "busy")) {
            try await wire.server.pay(submission, key: IdempotencyKey(rawValue: "k"), access: Fixture.access)
        }
    }

    @Test func lostConnectionDecidesNothing() async throws {
        struct Lost: Error {}
        let server = HTTPMerchantServer { _ in throw Lost() }
        await #expect(throws: ApplePayAppError(code: .serverUnanswered, reason: "")) { try await server.order(Fixture.access) }
    }

    @Test func answerThatCannotBeReadDecidesNothing() async throws {
        let wire = Wire(200, "<html>")
        await #expect(throws: ApplePayAppError(code: .answerMalformed, reason: "")) {
            try await wire.server.pay(submission, key: IdempotencyKey(rawValue: "k"), access: Fixture.access)
        }
    }

    @Test func orderIdentifierCannotLeaveItsPath() async throws {
        let wire = Wire(404, "")
        var access = Fixture.access
        access.orderID = "../x?y#z/é"
        await #expect(throws: ApplePayAppError(code: .serverRefused, reason: "")) { try await wire.server.order(access) }
        #expect(wire.questions.withLock { $0.map(\.path) } == ["/v1/orders/..%2Fx%3Fy%23z%2F%C3%A9"])
    }

    @Test func quoteSendsTheChoicesAndReadsTheFigures() async throws {
        let wire = Wire(
            200,
            #"{"items":[{"label":"Tea","amount":"33.00","type":"final"}],"total":"33.00","shippingMethods":[],"errors":[{"code":"couponCodeExpired","message":"over"}]}"#
        )
        var request = QuoteRequest()
        request.couponCode = "TEA"
        request.shippingMethod = "express"
        let quote = try await wire.server.quote(request, for: Fixture.order(), access: Fixture.access)
        #expect(quote.total == (try Fixture.cny("33.00")))
        #expect(quote.errors == [FieldError(code: "couponCodeExpired", message: "over")])
        let body = wire.questions.withLock { $0.first?.body }.map { String(decoding: $0, as: UTF8.self) }
        #expect(body == #"{"couponCode":"TEA","shippingMethod":"express"}"#)
    }
}
