import BillfoldDiagnosis
import Crypto
import Foundation
import SwiftASN1
import Testing
import UnionPay
import UnionPayDiagnosis
import X509

/// Every documented failure, made at random and named again.
@Suite struct DoctorTests {
    let authority: TestAuthority
    let merchantKey = RSAPool.keys[3]
    let merchantCertificate: Certificate
    let gatewayKey = RSAPool.keys[2]
    let gatewayCertificate: Certificate

    init() throws {
        authority = try TestAuthority()
        merchantCertificate = try TestAuthority.issue(
            "merchant", serial: 69_903_319_369, key: merchantKey.publicKey, issuer: "CFCA", issuerKey: RSAPool.keys[0])
        gatewayCertificate = try authority.signer(key: gatewayKey)
    }

    private var keys: [Artifact] {
        get throws {
            [
                Artifact(name: "merchant.pem", bytes: try TestAuthority.pem(merchantCertificate)),
                Artifact(name: "root.pem", bytes: try TestAuthority.pem(authority.root)),
                Artifact(name: "intermediate.pem", bytes: try TestAuthority.pem(authority.intermediate)),
            ]
        }
    }

    private func codes(_ body: String, _ more: [Artifact] = [], secureKeys: [String] = [], at instant: Date = TestAuthority.now) throws
        -> [String]
    {
        let doctor = UnionPayDiagnostician(
            keys: DiagnosticKeys(secureKeys: secureKeys.map { Secret($0) }), instant: instant)
        return doctor.examine(try keys + more + [Artifact(name: "message", bytes: Array(body.utf8))]).findings.map(\.code).sorted()
    }

    // MARK: Requests

    /// Signs by hand, so that each step can go wrong.
    private func hand(
        _ fields: UnionPayFields, faults: Set<String>, key: Certificate.PrivateKey? = nil, _ dice: inout Dice
    ) throws -> String {
        var fields = fields
        fields["signMethod"] = "01"
        if faults.contains("blanks") { fields["accessType"] = " 0 " }
        if faults.contains("empty") { fields["frontUrl"] = "" }
        fields["certId"] =
            faults.contains("hex") ? String(69_903_319_369, radix: 16) : "69903319369"
        var entries = fields.entries.shuffled(using: &dice)
        if faults.contains("certIdLate") { entries.removeAll { $0.name == "certId" } }
        if faults.contains("late") { entries.removeAll { $0.name == "backUrl" } }
        if faults.contains("ignoringCase") {
            entries.append(.init("Zone", "1"))
            fields["Zone"] = "1"
        }
        if !faults.contains("unsorted") {
            entries.sort {
                faults.contains("ignoringCase")
                    ? $0.name.lowercased() < $1.name.lowercased() : $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
            }
        }
        if !faults.contains("empty") { entries.removeAll { $0.value.isEmpty } }
        var text = entries.map { entry in
            var value = entry.value
            if faults.contains("encoded") {
                value = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~"))) ?? ""
            }
            return "\(entry.name)=\(value)"
        }.joined(separator: "&")
        if faults.contains("ampersand") { text += "&" }
        let digest = SHA256.hash(data: Data(text.utf8))
        var hex = digest.map { String(format: "%02x", $0) }.joined()
        if faults.contains("upper") { hex = hex.uppercased() }
        var message = Array(hex.utf8)
        if faults.contains("once") { message = Array(text.utf8) }
        if faults.contains("raw") { message = Array(digest) }
        let signature = try (key ?? merchantKey).sign(bytes: message, signatureAlgorithm: .sha256WithRSAEncryption)
        // The body keeps the order in which it was signed, as programs that do not sort write it.
        var sent = entries
        for entry in fields.entries where !sent.contains(where: { $0.name == entry.name }) { sent.append(entry) }
        sent.append(.init("signature", Data(signature.rawRepresentation).base64EncodedString()))
        var pairs: [String] = []
        for entry in sent { pairs.append(try FormBody.encode([entry.name: entry.value])) }
        var body = pairs.joined(separator: "&")
        if faults.contains("plus") { body = body.replacing("%2B", with: "+") }
        return body
    }

    static let requestFaults: [String: String] = [
        "encoded": "unionpay.signed-encoded", "unsorted": "unionpay.signed-unsorted", "ignoringCase": "unionpay.signed-ignoring-case",
        "empty": "unionpay.empty-fields-signed", "blanks": "unionpay.blanks-signed", "hex": "unionpay.cert-id-hex",
        "certIdLate": "unionpay.cert-id-not-signed", "once": "unionpay.signed-once", "upper": "unionpay.digest-upper-case",
        "raw": "unionpay.digest-raw", "ampersand": "unionpay.trailing-ampersand", "late": "unionpay.field-added-after-signing",
        "plus": "unionpay.plus-became-space",
    ]

    @Test(arguments: requestFaults.keys.sorted(), 0..<20) func faultOfARequestIsNamed(fault: String, round: Int) throws {
        let seed = UInt64(round) &* 1000 &+ UInt64(fault.utf8.reduce(0) { $0 &+ Int($1) })
        var maker = MessageMaker(dice: Dice(seed: seed))
        var fields = try maker.consume()
        // A message without a + in any value cannot suffer from it; the address carries one.
        if fault == "plus" { fields["reqReserved"] = "a+b" }
        let body = try hand(fields, faults: [fault], &maker.dice)
        let found = try codes(body)
        #expect(found == [try #require(Self.requestFaults[fault])], "seed \(seed)")
    }

    @Test(arguments: [
        ["encoded", "unsorted"], ["encoded", "once"], ["hex", "unsorted"], ["upper", "ampersand"], ["empty", "encoded"],
        ["certIdLate", "upper"], ["late", "raw"], ["unsorted", "empty"],
    ])
    func twoFaultsOfARequestAreBothNamed(faults: [String]) throws {
        for seed in 0..<5 as Range<UInt64> {
            var maker = MessageMaker(dice: Dice(seed: seed))
            let body = try hand(maker.consume(), faults: Set(faults), &maker.dice)
            let expected = try faults.map { try #require(Self.requestFaults[$0]) }.sorted()
            #expect(try codes(body) == expected, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func wrongCertificateIsNamed(seed: UInt64) throws {
        var maker = MessageMaker(dice: Dice(seed: seed))
        // The key is fresh in the first rounds only: making one takes long.
        let other = try #require(seed < 3 ? RSAPool.fresh() : RSAPool.keys[Int(seed % 3)])
        let serial = UInt64.random(in: 1...UInt64.max, using: &maker.dice)
        let certificate = try TestAuthority.issue(
            "other", serial: serial, key: other.publicKey, issuer: "CFCA", issuerKey: RSAPool.keys[0])
        let body = try hand(maker.consume(), faults: [], key: other, &maker.dice)
        let artifact = Artifact(name: "other.pem", bytes: try TestAuthority.pem(certificate))
        #expect(try codes(body, [artifact]) == ["unionpay.wrong-certificate"], "seed \(seed)")
        let key = Artifact(name: "key.pem", bytes: Array(try other.serializeAsPEM().pemString.utf8))
        #expect(try codes(body, [key]) == ["unionpay.wrong-key"], "seed \(seed)")
        #expect(try codes(body) == ["unionpay.signature-mismatch"], "seed \(seed)")
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func expiredMerchantCertificateIsNamed(seed: UInt64) throws {
        var maker = MessageMaker(dice: Dice(seed: seed))
        let body = try hand(maker.consume(), faults: [], &maker.dice)
        let late = TestAuthority.now.addingTimeInterval(TimeInterval(86_400 * (366 + Int(seed))))
        #expect(try codes(body, at: late) == ["unionpay.certificate-expired"])
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func plainSecureKeyIsNamed(seed: UInt64) throws {
        var maker = MessageMaker(dice: Dice(seed: seed))
        let secret = maker.dice.letters(32...32)
        var fields = try maker.consume()
        fields["signMethod"] = "11"
        let text = StringToSign.text(fields, .request) + "&" + secret
        fields["signature"] = SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
        let body = try FormBody.encode(fields)
        #expect(try codes(body, secureKeys: [secret]) == ["unionpay.secure-key-plain"], "seed \(seed)")
        #expect(try codes(body, secureKeys: ["another"]) == ["unionpay.secure-key"], "seed \(seed)")
        #expect(try codes(body) == [], "seed \(seed)")
    }

    @Test(arguments: [
        ("orderId", "ORDER-12345", "unionpay.order-id-form"), ("txnAmt", "33.00", "unionpay.amount-form"),
        ("txnTime", "2026-11-20", "unionpay.time-form"), ("merId", "77729", "unionpay.merchant-id-form"),
        ("bizType", "000201", "unionpay.business-type"), ("reqReserved", "{a}", "unionpay.reserved-form"),
        ("customerInfo", "pin=1", "unionpay.customer-info-form"),
        ("cardTransData", "{ICCardData=AA==&carrierAppTp=3&carrierTp=5}", "unionpay.carrier-type"),
        ("tn", "20160313110501849115", "unionpay.number-form"),
    ])
    func fieldThatBreaksItsRuleIsNamed(name: String, value: String, code: String) throws {
        for seed in 0..<20 as Range<UInt64> {
            var maker = MessageMaker(dice: Dice(seed: seed))
            var fields = try maker.consume()
            fields[name] = value
            #expect(try codes(try hand(fields, faults: [], &maker.dice)) == [code])
        }
    }

    @Test func aPushFromAnotherChannelIsNamed() throws {
        var maker = MessageMaker(dice: Dice(seed: 1))
        var fields = try maker.consume()
        for name in ["accNo", "encryptCertId", "cardTransData", "customerInfo"] { fields[name] = nil }
        fields["bizType"] = "000201"
        fields["channelType"] = "08"
        #expect(try codes(hand(fields, faults: [], &maker.dice)) == [])
        fields["channelType"] = "07"
        #expect(try codes(hand(fields, faults: [], &maker.dice)) == ["unionpay.push-channel"])
    }

    @Test func anAcceptedPushWithoutANumberIsNamed() throws {
        var fields: UnionPayFields = [
            "version": "5.1.0", "encoding": "UTF-8", "txnType": "01", "txnSubType": "01", "bizType": "000201", "accessType": "0",
            "merId": "777290058167151", "orderId": "ORDER12345", "txnTime": "20261120200000", "respCode": "00", "respMsg": "ok",
        ]
        let signer = try ReplySigner(key: gatewayKey, certificate: gatewayCertificate)
        #expect(try codes(FormBody.encode(signer.signed(fields))) == ["unionpay.number-missing"])
        fields["tn"] = "201603131105018491158"
        #expect(try codes(FormBody.encode(signer.signed(fields))) == [])
    }

    // MARK: Replies and notifications

    static let replyFaults: [String: String] = [
        "lines": "unionpay.line-ends", "plus": "unionpay.plus-became-space", "merged": "unionpay.query-merged",
        "dropped": "unionpay.empty-fields-dropped", "charset": "unionpay.charset", "encoded": "unionpay.still-encoded",
    ]

    private func damaged(_ fault: [String], _ dice: inout Dice) throws -> String {
        var maker = MessageMaker(dice: dice)
        let empty =
            fault.contains("dropped") ? [["reqReserved"], ["exchangeRate", "reqReserved"]].randomElement(using: &maker.dice) ?? [] : []
        var fields = try ReplySigner(key: gatewayKey, certificate: gatewayCertificate).signed(maker.notification(empty: empty))
        dice = maker.dice
        for name in empty { fields[name] = nil }
        if fault.contains("lines") { fields["signPubKeyCert"] = fields["signPubKeyCert"]?.replacing("\r\n", with: "\n") }
        if fault.contains("merged") { fields[["src", "session", "t"].randomElement(using: &dice) ?? "src"] = dice.digits(4) }
        if fault.contains("charset") {
            fields["respMsg"] = String(String.UnicodeScalarView(Array("成功[0000000]".utf8).map { UnicodeScalar($0) }))
        }
        if fault.contains("plus") { for entry in fields.entries { fields[entry.name] = entry.value.replacing("+", with: " ") } }
        if fault.contains("encoded") {
            for entry in fields.entries where entry.name != "signPubKeyCert" {
                fields[entry.name] = entry.value.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            }
        }
        return String(decoding: try JSONEncoder().encode(fields.dictionary), as: UTF8.self)
    }

    @Test(arguments: replyFaults.keys.sorted(), 0..<20 as Range<UInt64>) func damageToAReplyIsNamed(fault: String, seed: UInt64) throws {
        var dice = Dice(seed: seed)
        #expect(try codes(damaged([fault], &dice)) == [try #require(Self.replyFaults[fault])], "seed \(seed)")
    }

    @Test(arguments: [
        ["lines", "plus"], ["lines", "merged"], ["plus", "merged"], ["lines", "dropped"], ["charset", "lines"], ["merged", "dropped"],
    ])
    func twoDamagesToAReplyAreBothNamed(faults: [String]) throws {
        for seed in 0..<5 as Range<UInt64> {
            var dice = Dice(seed: seed)
            let expected = try faults.map { try #require(Self.replyFaults[$0]) }.sorted()
            #expect(try codes(damaged(faults, &dice)) == expected, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func forgedAndExpiredCertificatesAreNamed(seed: UInt64) throws {
        var maker = MessageMaker(dice: Dice(seed: seed))
        let key = try #require(seed < 3 ? RSAPool.fresh() : RSAPool.keys[3])
        let forged = try TestAuthority.issue(
            TestAuthority.unionPayName, serial: seed + 1, key: key.publicKey, issuer: "Test Intermediate", issuerKey: key)
        let message = try maker.notification()
        let body = try FormBody.encode(ReplySigner(key: key, certificate: forged).signed(message))
        #expect(try codes(body) == ["unionpay.certificate-forged"], "seed \(seed)")
        let good = try FormBody.encode(ReplySigner(key: gatewayKey, certificate: gatewayCertificate).signed(message))
        #expect(try codes(good, at: TestAuthority.now.addingTimeInterval(90_000)) == ["unionpay.certificate-expired"], "seed \(seed)")
        let named = try authority.signer("041@X@Shop \(seed)@1", key: gatewayKey)
        let other = try FormBody.encode(ReplySigner(key: gatewayKey, certificate: named).signed(message))
        #expect(try codes(other) == ["unionpay.certificate-not-unionpay"], "seed \(seed)")
    }

    @Test func bodyWithAFieldTwiceIsNamed() throws {
        #expect(try codes("version=5.1.0&txnType=01&merId=1&signMethod=01&version=5.1.0") == ["unionpay.duplicate-field"])
        #expect(try codes("version=5.1.0&txnType=01&merId=1&signMethod=01&a=%zz") == ["unionpay.malformed-body"])
    }

    // MARK: Good ones

    @Test func thousandGoodMessagesHaveNoFinding() throws {
        let signer = try UnionPaySigner(key: merchantKey, certificate: merchantCertificate)
        let gateway = try ReplySigner(key: gatewayKey, certificate: gatewayCertificate)
        let doctor = UnionPayDiagnostician(
            keys: DiagnosticKeys(secureKeys: [Secret("abc")]), instant: TestAuthority.now)
        let keys = try keys
        for seed in 0..<1000 as Range<UInt64> {
            var maker = MessageMaker(dice: Dice(seed: seed))
            let bytes: [UInt8]
            switch seed % 5 {
            case 0: bytes = Array(try FormBody.encode(signer.signed(maker.consume())).utf8)
            case 1: bytes = Array(try FormBody.encode(gateway.signed(maker.notification())).utf8)
            case 2: bytes = try ReplyBody.encode(gateway.signed(maker.notification(empty: ["reqReserved", "exchangeRate"])))
            case 3: bytes = Array(try FormBody.encode(UnionPaySigner(.secureKeySHA256(Secret("abc"))).signed(maker.consume())).utf8)
            default: bytes = Array(try JSONEncoder().encode(gateway.signed(maker.notification()).dictionary))
            }
            let diagnosis = doctor.examine(keys + [Artifact(name: "m", bytes: bytes)])
            #expect(diagnosis.findings == [], "seed \(seed)")
            #expect(diagnosis.identified.count == 1)
        }
    }

    @Test func strangersArtifactsAreNotJudged() throws {
        let doctor = UnionPayDiagnostician(instant: TestAuthority.now)
        let others = ["{\"version\":\"EC_v1\"}", "", "hello", "a=1&b=2", "[]"].map { Artifact(name: "x", bytes: Array($0.utf8)) }
        #expect(doctor.examine(others) == Diagnosis())
    }
}
