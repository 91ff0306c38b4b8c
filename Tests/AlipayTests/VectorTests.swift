import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import Testing

@Suite(.enabled(if: KnownAnswer.areThere))
struct VectorTests {
    @Test(arguments: KnownAnswer.all("orders.json").filter { $0.kind == "legacy-order" })
    func legacyOrders(answer: KnownAnswer) throws {
        let bytes = Array(try #require(answer.order_string).utf8)
        let order = try LegacyOrder(bytes)
        #expect(order.signature == answer.signature)
        #expect(order.bytes == bytes)
        if answer.outcome == "valid" {
            #expect(order.signedBytes == (try answer.signedBytes()))
            let verified = try order.verified(by: answer.keys())
            #expect(verified.uncovered.isEmpty)
            #expect(verified.signedBytes == (try answer.signedBytes()))
        } else {
            #expect(order.trailingNames == ["secondary_merchant_id", "secondary_merchant_industry", "secondary_merchant_name"])
            #expect(throws: AlipayError(code: .signatureMismatch, reason: "")) { try order.verified(by: answer.keys()) }
        }
    }

    @Test func ordersWithAPrivateKeyAreReproduced() async throws {
        let answer = try KnownAnswer.one("orders.json", "order-ruby-mobile")
        let key = try KnownAnswer.privateKey(#require(answer.private_key))
        let pairs = try LegacyOrder(Array(#require(answer.order_string).utf8)).pairs
            .filter { $0.name != "sign" && $0.name != "sign_type" }.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) }
        for signer in [AlipayRSASigner.rsa(key), .rsa(try OpenSSLLegacyRSAKey(key))] {
            let made = try await LegacyOrder.signed(pairs, by: signer)
            #expect(String(decoding: made.bytes, as: UTF8.self) == answer.order_string)
        }
    }

    @Test func modernOrder() async throws {
        let answer = try KnownAnswer.one("orders.json", "openapi-ruby-sdk-execute")
        let order = try ModernOrder(Array(#require(answer.order_string).utf8))
        #expect(order.signedBytes == (try answer.signedBytes()))
        let verified = try order.verified(by: answer.keys())
        #expect(verified["app_cert_sn"] == "28d1147972121b91734da59aa10f3c16")
        #expect(try verified.bizContent()["total_amount"]?.scalar == "0.01")
        let key = try KnownAnswer.privateKey(#require(answer.private_key))
        let texts = try order.parameters.texts().filter { $0.name != "sign" }
        for signer in [AlipayRSASigner.rsa2(key), .rsa2(try OpenSSLLegacyRSAKey(key))] {
            #expect(try await ModernOrder.signed(texts, by: signer).text == answer.order_string)
        }
    }

    @Test(arguments: KnownAnswer.all("results.json"))
    func legacyResults(answer: KnownAnswer) throws {
        let result = PaymentResult(status: .paid, result: try #require(answer.result))
        if answer.outcome == "valid" {
            let verified = try result.verified(by: answer.keys())
            #expect(verified.signedBytes == (try answer.signedBytes()))
            #expect(verified.saysPaid)
            #expect(verified.outTradeNo?.isEmpty == false)
        } else {
            #expect(throws: AlipayError(code: .signatureMismatch, reason: "")) { try result.verified(by: answer.keys()) }
        }
    }

    @Test(arguments: KnownAnswer.all("return-urls.json"))
    func returnURLs(answer: KnownAnswer) throws {
        let text = try #require(answer.url)
        let url = try SafepayURL(text)
        // The wallet's own spelling comes back byte for byte.
        #expect(url.description == text)
        if answer.outcome == "valid" {
            let verified = try url.result.verified(by: answer.keys())
            #expect(verified.signedBytes == (try answer.signedBytes()))
            #expect(url.result.status == .paid)
        } else {
            #expect(url.result == PaymentResult(status: .cancelled, memo: "用户中途取消"))
            #expect(throws: AlipayError(code: .missingSignature, reason: "")) { try url.result.verified(by: .init()) }
        }
    }

    @Test func modernAnswer() throws {
        let answer = try KnownAnswer.one("responses.json", "openapi-response-rsa2")
        let received = try ModernAnswer(Array(#require(answer.body).utf8))
        #expect(received.signedBytes == (try answer.signedBytes()))
        let verified = try received.verified(by: answer.keys(), answering: "alipay.trade.pay")
        #expect(verified.isAccepted)
        #expect(verified["trade_no"] == "2019082922001432790585537960")
    }

    @Test func notificationInGBK() throws {
        let answer = try KnownAnswer.one("notifications.json", "notify-gbk-official")
        let form = Array(try #require(answer.form_body_gbk).utf8)
        let notification = try AlipayNotification(form: form, charset: .gbk)
        #expect(notification.signedBytes == (try answer.signedBytes()))
        let verified = try notification.verified(by: answer.keys())
        let fields = try #require(answer.fields).filter { $0.key != "sign" && $0.key != "sign_type" }
        #expect(verified.fields == fields)
        #expect(verified.event == .paid)
        // The same text in UTF-8 does not verify.
        let inUTF8 = try AlipayParameters(#require(answer.fields).map { ($0.key, $0.value) })
        #expect(throws: AlipayError(code: .signatureMismatch, reason: "")) {
            try AlipayNotification(form: Array(inUTF8.form.utf8)).verified(by: answer.keys())
        }
    }

    @Test func rawRSASignature() async throws {
        let answer = try KnownAnswer.one("signer.json", "raw-rsa1")
        let key = try KnownAnswer.privateKey("sdk-test-a")
        #expect(try await AlipayRSASigner.rsa(key).sign(answer.signedBytes()) == answer.signature)
        #expect(try answer.keys().isValid(#require(answer.signature), over: answer.signedBytes(), .rsa))
    }

    @Test(arguments: KnownAnswer.all("signer.json").filter { $0.kind == "md5" })
    func md5Calls(answer: KnownAnswer) async throws {
        let key = Secret(try #require(answer.md5_key))
        let made = try #require(answer.md5_sign)
        #expect(try await AlipayMD5Signer(key: key).sign(answer.signedBytes()) == made)
        guard let url = answer.url, let question = url.firstIndex(of: "?") else { return }
        let query = Array(url[url.index(after: question)...].utf8)
        guard case .legacy(let call) = try AlipayGatewayRequest(query: query) else {
            Issue.record("\(answer.id) is not a legacy call")
            return
        }
        #expect(call.signedBytes == (try answer.signedBytes()))
        let verified = try call.verified(by: .init(md5: key))
        #expect(verified.service == call.service)
        let texts = try call.parameters.texts()
        #expect(try await LegacyServiceRequest.signed(texts, by: AlipayMD5Signer(key: key)).text == String(decoding: query, as: UTF8.self))
    }

    @Test(arguments: KnownAnswer.all("certificates.json"))
    func certificateSerials(answer: KnownAnswer) throws {
        let pem = try #require(answer.pem)
        let expected = try #require(answer.certificates)
        let parsed = try ParsedCertificate.all(pem: pem)
        #expect(parsed.map { AlipayCertificateSerial($0).description } == expected.map(\.sn))
        if let serial = answer.cert_sn { #expect(try AlipayCertificateSerial(pem: pem).description == serial) }
        if let root = answer.alipay_root_cert_sn { #expect(try AlipayCertificateSerial(rootBundle: pem).description == root) }
    }
}
