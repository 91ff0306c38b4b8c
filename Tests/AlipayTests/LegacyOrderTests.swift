import Alipay
import BillfoldMoney
import Testing

struct LegacyOrderTests {
    private let merchant = TestParty.merchant

    private func signed(_ pairs: [(name: String, value: String)] = Sample.crossBorder) async throws -> String {
        text(try await LegacyOrder.signed(pairs, by: merchant.rsa).bytes)
    }

    private func verify(_ order: String, _ reading: AlipayReading = .strict) throws -> VerifiedLegacyOrder {
        try LegacyOrder(bytes(order), reading: reading).verified(by: merchant.keys)
    }

    @Test func signedOrderIsVerifiedWithItsParameters() async throws {
        let order = try verify(try await signed())
        #expect(order.uncovered.isEmpty)
        #expect(order.algorithm == .rsa)
        #expect(order.charset == .utf8)
        let parameters = order.parameters
        #expect(parameters.partner == "2088101122136241")
        #expect(parameters.sellerID == "2088101122136241")
        #expect(parameters.outTradeNo == "T20260101-0001")
        #expect(parameters.subject == "茶 Tea")
        #expect(parameters.body == nil)
        #expect(parameters.notifyURL == "https://shop.example/notify")
        #expect(parameters.returnURL == nil)
        #expect(parameters.paymentInstrument == nil)
        #expect(parameters.appID == nil)
        #expect(parameters.timeout == .minutes(30))
        #expect(parameters.isCrossBorder)
        #expect(parameters.price(reading: .strict) == .foreign(Amount(minorUnits: 1000, currency: .hkd)))
    }

    @Test func pricesFollowTheCurrency() async throws {
        func price(_ changes: [String: String?], _ reading: AlipayReading = .strict) async throws -> OrderPrice? {
            try verify(try await signed(Sample.changed(changes))).parameters.price(reading: reading)
        }
        #expect(try await price(["currency": nil, "forex_biz": nil]) == .domestic(Amount(minorUnits: 1000, currency: .cny)))
        let renminbi = try await price(["total_fee": nil, "rmb_fee": "8.00"])
        #expect(renminbi == .renminbi(Amount(minorUnits: 800, currency: .cny), settlement: .hkd))
        #expect(renminbi?.amount == Amount(minorUnits: 800, currency: .cny))
        #expect(renminbi?.settlement == .hkd)
        #expect(try await price(["currency": "JPY", "total_fee": "10"])?.settlement == .jpy)
        #expect(try await price(["currency": "JPY", "total_fee": "10.00"]) == nil)
        #expect(try await price(["currency": "ABC"]) == nil)
        #expect(try await price(["rmb_fee": "8.00"]) == nil)
        #expect(try await price(["total_fee": nil]) == nil)
        #expect(try await price(["total_fee": "0.1"]) == nil)
        #expect(try await price(["total_fee": "0.1"], .asObserved) == .foreign(Amount(minorUnits: 10, currency: .hkd)))
    }

    @Test func everyFieldIsCovered() async throws {
        let order = try await signed()
        for (name, value) in Sample.crossBorder where name != "_input_charset" {
            let changed = order.replacing("\(name)=\"\(value)\"", with: "\(name)=\"\(value)0\"")
            #expect(throws: refused(.signatureMismatch), "\(name)") { try verify(changed) }
        }
        #expect(throws: refused(.signatureMismatch)) { try LegacyOrder(bytes(order)).verified(by: TestParty.gateway.keys) }
    }

    @Test func fieldBehindTheSignatureIsRefusedAndNamed() async throws {
        let order = try await signed() + "&secondary_merchant_id=\"834945\""
        let error = try #require(throws: AlipayError.self) { try verify(order) }
        #expect(error.code == .uncoveredParameter)
        #expect(error.reason.contains("secondary_merchant_id"))
        let observed = try verify(order, .asObserved)
        #expect(observed.uncovered == ["secondary_merchant_id"])
        #expect(observed.parameters["secondary_merchant_id"] == nil)
        #expect(try LegacyOrder(bytes(order)).trailingNames == ["secondary_merchant_id"])
    }

    @Test func walletsOwnAdditionIsNoReasonToRefuse() async throws {
        let order = try await signed() + "&bizcontext=\"{\"av\":\"1\",\"ty\":\"ios_lite\"}\""
        let verified = try verify(order)
        #expect(verified.uncovered == ["bizcontext"])
        #expect(verified.parameters["bizcontext"] == nil)
    }

    @Test func sortedOrderCoversWhatStandsBehindSign() async throws {
        let sorted = Sample.crossBorder.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let made = try await LegacyOrder.signed(sorted, by: merchant.rsa)
        let sign = try #require(made.pairs.first { $0.name == "sign" })
        var pieces = sorted.map { "\($0.name)=\"\($0.value)\"" }
        let place = try #require(sorted.firstIndex { $0.name == "subject" })
        pieces.insert("sign_type=\"RSA\"", at: place)
        pieces.insert("sign=\"\(text(sign.value))\"", at: place)
        let verified = try verify(pieces.joined(separator: "&"))
        #expect(verified.uncovered.isEmpty)
        #expect(verified.parameters.subject == "茶 Tea")
        #expect(verified.signedBytes == made.signedBytes)
        // sign alone in the middle, with covered pairs before it only.
        let mixed = "\(text(made.signedBytes))&sign=\"\(text(sign.value))\"&extra=\"1\"&sign_type=\"RSA\""
        #expect(throws: refused(.uncoveredParameter)) { try verify(mixed) }
        #expect(try verify(mixed, .asObserved).uncovered == ["extra"])
    }

    @Test(arguments: AlipaySignatureAlgorithm.allCases) func everySignTypeSignsAndVerifies(algorithm: AlipaySignatureAlgorithm) async throws
    {
        let signer = merchant.signer(algorithm)
        let order = try await LegacyOrder.signed(Sample.crossBorder, by: signer)
        #expect(order.algorithm == algorithm)
        #expect(try order.verified(by: merchant.keys).algorithm == algorithm)
        #expect(throws: refused(.unknownKey)) { try order.verified(by: .init()) }
        // The sign type belongs to the signature: another one does not verify.
        let other = text(order.bytes).replacing(
            "sign_type=\"\(algorithm.rawValue)\"", with: "sign_type=\"\(algorithm == .rsa ? "RSA2" : "RSA")\"")
        #expect(throws: AlipayError.self) { try verify(other) }
    }

    @Test func gbkOrderIsSignedInItsOwnBytes() async throws {
        let pairs = Sample.changed(["_input_charset": "GBK"])
        let order = try await LegacyOrder.signed(pairs, charset: .gbk, by: merchant.rsa)
        let subject = try #require(order.pairs.first { $0.name == "subject" })
        #expect(subject.value == [0xB2, 0xE8, 0x20] + bytes("Tea"))
        #expect(try order.verified(by: merchant.keys).parameters.subject == "茶 Tea")
        // The same text in UTF-8 is another message, and a missing charset means GBK.
        #expect(throws: refused(.signatureMismatch)) {
            try verify(try AlipayCharset.gbk.decode(order.bytes))
        }
        let unnamed = try await LegacyOrder.signed(Sample.changed(["_input_charset": nil]), charset: .gbk, by: merchant.rsa)
        #expect(unnamed.charset == .gbk)
    }

    @Test func encodedURLIsSignedAsItIsAndReadPlain() async throws {
        let pairs = Sample.changed(["notify_url": "http%3A%2F%2Fshop.example%2Fnotify", "return_url": "m.alipay.com"])
        let verified = try verify(try await signed(pairs))
        #expect(verified.parameters["notify_url"] == "http%3A%2F%2Fshop.example%2Fnotify")
        #expect(verified.parameters.notifyURL == "http://shop.example/notify")
        #expect(verified.parameters.returnURL == "m.alipay.com")
    }

    @Test func ampersandsAndEqualsSignsInValuesAreText() async throws {
        let pairs = Sample.changed(["subject": "a&b=c&d="])
        #expect(try verify(try await signed(pairs)).parameters.subject == "a&b=c&d=")
        let fund = #"[{"transIn":"2088101122136242","amount":"1.00","currency":"HKD","desc":"a&b"}]"#
        #expect(try verify(try await signed(Sample.changed(["split_fund_info": fund]))).parameters["split_fund_info"] == fund)
    }

    @Test(arguments: [
        ("", AlipayError.Code.malformed), ("partner", .malformed), ("partner=2088", .malformed), ("=\"1\"", .malformed),
        ("a=\"1", .malformed), ("a=\"1\"&", .malformed), ("a=\"1\"b=\"2\"", .malformed), ("a=\"1\"&a=\"2\"", .duplicateKey),
        ("a=\"b\"c\"&sign=\"AA\"&sign_type=\"RSA\"", .malformed), ("a=\"1\"", .missingSignature),
        ("a=\"1\"&sign=\"AA\"", .missingSignature), ("a=\"1\"&sign=\"\"&sign_type=\"RSA\"", .missingSignature),
        ("a=\"1\"&sign=\"AA\"&sign_type=\"DSA\"", .unsupportedSignType), ("a=\"1\"&sign=\"AA\"&sign_type=\"rsa\"", .unsupportedSignType),
        ("_input_charset=\"latin1\"&sign=\"AA\"&sign_type=\"RSA\"", .unsupported),
        ("a=\"1\"&sign=\"AA==\"&sign_type=\"RSA\"", .malformedSignature), ("a=\"1\"&sign=\"A+\"&sign_type=\"RSA\"", .malformedSignature),
        ("a=\"1\"&sign=\"%2\"&sign_type=\"RSA\"", .malformedSignature),
    ]) func brokenOrderIsRefused(order: String, code: AlipayError.Code) {
        #expect(throws: refused(code)) { try LegacyOrder(bytes(order)) }
    }

    @Test func looseSpellingsAreReadAsObservedAlone() async throws {
        let order = try await signed()
        let bare = order.replacing("%2B", with: "+").replacing("%2F", with: "/").replacing("%3D", with: "=")
        #expect(throws: refused(.malformedSignature)) { try verify(bare) }
        #expect(try verify(bare, .asObserved).uncovered.isEmpty)
        let quoted = "a=\"b\"c\"&sign=\"AA\"&sign_type=\"RSA\""
        #expect(try LegacyOrder(bytes(quoted), reading: .asObserved).pairs.first?.value == bytes("b\"c"))
        let long = "a=\"\(String(repeating: "x", count: LegacyOrder.maximumLength))\"&sign=\"AA\"&sign_type=\"RSA\""
        #expect(throws: refused(.tooLarge)) { try LegacyOrder(bytes(long)) }
        #expect(try LegacyOrder(bytes(long), reading: .asObserved).pairs.count == 3)
    }

    @Test(arguments: ["%252B", "AAAA"]) func signatureThatIsNoneIsRefused(signature: String) throws {
        let order = "a=\"1\"&sign=\"\(signature)\"&sign_type=\"RSA\""
        #expect(throws: refused(.malformedSignature)) { try verify(order) }
    }

    @Test func hugeAndHostileOrdersAreRefusedAtOnce() {
        #expect(throws: refused(.tooLarge)) { try ExpressOrder([UInt8](repeating: 0x61, count: 10_000_000), reading: .asObserved) }
        #expect(throws: refused(.tooLarge)) { try LegacyOrder([UInt8](repeating: 0x22, count: 10_000_000), reading: .asObserved) }
        let many = (0..<600).map { "k\($0)=\"\"" }.joined(separator: "&")
        #expect(throws: refused(.tooLarge)) { try LegacyOrder(bytes(many)) }
        // Quotation marks that almost end a value cost no more than others.
        let almost = "a=\"" + String(repeating: "\"&\(String(repeating: "b", count: 63))", count: 4000)
        #expect(throws: refused(.malformed)) { try LegacyOrder(bytes(almost), reading: .asObserved) }
    }

    @Test func valueThatReadsAsAnotherPairIsNotSigned() async throws {
        await #expect(throws: refused(.malformed)) { try await signed(Sample.changed(["subject": "a\"&own_key=\"1"])) }
        await #expect(throws: refused(.duplicateKey)) { try await signed(Sample.crossBorder + [("subject", "again")]) }
        await #expect(throws: refused(.unencodableText)) {
            try await LegacyOrder.signed([("subject", "\u{1F600}")], charset: .gbk, by: merchant.rsa)
        }
    }

    @Test func generationsAreToldApart() async throws {
        let legacy = try await signed()
        let modern = try await ModernOrder.signed([("app_id", "1"), ("method", TradeAppPay.method)], by: merchant.rsa2).text
        let unquoted = try await LegacyServiceRequest.signed(Sample.crossBorder, by: merchant.md5).text
        guard case .legacy(let order) = try ExpressOrder(bytes(legacy)) else { throw refused(.malformed) }
        #expect(try ExpressOrder(bytes(legacy)).signedBytes == order.signedBytes)
        #expect(try ExpressOrder(bytes(legacy)).generation == .legacy)
        #expect(try ExpressOrder(bytes(modern)).generation == .modern)
        #expect(text(try ExpressOrder(bytes(modern)).signedBytes) == "app_id=1&charset=utf-8&method=alipay.trade.app.pay&sign_type=RSA2")
        guard case .unquoted(let call) = try ExpressOrder(bytes(unquoted)) else { throw refused(.malformed) }
        let verified = try call.verified(by: merchant.keys)
        #expect(verified.order.outTradeNo == "T20260101-0001")
        #expect(verified.partner == "2088101122136241")
        #expect(try ExpressOrder(bytes(unquoted)).signedBytes == verified.signedBytes)
        #expect(try ExpressOrder(bytes(unquoted)).generation == .legacy)
        let long = try await LegacyServiceRequest.signed(
            Sample.crossBorder + [("own", String(repeating: "x", count: 16_384))], by: merchant.md5
        ).text
        #expect(throws: refused(.tooLarge)) { try ExpressOrder(bytes(long)) }
        #expect(try ExpressOrder(bytes(long), reading: .asObserved).generation == .legacy)
    }
}
