import BillfoldDiagnosis
import BillfoldMoney
import CryptoExtras
import Foundation
import SwiftASN1
import UnionPay
import X509

/// Repeatable randomness whose seed a failure prints.
struct Dice: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func digits(_ count: Int) -> String { (0..<count).map { _ in String(Int.random(in: 0...9, using: &self)) }.joined() }
    mutating func letters(_ range: ClosedRange<Int>) -> String {
        let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789")
        return String((0..<Int.random(in: range, using: &self)).map { _ in alphabet.randomElement(using: &self) ?? "A" })
    }
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }
}

/// RSA keys take long to make, so tests that do not depend on freshness share a few.
enum RSAPool {
    static let keys: [Certificate.PrivateKey] = (0..<4).compactMap { _ in fresh() }
    static func fresh() -> Certificate.PrivateKey? {
        (try? _RSA.Signing.PrivateKey(keySize: .bits2048)).map { Certificate.PrivateKey($0) }
    }
}

/// A certificate authority and the certificates that the tests need of it.
struct TestAuthority {
    static let now = Date(timeIntervalSince1970: 1_795_204_800)  // 2026-11-20T20:00:00Z
    let rootKey: Certificate.PrivateKey
    let root: Certificate
    let intermediateKey: Certificate.PrivateKey
    let intermediate: Certificate

    init() throws {
        rootKey = RSAPool.keys[0]
        intermediateKey = RSAPool.keys[1]
        root = try Self.issue("Test Root", serial: 1, key: rootKey.publicKey, issuer: "Test Root", issuerKey: rootKey, isAuthority: true)
        intermediate = try Self.issue(
            "Test Intermediate", serial: 2, key: intermediateKey.publicKey, issuer: "Test Root", issuerKey: rootKey, isAuthority: true)
    }

    static let unionPayName = "041@Z2026@中国银联股份有限公司@00000001"

    func signer(
        _ name: String = Self.unionPayName, key: Certificate.PrivateKey, serial: UInt64 = 68_759_663_125,
        from start: Date = Self.now.addingTimeInterval(-86_400), to end: Date = Self.now.addingTimeInterval(86_400)
    ) throws -> Certificate {
        try Self.issue(
            name, serial: serial, key: key.publicKey, issuer: "Test Intermediate", issuerKey: intermediateKey, from: start, to: end)
    }

    var trust: UnionPayTrust { UnionPayTrust(anchors: [root], intermediates: [intermediate]) }

    static func issue(
        _ name: String, serial: UInt64, key: Certificate.PublicKey, issuer: String, issuerKey: Certificate.PrivateKey,
        isAuthority: Bool = false, from start: Date = Self.now.addingTimeInterval(-86_400 * 365),
        to end: Date = Self.now.addingTimeInterval(86_400 * 365)
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: .init(serial), publicKey: key, notValidBefore: start, notValidAfter: end,
            issuer: DistinguishedName { CommonName(issuer) }, subject: DistinguishedName { CommonName(name) },
            signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: Certificate.Extensions {
                Critical(isAuthority ? BasicConstraints.isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: !isAuthority, keyCertSign: isAuthority))
            },
            issuerPrivateKey: issuerKey)
    }

    static func pem(_ certificate: Certificate) throws -> [UInt8] { Array(try certificate.serializeAsPEM().pemString.utf8) }
}

/// Makes well-formed messages of every kind.
struct MessageMaker {
    var dice: Dice

    mutating func key() throws -> TransactionKey {
        try TransactionKey(
            merchant: MerchantID("777290" + dice.digits(9)), order: OrderID(dice.letters(8...40)),
            time: BeijingTime(TestAuthority.now.addingTimeInterval(TimeInterval(Int.random(in: -90_000...0, using: &dice)))))
    }

    mutating func consume() throws -> UnionPayFields {
        let card = CardTransactionData(
            accountNumber: .init("62" + dice.digits(14)), emvData: .init(Data(dice.bytes(48)).base64EncodedString()),
            encryptedPIN: Bool.random(using: &dice) ? .init(dice.bytes(16).map { String(format: "%02x", $0) }.joined()) : nil)
        var request = ConsumeRequest(
            key: try key(), amount: .init(minorUnits: Int64.random(in: 1...9_999_999, using: &dice), currency: try .init("CNY")),
            card: card, backURL: "https://shop.example/unionpay/notify?src=ap+b&n=" + dice.digits(3))
        if Bool.random(using: &dice) { request.reserved = dice.letters(1...30) }
        if Bool.random(using: &dice) { request.payTimeout = request.key.time.adding(seconds: 900) }
        return try request.fields()
    }

    mutating func notification(empty: [String] = ["reqReserved"]) throws -> UnionPayFields {
        let key = try key()
        let amount = String(Int.random(in: 1...9_999_999, using: &dice))
        var fields: UnionPayFields = [
            "accNo": Data(dice.bytes(256)).base64EncodedString(), "accessType": "0", "bizType": "000802", "currencyCode": "156",
            "encoding": "UTF-8", "merId": key.merchant.description, "orderId": key.order.description, "queryId": dice.digits(21),
            "respCode": "00", "respMsg": "成功[0000000]", "settleAmt": amount, "settleCurrencyCode": "156", "settleDate": "1121",
            "traceNo": dice.digits(6), "traceTime": key.time.withoutYear, "txnAmt": amount, "txnSubType": "01",
            "txnTime": key.time.description, "txnType": "01", "version": "5.1.0",
        ]
        for name in empty { fields[name] = "" }
        return fields
    }
}
