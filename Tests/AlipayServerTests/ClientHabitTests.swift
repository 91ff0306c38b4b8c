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

    /// Letters of a charset's name differ between an address that somebody typed and a library's form.
    @Test func aCharsetsNameHasNoLetterCase() async throws {
        try await OrderGatewayHarness.open { gateway in
            let text = try await gateway.modernText("alipay.trade.query", #"{"out_trade_no":"茶"}"#)
            for name in ["UTF-8", "Utf-8", "utf8"] {
                let twice = try await gateway.send(.post, "/gateway.do?charset=\(name)", text, type: Self.form)
                #expect(Self.subCode(twice) == "ACQ.TRADE_NOT_EXIST", "\(name): \(twice.body)")
                // Where the address has the signature, its own name of the charset is the one that was signed.
                let query = try await gateway.send(.post, "/gateway.do?\(text)", "charset=\(name)", type: Self.form)
                #expect(Self.subCode(query) == "ACQ.TRADE_NOT_EXIST", "\(name): \(query.body)")
            }
            // Of two, one has to be signed.
            let neither = try await gateway.send(
                .post, "/gateway.do?charset=utf8", text.replacing("charset=utf-8", with: "charset=UTF-8"), type: Self.form)
            #expect(Self.subCode(neither) == "isv.invalid-signature", "\(neither.body)")
            let none = try await gateway.send(.post, "/gateway.do?charset=", text, type: Self.form)
            #expect(Self.subCode(none) == "isv.invalid-charset", "\(none.body)")
        }
    }

    /// What stands between and behind the pairs of a form is no parameter to any server of forms.
    @Test(arguments: [("", "&"), ("", "\n"), ("", "\r\n"), ("", " "), ("&", ""), ("", "&&charset=utf-8")])
    func gapsAndLineEndsOfAFormAreNoParameters(_ before: String, _ behind: String) async throws {
        try await OrderGatewayHarness.open { gateway in
            let text = try await gateway.modernText("alipay.trade.query", #"{"out_trade_no":"茶"}"#)
            let answer = try await gateway.send(.post, "/gateway.do?charset=utf-8", before + text + behind, type: Self.form)
            #expect(Self.subCode(answer) == "ACQ.TRADE_NOT_EXIST", "\(answer.body)")
        }
    }

    @Test func nullIsWhatATypedObjectHasNotGot() async throws {
        try await OrderGatewayHarness.open { gateway in
            let text = try await gateway.modernText("alipay.trade.query", #"{"out_trade_no":"Q","trade_no":null}"#)
            let answer = try await gateway.send(.get, "/gateway.do?\(text)")
            #expect(Self.subCode(answer) == "ACQ.TRADE_NOT_EXIST", "\(answer.body)")
        }
    }

    /// What a signature suffers on its way says so itself, at the gateway and on the payer's page.
    @Test func aSignatureThatIsNoBase64SaysWhatItIs() async throws {
        try await OrderGatewayHarness.open { gateway in
            for (damage, said) in [
                ({ "\($0.prefix(76))\n\($0.dropFirst(76))" }, "wrapped into lines"),
                ({ "\($0.prefix(8)) \($0.dropFirst(9))" }, "a plus sign that is not percent-encoded"),
                ({ "\($0.prefix(8))%2B\($0.dropFirst(9))" }, "percent-encoded once too often"),
                ({ "\($0.prefix(8))-_\($0.dropFirst(10))" }, "base64url"),
                ({ "\($0.prefix(8))*\($0.dropFirst(9))" }, "no base64"),
            ] as [((String) -> String, String)] {
                let answer = try await gateway.send(
                    .get, "/gateway.do?" + Self.damaged(try await gateway.modernText("alipay.trade.query", "{}"), damage))
                let told = answer.json?["alipay_trade_query_response"]?["sub_msg"]?.string ?? ""
                #expect(told.contains(said) && told.contains("the text verified is: app_id="), "\(told)")
                let shown = try await gateway.show(
                    Self.damaged(try await gateway.modernText("alipay.trade.app.pay", #"{"out_trade_no":"D"}"#), damage))
                #expect(shown.json?["error"]?["reason"]?.string?.contains(said) == true, "\(shown.body)")
            }
        }
    }

    private static func damaged(_ text: String, _ damage: (String) -> String) throws -> String {
        var parameters = try AlipayParameters(form: Array(text.utf8)).texts()
        for place in parameters.indices where parameters[place].name == "sign" {
            parameters[place].value = damage(parameters[place].value)
        }
        return try AlipayParameters(parameters).form
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
