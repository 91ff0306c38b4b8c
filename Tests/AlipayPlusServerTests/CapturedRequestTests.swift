import AlipayPlus
import BillfoldMoney
import BillfoldPayments
import BillfoldTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PaymentCrypto
import Testing

@testable import AlipayPlusServer

/// What a released client really sent, byte for byte: it is taken as it is.
@Suite(.enabled(if: Vectors.available("alipay-plus-acquirer/captured-client-requests.json")))
struct CapturedRequestTests {
    private struct Captured: Decodable, Sendable {
        struct Request: Decodable, Sendable {
            var requestLine: String
            var headers: [[String]]
            var bodyUtf8: String
        }
        var requests: [Request]
    }

    private struct Signatures: Decodable, Sendable {
        struct Pair: Decodable, Sendable { var publicPem: String }
        var keys: [String: Pair]
    }

    @Test func theRequestsOfAPublicClientAreAnswered() async throws {
        let captured = try Vectors.json("alipay-plus-acquirer/captured-client-requests.json", as: Captured.self)
        let signatures = try Vectors.json("alipay-plus-acquirer/signature-vectors.json", as: Signatures.self)
        let key = try PublicKey(pem: try #require(signatures.keys["acqp"]).publicPem)
        try await PlusHarness.open { gateway async throws in
            _ = try await gateway.server.onboarding.register(
                Acquirer(
                    clientID: "SANDBOX_SHARED0000001", id: try .init("1022188000000099"), name: "Shared",
                    keys: [PartyKey(version: 1, subjectPublicKeyInfo: key.subjectPublicKeyInfo)],
                    addresses: ["https://merchant.example", "https://acqp.example"], settlementCurrency: .sgd,
                    agreementID: "AG-9", merchants: [.init(id: "MER-0001", name: "Corner Tea", mcc: "5411")]))
            // The requests were sent in the evening of the clock's day.
            gateway.clock.advance(by: .seconds(3 * 3_600 + 41 * 60))
            var answers: [String] = []
            for request in captured.requests {
                let target = try #require(request.requestLine.split(separator: " ").dropFirst().first.map(String.init))
                var headers: HTTPFields = [:]
                for header in request.headers where header[0].lowercased() != "host" && header[0].lowercased() != "connection" {
                    if let name = HTTPField.Name(header[0]) { headers[name] = header[1] }
                }
                let answer = try await gateway.http.execute(
                    uri: String(target.dropFirst("https://127.0.0.1".count)), method: .post, headers: headers,
                    body: ByteBuffer(string: request.bodyUtf8)
                ) { Array($0.body.readableBytesView) }
                answers.append(try PlainAnswer(body: answer).result.resultCode)
            }
            #expect(answers == ["PAYMENT_IN_PROCESS", "SUCCESS"])
        }
    }
}
