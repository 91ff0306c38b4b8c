import AlipayPlus
import AlipayPlusDiagnosis
import BillfoldDiagnosis
import BillfoldTestSupport
import Crypto
import CryptoExtras
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import Testing

/// RSA by OpenSSL, as the program passes it in.
struct OpenSSLOperation: RSAPublicOperation {
    func encodedMessage(_ signature: [UInt8], key: LegacyRSAPublicKey) -> [UInt8]? {
        try? OpenSSLRSAPublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo).recover(signature).encodedMessage
    }
}

/// A request with its key, which one fault spoils.
struct DoctorRequest: Sendable {
    static let client = (try? LegacyRSAPrivateKey(bits: 2048))
    static let gateway = (try? LegacyRSAPrivateKey(bits: 2048))

    var target = "/aps/api/v1/payments/pay"
    var clientID = "SANDBOX_C1"
    var time = "2026-03-01T10:15:30+08:00"
    var body =
        #"{"paymentRequestId":"p1","order":{"referenceOrderId":"A1","orderDescription":"tea","orderAmount":{"currency":"JPY","value":"1000"},"goods":[{"goodsUnitAmount":{"currency":"JPY","value":"500"},"goodsQuantity":"2"}],"merchant":{"referenceMerchantId":"M1"}},"paymentAmount":{"currency":"JPY","value":"1000"},"paymentMethod":{"paymentMethodType":"CONNECT_WALLET"}}"#
    /// What is signed in place of the right text.
    var signed: String?
    var hash = LegacyRSAHash.sha256
    var signer = Self.client
    var algorithm = "RSA256"
    var extraHeaders = ""
    /// Changes the signature's text in the header.
    var header: @Sendable (String) -> String = { $0 }

    func artifact(_ name: String = "pay.http") throws -> Artifact {
        let text = signed ?? "POST /aps/api/v1/payments/pay\n\(clientID).\(time).\(body)"
        let signature = try #require(signer).signature(over: Array(text.utf8), hash: hash)
        let encoded = AlipayPlusSignature(bytes: signature).description.split(separator: "signature=")[1]
        let head =
            "POST \(target) HTTP/1.1\r\nHost: open-sea-global.alipayplus.com\r\nClient-Id: \(clientID)\r\nRequest-Time: \(time)\r\n\(extraHeaders)"
            + "Signature: algorithm=\(algorithm),keyVersion=1,signature=\(header(String(encoded)))\r\n\r\n"
        return Artifact(name: name, bytes: Array((head + body).utf8))
    }

    static func keyFiles() throws -> [Artifact] {
        let keys = [("acqp.pem", client), ("gateway.pem", gateway)]
        return try keys.map { name, key in
            let pem = PEMText.Block(label: "PUBLIC KEY", bytes: try #require(key).publicKey.subjectPublicKeyInfo).text
            return Artifact(name: name, bytes: Array(pem.utf8))
        }
    }
}

@Suite struct DoctorTests {
    private func codes(_ request: DoctorRequest, with others: [Artifact] = []) throws -> [Finding] {
        AlipayPlusDiagnostician(recovery: OpenSSLOperation()).examine([try request.artifact()] + others + (try DoctorRequest.keyFiles()))
            .findings
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        var code: String
        var evidence: String?
        var change: @Sendable (inout DoctorRequest) -> Void
        init(_ code: String, _ evidence: String? = nil, _ change: @escaping @Sendable (inout DoctorRequest) -> Void) {
            self.code = code
            self.evidence = evidence
            self.change = change
        }
        var testDescription: String { "\(code) \(evidence ?? "")" }
    }

    private static func text(
        _ request: DoctorRequest, path: String = "/aps/api/v1/payments/pay", time: String? = nil, body: String? = nil, client: String? = nil
    ) -> String { "POST \(path)\n\(client ?? request.clientID).\(time ?? request.time).\(body ?? request.body)" }

    static let faults: [Fault] = [
        Fault("alipay-plus.signed-path", "https://open-sea-global.alipayplus.com/aps/api/v1/payments/pay") {
            $0.signed = text($0, path: "https://open-sea-global.alipayplus.com/aps/api/v1/payments/pay")
        },
        Fault("alipay-plus.signed-path", "/sandbox/aps/api/v1/payments/pay") {
            $0.signed = text($0, path: "/sandbox/aps/api/v1/payments/pay")
        },
        Fault("alipay-plus.signed-path", "/aps/api/v1/payments/pay?a=1") {
            $0.target = "/aps/api/v1/payments/pay?a=1"
            $0.signed = text($0, path: "/aps/api/v1/payments/pay?a=1")
        },
        Fault("alipay-plus.body-reserialised", "a blank behind : and ,") {
            let spaced = $0.body.replacing("\":", with: "\": ").replacing(",\"", with: ", \"")
            $0.signed = text($0, body: spaced)
        },
        Fault("alipay-plus.line-end", "with LF behind the body") { $0.signed = text($0) + "\n" },
        Fault("alipay-plus.signed-time", "1772331330000") { $0.signed = text($0, time: "1772331330000") },
        Fault("alipay-plus.signed-time", "2026-03-01T10:15:31+08:00") { $0.signed = text($0, time: "2026-03-01T10:15:31+08:00") },
        Fault("alipay-plus.separator", "a blank") { $0.signed = text($0).replacing("\n", with: " ") },
        Fault("alipay-plus.signed-path", "http://127.0.0.1:8080/v2/authorizations/applyToken") {
            $0.target = "/v2/authorizations/applyToken"
            $0.signed = text($0, path: "http://127.0.0.1:8080/v2/authorizations/applyToken")
        },
        Fault("alipay-plus.separator", "CR LF") { $0.signed = text($0).replacing("\n", with: "\r\n") },
        Fault("alipay-plus.body-only") { $0.signed = $0.body },
        Fault("alipay-plus.signed-client", "C1") { $0.signed = text($0, client: "C1") },
        Fault("alipay-plus.wrong-key") { $0.signer = try? LegacyRSAPrivateKey(bits: 2048) },
        Fault("alipay-plus.other-side-key", "gateway.pem") { $0.signer = DoctorRequest.gateway },
        Fault("alipay-plus.hash", "SHA-1") { $0.hash = .sha1 },
        Fault("alipay-plus.algorithm", "RSA") { $0.algorithm = "RSA" },
        Fault("alipay-plus.text-changed") { $0.signed = "something else" },
        Fault("alipay-plus.signature-plus-to-space") {
            $0.header = { _ in "" }
            var request = $0
            // A signature has a plus in nearly all cases; another time makes another one.
            for second in 10..<60 {
                request.time = "2026-03-01T10:15:\(second)+08:00"
                let bytes = (try? DoctorRequest.client?.signature(over: Array(text(request).utf8), hash: .sha256)) ?? []
                let base64 = StrictBase64.encode(bytes)
                if base64.contains("+") {
                    $0.time = request.time
                    $0.header = { _ in base64.replacing("+", with: " ") }
                    return
                }
            }
        },
        Fault("alipay-plus.signature-encoded-twice") { $0.header = { $0.replacing("%", with: "%25") } },
        Fault("alipay-plus.signature-damaged") { $0.header = { String($0.prefix(40)) } },
        Fault("alipay-plus.signature-damaged") { $0.header = { "***" + $0 } },
        Fault("alipay-plus.signature-missing") { $0.header = { _ in "" } },
        Fault("alipay-plus.clock", "190") { $0.extraHeaders = "Date: Sun, 01 Mar 2026 02:12:20 GMT\r\n" },
        Fault("alipay-plus.time-form") { $0.time = "2026-03-01 10:15:30" },
        Fault("alipay-plus.amount-hundredfold", "100000") {
            $0.body = $0.body.replacing("\"value\":\"1000\"", with: "\"value\":\"100000\"")
        },
        Fault("alipay-plus.rupiah", "500050") {
            $0.body = $0.body.replacing("JPY", with: "IDR").replacing("\"1000\"", with: "\"1000100\"").replacing(
                "\"500\"", with: "\"500050\"")
        },
        Fault("alipay-plus.amount-decimal", "10.00") {
            $0.body = $0.body.replacing(
                "\"paymentAmount\":{\"currency\":\"JPY\",\"value\":\"1000\"",
                with: "\"paymentAmount\":{\"currency\":\"JPY\",\"value\":\"10.00\"")
        },
        Fault("alipay-plus.amount-form", "1e3") {
            $0.body = $0.body.replacing(
                "\"paymentAmount\":{\"currency\":\"JPY\",\"value\":\"1000\"",
                with: "\"paymentAmount\":{\"currency\":\"JPY\",\"value\":\"1e3\"")
        },
        Fault("alipay-plus.currency", "jpy") {
            $0.body = $0.body.replacing("\"paymentAmount\":{\"currency\":\"JPY\"", with: "\"paymentAmount\":{\"currency\":\"jpy\"")
        },
        Fault("alipay-plus.gateway-url", "/ams/api/v1/payments/pay") {
            $0.target = "/ams/api/v1/payments/pay"
            $0.signed = text($0, path: "/ams/api/v1/payments/pay")
        },
    ]

    @Test func soundRequestShowsNothing() throws { #expect(try codes(DoctorRequest()).isEmpty) }

    @Test(arguments: faults) func faultIsNamedWithItsEvidence(fault: Fault) throws {
        var request = DoctorRequest()
        fault.change(&request)
        let findings = try codes(request)
        #expect(findings.map(\.code) == [fault.code])
        if let evidence = fault.evidence { #expect(findings.first?.evidence.contains { $0.value == evidence } == true) }
        #expect(AlipayPlusFailure.listed.contains { $0.code == fault.code })
    }

    @Test func twoFaultsAtOnceAreBothNamed() throws {
        var request = DoctorRequest()
        request.signed = Self.text(request, path: "/sandbox/aps/api/v1/payments/pay") + "\n"
        request.hash = .sha1
        #expect(Set(try codes(request).map(\.code)) == ["alipay-plus.signed-path", "alipay-plus.line-end", "alipay-plus.hash"])
    }

    @Test func signatureByPSSIsNamed() throws {
        let key = try _RSA.Signing.PrivateKey(derRepresentation: try #require(DoctorRequest.client).pkcs8)
        let digest = SHA256.hash(data: Array(Self.text(DoctorRequest()).utf8))
        let pss = Array(try key.signature(for: digest, padding: .PSS).rawRepresentation)
        var request = DoctorRequest()
        request.header = { _ in StrictBase64.encode(pss) }
        let findings = try codes(request)
        #expect(findings.map(\.code) == ["alipay-plus.hash"])
        #expect(findings.first?.evidence.first?.value == "PSS")
    }

    @Test func whatShowsBetweenFilesIsNamed() throws {
        let sheet = Artifact(
            name: "sheet.json",
            bytes: Array(#"{"version":1,"environment":"PROD","paymentId":"x","merchantId":"M2","sheetUrl":"https://a.example"}"#.utf8))
        #expect(try codes(DoctorRequest(), with: [sheet]).map(\.code) == ["alipay-plus.merchant-differs", "alipay-plus.environment-mixed"])
        var second = DoctorRequest()
        second.body = second.body.replacing(
            "\"paymentAmount\":{\"currency\":\"JPY\",\"value\":\"1000\"", with: "\"paymentAmount\":{\"currency\":\"JPY\",\"value\":\"900\"")
        let reused = try codes(DoctorRequest(), with: [try second.artifact("again.http")])
        #expect(reused.map(\.code) == ["alipay-plus.id-reused"])
        #expect(reused.first?.evidence.last?.value == "JPY 1000 and then JPY 900")
        var production = DoctorRequest()
        production.clientID = "C9"
        production.body = production.body.replacing("p1", with: "p2")
        #expect(try codes(DoctorRequest(), with: [try production.artifact("other.http")]).map(\.code) == ["alipay-plus.environment-mixed"])
    }

    @Test func answerIsCheckedOverItsRequestsPath() throws {
        let body = #"{"result":{"resultCode":"SUCCESS","resultStatus":"S"}}"#
        let text = "POST /aps/api/v1/payments/pay\nSANDBOX_C1.2026-03-01T10:15:31+08:00.\(body)"
        let signature = AlipayPlusSignature(bytes: try #require(DoctorRequest.gateway).signature(over: Array(text.utf8), hash: .sha256))
        let answer = Artifact(
            name: "answer.http",
            bytes: Array(
                "HTTP/1.1 200 OK\nclient-id: SANDBOX_C1\nresponse-time: 2026-03-01T10:15:31+08:00\nsignature: \(signature)\n\n\(body)".utf8)
        )
        #expect(try codes(DoctorRequest(), with: [answer]).isEmpty)
        let alone = AlipayPlusDiagnostician(recovery: OpenSSLOperation()).examine([answer] + (try DoctorRequest.keyFiles()))
        #expect(alone.findings.isEmpty)
        #expect(alone.identified.first?.kind == "alipay-plus.message")
    }

    /// Messages as files, with the keys of both sides, each folder one case.
    @Test(arguments: [
        ("notification-signed-by-client", ["alipay-plus.other-side-key"]), ("unsigned-success", ["alipay-plus.answer-unsigned"]),
        ("sound-car-in-yen", []), ("raw-base64-key", []),
        ("ack-login-wall", ["alipay-plus.acknowledgement"]), ("ack-wrong-shape", ["alipay-plus.acknowledgement"]),
        ("sound-order-code-and-refunds", []),
    ]) func aCaseFromTheFieldIsJudged(folder: String, codes: [String]) throws {
        let artifacts = try FieldInput.files("alipayplus/\(folder)").map { Artifact(name: $0.name, bytes: $0.bytes) }
        #expect(artifacts.count >= 2)
        let findings = AlipayPlusDiagnostician(recovery: OpenSSLOperation()).examine(artifacts).findings
        #expect(findings.map(\.code) == codes)
        #expect(findings.allSatisfy { $0.severity == .defect })
        // Nor does it hang on what OpenSSL recovers.
        #expect(AlipayPlusDiagnostician().examine(artifacts).findings.map(\.code) == codes)
    }

    /// An error may be unsigned, and so may what a receiver answers to a notification.
    @Test func whatMayBeUnsignedIsNoDefect() throws {
        let item = PlusCase(seed: 1)
        func codes(_ artifacts: [Artifact]) throws -> [String] {
            AlipayPlusDiagnostician(recovery: OpenSSLOperation()).examine(artifacts + (try item.artifacts().dropFirst())).findings.map(
                \.code)
        }
        let refused = Artifact(
            name: "answer.http",
            bytes: Array("HTTP/1.1 200 OK\nclient-id: x\n\n{\"result\":{\"resultStatus\":\"F\",\"resultCode\":\"INVALID_SIGNATURE\"}}".utf8)
        )
        #expect(try codes([refused]).isEmpty)
        let unsigned = try item.answer(to: PlusCase.notifyPath, by: nil)
        #expect(try codes([item.notification(by: item.gateway), unsigned]).isEmpty)
        #expect(try codes([item.notification(by: item.gateway), item.answer(to: PlusCase.notifyPath, by: item.client)]).isEmpty)
        #expect(try codes([unsigned]) == ["alipay-plus.answer-unsigned"])
    }

    @Test(arguments: [
        ("JPY", "JPY has no smaller unit, and was multiplied all the same."),
        ("USD", "USD was multiplied twice, or one of the two is written in whole units."),
        ("IDR", "rupiah were multiplied twice."), ("KWD", "one of the two is not in KWD's smallest unit."),
    ])
    func causeOfAHundredfoldAmountIsThatOfItsCurrency(currency: String, cause: String) throws {
        var request = DoctorRequest()
        request.body = request.body.replacing("JPY", with: currency).replacing("\"500\"", with: "\"50000\"").replacing(
            "\"1000\"", with: "\"10000000\"")
        let finding = try #require(try codes(request).first)
        #expect(finding.code == "alipay-plus.amount-hundredfold" && finding.severity == .defect)
        #expect(finding.cause == "The order's amount is exactly a hundred times what its goods come to: \(cause)")
    }

    @Test func paymentThatIsAHundredTimesItsOrderIsNamed() throws {
        var request = DoctorRequest()
        request.body = #"{"paymentAmount":{"currency":"JPY","value":"1000000"},"order":{"orderAmount":{"currency":"JPY","value":"10000"}}}"#
        let finding = try #require(try codes(request).first)
        #expect(finding.code == "alipay-plus.amount-hundredfold" && finding.severity == .defect)
        #expect(finding.evidence.map(\.value) == ["JPY", "1000000", "10000"])
    }

    @Test(arguments: [
        ("KRW", "150000010"), ("KRW", "14999900"), ("USD", "15000000000"), ("IDR", "15000000100"), ("IDR", "14999990000"),
        ("JPY", "1000000"), ("JPY", "2450000"), ("KRW", "150000000"),
    ])
    func amountThatMayBeRightIsNotGuessedAt(currency: String, value: String) throws {
        var request = DoctorRequest()
        request.body = #"{"paymentAmount":{"currency":"\#(currency)","value":"\#(value)"}}"#
        #expect(try codes(request).isEmpty)
    }

    @Test func keyVersionsComeFromNamesAndFromTheCaller() throws {
        let (own, other) = (try #require(DoctorRequest.client), try #require(DoctorRequest.gateway))
        func examine(_ names: (String, String), _ versions: [String: Int] = [:]) throws -> Diagnosis {
            let keys = [(names.0, own), (names.1, other)].map { Artifact(name: $0, bytes: Array($1.publicKey.pem.utf8)) }
            return AlipayPlusDiagnostician(recovery: OpenSSLOperation(), keyVersions: versions)
                .examine([try DoctorRequest().artifact()] + keys)
        }
        #expect(try examine(("client-v1.pem", "client-v2.pem")).findings.isEmpty)
        let swapped = try examine(("client-v2.pem", "client-v1.pem"))
        let finding = try #require(swapped.findings.first)
        #expect(swapped.findings.map(\.code) == ["alipay-plus.key-version"])
        #expect(finding.cause == "The message names key version 1, and the key of version 2 made its signature.")
        #expect(finding.evidence.map(\.value) == ["1", "client-v2.pem", "2", "1, 2", "client-v1.pem"])
        #expect(swapped.identified.map(\.summary).contains { $0.hasSuffix("registered as version 2") })
        let unregistered = try examine(("a.pem", "b.pem"), ["a.pem": 3])
        #expect(
            unregistered.findings.map(\.cause) == [
                "The message names key version 1, which is not registered; the key of version 3 made its signature."
            ])
        #expect(try examine(("a.pem", "b.pem"), ["a.pem": 1]).findings.isEmpty)
        // The versions of Alipay+'s own keys say nothing of the client's.
        #expect(try examine(("client.pem", "gateway-v1.pem")).findings.isEmpty)
    }

    @Test func keyVersionThatIsNoNumberIsNamed() throws {
        var artifact = try DoctorRequest().artifact()
        artifact.bytes = Array(String(decoding: artifact.bytes, as: UTF8.self).replacing("keyVersion=1", with: "keyVersion=v1").utf8)
        let findings = AlipayPlusDiagnostician(recovery: OpenSSLOperation()).examine([artifact] + (try DoctorRequest.keyFiles())).findings
        #expect(findings.map(\.code) == ["alipay-plus.key-version"] && findings.first?.evidence.first?.value == "v1")
    }

    @Test func withoutOpenSSLTheSlipIsFoundAllTheSame() throws {
        var request = DoctorRequest()
        request.signed = Self.text(request) + "\n"
        let findings = AlipayPlusDiagnostician().examine([try request.artifact()] + (try DoctorRequest.keyFiles())).findings
        #expect(findings.map(\.code) == ["alipay-plus.line-end"])
    }

    @Test func withoutAKeyNothingIsJudged() throws {
        let diagnosis = AlipayPlusDiagnostician().examine([
            try DoctorRequest().artifact(), Artifact(name: "x", bytes: Array("rubbish".utf8)),
        ])
        #expect(diagnosis.findings.isEmpty)
        #expect(diagnosis.identified.map(\.artifact) == ["pay.http"])
        #expect(diagnosis.identified[0].summary.hasSuffix("no key was given"))
        #expect(diagnosis.identified[0].unjudged?.part == "its signature")
        let whole = AlipayPlusDiagnostician().examine([try DoctorRequest().artifact()] + (try DoctorRequest.keyFiles()))
        #expect(whole.identified.allSatisfy { $0.unjudged == nil })
    }
}

/// The causes that the known answers name.
@Suite(.enabled(if: SignatureVector.areThere))
struct DoctorVectorTests {
    private static let codes = [
        "body-changed-after-signing": "alipay-plus.body-reserialised", "absolute-url-in-string-to-sign": "alipay-plus.signed-path",
        "time-differs-from-header": "alipay-plus.signed-time", "wrong-key": "alipay-plus.other-side-key",
    ]

    @Test(arguments: SignatureVector.all.filter { $0.kind == "request" })
    func causeIsReached(vector: SignatureVector) throws {
        // The host that the signed absolute URL has.
        let head =
            "POST \(vector.path) HTTP/1.1\r\nHost: gateway.example\r\nClient-Id: \(vector.clientId)\r\nRequest-Time: \(vector.time)\r\n"
            + "Signature: \(vector.signatureHeader)\r\n\r\n"
        let keys = try ["acqp", "gateway"].map { name in
            Artifact(name: "\(name).pem", bytes: Array(try SignatureVector.pair(name).publicPem.utf8))
        }
        // The bodies are no whole payments, which is a finding of its own.
        let findings = AlipayPlusDiagnostician(recovery: OpenSSLOperation())
            .examine([Artifact(name: "request.http", bytes: Array(head.utf8) + vector.body)] + keys)
            .findings.filter { $0.code != "alipay-plus.request-rule" }
        // Which versions are registered shows in no file.
        #expect(findings.map(\.code) == (vector.cause.flatMap { Self.codes[$0] }.map { [$0] } ?? []))
    }
}
