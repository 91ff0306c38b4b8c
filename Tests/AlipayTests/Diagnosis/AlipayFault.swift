import Alipay
import BillfoldDiagnosis
import Foundation
import PaymentCrypto
import PaymentCryptoIssuing
import Testing

/// One documented mistake, made at random.
struct AlipayFault: Sendable, CustomTestStringConvertible {
    var code: String
    var name: String
    var evidence: (name: String, value: String)?
    var isRSA2: Bool?
    var make: @Sendable (inout AlipayCase) throws -> [Artifact]

    init(
        _ code: String, _ name: String, evidence: (name: String, value: String)? = nil, isRSA2: Bool? = nil,
        _ make: @escaping @Sendable (inout AlipayCase) throws -> [Artifact]
    ) {
        self.code = code
        self.name = name
        self.evidence = evidence
        self.isRSA2 = isRSA2
        self.make = make
    }

    var testDescription: String { "\(code): \(name)" }

    static func log(_ events: String) -> [Artifact] {
        [Artifact(name: "orders.json", bytes: Array("{\"alipayLog\":[\(events)]}".utf8))]
    }

    static let all = keys + signatures + texts + orders + files + logs + serials

    static let keys: [AlipayFault] = [
        AlipayFault("alipay.wrong-key", "an order signed by a stranger") {
            let pairs = $0.legacyPairs()
            return $0.with(try $0.legacyOrder(pairs, sign: AlipayCase.percent($0.sign(AlipayCase.quoted(pairs), $0.stranger))))
        },
        AlipayFault("alipay.wrong-key", "an answer signed by a stranger") {
            let node = $0.node()
            let sign = try $0.sign(node, $0.stranger)
            return $0.with("{\"alipay_trade_query_response\":\(node),\"sign\":\"\(sign)\"}")
        },
        AlipayFault("alipay.key-not-registered", "another key signed") {
            let registered = Artifact(name: "registered_public_key.pem", bytes: Array($0.stranger.publicKey.pem.utf8))
            return $0.with(try $0.modern($0.modernPairs()), [$0.merchantFile, registered])
        },
        AlipayFault("alipay.own-key-pasted", "the merchant's own key under Alipay's name") {
            let own = Artifact(name: "alipay_public_key.pem", bytes: Array($0.merchant.publicKey.pem.utf8))
            return $0.with(try $0.answer($0.node()), [$0.merchantFile, own])
        },
        AlipayFault("alipay.shared-key-swapped", "the open platform's key for a legacy result") {
            // The result is signed by the key that is filed as the open platform's.
            let open = Artifact(name: "openapi_public_key.pem", bytes: Array($0.alipay.publicKey.pem.utf8))
            let mapi = Artifact(name: "mapi_public_key.pem", bytes: Array($0.stranger.publicKey.pem.utf8))
            return $0.with(try $0.legacyResult($0.legacyPairs()), [open, mapi])
        },
        AlipayFault("alipay.own-key-signed", "a notification", evidence: ("signed with", "merchant_private_key.pem")) {
            let pairs = $0.notificationPairs()
            let sign = try $0.sign(AlipayCase.plain(AlipayCase.sorted(pairs), without: ["sign_type"]))
            return $0.with(AlipayCase.form(pairs + [("sign", sign)]))
        },
        AlipayFault("alipay.own-key-signed", "a result, and the public key alone") {
            let node = $0.node()
            let sign = try $0.sign(node)
            let own = Artifact(name: "app_public_key.pem", bytes: Array($0.merchant.publicKey.pem.utf8))
            return $0.with(
                "{\"alipay_trade_app_pay_response\":\(node),\"sign\":\"\(sign)\",\"sign_type\":\"\($0.signType)\"}", [own, $0.alipayFile])
        },
        AlipayFault("alipay.own-key-signed", "an answer, and the merchant's key under Alipay's name") {
            let node = $0.node()
            let own = Artifact(name: "alipay_public_key.pem", bytes: Array($0.merchant.publicKey.pem.utf8))
            return $0.with(
                "{\"alipay_trade_query_response\":\(node),\"sign\":\"\(try $0.sign(node))\"}", [$0.merchantFile, own])
        },
        AlipayFault("alipay.other-side-key", "an order signed with Alipay's key", evidence: ("signed with", "alipay_public_key.pem")) {
            let pairs = $0.modernPairs()
            let sign = try $0.sign(AlipayCase.plain(AlipayCase.sorted(pairs)), $0.alipay)
            return $0.with(try $0.modern(pairs, sign: AlipayCase.percent(sign)))
        },
        AlipayFault("alipay.sign-type-hash", "RSA2 announced, SHA-1 made", evidence: ("hash inside the signature", "SHA-1"), isRSA2: true) {
            let pairs = $0.modernPairs()
            return $0.with(try $0.modern(pairs, sign: AlipayCase.percent($0.sign(AlipayCase.plain(AlipayCase.sorted(pairs)), hash: .sha1))))
        },
        AlipayFault(
            "alipay.sign-type-hash", "RSA announced, SHA-256 made", evidence: ("hash inside the signature", "SHA-256"), isRSA2: false
        ) {
            let pairs = $0.legacyPairs()
            return $0.with(try $0.legacyOrder(pairs, sign: AlipayCase.percent($0.sign(AlipayCase.quoted(pairs), hash: .sha256))))
        },
        AlipayFault("alipay.key-too-short", "RSA2 with 1024 bits", evidence: ("key", "1024 bits"), isRSA2: false) {
            let pairs = $0.legacyPairs()
            return $0.with(
                try $0.legacyOrder(pairs, sign: AlipayCase.percent($0.sign(AlipayCase.quoted(pairs), hash: .sha256)), signType: "RSA2"))
        },
    ]

    /// A signature that surely has a plus, a slash or an equals sign; a text is varied until it has.
    static func plussed(_ item: inout AlipayCase) throws -> (pairs: AlipayCase.Pairs, sign: String) {
        while true {
            let pairs = item.legacyPairs()
            let sign = try item.sign(AlipayCase.quoted(pairs))
            if sign.contains("+") { return (pairs, sign) }
        }
    }

    static let signatures: [AlipayFault] = [
        AlipayFault("alipay.sign-encoded-twice", "an order's") {
            let pairs = $0.legacyPairs()
            return $0.with(
                try $0.legacyOrder(pairs, sign: AlipayCase.percent(AlipayCase.percent($0.sign(AlipayCase.quoted(pairs)) + ""))))
        },
        AlipayFault("alipay.sign-not-encoded", "plain base64 in an order") {
            let (pairs, sign) = try plussed(&$0)
            return $0.with(try $0.legacyOrder(pairs, sign: sign))
        },
        AlipayFault("alipay.sign-plus-to-space", "a notification's") {
            while true {
                let pairs = $0.notificationPairs()
                let sign = try $0.sign(AlipayCase.plain(AlipayCase.sorted(pairs), without: ["sign_type"]), $0.alipay)
                if sign.contains("+") {
                    return $0.with(AlipayCase.form(pairs) + "&sign=" + sign.replacing("/", with: "%2F").replacing("=", with: "%3D"))
                }
            }
        },
        AlipayFault("alipay.sign-line-breaks", "base64 in lines") {
            let pairs = $0.modernPairs()
            let sign = try $0.sign(AlipayCase.plain(AlipayCase.sorted(pairs)))
            return $0.with(try $0.modern(pairs, sign: AlipayCase.percent(sign.prefix(76) + "\n" + sign.dropFirst(76))))
        },
        AlipayFault("alipay.sign-url-safe", "another alphabet") {
            let (pairs, sign) = try plussed(&$0)
            return $0.with(
                try $0.legacyOrder(pairs, sign: AlipayCase.percent(sign.replacing("+", with: "-").replacing("/", with: "_"))))
        },
        AlipayFault("alipay.sign-damaged", "cut by a column") {
            let pairs = $0.modernPairs()
            let sign = try $0.sign(AlipayCase.plain(AlipayCase.sorted(pairs)))
            return $0.with(
                try $0.modern(pairs, sign: AlipayCase.percent(String(sign.dropLast(Int.random(in: 3...40, using: &$0.generator))))))
        },
        AlipayFault("alipay.sign-missing", "an order without") {
            $0.with(AlipayCase.form($0.modernPairs()))
        },
        AlipayFault("alipay.sign-type", "lower case") {
            let pairs = $0.legacyPairs()
            return $0.with(try $0.legacyOrder(pairs, signType: "rsa2"))
        },
        AlipayFault("alipay.md5-mismatch", "another shared key") {
            let pairs = $0.legacyCall()
            return $0.with(AlipayCase.form(pairs + [("sign_type", "MD5"), ("sign", $0.digits(32))]))
        },
        AlipayFault("alipay.md5-upper-case", "capital letters") {
            while true {
                let pairs = $0.legacyCall()
                let sign = try md5(AlipayCase.plain(AlipayCase.sorted(pairs)))
                if sign != sign.uppercased() {
                    return $0.with(AlipayCase.form(pairs + [("sign_type", "MD5"), ("sign", sign.uppercased())]))
                }
            }
        },
    ]

    static func md5(_ text: String) throws -> String { OpenMD5.hex(text + AlipayCase.md5Key.reveal()) }

    static let texts: [AlipayFault] = [
        AlipayFault("alipay.quotes-missing", "signed without") {
            let pairs = $0.legacyPairs()
            return $0.with(try $0.legacyOrder(pairs, signed: AlipayCase.plain(pairs)))
        },
        AlipayFault("alipay.text-changed", "another amount") {
            let pairs = $0.legacyPairs()
            var changed = pairs
            if let index = changed.firstIndex(where: { $0.name == "total_fee" }) { changed[index].value = "0.01" }
            return $0.with(try $0.legacyOrder(changed, signed: AlipayCase.quoted(pairs)))
        },
        AlipayFault(
            "alipay.key-after-sign", "secondary merchant appended",
            evidence: ("not covered", "secondary_merchant_id, secondary_merchant_industry")
        ) {
            let pairs = $0.legacyPairs()
            return $0.with(
                try $0.legacyOrder(
                    pairs, signed: AlipayCase.quoted(pairs),
                    behind: [("secondary_merchant_id", "A8000"), ("secondary_merchant_industry", "7011")]))
        },
        AlipayFault("alipay.order-changed", "signed sorted") {
            let pairs = $0.legacyPairs()
            return $0.with(try $0.legacyOrder(pairs, signed: AlipayCase.quoted(AlipayCase.sorted(pairs))))
        },
        AlipayFault("alipay.percent-encoding", "notify_url encoded after signing", evidence: ("values", "notify_url")) {
            var pairs = $0.legacyPairs()
            let index = try #require(pairs.firstIndex { $0.name == "notify_url" })
            pairs[index].value = "https://shop.example.com/notify"
            let signed = AlipayCase.quoted(pairs)
            pairs[index].value = AlipayCase.percent(pairs[index].value)
            return $0.with(try $0.legacyOrder(pairs, signed: signed))
        },
        AlipayFault("alipay.biz-content-not-encoded", "raw JSON in an order") {
            var pairs = $0.modernPairs()
            let signed = AlipayCase.plain(AlipayCase.sorted(pairs))
            let content = pairs.removeLast().value
            return $0.with(
                AlipayCase.form(pairs) + "&biz_content=\(content.replacing(" ", with: "+"))&sign=" + AlipayCase.percent(try $0.sign(signed))
            )
        },
        AlipayFault("alipay.json-reserialised", "biz_content printed with blanks", evidence: ("parameter", "biz_content")) {
            let pairs = $0.modernPairs()
            var signed = pairs
            signed[signed.count - 1].value = signed[signed.count - 1].value.replacing("\",\"", with: "\", \"").replacing(
                "\":\"", with: "\": \"")
            return $0.with(try $0.modern(pairs, signed: AlipayCase.plain(AlipayCase.sorted(signed))))
        },
        AlipayFault("alipay.json-reserialised", "an answer printed again") {
            let node = $0.node()
            return $0.with(try $0.answer(node, signed: node.replacing("/", with: "\\/")))
        },
        AlipayFault("alipay.json-reserialised", "a result printed again") {
            let node = $0.node()
            return $0.with(try $0.modernResult(node.replacing("\",\"", with: "\", \"").replacing("\":\"", with: "\": \""), signed: node))
        },
        AlipayFault("alipay.sign-type-left-out", "a modern order") {
            let pairs = $0.modernPairs()
            return $0.with(try $0.modern(pairs, signed: AlipayCase.plain(AlipayCase.sorted(pairs), without: ["sign_type"])))
        },
        AlipayFault("alipay.sign-type-kept", "a notification") {
            let pairs = $0.notificationPairs()
            return $0.with(AlipayCase.form(try $0.notified(pairs, signed: AlipayCase.plain(AlipayCase.sorted(pairs)))))
        },
        AlipayFault("alipay.charset-mixed", "signed as GBK", evidence: ("signed", "gbk")) {
            var pairs = $0.legacyPairs()
            pairs.append(("show_url", "m.example.com"))
            if let index = pairs.firstIndex(where: { $0.name == "subject" }) { pairs[index].value = "茶叶一斤" }
            let bytes = try AlipayCharset.gbk.encode(AlipayCase.quoted(pairs))
            return $0.with(try $0.legacyOrder(pairs, sign: AlipayCase.percent($0.sign(bytes))))
        },
        AlipayFault("alipay.extra-parameter", "a framework's route", evidence: ("parameter", "_route")) {
            let pairs = $0.notificationPairs()
            return $0.with(AlipayCase.form(try $0.notified(pairs) + [("_route", "/pay/notify")]))
        },
        AlipayFault("alipay.trailing-newline", "an order signed from a file") {
            let pairs = $0.modernPairs()
            return $0.with(try $0.modern(pairs, signed: AlipayCase.plain(AlipayCase.sorted(pairs)) + "\n"))
        },
        AlipayFault("alipay.html-escaped", "fund_bill_list in a notification", evidence: ("values", "fund_bill_list")) {
            let signed = $0.notificationPairs()
            var pairs = try $0.notified(signed)
            for index in pairs.indices where pairs[index].name == "fund_bill_list" {
                pairs[index].value = pairs[index].value.replacing("\"", with: "&quot;")
            }
            return $0.with(AlipayCase.form(pairs))
        },
        AlipayFault("alipay.not-entity", "&not read as HTML") {
            // Sorted, so that notify_id, notify_time and notify_type stand behind an ampersand.
            let pairs = AlipayCase.sorted(try $0.notified($0.notificationPairs()))
            return $0.with(AlipayCase.form(pairs).replacing("&not", with: "¬"))
        },
        AlipayFault("alipay.trimmed", "the subject's first blank", evidence: ("values", "subject")) {
            let signed = $0.notificationPairs()
            var pairs = try $0.notified(signed)
            for index in pairs.indices where pairs[index].name == "subject" {
                pairs[index].value = pairs[index].value.trimmingCharacters(in: .whitespaces)
            }
            return $0.with(AlipayCase.form(pairs))
        },
        AlipayFault("alipay.empty-fields", "an empty field was signed and dropped", evidence: ("empty", "passback_params")) {
            let pairs = $0.notificationPairs()
            let signed = AlipayCase.plain(AlipayCase.sorted(pairs + [("passback_params", "")]), without: ["sign_type"])
            return $0.with(AlipayCase.form(try $0.notified(pairs, signed: signed)))
        },
        AlipayFault("alipay.plus-to-space", "a result from a return URL") {
            var pairs = $0.legacyPairs()
            if let index = pairs.firstIndex(where: { $0.name == "subject" }) { pairs[index].value = "Tea+cup+\($0.digits(2))" }
            let signed = AlipayCase.quoted(pairs) + #"&success="true""#
            if let index = pairs.firstIndex(where: { $0.name == "subject" }) {
                pairs[index].value = pairs[index].value.replacing("+", with: " ")
            }
            return $0.with(try $0.legacyResult(pairs, signed: signed))
        },
    ]

    /// An order that breaks one rule of its values.
    static func order(_ code: String, _ name: String, _ change: @escaping @Sendable (inout AlipayCase.Pairs, inout AlipayCase) -> Void)
        -> AlipayFault
    {
        AlipayFault(code, name) {
            var pairs = $0.legacyPairs()
            change(&pairs, &$0)
            return $0.with(try $0.legacyOrder(pairs))
        }
    }

    static func set(_ name: String, _ value: String, _ pairs: inout AlipayCase.Pairs) {
        if let index = pairs.firstIndex(where: { $0.name == name }) { pairs[index].value = value }
    }

    static let orders: [AlipayFault] = [
        AlipayFault("alipay.unparsable", "the last quotation mark lost") {
            $0.with(String(try $0.legacyOrder($0.legacyPairs()).dropLast()))
        },
        AlipayFault("alipay.unparsable", "a key twice") {
            let pairs = $0.notificationPairs()
            return $0.with(AlipayCase.form(try $0.notified(pairs) + [("notify_id", "1")]))
        },
        AlipayFault("alipay.gateway-mismatch", "a modern call to the old gateway", evidence: ("host", "mapi.alipay.com")) {
            var pairs = $0.modernPairs()
            set("method", "alipay.trade.query", &pairs)
            return $0.with("https://mapi.alipay.com/gateway.do?" + (try $0.modern(pairs)))
        },
        order("alipay.required-parameter", "no subject") { pairs, _ in pairs.removeAll { $0.name == "subject" } },
        order("alipay.amount", "three decimals") { pairs, item in
            set("total_fee", "\(Int.random(in: 1...9, using: &item.generator)).001", &pairs)
        },
        order("alipay.amount", "negative") { pairs, item in set("total_fee", "-\(Int.random(in: 1...9, using: &item.generator)).00", &pairs)
        },
        order("alipay.constant-parameter", "another payment_type") { pairs, _ in set("payment_type", "2", &pairs) },
        order("alipay.timeout", "hours with a fraction") { pairs, _ in set("it_b_pay", "1.5h", &pairs) },
        order("alipay.order-number", "a space in out_trade_no") { pairs, item in set("out_trade_no", "T \(item.digits(8))", &pairs) },
        order("alipay.suspected-attack", "a parameter name in the subject") { pairs, _ in set("subject", "tea out_trade_no", &pairs) },
        order("alipay.notify-url", "on this machine") { pairs, _ in set("notify_url", "http://127.0.0.1/notify", &pairs) },
        order("alipay.notify-url", "encoded twice") { pairs, _ in
            set("notify_url", AlipayCase.percent(AlipayCase.percent("https://shop.example.com/n")), &pairs)
        },
    ]

    static let files: [AlipayFault] = [
        AlipayFault("alipay.key-form", "PKCS#8 under the header of PKCS#1", evidence: ("header", "RSA PRIVATE KEY")) {
            $0.with(
                try $0.modern($0.modernPairs()),
                [Artifact(name: "key.pem", bytes: Array(AlipayCase.pem("RSA PRIVATE KEY", $0.merchant.pkcs8).utf8)), $0.alipayFile])
        },
        AlipayFault("alipay.private-key-form", "PKCS#1", evidence: ("content", "a private key in PKCS#1")) {
            let text = AlipayCase.pem("RSA PRIVATE KEY", try AlipayCase.pkcs1($0.merchant))
            return $0.with(
                try $0.modern($0.modernPairs()), [Artifact(name: "key.pem", bytes: Array(text.utf8)), $0.alipayFile])
        },
        AlipayFault("alipay.private-key-form", "PKCS#1 in bare base64", evidence: ("content", "a private key in PKCS#1")) {
            let text = StrictBase64.encode(try AlipayCase.pkcs1($0.merchant))
            return $0.with(
                try $0.modern($0.modernPairs()), [Artifact(name: "key.txt", bytes: Array(text.utf8)), $0.alipayFile])
        },
        AlipayFault("alipay.key-line-breaks", "one line") {
            let text = AlipayCase.pem("PRIVATE KEY", $0.merchant.pkcs8).replacing("\n", with: "")
            return $0.with(try $0.modern($0.modernPairs()), [Artifact(name: "key.pem", bytes: Array(text.utf8))])
        },
        AlipayFault("alipay.key-line-breaks", "written as \\n") {
            let text = AlipayCase.pem("PRIVATE KEY", $0.merchant.pkcs8).replacing("\n", with: "\\n")
            return $0.with(try $0.modern($0.modernPairs()), [Artifact(name: "key.pem", bytes: Array(text.utf8))])
        },
        AlipayFault("alipay.key-encoding", "a byte order mark", evidence: ("first bytes", "EF BB BF")) {
            $0.with(try $0.modern($0.modernPairs()), [Artifact(name: "key.pem", bytes: [0xEF, 0xBB, 0xBF] + $0.merchantFile.bytes)])
        },
        AlipayFault("alipay.public-key-form", "PKCS#1") {
            // The last element of a SubjectPublicKeyInfo is a bit string of the PKCS#1 key.
            let key = Array(try AlipayCase.last(0x03, of: $0.alipay.publicKey.subjectPublicKeyInfo).dropFirst())
            return $0.with(
                try $0.answer($0.node()), [Artifact(name: "alipay_key.pem", bytes: Array(AlipayCase.pem("RSA PUBLIC KEY", key).utf8))])
        },
    ]

    static let logs: [AlipayFault] = [
        AlipayFault("alipay.context-inconsistent", "another amount", evidence: ("then", "2.00 tea")) { item in
            let order = item.digits(10)
            return log(
                #"{"event":"order","order":"\#(order)","total":"1.00","subject":"tea"},{"event":"order","order":"\#(order)","total":"2.00","subject":"tea"}"#
            )
        },
        AlipayFault("alipay.domestic-product", "no currency") { item in
            log(#"{"event":"account","crossBorder":true},{"event":"order","order":"\#(item.digits(9))","total":"1.00"}"#)
        },
        AlipayFault("alipay.order-expired", "paid late", evidence: ("seconds late", "60")) { item in
            let order = item.digits(9)
            return log(#"{"event":"order","order":"\#(order)","expiresAt":1000},{"event":"launch","order":"\#(order)","at":1060}"#)
        },
        AlipayFault("alipay.second-payer", "two buyers", evidence: ("second", "2088b")) { item in
            let order = item.digits(9)
            return log(#"{"event":"launch","order":"\#(order)","buyer":"2088a"},{"event":"launch","order":"\#(order)","buyer":"2088b"}"#)
        },
        AlipayFault("alipay.reply-not-success", "a line end", evidence: ("bytes", "8")) { _ in
            log(#"{"event":"reply","status":200,"body":"success\n"}"#)
        },
        AlipayFault("alipay.reply-not-success", "status 500", evidence: ("status", "500")) { _ in
            log(#"{"event":"reply","status":500,"body":"success"}"#)
        },
        AlipayFault("alipay.notify-id-escaped", "twice") { item in
            let id = item.digits(8)
            return log(#"{"event":"notifyVerify","notify_id":"\#(id)%252B","known":"\#(id)%2B","answer":"false"}"#)
        },
        AlipayFault("alipay.notify-id-stale", "after success") { item in
            log(
                #"{"event":"reply","status":200,"body":"success"},{"event":"notifyVerify","notify_id":"\#(item.digits(8))","answer":"false","age":3}"#
            )
        },
        AlipayFault("alipay.refund-repeated", "one number, two refunds") { item in
            let (order, number) = (item.digits(9), item.digits(6))
            return log(
                #"{"event":"refund","order":"\#(order)","out_request_no":"\#(number)","amount":"1.00","fund_change":"Y"},{"event":"refund","order":"\#(order)","out_request_no":"\#(number)","amount":"1.00","fund_change":"N"}"#
            )
        },
        AlipayFault("alipay.refund-number-reused", "another amount") { item in
            let (order, number) = (item.digits(9), item.digits(6))
            return log(
                #"{"event":"refund","order":"\#(order)","out_request_no":"\#(number)","amount":"1.00","fund_change":"Y"},{"event":"refund","order":"\#(order)","out_request_no":"\#(number)","amount":"2.00"}"#
            )
        },
        AlipayFault("alipay.refund-read-as-payment", "paid twice", evidence: ("refund_fee", "1.00")) { item in
            let order = item.digits(9)
            return log(
                #"{"event":"notification","order":"\#(order)","trade_status":"TRADE_SUCCESS"},{"event":"state","order":"\#(order)","state":"paid"},{"event":"notification","order":"\#(order)","trade_status":"TRADE_SUCCESS","refund_fee":"1.00","out_biz_no":"r"},{"event":"state","order":"\#(order)","state":"paid"}"#
            )
        },
        AlipayFault("alipay.closed-read-as-paid", "a time-out", evidence: ("refund_fee", "0.00")) { item in
            let order = item.digits(9)
            return log(
                #"{"event":"notification","order":"\#(order)","trade_status":"TRADE_CLOSED","refund_fee":"0.00"},{"event":"state","order":"\#(order)","state":"paid"}"#
            )
        },
        AlipayFault("alipay.failed-without-query", "6004", evidence: ("resultStatus", "6004")) { item in
            let order = item.digits(9)
            return log(
                #"{"event":"clientResult","order":"\#(order)","resultStatus":"6004"},{"event":"state","order":"\#(order)","state":"failed"}"#
            )
        },
        AlipayFault("alipay.clock", "UTC", evidence: ("hours off", "-8")) { _ in
            // 2026-11-21 10:20:30 in China is 02:20:30Z.
            log(#"{"event":"request","timestamp":"2026-11-21 02:20:30","at":1795227630}"#)
        },
    ]
}

extension AlipayCase {
    mutating func legacyCall() -> Pairs {
        [
            ("service", "single_trade_query"), ("partner", "2088" + digits(12)), ("_input_charset", "utf-8"),
            ("out_trade_no", "T" + digits(9)),
        ]
    }

    /// A bundle of roots, two signed with RSA and one not, and a certificate of the application under the first.
    mutating func certificates() throws -> (roots: [ParsedCertificate], leaf: ParsedCertificate) {
        var roots: [ParsedCertificate] = []
        func names(_ common: String) -> CertificateName {
            CertificateName([
                .init(type: .countryName, value: "CN"), .init(type: "2.5.4.10", value: "Test Office"),
                .init(type: "2.5.4.11", value: "Certification"), .init(type: .commonName, value: common),
            ])
        }
        func template(_ name: CertificateName, _ key: PublicKey, _ serial: String) throws -> CertificateTemplate {
            CertificateTemplate(
                serialNumber: try #require(SerialNumber(decimal: serial)), subject: name,
                notBefore: Date(timeIntervalSince1970: 1_700_000_000), notAfter: Date(timeIntervalSince1970: 2_000_000_000), publicKey: key,
                isCertificateAuthority: true, keyUsage: nil)
        }
        let keys = Self.large.shuffled(using: &generator).prefix(2)
        for (index, key) in keys.enumerated() {
            let signer = try RSAPrivateKey(der: key.pkcs8)
            let name = names("Root \(index) \(digits(3))")
            roots.append(
                try CertificateIssuer(name: name, signer: signer, algorithm: .rsaPKCS1SHA256)
                    .issue(template(name, signer.publicKey, "1" + digits(20))))
        }
        let elliptic = try P256PrivateKey(using: &generator)
        let name = names("Root E \(digits(3))")
        roots.append(
            try CertificateIssuer(name: name, signer: elliptic, algorithm: .ecdsaSHA256).issue(
                template(name, elliptic.publicKey, "1" + digits(20))))
        let office = try RSAPrivateKey(der: keys[keys.startIndex].pkcs8)
        let leaf = try CertificateIssuer(name: roots[0].subject, signer: office, algorithm: .rsaPKCS1SHA256)
            .issue(template(names("2021" + digits(12)), RSAPrivateKey(der: merchant.pkcs8).publicKey, "1" + digits(20)))
        return (roots, leaf)
    }

    /// A query in certificate mode that names these serial numbers.
    mutating func certified(root: String, app: String) throws -> String {
        var pairs = modernPairs()
        if let index = pairs.firstIndex(where: { $0.name == "method" }) { pairs[index].value = "alipay.trade.query" }
        return try modern(pairs + [("alipay_root_cert_sn", root), ("app_cert_sn", app)])
    }

    func certificateFiles(_ roots: [ParsedCertificate], _ leaf: ParsedCertificate) -> [Artifact] {
        let bundle = roots.map { Self.pem("CERTIFICATE", Array($0.der)) }.joined()
        return [
            Artifact(name: "root_bundle.crt", bytes: Array(bundle.utf8)),
            Artifact(name: "app_certificate.crt", bytes: Array(Self.pem("CERTIFICATE", Array(leaf.der)).utf8)), merchantFile,
        ]
    }

    static func serial(_ certificate: ParsedCertificate, hex: Bool = false, forward: Bool = false) -> String {
        let names = certificate.issuer.attributes.map { attribute in
            (["2.5.4.3": "CN", "2.5.4.6": "C", "2.5.4.10": "O", "2.5.4.11": "OU"][attribute.type.description] ?? "?") + "="
                + attribute.value
        }
        let issuer = (forward ? names : names.reversed()).joined(separator: ",")
        return OpenMD5.hex(issuer + (hex ? certificate.serialNumber.hex : certificate.serialNumber.decimal))
    }
}

extension AlipayFault {
    static let serials: [AlipayFault] = [
        AlipayFault("alipay.root-serial", "an elliptic root included", isRSA2: true) {
            let (roots, leaf) = try $0.certificates()
            let root = roots.map { AlipayCase.serial($0) }.joined(separator: "_")
            return $0.with(try $0.certified(root: root, app: AlipayCase.serial(leaf)), $0.certificateFiles(roots, leaf))
        },
        AlipayFault("alipay.root-serial", "names in the order of the encoding", isRSA2: true) {
            let (roots, leaf) = try $0.certificates()
            let root = roots.dropLast().map { AlipayCase.serial($0, forward: true) }.joined(separator: "_")
            return $0.with(try $0.certified(root: root, app: AlipayCase.serial(leaf)), $0.certificateFiles(roots, leaf))
        },
        AlipayFault("alipay.certificate-serial", "in hexadecimal", isRSA2: true) {
            let (roots, leaf) = try $0.certificates()
            let root = roots.dropLast().map { AlipayCase.serial($0) }.joined(separator: "_")
            return $0.with(try $0.certified(root: root, app: AlipayCase.serial(leaf, hex: true)), $0.certificateFiles(roots, leaf))
        },
        AlipayFault("alipay.certificate-for-key", "a certificate's base64 without header", isRSA2: true) {
            let (_, leaf) = try $0.certificates()
            let bare = Artifact(name: "public_key.txt", bytes: Array(StrictBase64.encode(Array(leaf.der)).utf8))
            return $0.with(try $0.modern($0.modernPairs()), [$0.merchantFile, bare])
        },
    ]
}
