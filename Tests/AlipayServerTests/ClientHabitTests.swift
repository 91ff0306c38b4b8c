import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldServer
import BillfoldTrace
import HTTPTypes
import PaymentCrypto
import Testing

@testable import AlipayServer

/// What clients of others send, and no document asks for.
struct ClientHabitTests {
    private static let form = "application/x-www-form-urlencoded"
    private static let appID = "2021000000000606"

    private static func subCode(_ answer: OrderGatewayHarness.Answer) -> String? {
        (answer.json?["alipay_trade_query_response"] ?? answer.json?["error_response"])?["sub_code"]?.string
    }

    /// gopay and the Ruby gem's form name their charset in the address and in the form; so did the old gateway's sample.
    @Test func aCharsetMayStandInTheAddressAndInTheForm() async throws {
        try await OrderGatewayHarness.open { gateway in
            let text = try await gateway.modernText("alipay.trade.query", #"{"out_trade_no":"茶"}"#)
            let twice = try await gateway.send(.post, "/gateway.do?charset=utf-8", text, type: Self.form)
            #expect(Self.subCode(twice) == "ACQ.TRADE_NOT_EXIST", "\(twice.body)")
            let other = try await gateway.send(.post, "/gateway.do?charset=gbk", text, type: Self.form)
            #expect(Self.subCode(other) == "isv.invalid-charset", "\(other.body)")
            let legacy = try await LegacyServiceRequest.signed(
                [
                    ("service", "single_trade_query"), ("partner", OrderGatewayHarness.domestic), ("_input_charset", "utf-8"),
                    ("out_trade_no", "茶"),
                ], by: AlipayMD5Signer(key: Secret(OrderGatewayHarness.md5))
            ).text
            let old = try await gateway.send(.post, "/gateway.do?_input_charset=utf-8", legacy, type: Self.form)
            #expect(try LegacyAnswer(old.bytes).error == "TRADE_NOT_EXIST", "\(old.body)")
            let oldOther = try await gateway.send(.post, "/gateway.do?_input_charset=gbk", legacy, type: Self.form)
            #expect(try LegacyAnswer(oldOther.bytes).error == "ILLEGAL_CHARSET", "\(oldOther.body)")
        }
    }

    @Test func anyOtherKeyMayStandTwiceWhereItSaysTheSame() async throws {
        try await OrderGatewayHarness.open { gateway in
            let text = try await gateway.modernText("alipay.trade.query", #"{"out_trade_no":"Q"}"#)
            let same = try await gateway.send(.post, "/gateway.do?method=alipay.trade.query&charset=utf-8", text, type: Self.form)
            #expect(Self.subCode(same) == "ACQ.TRADE_NOT_EXIST", "\(same.body)")
            let other = try await gateway.send(.post, "/gateway.do?method=alipay.trade.close&charset=utf-8", text, type: Self.form)
            #expect(Self.subCode(other) == "isv.invalid-parameter", "\(other.body)")
            // So it may in one of the two.
            let again = try await gateway.send(.post, "/gateway.do?charset=utf-8", text + "&charset=utf-8", type: Self.form)
            #expect(Self.subCode(again) == "ACQ.TRADE_NOT_EXIST", "\(again.body)")
            let apart = try await gateway.send(.post, "/gateway.do?charset=utf-8", text + "&charset=gbk", type: Self.form)
            #expect(Self.subCode(apart) == "isv.invalid-parameter", "\(apart.body)")
        }
    }

    @Test func theGatewaysSerialIsNoPartOfWhatIsVerified() async throws {
        try await OrderGatewayHarness.open { gateway in
            let text = try await gateway.modernText("alipay.trade.query", #"{"out_trade_no":"Q"}"#)
            let added = try await gateway.send(.get, "/gateway.do?\(text)&alipay_cert_sn=b09baa7d1d5b198c713b230c5a6ec8e7")
            #expect(Self.subCode(added) == "ACQ.TRADE_NOT_EXIST", "\(added.body)")
            // The application's own is covered, as every parameter is.
            let own = try await gateway.send(.get, "/gateway.do?\(text)&app_cert_sn=b09baa7d1d5b198c713b230c5a6ec8e7")
            #expect(Self.subCode(own) == "isv.invalid-signature", "\(own.body)")
        }
    }

    // MARK: Readings

    private static func wish(_ gateway: OrderGatewayHarness, _ more: String = "") -> [UInt8] {
        let key = StrictBase64.encode(gateway.keys.application.publicKey.subjectPublicKeyInfo)
        return Array(
            """
            {"partner":"2088000000000606","name":"Leaf Tea"\(more),"notifyOrigins":["http://127.0.0.1:9100"],
            "applications":[{"appID":"\(appID)","rsa2":"\(key)"}]}
            """.utf8)
    }

    private static func order(_ gateway: OrderGatewayHarness, _ number: String) async throws -> String {
        try await gateway.modernText(
            "alipay.trade.app.pay", #"{"out_trade_no":"\#(number)","total_amount":"0.1","subject":"a/b"}"#, app: appID)
    }

    /// Amounts with fewer digits, a subject with a slash and no product were all seen in orders that were paid.
    @Test func aTestMerchantIsReadAsRealOnesWereSeenAndWarned() async throws {
        try await OrderGatewayHarness.open { gateway in
            _ = try await gateway.server.onboarding.register(Self.wish(gateway))
            let shown = try await gateway.show(try await Self.order(gateway, "H_1"))
            #expect(shown.status == 200, "\(shown.body)")
            let told = gateway.recorder.entries.filter { $0.title == "order verified" }.flatMap(\.fields)
            let warned = told.filter { $0.name == "warning" }.map(\.value)
            #expect(["total_amount", "subject", "product_code"].allSatisfy { name in warned.contains { $0.hasPrefix(name) } }, "\(warned)")
            // Its charset counts where the body alone names it.
            let text = try await gateway.modernText("alipay.trade.query", #"{"out_trade_no":"茶"}"#, app: Self.appID)
            let body = try await gateway.send(.post, "/gateway.do", text, type: Self.form)
            #expect(Self.subCode(body) == "ACQ.TRADE_NOT_EXIST", "\(body.body)")
        }
    }

    @Test func whoAsksForTheDocumentsIsReadByThem() async throws {
        try await OrderGatewayHarness.open { gateway in
            _ = try await gateway.server.onboarding.register(
                Self.wish(gateway, #","reading":"strict","charsetMode":"documented""#))
            let refused = try await gateway.show(try await Self.order(gateway, "H_1"))
            #expect(refused.status == 403)
            #expect(refused.json?["error"]?["parameter"]?.string == "total_amount", "\(refused.body)")
            let text = try await gateway.modernText("alipay.trade.query", #"{"out_trade_no":"茶"}"#, app: Self.appID)
            let body = try await gateway.send(.post, "/gateway.do", text, type: Self.form)
            #expect(Self.subCode(body) == "isv.invalid-signature", "\(body.body)")
        }
    }

    @Test func productionGoesByTheDocuments() throws {
        for (mode, charset, reading) in [
            (ServerMode.production, AlipayGatewayRequest.CharsetMode.documented, AlipayReading.strict),
            (.test, .lenient, .asObserved),
        ] {
            let reader = try RequestReader(
                Array(#"{"partner":"2088000000000606","name":"Leaf Tea"}"#.utf8), allowing: MerchantWish.members)
            let merchant = try MerchantWish(reader, currencies: [], mode: mode).merchant
            #expect(merchant.charsetMode == charset && merchant.reading == reading)
        }
        for broken in [#""reading":"loose""#, #""charsetMode":"any""#] {
            #expect(throws: AlipayServerError.self) {
                let reader = try RequestReader(
                    Array(#"{"partner":"2088000000000606","name":"Leaf Tea",\#(broken)}"#.utf8), allowing: MerchantWish.members)
                _ = try MerchantWish(reader, currencies: [], mode: .test)
            }
        }
    }

    // MARK: Refusals

    @Test func aRefusalNamesTheParameterAndTheStory() async throws {
        try await OrderGatewayHarness.open { gateway in
            let forged = try await gateway.show(try await gateway.legacyOrder("R_1", key: gateway.keys.stranger))
            #expect(forged.json?["error"]?["parameter"]?.string == "sign", "\(forged.body)")
            #expect(forged.json?["error"]?["order"]?.string == "R_1")
            let seller = try await gateway.show(try await gateway.legacyOrder("R_2", with: [("seller_id", "2088000000009999")]))
            #expect(seller.json?["error"]?["parameter"]?.string == "seller_id", "\(seller.body)")
            let stranger = try await gateway.show(
                try await gateway.modernText("alipay.trade.app.pay", #"{"out_trade_no":"R_3"}"#, app: "2021000000009999"))
            #expect(stranger.json?["error"]?["parameter"]?.string == "app_id", "\(stranger.body)")
            let told = gateway.recorder.entries.filter { $0.title == "order refused" }
            #expect(told.map { $0.correlation["alipay.order"] } == ["R_1", "R_2", "R_3"])
        }
    }
}
