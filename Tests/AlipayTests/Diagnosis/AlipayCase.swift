import AlipayDiagnosis
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import Testing

/// Makes messages by code of its own, so that the doctor is not tested by the library it stands on.
struct AlipayCase {
    typealias Pairs = [(name: String, value: String)]

    /// Every run makes its keys anew, and each case draws three of them at random, in one of 336 orders. Keys of its own for
    /// every case would be thousands a run, half of them of 2048 bits, each of which takes up to a second; what the doctor recovers from
    /// a signature depends on which of the three signed, which the draw varies.
    static let small = pool(1024)
    static let large = pool(2048)

    private static func pool(_ bits: Int) -> [LegacyRSAPrivateKey] {
        (0..<8).compactMap { _ in try? LegacyRSAPrivateKey(bits: bits) }
    }

    static let md5Key = Secret("760bdzec6y9goq7ctyx96ezkz78287de")

    var generator: SeededGenerator
    let isRSA2: Bool
    let merchant: LegacyRSAPrivateKey
    let alipay: LegacyRSAPrivateKey
    let stranger: LegacyRSAPrivateKey

    init(seed: UInt64, isRSA2: Bool? = nil) {
        generator = SeededGenerator(seed: seed)
        let isRSA2 = isRSA2 ?? Bool.random(using: &generator)
        self.isRSA2 = isRSA2
        let keys = (isRSA2 ? Self.large : Self.small).shuffled(using: &generator)
        (merchant, alipay, stranger) = (keys[0], keys[1], keys[2])
    }

    var signType: String { isRSA2 ? "RSA2" : "RSA" }
    var hash: LegacyRSAHash { isRSA2 ? .sha256 : .sha1 }

    static func examine(_ artifacts: [Artifact]) -> Diagnosis {
        AlipayDiagnostician(keys: AlipayDiagnosticKeys(md5: [md5Key], recovery: TestRecovery())).examine(artifacts)
    }

    var merchantFile: Artifact { Artifact(name: "merchant_private_key.pem", bytes: Array(Self.pem("PRIVATE KEY", merchant.pkcs8).utf8)) }
    var alipayFile: Artifact { Artifact(name: "alipay_public_key.pem", bytes: Array(alipay.publicKey.pem.utf8)) }
    var keyFiles: [Artifact] { [merchantFile, alipayFile] }

    static func pem(_ label: String, _ der: [UInt8]) -> String { PEMText.Block(label: label, bytes: der).text }

    /// The last element of a key's DER, which follows its algorithm's NULL.
    static func last(_ tag: UInt8, of der: [UInt8]) throws -> [UInt8] {
        let start = try #require(der.indices.first { der[$0...].starts(with: [0x05, 0x00, tag]) }) + 3
        return Array(der[(start + (der[start] & 0x80 == 0 ? 1 : 1 + Int(der[start] & 0x7F)))...])
    }

    /// PKCS#8 wraps a PKCS#1 key in an octet string.
    static func pkcs1(_ key: LegacyRSAPrivateKey) throws -> [UInt8] { try last(0x04, of: key.pkcs8) }

    // MARK: Values

    mutating func digits(_ count: Int) -> String {
        String((0..<count).map { _ in Character(String(Int.random(in: 0...9, using: &generator))) })
    }

    mutating func subject() -> String {
        ["Green tea 250 g", "测试商品", "Two cups", "茶具 4 件", "Oolong + pot", "Tasse \u{201C}bleue\u{201D}"].randomElement(using: &generator)
            ?? ""
    }

    mutating func legacyPairs(charset: String = "utf-8") -> Pairs {
        let url = "https://shop.example.com/notify"
        var pairs: Pairs = [
            ("service", "mobile.securitypay.pay"), ("partner", "2088" + digits(12)), ("_input_charset", charset),
            ("notify_url", Bool.random(using: &generator) ? url : Self.percent(url)), ("out_trade_no", "T" + digits(14)),
            ("subject", subject()), ("payment_type", "1"), ("seller_id", "2088" + digits(12)),
            ("total_fee", "\(Int.random(in: 1...999, using: &generator)).\(digits(2))"), ("body", "from the shop"), ("it_b_pay", "30m"),
        ]
        if Bool.random(using: &generator) {
            pairs += [("currency", "HKD"), ("forex_biz", "FP"), ("product_code", "NEW_WAP_OVERSEAS_SELLER")]
        }
        return pairs
    }

    mutating func bizContent() -> String {
        let content: [(String, String)] = [
            ("out_trade_no", "T" + digits(14)), ("total_amount", "\(Int.random(in: 1...999, using: &generator)).\(digits(2))"),
            ("subject", "Tea \(digits(3)) 茶"), ("product_code", "QUICK_MSECURITY_PAY"), ("body", "a cup"), ("timeout_express", "90m"),
        ]
        return "{" + content.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}"
    }

    mutating func modernPairs() -> Pairs {
        [
            ("app_id", "2021" + digits(12)), ("method", "alipay.trade.app.pay"), ("format", "JSON"), ("charset", "utf-8"),
            ("sign_type", signType), ("timestamp", "2026-11-21 10:20:30"), ("version", "1.0"),
            ("notify_url", "https://shop.example.com/notify?shop=1"), ("biz_content", bizContent()),
        ]
    }

    mutating func notificationPairs() -> Pairs {
        [
            ("notify_time", "2026-11-21 10:20:31"), ("notify_type", "trade_status_sync"), ("notify_id", digits(32)),
            ("app_id", "2021" + digits(12)), ("charset", "utf-8"), ("version", "1.0"), ("sign_type", signType),
            ("trade_no", digits(28)), ("out_trade_no", "T" + digits(14)), ("trade_status", "TRADE_SUCCESS"), ("total_amount", "12.50"),
            ("subject", " leading blank \(digits(2))"), ("body", "tea & cups"), ("gmt_payment", "2026-11-21 10:20:30"),
            ("fund_bill_list", #"[{"amount":"12.50","fundChannel":"ALIPAYACCOUNT"}]"#),
        ]
    }

    mutating func node() -> String {
        let members: [(String, String)] = [
            ("code", "10000"), ("msg", "Success"), ("out_trade_no", "T" + digits(14)), ("trade_no", digits(28)), ("total_amount", "12.50"),
            ("store", "https://shop.example.com/a"), ("subject", "茶 \(digits(2))"),
        ]
        return "{" + members.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}"
    }

    // MARK: Texts

    static func percent(_ text: String, spaceAsPlus: Bool = false) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: " ") where spaceAsPlus: result += "+"
            default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    static func quoted(_ pairs: Pairs) -> String { pairs.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: "&") }

    static func plain(_ pairs: Pairs, without left: Set<String> = []) -> String {
        pairs.filter { !left.contains($0.name) }.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    static func sorted(_ pairs: Pairs) -> Pairs { pairs.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }

    static func form(_ pairs: Pairs) -> String { pairs.map { "\($0.name)=\(percent($0.value, spaceAsPlus: true))" }.joined(separator: "&") }

    func sign(_ text: String, _ key: LegacyRSAPrivateKey? = nil, hash: LegacyRSAHash? = nil) throws -> String {
        try sign(Array(text.utf8), key, hash: hash)
    }

    func sign(_ bytes: [UInt8], _ key: LegacyRSAPrivateKey? = nil, hash: LegacyRSAHash? = nil) throws -> String {
        StrictBase64.encode(try (key ?? merchant).signature(over: bytes, hash: hash ?? self.hash))
    }

    // MARK: Messages

    /// An order string; `signed` is the text under the signature, when that is another than the one sent.
    func legacyOrder(
        _ pairs: Pairs, signed: String? = nil, sign signature: String? = nil, behind: Pairs = [], signType: String? = nil
    ) throws -> String {
        let text = Self.quoted(pairs)
        let sign = try signature ?? Self.percent(sign(signed ?? text))
        return text + "&sign=\"\(sign)\"&sign_type=\"\(signType ?? self.signType)\"" + behind.map { "&\($0.name)=\"\($0.value)\"" }.joined()
    }

    func modern(_ pairs: Pairs, signed: String? = nil, sign signature: String? = nil) throws -> String {
        let sign = try signature ?? Self.percent(sign(signed ?? Self.plain(Self.sorted(pairs))))
        return Self.form(pairs) + "&sign=" + sign
    }

    /// A notification's pairs with Alipay's signature over `signed`.
    func notified(_ pairs: Pairs, signed: String? = nil) throws -> Pairs {
        pairs + [("sign", try sign(signed ?? Self.plain(Self.sorted(pairs), without: ["sign_type"]), alipay))]
    }

    func legacyResult(_ pairs: Pairs, signed: String? = nil) throws -> String {
        let text = Self.quoted(pairs) + #"&success="true""#
        return text + "&sign_type=\"\(signType)\"&sign=\"\(try sign(signed ?? text, alipay))\""
    }

    func answer(_ node: String, signed: String? = nil) throws -> String {
        "{\"alipay_trade_query_response\":\(node),\"sign\":\"\(try sign(signed ?? node, alipay))\"}"
    }

    func modernResult(_ node: String, signed: String? = nil) throws -> String {
        "{\"alipay_trade_app_pay_response\":\(node),\"sign\":\"\(try sign(signed ?? node, alipay))\",\"sign_type\":\"\(signType)\"}"
    }

    func with(_ text: String, _ files: [Artifact]? = nil) -> [Artifact] {
        [Artifact(name: "message.txt", bytes: Array(text.utf8))] + (files ?? keyFiles)
    }
}

struct TestRecovery: RSASignatureRecovery {
    func recover(_ signature: [UInt8], key: LegacyRSAPublicKey) -> (hash: String, digest: [UInt8])? {
        guard let key = try? OpenSSLRSAPublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo), let found = try? key.recover(signature),
            case .digest(let info) = found.content
        else { return nil }
        return (info.algorithm == .sha1 ? "SHA-1" : info.algorithm == .sha256 ? "SHA-256" : "other", info.digest)
    }
}
