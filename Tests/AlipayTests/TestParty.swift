import Alipay
import BillfoldDiagnosis
import PaymentCrypto
import Testing

/// A party with a key for every sign type.
struct TestParty: Sendable {
    let key: LegacyRSAPrivateKey
    let secret: Secret<String>

    static let merchant = make("merchant")
    static let gateway = make("gateway")

    private static func make(_ name: String) -> TestParty {
        do {
            return TestParty(key: try LegacyRSAPrivateKey(bits: 1024), secret: Secret("the \(name)'s key"))
        } catch { preconditionFailure("\(error)") }
    }

    var keys: AlipayVerificationKeys { .init(rsa: key.publicKey, rsa2: key.publicKey, md5: secret) }
    var rsa: AlipayRSASigner { .rsa(key) }
    var rsa2: AlipayRSASigner { .rsa2(key) }
    var md5: AlipayMD5Signer { AlipayMD5Signer(key: secret) }

    func signer(_ algorithm: AlipaySignatureAlgorithm) -> any AlipaySigner {
        switch algorithm {
        case .rsa: rsa
        case .rsa2: rsa2
        case .md5: md5
        }
    }
}

/// An error of this code, for `#expect(throws:)`.
func refused(_ code: AlipayError.Code) -> AlipayError { AlipayError(code: code, reason: "") }

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

enum Sample {
    /// A cross-border order that keeps every documented rule.
    static let crossBorder: [(name: String, value: String)] = [
        ("service", "mobile.securitypay.pay"), ("partner", "2088101122136241"), ("_input_charset", "utf-8"),
        ("notify_url", "https://shop.example/notify"), ("out_trade_no", "T20260101-0001"), ("subject", "茶 Tea"), ("payment_type", "1"),
        ("seller_id", "2088101122136241"), ("total_fee", "10.00"), ("currency", "HKD"), ("forex_biz", "FP"), ("it_b_pay", "30m"),
    ]

    static func changed(_ changes: [String: String?]) -> [(name: String, value: String)] {
        var pairs = crossBorder.compactMap { pair -> (name: String, value: String)? in
            guard let change = changes[pair.name] else { return pair }
            return change.map { (pair.name, $0) }
        }
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            if let value, !crossBorder.contains(where: { $0.name == name }) { pairs.append((name, value)) }
        }
        return pairs
    }
}
