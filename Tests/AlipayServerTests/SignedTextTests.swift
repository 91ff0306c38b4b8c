import Alipay
import BillfoldArchive
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldTestSupport
import HTTPTypes
import PaymentCrypto
import Testing

@testable import AlipayServer

/// What a merchant chooses comes back in texts that the gateway signs: nothing of it may read as another message there.
struct SignedTextTests {
    private static let injected = [
        "A&out_trade_no=VICTIM-ORDER-7&seller_id=2088123412341234&sf=", "A\u{600}&out_trade_no=V", "A=B", "A&B", "A\nB", "A\u{7F}",
        "A\u{85}", "A\u{2028}B",
    ]

    @Test(arguments: injected) func aRefundsNumberIsNoPartOfANotification(_ number: String) async throws {
        try await OrderGatewayHarness.open { gateway in
            let trade = try await gateway.paid(try await gateway.modernOrder("S_1"))
            let content = OrderGatewayHarness.json([("trade_no", trade), ("refund_amount", "1.00"), ("out_request_no", number)])
            let answer = try await gateway.modern("alipay.trade.refund", content)
            #expect(answer["code"]?.string == "40004" && answer["sub_code"]?.string == "ACQ.INVALID_PARAMETER", "\(answer)")
            #expect(answer["sub_msg"]?.string?.hasPrefix("out_request_no holds ") == true, "\(answer)")
            try await gateway.work()
            #expect(gateway.outside.notifications.count == 1)
            #expect(try await gateway.modern("alipay.trade.query", #"{"trade_no":"\#(trade)"}"#)["trade_status"]?.string == "TRADE_SUCCESS")
        }
    }

    @Test func theWrongCharacterOfANumberIsNamed() async throws {
        try await OrderGatewayHarness.open { gateway in
            let trade = try await gateway.paid(try await gateway.modernOrder("S_1"))
            func refund(_ number: String) async throws -> String? {
                let content = OrderGatewayHarness.json([("trade_no", trade), ("refund_amount", "1.00"), ("out_request_no", number)])
                return try await gateway.modern("alipay.trade.refund", content)["sub_msg"]?.string
            }
            #expect(try await refund("R\n1") == "out_request_no holds the character U+000A")
            #expect(try await refund("R&1") == "out_request_no holds &")
            #expect(try await refund(String(repeating: "1", count: 65)) == "out_request_no is no text of at most 64 characters")
        }
    }

    @Test(arguments: injected + ["R1\nFAKE|999.00|HKD|20261126000000|20261127000000|P|0.00|L|"])
    func aReturnsNumberIsNoPartOfANotification(_ number: String) async throws {
        try await OrderGatewayHarness.open { gateway in
            try await gateway.paid(try await gateway.legacyOrder("S_1", partner: OrderGatewayHarness.crossBorder))
            let body = try await gateway.legacy(
                "forex_refund", partner: OrderGatewayHarness.crossBorder,
                [
                    ("out_return_no", number), ("out_trade_no", "S_1"), ("currency", "HKD"), ("gmt_return", "20261121040000"),
                    ("reason", "cold"), ("return_amount", "1.00"), ("is_sync", "Y"),
                ])
            #expect(try LegacyAnswer(Array(body.utf8)).error == "ILLEGAL_ARGUMENT")
        }
    }

    @Test(arguments: [
        ("V1&seller_id=2088123412341234&sf=", ""), ("V1\u{600}&seller_id=2", ""), ("V1", #","passback_params":"a&out_trade_no=V2""#),
        ("V1", #","body":"a&out_trade_n=V2""#),
    ])
    func aMerchantThatIsReadAsObservedWritesNoNotificationEither(_ number: String, _ extra: String) async throws {
        try await OrderGatewayHarness.open { gateway in
            let key = StrictBase64.encode(gateway.keys.application.publicKey.subjectPublicKeyInfo)
            let wish = """
                {"partner":"2088000000000404","name":"Lenient Tea","reading":"asObserved","notifyOrigins":["http://127.0.0.1:9100"],
                "applications":[{"appID":"2021000000000404","rsa2":"\(key)"}]}
                """
            _ = try await gateway.server.onboarding.register(Array(wish.utf8))
            func order(_ number: String, _ extra: String) async throws -> OrderGatewayHarness.Answer {
                let content =
                    #"{"out_trade_no":"\#(number)","total_amount":"5.00","subject":"tea","product_code":"QUICK_MSECURITY_PAY"\#(extra)}"#
                return try await gateway.show(
                    try await gateway.modernText(
                        "alipay.trade.app.pay", content, app: "2021000000000404", added: [("notify_url", OrderGatewayHarness.notify)]))
            }
            let refused = try await order(number, extra)
            #expect(["ALIN42273", "ALIN43911"].contains(refused.errorCode), "\(refused.body)")
            #expect(try await order("V2", #","passback_params":"eyJhIjoxfQ==""#).status == 200)
        }
    }

    @Test func aSellersAddressIsNoPartOfANotification() async throws {
        try await OrderGatewayHarness.open { gateway in
            let wish = #"{"partner":"2088000000000404","name":"Tea","email":"a&out_trade_no=B@shop.example"}"#
            await #expect(throws: AlipayServerError.self) { try await gateway.server.onboarding.register(Array(wish.utf8)) }
        }
    }

    @Test func aRefundOfTooMuchSaysWhatIsLeft() async throws {
        try await OrderGatewayHarness.open { gateway in
            let trade = try await gateway.paid(try await gateway.modernOrder("S_1"))
            func refund(_ amount: String, _ number: String) async throws -> JSONValue {
                try await gateway.modern(
                    "alipay.trade.refund",
                    OrderGatewayHarness.json([("trade_no", trade), ("refund_amount", amount), ("out_request_no", number)]))
            }
            _ = try await refund("3.00", "a")
            let refused = try await refund("8.00", "b")
            #expect(refused["sub_code"]?.string == "ACQ.REASON_TRADE_REFUND_FEE_ERR")
            #expect(refused["sub_msg"]?.string == "8.00 CNY is asked for, and 7.00 CNY of the trade is left to refund")
        }
    }
}

/// A merchant whose contract settles in another currency takes no order in CNY, by whichever route.
struct CrossBorderContractTests {
    private static let appID = "2021000000000505"

    private static func open(_ body: @Sendable @escaping (OrderGatewayHarness) async throws -> Void) async throws {
        try await OrderGatewayHarness.open { gateway in
            let key = StrictBase64.encode(gateway.keys.application.publicKey.subjectPublicKeyInfo)
            let wish = """
                {"partner":"2088000000000505","name":"Tea Abroad","currency":"HKD","rsa":"\(key)","md5":"\(OrderGatewayHarness.md5)",
                "reading":"strict","notifyOrigins":["http://127.0.0.1:9100"],"applications":[{"appID":"\(appID)","rsa2":"\(key)"}]}
                """
            _ = try await gateway.server.onboarding.register(Array(wish.utf8))
            try await body(gateway)
        }
    }

    private static func call(_ gateway: OrderGatewayHarness, _ method: String, _ content: String) async throws -> JSONValue {
        let text = try await gateway.modernText(method, content, app: appID)
        let answer = try await gateway.send(.get, "/gateway.do?\(text)")
        return try #require(answer.json?[ModernAnswer.nodeName(method)], "\(answer.body)")
    }

    @Test func aCrossBorderPartnerTakesNoDomesticOrder() async throws {
        try await Self.open { gateway in
            let content = #"{"out_trade_no":"X_1","total_amount":"10.00","subject":"tea","product_code":"QUICK_MSECURITY_PAY"}"#
            let modern = try await gateway.show(try await gateway.modernText("alipay.trade.app.pay", content, app: Self.appID))
            let legacy = try await gateway.show(
                try await gateway.legacyOrder(
                    "X_2", partner: OrderGatewayHarness.crossBorder, with: [("currency", nil), ("forex_biz", nil), ("product_code", nil)]))
            #expect(legacy.errorCode == "ALIN43877" && legacy.status == modern.status)
            #expect(modern.errorCode == legacy.errorCode, "\(modern.body)")
            let created = try await Self.call(
                gateway, "alipay.trade.create",
                #"{"out_trade_no":"X_3","total_amount":"10.00","subject":"tea","buyer_id":"\#(OrderGatewayHarness.buyer)"}"#)
            #expect(created["sub_code"]?.string == "ACQ.ACCESS_FORBIDDEN", "\(created)")
        }
    }

    /// Everything that moves on the account has its line: what the lines come to is what is left on it.
    @Test func theAccountBillHasSharesAndPayouts() async throws {
        try await Self.open { gateway in
            let split = #"[{"transIn":"2088000000000911","amount":"3.00","currency":"HKD","desc":"share"}]"#
            try await gateway.paid(
                try await gateway.legacyOrder(
                    "X_1", partner: "2088000000000505", key: gateway.keys.application,
                    with: [("currency", "HKD"), ("forex_biz", "FP"), ("split_fund_info", split)]))
            let back = try await gateway.legacy(
                "forex_refund", partner: "2088000000000505",
                [
                    ("out_return_no", "r"), ("out_trade_no", "X_1"), ("currency", "HKD"), ("gmt_return", "20261121040000"),
                    ("reason", "cold"), ("return_amount", "2.00"), ("is_sync", "Y"),
                    ("split_fund_info", split.replacing("3.00", with: "1.00")),
                ])
            #expect(try LegacyAnswer(Array(back.utf8)).isSuccess, "\(back)")
            gateway.clock.advance(by: .seconds(86_400))
            #expect(
                try await gateway.server.backOffice.payOut(
                    Amount("2.50", currency: .hkd), to: "2088000000000505", request: "p1", by: "ada, bob", because: "end of day"))
            gateway.clock.advance(by: .seconds(86_400 + 6 * 3_600))
            func bill(_ type: String, _ date: String) async throws -> [String] {
                let answer = try await Self.call(
                    gateway, "alipay.data.dataservice.bill.downloadurl.query", #"{"bill_type":"\#(type)","bill_date":"\#(date)"}"#)
                guard let url = answer["bill_download_url"]?.string else { return [answer["sub_code"]?.string ?? ""] }
                let file = try await gateway.send(.get, url.replacing("http://gateway.test", with: ""))
                let text = try AlipayCharset.gbk.decode(ZipArchive(file.bytes).entries[0].bytes)
                return text.split(separator: "\r\n").dropFirst(2).dropLast().map { line in
                    line.split(separator: ",", omittingEmptySubsequences: false).suffix(5).map(String.init)
                        .enumerated().filter { $0.offset != 1 }.map(\.element).joined(separator: ",")
                }
            }
            #expect(
                try await bill("signcustomer", "2026-11-21") == [
                    "在线支付,HKD,10.00,", "分账,HKD,,3.00", "交易退款,HKD,,2.00", "分账退回,HKD,1.00,",
                ])
            // A day with nothing but a payout has an account bill, and no bill of trades.
            #expect(try await bill("signcustomer", "2026-11-22") == ["提现,HKD,,2.50"])
            #expect(try await bill("trade", "2026-11-22") == ["NO_BILL_DATA"])
        }
    }

    @Test func anUnquotedOrderIsAsLongAsDocumented() async throws {
        try await Self.open { gateway in
            func order(_ own: Int) async throws -> OrderGatewayHarness.Answer {
                let text = try await LegacyServiceRequest.signed(
                    [
                        ("service", "mobile.securitypay.pay"), ("partner", "2088000000000505"), ("_input_charset", "utf-8"),
                        ("notify_url", OrderGatewayHarness.notify), ("out_trade_no", "X_\(own)"), ("subject", "tea"), ("payment_type", "1"),
                        ("seller_id", "2088000000000505"), ("total_fee", "1.00"), ("currency", "HKD"), ("forex_biz", "FP"),
                        ("own", String(repeating: "x", count: own)),
                    ], by: AlipayMD5Signer(key: Secret(OrderGatewayHarness.md5))
                ).text
                return try await gateway.show(text)
            }
            #expect(try await order(15_000).status == 200)
            let long = try await order(16_384)
            #expect(long.status != 200 && long.errorCode != nil, "\(long.body)")
        }
    }
}
