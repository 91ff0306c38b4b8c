import BillfoldDiagnosis
import BillfoldMoney
import Foundation
import SwiftASN1
import Testing
import UnionPay
import X509

@Suite struct OrderPushTests {
    private let merchantKey = RSAPool.keys[3]

    private func reply(_ fields: UnionPayFields) throws -> OrderPushReply {
        let authority = try TestAuthority()
        let certificate = try authority.signer(key: RSAPool.keys[2])
        let signed = try ReplySigner(key: RSAPool.keys[2], certificate: certificate).signed(fields)
        return try Unverified<OrderPushReply>(signed).verified(by: UnionPayVerifier(trust: authority.trust), at: TestAuthority.now)
    }

    private func fields(_ code: String, number: String? = nil) -> UnionPayFields {
        var fields: UnionPayFields = [
            "version": "5.1.0", "encoding": "UTF-8", "txnType": "01", "respCode": code, "respMsg": "x[0000001]",
            "merId": "777290058167151", "orderId": "ORDER12345", "txnTime": "20261120200000",
        ]
        fields["tn"] = number
        return fields
    }

    private var key: TransactionKey {
        get throws {
            try TransactionKey(
                merchant: MerchantID("777290058167151"), order: OrderID("ORDER12345"), time: BeijingTime("20261120200000"))
        }
    }

    private func request(_ minorUnits: Int64 = 8848) throws -> OrderPushRequest {
        try OrderPushRequest(
            key: key, amount: Amount(minorUnits: minorUnits, currency: Currency("CNY")), backURL: "https://a.example/n?x=1&y=2",
            orderDescription: "two tickets", payTimeout: BeijingTime("20261120201500"), reserved: "note")
    }

    @Test func pushHasTheFieldsOfTheClientsProduct() throws {
        let fields = try request().fields()
        #expect(fields["txnType"] == "01")
        #expect(fields["txnSubType"] == "01")
        #expect(fields["bizType"] == "000201")
        #expect(fields["channelType"] == "08")
        #expect(fields["txnAmt"] == "8848")
        #expect(fields["currencyCode"] == "156")
        #expect(fields["payTimeout"] == "20261120201500")
        #expect(fields["accNo"] == nil)
    }

    @Test func pushIsReadAsItWasWritten() throws {
        let certificate = try TestAuthority.issue(
            "m", serial: 77, key: merchantKey.publicKey, issuer: "CFCA", issuerKey: RSAPool.keys[0])
        let signed = try request().signed(by: UnionPaySigner(key: merchantKey, certificate: certificate))
        let received = try FormBody.decode(Array(FormBody.encode(signed).utf8))
        let back = try OrderPushRequest(MerchantSignatureVerifier([.rsa(certificate)]).verified(received))
        #expect(try back.fields() == request().fields())
    }

    @Test(arguments: [0, -1] as [Int64]) func pushOfNothingIsRefused(minorUnits: Int64) throws {
        let empty = try request(minorUnits)
        #expect(throws: UnionPayError.self) { try empty.fields() }
    }

    @Test func numberIsThereBesideZeroZeroAlone() throws {
        let number = "201603131105018491158"
        let ready = try reply(fields("00", number: number)).bound(to: key).outcome(of: .first)
        #expect(try ready == .ready(TransactionNumber(number)))
        #expect(try reply(fields("00", number: "")).bound(to: key).outcome(of: .first) == .unresolved)
        #expect(try reply(fields("00")).bound(to: key).outcome(of: .first) == .unresolved)
        #expect(try reply(fields("A6", number: number)).bound(to: key).outcome(of: .first) == .unresolved)
        #expect(try reply(fields("05", number: number)).bound(to: key).outcome(of: .first) == .unresolved)
        #expect(try reply(fields("33")).bound(to: key).outcome(of: .first) == .refused)
        #expect(try reply(fields("33")).bound(to: key).outcome(of: .repeated) == .unresolved)
        #expect(try reply(fields("12")).bound(to: key).outcome(of: .repeated) == .unresolved)
    }

    /// Closed, busy or asked too often: nothing is decided about the order. The rules against risk have decided (38).
    @Test(arguments: [("01", OrderPushOutcome.busy), ("02", .busy), ("06", .busy), ("37", .busy), ("38", .unresolved), ("05", .unresolved)])
    func busyGatewayDecidesNothing(code: String, outcome: OrderPushOutcome) throws {
        for copy in [MessageCopy.first, .repeated] { #expect(try reply(fields(code)).bound(to: key).outcome(of: copy) == outcome) }
    }

    @Test(arguments: ["2016031311050184911", "20160313110501849115x", "201603131105018491158\n", " 01603131105018491158"])
    func numberThatIsNoneIsRefused(text: String) throws {
        #expect(throws: UnionPayError.self) { try TransactionNumber(text) }
        #expect(throws: UnionPayError.self) { try reply(fields("00", number: text)) }
    }

    @Test func replyToAnotherPushIsNotBelieved() throws {
        var other = try key
        other.order = try OrderID("ORDER12346")
        let foreign = try reply(fields("00", number: "201603131105018491158"))
        #expect(throws: UnionPayError.self) { try foreign.bound(to: other) }
        var nameless = fields("00", number: "201603131105018491158")
        nameless["orderId"] = nil
        let reply = try reply(nameless)
        #expect(throws: UnionPayError.self) { try reply.bound(to: key) }
    }

    // MARK: The client's signed result

    /// The key that UnionPay's samples name as that of the test environment (unionpay-tn.md#signed-result).
    private static let publishedKey = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxQNhgIti+/dz3XXOFEOt
        JYJ50BgMlB58lSNkojZq8W0Hb9ttKYpB3Q1W+H7Ne16EJgvEo6W07oMNNEfAf3F+
        FFjcIEyZw693bFBC8wlxX1fCiq0IqqHOC6gPEl9h4a6K3sOm5GwMYjT7IqBzVFjb
        y/VW25cbzjl9M/s9G0mtqt5BiVBeCEyAcUBn+9F2qUulWg2ZrkLnpwmTlt+vaeAO
        VdtSo9cuLWOJcAVv/Lhvx4YQiXUuYqndo8wM8rt6yFzt8s40SnWhDkl3WcT8ZmP6
        ULfjlo1aYuyX/T24C+jgu76lCyYbJ8ttQZHnUpuYdqMXgyuvq5KqJTbUK2vW5AaR
        xwIDAQAB
        -----END PUBLIC KEY-----
        """

    /// Two results that public copies of the samples print, made by UnionPay's test environment.
    private static let published = [
        (
            sign: """
            J6rPLClQ64szrdXCOtV1ccOMzUmpiOKllp9cseBuRqJ71pBKPPkZ1FallzW18gyP7CvKh1RxfNNJ66AyXNMFJi1OSOsteAAFjF5GZp0Xsfm3Le\
            HaN3j/N7p86k3B1GrS\
            PvSnSw1LqnYuIBmebBkC1OD0Qi7qaYUJosyA1E8Ld8oGRZT5RR2gLGBoiAVraDiz9sci5zwQcLtmfpT5KFk/eTy4+W9SsC0M/2sVj43R9ePENl\
            EvF8UpmZBqakyg5FO8\
            +JMBz3kZ4fwnutI5pWPdYIWdVrloBpOa+N4pzhVRKD4eWJ0CoiD+joMS7+C0aPIEymYFLBNYQCjM0KV7N726LA==
            """,
            number: "201602141008032671528"
        ),
        (
            sign: """
            Xo/pgkzSJSlRTX2e+CjW/k1IjIV1newqfb7p1sDIpK/yPQv9p1jQAdAdKwhBwtyjO3tkFC6I2aLcTaxLHlYQx6/xw9QE0eumkVqAhypk/VyoDW\
            ZXxWske+EcduwEkBTx\
            yIgA0ZsbKlpS1JxsciOc6bT+f36jTLa05ZAKZTVErg9sAG3wMjae1TyKd2511Rvvi+tuihYgOmwuMnKzrqksEyqc69wloqi34qx0YqFolMeqQ1\
            UfoglUhZy6s2s4ChKc\
            xHjAFjp/rU/7iHudjAIGtO7+ySahArmw6ltuIxFWYEvpn5xI3Ceur1d11NBphK62it7kBZ1laxUFI98DzalVFQ==
            """,
            number: "899394085660622736701"
        ),
    ]

    @Test(arguments: 0..<2) func publishedResultVerifies(index: Int) throws {
        let (sign, number) = Self.published[index]
        let verifier = LegacyAppResultSHA1Verifier(
            keys: [try CertificateID("68759585097"): try Certificate.PublicKey(pemEncoded: Self.publishedKey)])
        let data = "pay_result=success&tn=\(number)&cert_id=68759585097"
        let verified = try verifier.verified(UnverifiedAppResult(sign: sign, data: data))
        #expect(verified.word == .success)
        #expect(try verified.number == TransactionNumber(number))
        for other in [data.replacing("success", with: "cancel"), data.replacing(number, with: "201602141008032671529")] {
            #expect(throws: UnionPayError.self) { try verifier.verified(UnverifiedAppResult(sign: sign, data: other)) }
        }
    }

    @Test(arguments: AppResultWord.allCases) func signedResultIsReadAsItWasWritten(word: AppResultWord) throws {
        let (id, number) = (try CertificateID("99"), try TransactionNumber("505622694018222474600"))
        let signed = try LegacyAppResultSHA1Signer(key: merchantKey, certificateID: id).signed(word, of: number)
        let verified = try LegacyAppResultSHA1Verifier(keys: [id: merchantKey.publicKey]).verified(signed)
        #expect(verified.word == word)
        #expect(verified.number == number)
        let strange = LegacyAppResultSHA1Verifier(keys: [try CertificateID("98"): merchantKey.publicKey])
        #expect(throws: UnionPayError.self) { try strange.verified(signed) }
        let forged = LegacyAppResultSHA1Verifier(keys: [id: RSAPool.keys[2].publicKey])
        #expect(throws: UnionPayError.self) { try forged.verified(signed) }
    }

    /// What holds a name twice could be read in two ways, and its signature fits.
    @Test(arguments: [
        ("pay_result=fail&pay_result=success&tn=505622694018222474600&cert_id=99", UnionPayError.Code.duplicateField),
        ("pay_result=success&tn=505622694018222474600&cert_id=99&cert_id=99", .duplicateField),
        ("pay_result&tn=505622694018222474600&cert_id=99", .malformedBody),
    ])
    func resultWithTwoReadingsIsRefused(text: String, code: UnionPayError.Code) throws {
        let verifier = LegacyAppResultSHA1Verifier(keys: [try CertificateID("99"): merchantKey.publicKey])
        let sign = try merchantKey.sign(bytes: LegacyRSASHA1.hexText(Array(text.utf8)), signatureAlgorithm: .sha1WithRSAEncryption)
        let signed = UnverifiedAppResult(sign: Data(sign.rawRepresentation).base64EncodedString(), data: text)
        let error = #expect(throws: UnionPayError.self) { try verifier.verified(signed) }
        #expect(error?.code == code)
    }
}
