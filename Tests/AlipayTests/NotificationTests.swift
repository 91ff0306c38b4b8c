import Alipay
import BillfoldTestSupport
import PaymentCrypto
import Testing

struct NotificationTests {
    private let gateway = TestParty.gateway

    private let modern: [(name: String, value: String)] = [
        ("notify_time", "2026-01-01 12:00:00"), ("notify_type", "trade_status_sync"), ("notify_id", "n1"), ("app_id", "1"),
        ("charset", "utf-8"),
        ("version", "1.0"), ("trade_no", "2026"), ("out_trade_no", "T1"), ("trade_status", "TRADE_SUCCESS"), ("total_amount", "0.01"),
        ("subject", " 茶 &quot;"), ("fund_bill_list", #"[{"amount":"0.01","fundChannel":"ALIPAYACCOUNT"}]"#), ("body", ""),
    ]

    @Test func notificationIsVerifiedUntrimmedAndUnescaped() async throws {
        let made = try await AlipayNotification.signed(modern, by: gateway.rsa2)
        #expect(made.generation == .modern)
        #expect(made.contentType == "application/x-www-form-urlencoded;charset=utf-8")
        let verified = try AlipayNotification(form: bytes(made.form)).verified(by: gateway.keys)
        #expect(verified.generation == .modern)
        #expect(verified["subject"] == " 茶 &quot;")
        #expect(verified["body"] == nil)
        #expect(verified["sign"] == nil)
        #expect(verified.notifyID == "n1")
        #expect(verified.outTradeNo == "T1")
        #expect(verified.tradeNo == "2026")
        #expect(verified.tradeStatus == "TRADE_SUCCESS")
        #expect(verified.total == "0.01")
        #expect(verified.algorithm == .rsa2)
        #expect(!text(verified.signedBytes).contains("sign_type"))
        for change in [("%22", "%26quot%3B"), ("subject=+", "subject="), ("total_amount=0.01", "total_amount=0.02"), ("&version=1.0", "")] {
            let changed = made.form.replacing(change.0, with: change.1)
            #expect(throws: refused(.signatureMismatch), "\(change)") {
                try AlipayNotification(form: bytes(changed)).verified(by: gateway.keys)
            }
        }
        #expect(throws: refused(.signatureMismatch)) {
            try AlipayNotification(form: bytes(made.form + "&extra=1")).verified(by: gateway.keys)
        }
        #expect(throws: refused(.signatureMismatch)) {
            try AlipayNotification(form: bytes(made.form)).verified(by: TestParty.merchant.keys)
        }
    }

    @Test(arguments: AlipaySignatureAlgorithm.allCases) func legacyNotificationHasEverySignType(algorithm: AlipaySignatureAlgorithm)
        async throws
    {
        let fields: [(name: String, value: String)] = [
            ("notify_id", "1234"), ("out_trade_no", "T1"), ("trade_status", "TRADE_FINISHED"), ("total_fee", "10.00"), ("currency", "HKD"),
            ("subject", "茶"),
        ]
        let signer = gateway.signer(algorithm)
        let made = try await AlipayNotification.signed(fields, charset: .gbk, by: signer)
        #expect(made.contentType.hasSuffix("gbk"))
        let verified = try AlipayNotification(form: bytes(made.form), charset: .gbk).verified(by: gateway.keys)
        #expect(verified.generation == .legacy)
        #expect(verified.total == "10.00")
        #expect(verified["subject"] == "茶")
        // The bytes are the same whatever they are taken for; as text they are not.
        #expect(throws: refused(.unencodableText)) { try AlipayNotification(form: bytes(made.form)).verified(by: gateway.keys) }
        #expect(throws: refused(.unknownKey)) { try AlipayNotification(form: bytes(made.form), charset: .gbk).verified(by: .init()) }
    }

    /// In certificate mode it stands beside what is signed.
    @Test func theGatewaysSerialIsLeftOutOfWhatIsVerified() async throws {
        let fields = [(name: "notify_id", value: "1"), (name: "app_id", value: "2"), (name: "out_trade_no", value: "T1")]
        let made = try await AlipayNotification.signed(fields, by: gateway.rsa2)
        let serial = "&alipay_cert_sn=b09baa7d1d5b198c713b230c5a6ec8e7"
        let verified = try AlipayNotification(form: bytes(made.form + serial)).verified(by: gateway.keys)
        #expect(verified.outTradeNo == "T1" && verified["alipay_cert_sn"] == nil)
        #expect(!text(verified.signedBytes).contains("alipay_cert_sn"))
        let recorded = try AlipayNotification(form: FieldInput.bytes("alipay/notify-cert-sn-notify.form"))
        let key = try AlipayKeyText.publicKey(text(FieldInput.bytes("alipay/cert-sn-alipay.pub")))
        #expect(try recorded.verified(by: .init(rsa2: key)).event == .paid)
        // Where it is covered it is a field like any other.
        let whole = "alipay_cert_sn=b0&app_id=2&notify_id=1&out_trade_no=T1"
        let sign = PercentEncoding.encode(try await gateway.rsa2.sign(bytes(whole)).utf8)
        let covered = try AlipayNotification(form: bytes("\(whole)&sign_type=RSA2&sign=\(sign)")).verified(by: gateway.keys)
        #expect(covered["alipay_cert_sn"] == "b0")
        #expect(throws: refused(.signatureMismatch)) {
            try AlipayNotification(form: bytes(made.form + serial + "&extra=1")).verified(by: gateway.keys)
        }
    }

    @Test func brokenNotificationsAreRefused() async throws {
        #expect(throws: refused(.missingSignature)) { try AlipayNotification(form: bytes("a=1")).verified(by: gateway.keys) }
        #expect(throws: refused(.missingSignature)) { try AlipayNotification(form: bytes("a=1&sign=A")).verified(by: gateway.keys) }
        #expect(throws: refused(.unsupportedSignType)) {
            try AlipayNotification(form: bytes("a=1&sign=A&sign_type=X")).verified(by: gateway.keys)
        }
        #expect(throws: refused(.unsupportedSignType)) {
            try AlipayNotification(form: bytes("app_id=1&sign=A&sign_type=MD5")).verified(by: gateway.keys)
        }
        #expect(throws: refused(.unsupported)) { try AlipayNotification(form: bytes("charset=latin1")) }
        #expect(throws: refused(.duplicateKey)) { try AlipayNotification(form: bytes("a=1&a=1")) }
        for form in ["a", "=1", "a=%", "a=%2", "a=%zz", "a=1&", "ä=1", "a=1&&b=2"] {
            #expect(throws: refused(.malformed), "\(form)") { try AlipayNotification(form: bytes(form)) }
        }
        #expect(throws: refused(.tooLarge)) { try AlipayNotification(form: [UInt8](repeating: 0x61, count: 10_000_000)) }
        let many = (0..<600).map { "k\($0)=1" }.joined(separator: "&")
        #expect(throws: AlipayError.self) { try AlipayNotification(form: bytes(many)) }
    }

    /// The key that signs notifications signs results as well, over what a merchant wrote into its order.
    @Test(arguments: [
        #"aaa="&notify_id=1&out_trade_no=B1&total_fee=1.00&trade_status=TRADE_SUCCESS&zzz="&partner="A""#,
        "notify_id=1&out_trade_no=B1&total_fee=1.00&trade_status=TRADE_SUCCESS&zzz=1",
    ]) func aResultIsNoNotification(order: String) async throws {
        let signer = gateway.signer(.rsa)
        let text = order + #"&success="true""#
        let halves = order.split(separator: "zzz=", maxSplits: 1).map(String.init)
        // The same bytes, cut so that they are a form.
        var fields: [(name: String, value: String)] = halves[0].split(separator: "&").map {
            let pair = $0.split(separator: "=", maxSplits: 1).map(String.init)
            return (pair[0], pair[1])
        }
        fields.append(("zzz", halves[1] + #"&success="true""#))
        fields += [("sign_type", "RSA"), ("sign", try await signer.sign(bytes(text)))]
        let made = try AlipayNotification(form: bytes(AlipayParameters(fields).form))
        #expect(made.signedBytes == bytes(text))
        #expect(throws: refused(.otherMessage)) { try made.verified(by: gateway.keys) }
    }

    @Test func onlyTheWordItselfIsAnAnswer() {
        #expect(NotificationReply.isAccepted(status: 200, body: bytes("success")))
        #expect(NotificationReply.isAccepted(status: 200, body: bytes("SUCCESS")))
        for body in ["", " success", "success\n", "\u{FEFF}success", "<p>success</p>", "Success", "\"success\""] {
            #expect(!NotificationReply.isAccepted(status: 200, body: bytes(body)), "\(body)")
        }
        for status in [201, 301, 302, 500] { #expect(!NotificationReply.isAccepted(status: status, body: bytes("success"))) }
        #expect(NotificationReply.intervals(crossBorder: false) == [240, 600, 600, 3600, 7200, 21_600, 54_000])
        // 24 h 22 min between the first and the eighth attempt.
        #expect(NotificationReply.intervals(crossBorder: true).reduce(0, +) == 87_720)
    }

    /// Whoever gets it could cut it anew: the second line behind the rules for what comes in.
    @Test func whatReadsAsAnotherNotificationIsNotSigned() async throws {
        let fields = [("notify_id", "1"), ("out_biz_no", "A\u{600}&out_trade_no=B&sf="), ("out_trade_no", "A")]
        await #expect(throws: refused(.invalidParameter)) {
            try await AlipayNotification.signed(fields.map { (name: $0.0, value: $0.1) }, by: TestParty.gateway.rsa)
        }
        await #expect(throws: refused(.invalidParameter)) {
            try await LegacyAnswer.success(
                request: [], response: [.init("subject", "a&trade_status=TRADE_SUCCESS")], charset: .utf8, by: TestParty.gateway.rsa)
        }
        // Neither alone reads as a further field.
        let plain = [("notify_id", "1"), ("subject", "salt & pepper"), ("body", "a=b")].map { (name: $0.0, value: $0.1) }
        _ = try await AlipayNotification.signed(plain, by: TestParty.gateway.rsa)
    }
}
