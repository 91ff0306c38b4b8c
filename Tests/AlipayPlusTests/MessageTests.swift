import AlipayPlus
import AlipayPlusValues
import BillfoldJSON
import BillfoldTestSupport
import Testing

@Suite struct MessageTests {
    private func read<Message: WireMessage>(_ text: String, as type: Message.Type = Message.self) throws -> Message {
        try Message(body: Array(text.utf8))
    }

    private static let order = #""order":{"referenceOrderId":"A1","orderDescription":"tea","orderAmount":{"currency":"KRW","value":1500}}"#

    @Test func numbersBooleansNullAndUnknownMembersAreTaken() throws {
        let pay: PayRequest = try read(
            """
            {"paymentRequestId":12345,\(Self.order),"paymentAmount":{"currency":"KRW","value":1500,"x":1},"unknown":{"a":[]},
            "paymentMethod":{"paymentMethodType":"CONNECT_WALLET","customerId":null},"paymentFactor":{"isCashierPayment":"true","needSurcharge":false}}
            """)
        #expect(pay.paymentRequestId == "12345")
        #expect(pay.paymentAmount.value == "1500")
        #expect(pay.paymentMethod.customerId == nil)
        #expect(pay.paymentFactor?.scenario == .cashier)
        #expect(pay.paymentFactor?.needSurcharge == false)
    }

    @Test func droppedZeroIsZero() throws {
        #expect(try read(#"{"currency":"USD"}"#, as: WireAmount.self).value == "0")
    }

    @Test func whatIsWrittenIsStrictAndInDeclaredOrder() throws {
        var factor = WirePaymentFactor(isCashierPayment: true, presentmentMode: .unified)
        factor.needSurcharge = false
        let pay = PayRequest(
            paymentRequestId: "p1", paymentAmount: WireAmount(currency: "USD", value: "1"),
            order: WireOrder(
                referenceOrderId: "A/1", orderDescription: "t", orderAmount: WireAmount(currency: "USD", value: "1"),
                goods: [WireGoods(referenceGoodsId: "g")]),
            paymentMethod: WirePaymentMethod(paymentMethodType: .connectWallet), paymentFactor: factor,
            paymentExpiryTime: try AlipayPlusTime("2026-03-01T02:15:30Z"), allowedPspRegions: ["SG", "KR"])
        let text =
            #"{"paymentRequestId":"p1","paymentAmount":{"currency":"USD","value":"1"},"order":{"referenceOrderId":"A/1","orderDescription":"t","#
            + #""orderAmount":{"currency":"USD","value":"1"},"goods":[{"referenceGoodsId":"g"}]},"paymentMethod":{"paymentMethodType":"CONNECT_WALLET"},"#
            + #""paymentFactor":{"isCashierPayment":"true","presentmentMode":"UNIFIED","needSurcharge":"false"},"#
            + #""paymentExpiryTime":"2026-03-01T10:15:30+08:00","allowedPspRegions":["SG","KR"]}"#
        #expect(String(decoding: pay.body, as: UTF8.self) == text)
        #expect(try read(text) == pay)
    }

    @Test(arguments: [
        (#"{"paymentRequestId":"p1"}"#, AlipayPlusError.Code.missingField, "paymentAmount"),
        (#"{"paymentRequestId":null,"paymentAmount":{"currency":"USD"}}"#, .missingField, "paymentRequestId"),
        (#"{"paymentRequestId":{},"paymentAmount":{"currency":"USD"}}"#, .malformedField, "paymentRequestId"),
        (#"{"paymentRequestId":"p","paymentAmount":"1"}"#, .malformedField, "paymentAmount"),
        (#"{"paymentRequestId":"p","paymentAmount":{"currency":[]}}"#, .malformedField, "paymentAmount.currency"),
        (#"{"paymentRequestId":"p","paymentRequestId":"q"}"#, .duplicateKey, ""), ("[]", .malformedJSON, ""), ("", .malformedJSON, ""),
        (String(repeating: " ", count: 65_537), .tooLarge, ""),
    ])
    func refusalNamesTheMember(text: String, code: AlipayPlusError.Code, member: String) {
        let error = #expect(throws: AlipayPlusError.self) { try read(text, as: PayRequest.self) }
        #expect(error?.code == code)
        #expect(error?.reason.contains(member) == true || member.isEmpty)
    }

    @Test(arguments: [
        #"{"isCashierPayment":1}"#, #"{"isCashierPayment":"yes"}"#, #"{"isCashierPayment":"True"}"#,
    ])
    func booleanThatIsNoneIsRefused(text: String) {
        #expect(throws: AlipayPlusError(code: .malformedField, reason: "")) { try read(text, as: WirePaymentFactor.self) }
    }

    @Test func resultStatusIsOneOfThree() {
        #expect(throws: AlipayPlusError(code: .malformedField, reason: "")) {
            try read(#"{"result":{"resultCode":"X","resultStatus":"s"}}"#, as: PlainAnswer.self)
        }
    }

    @Test(arguments: [
        (#"{"isCashierPayment":true}"#, PaymentScenario.cashier as PaymentScenario?), (#"{"isAgreementPayment":true}"#, .automaticDebit),
        (#"{"isInStorePayment":"true","inStorePaymentScenario":"PaymentCode"}"#, .paymentCode),
        (#"{"inStorePaymentScenario":"EntryCode"}"#, .entryCode),
        (#"{"isInStorePayment":true,"inStorePaymentScenario":"OrderCode"}"#, .orderCode),
        (#"{"isInStorePayment":true}"#, nil), (#"{"isCashierPayment":true,"isAgreementPayment":true}"#, nil), ("{}", nil),
        (#"{"isInStorePayment":true,"inStorePaymentScenario":"Other"}"#, nil),
    ])
    func scenarioIsThatOfTheSwitches(text: String, scenario: PaymentScenario?) throws {
        #expect(try read(text, as: WirePaymentFactor.self).scenario == scenario)
    }

    struct Numbers: WireMessage {
        var a: Int8
        var b: Int16
        var c: Int32
        var d: Int64
        var e: UInt8
        var f: UInt16
        var g: UInt32
        var h: UInt64
        var i: UInt
        var j: [Int]
        var k: [Bool]
        var l: [[String]]
        var m: [String?]
    }

    @Test func everyKindOfNumberIsReadFromTextAndWrittenAsText() throws {
        let text =
            #"{"a":"-1","b":2,"c":"3","d":"-9223372036854775808","e":5,"f":"6","g":7,"h":"18446744073709551615","i":9,"j":["1",2],"k":[true,"false"],"l":[["x"],[]],"m":["y",null]}"#
        let numbers: Numbers = try read(text)
        #expect(numbers.h == .max)
        #expect(numbers.m == ["y", nil])
        #expect(try Numbers(body: numbers.body) == numbers)
        #expect(numbers.json["a"]?.string == "-1")
        for bad in ["\"1.0\"", "\"+1\"", "1e1", "300", "\"\"", "\" 1\""] {
            #expect(throws: AlipayPlusError(code: .malformedField, reason: ""), "\(bad)") {
                try read(text.replacing(#""e":5"#, with: #""e":\#(bad)"#), as: Numbers.self)
            }
        }
    }

    @Test func everyAnswerCanSayItsResultAlone() throws {
        func check<Request: AlipayPlusRequest>(_ type: Request.Type) throws {
            let answer = Request.Answer(result: .repeatRequestInconsistent)
            #expect(answer.json.members?.map(\.key) == ["result"])
            #expect(try Request.Answer(body: answer.body) == answer)
            #expect(Request.path.hasPrefix("/aps/api/v1/"))
        }
        for type in AlipayPlusAPIs.acquirer + AlipayPlusAPIs.wallet { try check(type) }
        #expect(Set(AlipayPlusAPIs.paths).count == 13)
        #expect(PayRequest.path == "/aps/api/v1/payments/pay")
    }
}

/// Sample messages of the in-store product's older dialect: shapes that both share, and tolerance for the rest.
@Suite(.enabled(if: SignatureVector.areThere))
struct AMSSampleTests {
    private func bytes(_ name: String) throws -> [UInt8] { try Vectors.bytes("alipay-plus-acquirer/ams-mocks/\(name).json") }

    @Test func entryAndOrderCodeRequestsAreRead() throws {
        let entry = try PayRequest(body: bytes("requests/entry_code"))
        #expect(entry.paymentFactor?.scenario == .entryCode)
        #expect(EntryCode.isWallet(userAgent: try #require(entry.order.env?.userAgent)))
        let order = try PayRequest(body: bytes("requests/order_code"))
        #expect(order.paymentFactor?.scenario == .orderCode)
        #expect(order.order.merchant?.store?.referenceStoreId == "store231117459")
        #expect(order.violations.isEmpty)
    }

    @Test func orderCodeAnswerIsRead() throws {
        let answer = try PayAnswer(body: bytes("responses/order_code_s"))
        #expect(answer.result == .success.saying("success."))
        let detail = try #require(answer.orderCodeForm?.codeDetails?.first)
        #expect(detail.codeValueType == .qrCode)
        #expect(try ScannedCode(detail.codeValue).kind == "order-code")
        #expect(try PayAnswer(body: bytes("responses/entry_code_s")).paymentAmount == WireAmount(currency: "USD", value: "1"))
    }

    @Test func inquiryKeepsTwoOutcomesApart() throws {
        struct Older: WireMessage {
            var paymentStatus: TransactionStatus
            var paymentResultCode: String
        }
        let body = try bytes("responses/inquiry_sc")
        #expect(try InquiryPaymentAnswer(body: body).result.isSuccess)
        #expect(try Older(body: body).paymentStatus == .cancelled)
        let paid = try InquiryPaymentAnswer(body: bytes("responses/inquiry_ss"))
        #expect(paid.settlementQuote?.guaranteed == false)
        #expect(paid.settlementQuote?.quotePrice == "1.02487562")
    }

    @Test func refundUnknownAndNotificationAreRead() throws {
        let refund = try RefundAnswer(body: bytes("responses/refund_ss"))
        #expect(refund.refundAmount == WireAmount(currency: "GBP", value: "500"))
        #expect(refund.refundTime?.description == "2020-04-23T14:24:36+08:00")
        #expect(try PlainAnswer(body: bytes("responses/upcp_u")).result.resultStatus == .unknown)
        struct Older: WireMessage {
            var paymentQuote: WireQuote
            var paymentAmount: WireAmount
            var actualPaymentAmount: WireAmount
            var result: AlipayPlusResult
        }
        let notification = try Older(body: bytes("requests/notify_s"))
        #expect(notification.result.isSuccess)
        let paid = try notification.paymentQuote.convert(notification.paymentAmount.amount())
        #expect(WireAmount(paid) == notification.actualPaymentAmount)
    }
}
