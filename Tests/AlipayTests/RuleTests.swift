import Alipay
import BillfoldJSON
import BillfoldMoney
import Testing

struct RuleTests {
    /// The codes and parameters of what is wrong.
    private func wrong(_ changes: [String: String?], _ reading: AlipayReading = .strict) async throws -> [String] {
        let order = try await LegacyOrder.signed(Sample.changed(changes), by: TestParty.merchant.rsa).verified(by: TestParty.merchant.keys)
        return LegacyOrderRules.violations(in: order.parameters, reading: reading).map { "\($0.code) \($0.parameter)" }
    }

    @Test func documentedOrderKeepsEveryRule() async throws {
        #expect(try await wrong([:]) == [])
        #expect(
            try await wrong([
                "total_fee": nil, "rmb_fee": "1000000.00", "payment_inst": "ALIPAYHK", "product_code": "NEW_WAP_OVERSEAS_SELLER",
                "appenv": "system=android^version=3.0.1.2", "secondary_merchant_industry": "7011", "it_b_pay": "1c",
                "seller_id": "postmaster@zmobuy.com", "trade_information": #"{"business_type":"4"}"#, "own_key": "x",
                "split_fund_info": #"[{"transIn":"2088101122136242","amount":"1.00","currency":"CNY"}]"#,
            ]) == [])
    }

    @Test(arguments: ["service", "partner", "out_trade_no", "subject", "payment_type", "seller_id", "notify_url"])
    func requiredParameterIsMissed(name: String) async throws {
        #expect(try await wrong([name: nil]) == ["alipay.required-parameter \(name)"])
        #expect(try await wrong([name: ""]) == ["alipay.required-parameter \(name)"])
    }

    @Test(arguments: [
        ("service", "mobile.pay", "alipay.constant-parameter"), ("payment_type", "2", "alipay.constant-parameter"),
        ("payment_inst", "ALIPAYUS", "alipay.constant-parameter"), ("partner", "1088101122136241", "alipay.partner"),
        ("partner", "208810112213624", "alipay.partner"), ("seller_id", "nobody", "alipay.seller"),
        ("out_trade_no", "T 1", "alipay.order-number"), ("out_trade_no", "号1", "alipay.order-number"),
        ("out_trade_no", String(repeating: "1", count: 65), "alipay.order-number"), ("total_fee", "0.001", "alipay.amount"),
        ("total_fee", "1e2", "alipay.amount"), ("total_fee", "-1", "alipay.amount"), ("total_fee", "0.00", "alipay.amount"),
        ("total_fee", "1", "alipay.amount"), ("total_fee", "1000000.01", "alipay.amount"), ("total_fee", "１.00", "alipay.amount"),
        ("currency", "hkd", "alipay.settlement-currency"), ("currency", "CNY", "alipay.settlement-currency"),
        ("forex_biz", "F", "alipay.forex"), ("it_b_pay", "1.5h", "alipay.timeout"), ("it_b_pay", "16d", "alipay.timeout"),
        ("it_b_pay", "0m", "alipay.timeout"), ("it_b_pay", "30", "alipay.timeout"), ("it_b_pay", "361h", "alipay.timeout"),
        ("secondary_merchant_industry", "701", "alipay.merchant-category"), ("appenv", "android", "alipay.app-environment"),
        ("subject", "pay total_fee now", "alipay.suspected-attack"), ("subject", "a\u{7}b", "alipay.plain-text"),
        ("subject", "trade_status", "alipay.suspected-attack"), ("trade_status", "TRADE_SUCCESS", "alipay.suspected-attack"),
        ("notify_id", "1", "alipay.suspected-attack"), ("own", "a&trade_status=TRADE_SUCCESS&b=", "alipay.suspected-attack"),
        ("notify_url", "https://shop.example/?a&out_trade_no=1", "alipay.suspected-attack"),
        ("subject", String(repeating: "茶", count: 257), "alipay.parameter-length"), ("trade_information", "[]", "alipay.json-parameter"),
        ("trade_information", "{", "alipay.json-parameter"), ("notify_url", "ftp://shop.example/", "alipay.address"),
        ("notify_url", "https://shop.example/" + String(repeating: "a", count: 200), "alipay.address"),
        ("split_fund_info", "{}", "alipay.split-fund"),
    ]) func brokenRuleIsNamed(name: String, value: String, code: String) async throws {
        let found = try await wrong([name: value])
        #expect(found.contains("\(code) \(name)"), "\(found)")
    }

    @Test func pricesAndCurrenciesBelongTogether() async throws {
        #expect(try await wrong(["rmb_fee": "1.00"]) == ["alipay.one-price rmb_fee"])
        #expect(try await wrong(["total_fee": nil]) == ["alipay.one-price total_fee"])
        #expect(try await wrong(["forex_biz": nil]) == ["alipay.forex forex_biz"])
        #expect(try await wrong(["currency": nil]) == ["alipay.forex currency"])
        #expect(
            try await wrong(["currency": nil, "forex_biz": nil, "total_fee": nil, "rmb_fee": "1.00"])
                == ["alipay.one-price currency"])
        let domestic: [String: String?] = ["currency": nil, "forex_biz": nil]
        #expect(try await wrong(domestic.merging(["total_fee": "100000000.00"]) { $1 }) == [])
        #expect(try await wrong(domestic.merging(["total_fee": "100000000.01"]) { $1 }) == ["alipay.amount total_fee"])
        #expect(try await wrong(["currency": "JPY", "total_fee": "100"]) == [])
        #expect(try await wrong(["currency": "JPY", "total_fee": "100.00"]) == ["alipay.amount total_fee"])
        #expect(try await wrong(["currency": "ABC"]) == ["alipay.settlement-currency currency"])
    }

    @Test func splitsStayInsideTheOrder() async throws {
        func receivers(_ count: Int, _ amount: String, _ currency: String = "HKD") -> String {
            "["
                + (0..<count).map { _ in #"{"transIn":"2088101122136242","amount":"\#(amount)","currency":"\#(currency)"}"# }.joined(
                    separator: ",")
                + "]"
        }
        #expect(try await wrong(["split_fund_info": receivers(10, "1.00")]) == [])
        for bad in [receivers(11, "0.10"), receivers(2, "5.01"), receivers(1, "1.00", "USD"), receivers(1, "1"), "[]"] {
            #expect(try await wrong(["split_fund_info": bad]) == ["alipay.split-fund split_fund_info"], "\(bad)")
        }
        #expect(
            try await wrong(["split_fund_info": receivers(1, "1.00", "CNY"), "currency": nil, "forex_biz": nil])
                == ["alipay.split-fund split_fund_info"])
    }

    /// What real orders were paid with.
    @Test func observedModeTakesWhatWasSeen() async throws {
        let seen: [String: String?] = [
            "partner": "1000000000000000", "total_fee": "1", "out_trade_no": "订单1", "notify_url": "/some_url", "currency": nil,
            "forex_biz": nil,
        ]
        #expect(try await wrong(seen, .asObserved) == [])
        #expect(try await wrong(seen).count == 4)
        #expect(try await wrong(["out_trade_no": "T 1"], .asObserved) == ["alipay.order-number out_trade_no"])
    }

    /// By bytes: to Swift `&` is another character with a mark before it that joins what follows.
    @Test(arguments: [
        ("own", "x\u{600}&gmt_payment=2026"), ("own", "x&gmt_payment\u{301}=&gmt_payment=2026"), ("subject", "tea&x=1"),
        ("body", "tea\u{600}& \u{600}="),
    ]) func aTextThatReadsAsFurtherParametersIsAnAttack(name: String, value: String) async throws {
        for reading in [AlipayReading.strict, .asObserved] {
            #expect(try await wrong([name: value], reading) == ["alipay.suspected-attack \(name)"])
        }
    }

    @Test(arguments: [
        ("out_trade_no", "V1&seller_id=2088123412341234&sf=", "alipay.order-number"), ("out_trade_no", "a\u{600}&", "alipay.order-number"),
        ("out_trade_no", "a=b", "alipay.order-number"), ("out_trade_no", "a\u{85}b", "alipay.order-number"),
        ("passback_params", "a&out_trade_no=B", "alipay.passback"), ("passback_params", "a\u{600}&b", "alipay.passback"),
        ("passback_params", "a\nb", "alipay.passback"), ("subject", "a&b=c", "alipay.suspected-attack"),
        ("body", "a\u{600}&b=c", "alipay.suspected-attack"),
    ]) func whatComesBackSignedIsRefusedInEitherReading(name: String, value: String, code: String) {
        func found(_ value: String, _ reading: AlipayReading) -> [String] {
            var members = ["out_trade_no": "T1", "total_amount": "0.01", "subject": "茶", "product_code": "QUICK_MSECURITY_PAY"]
            members[name] = value
            let content = JSONValue.object(JSONObject(members.map { .init($0.key, .string($0.value)) }))
            return ModernOrderRules.violations(in: content, reading: reading).map(\.code)
        }
        #expect(found(value, .asObserved) == [code] && found(value, .strict).contains(code))
        // As documented, percent-encoded; and as seen, base64.
        #expect(name != "passback_params" || found("a%26out_trade_no%3DB", .strict) == [] && found("eyJhIjoxfQ==", .asObserved) == [])
    }

    @Test func aNumberThatIsNoneSaysWhichCharacterIsWrong() {
        #expect(PairText.offence(in: "R-1_茶") == nil)
        #expect(PairText.offence(in: "R\n1") == "holds the character U+000A")
        #expect(PairText.offence(in: "R\u{600}&") == "holds &")
        #expect(PairText.offence(in: "R\u{2028}") == "holds the character U+2028")
    }

    @Test(arguments: [
        ("out_trade_no", "T-1", "alipay.order-number"), ("total_amount", "0.1", "alipay.amount"),
        ("total_amount", "", "alipay.required-parameter"),
        ("subject", "a=b", "alipay.plain-text"), ("product_code", "FAST", "alipay.constant-parameter"),
        ("timeout_express", "15", "alipay.timeout"), ("time_expire", "tomorrow", "alipay.expiry-time"),
        ("goods_type", "2", "alipay.constant-parameter"),
        ("passback_params", "a b", "alipay.passback"), ("body", String(repeating: "b", count: 129), "alipay.parameter-length"),
        ("body", "biz_content", "alipay.suspected-attack"),
    ]) func modernContentIsJudged(name: String, value: String, code: String) throws {
        var members: [String: String] = [
            "out_trade_no": "T1", "total_amount": "0.01", "subject": "茶", "product_code": "QUICK_MSECURITY_PAY",
        ]
        #expect(ModernOrderRules.violations(in: .object(JSONObject(members.map { .init($0.key, .string($0.value)) }))) == [])
        members[name] = value
        let found = ModernOrderRules.violations(in: .object(JSONObject(members.map { .init($0.key, .string($0.value)) })))
        #expect(found.map { "\($0.code) \($0.parameter)" } == ["\(code) \(name)"])
        #expect(found.first?.description.hasPrefix(name) == true)
    }

    @Test(arguments: [
        ("app_id", "", "alipay.required-parameter app_id"), ("timestamp", "", "alipay.required-parameter timestamp"),
        ("timestamp", "2026-01-01T00:00:00", "alipay.timestamp timestamp"), ("version", "2.0", "alipay.constant-parameter version"),
        ("format", "XML", "alipay.constant-parameter format"), ("notify_url", "mailto:a@b", "alipay.address notify_url"),
        ("app_auth_token", String(repeating: "a", count: 41), "alipay.parameter-length app_auth_token"),
        ("app_cert_sn", String(repeating: "A", count: 32), "alipay.certificate-serials app_cert_sn"),
        ("app_cert_sn", "", "alipay.certificate-serials app_cert_sn"),
        ("alipay_root_cert_sn", "", "alipay.certificate-serials alipay_root_cert_sn"),
        ("alipay_root_cert_sn", String(repeating: "a", count: 32) + "_", "alipay.certificate-serials alipay_root_cert_sn"),
    ]) func commonParametersAreJudged(name: String, value: String, finding: String) async throws {
        let serial = String(repeating: "0", count: 32)
        var parameters = [
            "app_id": "1", "method": "alipay.trade.query", "format": "JSON", "timestamp": "2026-01-01 00:00:00", "version": "1.0",
            "notify_url": "https://shop.example/", "app_cert_sn": serial, "alipay_root_cert_sn": "\(serial)_\(serial)",
        ]
        func found() async throws -> [String] {
            let pairs = parameters.map { (name: $0.key, value: $0.value) }
            let request = try await ModernRequest.signed(pairs, by: TestParty.merchant.rsa2).verified(by: TestParty.merchant.keys)
            return CommonParameterRules.violations(in: request).map { "\($0.code) \($0.parameter)" }
        }
        #expect(try await found() == [])
        parameters[name] = value
        #expect(try await found() == [finding])
    }
}
