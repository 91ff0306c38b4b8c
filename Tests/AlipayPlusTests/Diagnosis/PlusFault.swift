import AlipayPlus
import AlipayPlusDiagnosis
import BillfoldDiagnosis
import Foundation
import PaymentCrypto
import Testing

/// One documented mistake, made at random.
struct PlusFault: Sendable, CustomTestStringConvertible {
    var code: String
    var name: String
    var make: @Sendable (inout PlusCase) throws -> Void

    init(_ code: String, _ name: String, _ make: @escaping @Sendable (inout PlusCase) throws -> Void) {
        (self.code, self.name, self.make) = ("alipay-plus.\(code)", name, make)
    }

    var testDescription: String { "\(code): \(name)" }

    static let all = texts + keys + versions + signatures + lints + files + beside

    /// Another text was signed than the one that counts. Any two of different codes can be made together.
    static let texts = [
        PlusFault("signed-path", "an absolute address") {
            $0.signedPath = "https://\($0.host)\($0.path)"
            $0.evidence = $0.signedPath
        },
        PlusFault("signed-path", "a path with a query") {
            $0.target = "\($0.path)?trace=\(Int.random(in: 1...999, using: &$0.generator))"
            $0.signedPath = $0.target
            $0.evidence = $0.target
        },
        PlusFault("signed-path", "the sandbox of another product") {
            $0.signedPath = "/sandbox\($0.path)"
            $0.evidence = $0.signedPath
        },
        PlusFault("body-reserialised", "printed with blanks") {
            $0.signedBody = { $0.replacing("\":", with: "\": ").replacing(",\"", with: ", \"") }
            $0.evidence = "a blank behind : and ,"
        },
        PlusFault("line-end", "LF behind the body") {
            let before = $0.signedBody
            $0.signedBody = { before($0) + "\n" }
            $0.evidence = "with LF behind the body"
        },
        PlusFault("line-end", "CR LF behind the body") {
            let before = $0.signedBody
            $0.signedBody = { before($0) + "\r\n" }
            $0.evidence = "with CR LF behind the body"
        },
        PlusFault("signed-time", "the clock was read twice") {
            $0.signedTime = PlusCase.iso($0.seconds + [-3, -2, -1, 1, 2, 3][Int.random(in: 0..<6, using: &$0.generator)])
            $0.evidence = $0.signedTime
        },
        PlusFault("signed-time", "milliseconds") {
            $0.signedTime = "\($0.seconds)000"
            $0.evidence = $0.signedTime
        },
        PlusFault("separator", "CR LF") {
            $0.lineEnd = "\r\n"
            $0.evidence = "CR LF"
        },
        PlusFault("separator", "no dot before the body") {
            $0.dots.second = ""
            $0.evidence = "none before the body"
        },
        PlusFault("signed-client", "the production's id") {
            $0.signedClient = String($0.clientID.dropFirst(8))
            $0.evidence = $0.signedClient
        },
        PlusFault("signed-client", "capital letters") {
            $0.signedClient = $0.clientID.uppercased()
            $0.evidence = $0.signedClient
        },
    ]

    /// What leaves no room for another wrong text.
    static let keys = [
        PlusFault("body-only", "nothing before the body") { $0.isBodyOnly = true },
        PlusFault("text-changed", "something else was signed") { $0.isTextChanged = true },
        PlusFault("wrong-key", "a stranger's key") {
            $0.signer = $0.stranger
            $0.evidence = "acqp.pem, gateway.pem"
        },
        PlusFault("other-side-key", "the gateway's key") {
            $0.signer = $0.gateway
            $0.evidence = "gateway.pem"
        },
        PlusFault("hash", "SHA-1") {
            $0.hash = .sha1
            $0.evidence = "SHA-1"
        },
    ]

    /// The message names another version than that of the key which signs. Leaves the text as it is.
    static let versions = [
        PlusFault("key-version", "the old number after rotation") {
            rotate(&$0)
            $0.signer = $0.spare
            $0.evidence = "acqp-v2.pem"
        },
        PlusFault("key-version", "the new number with the old key") {
            rotate(&$0)
            $0.keyVersion = 2
            $0.evidence = "acqp-v1.pem"
        },
        PlusFault("key-version", "a number that is not registered") {
            rotate(&$0)
            $0.keyVersion = Int.random(in: 3...99, using: &$0.generator)
            $0.evidence = String($0.keyVersion)
        },
        PlusFault("key-version", "a key without a version, and another under the one that is named") {
            $0.keyFiles = [("acqp.pem", $0.client), ("acqp_v1.pem", $0.spare), ("gateway-v2.pem", $0.gateway)]
            $0.evidence = "acqp_v1.pem"
        },
    ]

    private static func rotate(_ item: inout PlusCase) {
        item.keyFiles = [("acqp-v1.pem", item.client), ("acqp-v2.pem", item.spare), ("gateway-v1.pem", item.gateway)]
    }

    /// What happened to the signature, or to its header.
    static let signatures = [
        PlusFault("algorithm", "another name") {
            $0.algorithm = ["RSA", "RSA2", "SHA256withRSA"][Int.random(in: 0..<3, using: &$0.generator)]
            $0.evidence = $0.algorithm
        },
        PlusFault("signature-plus-to-space", "decoded as a form") {
            // A signature has a plus in nearly all cases; another description, which is signed whatever else is, makes another one.
            while try !$0.hasPlus { $0.description += "x" }
            $0.header = .blanks
        },
        PlusFault("signature-encoded-twice", "percent twice") { $0.header = .twice },
        PlusFault("signature-damaged", "cut") {
            $0.header = .cut
            $0.evidence = "48"
        },
        PlusFault("signature-damaged", "no base64") { $0.header = .rubbish },
        PlusFault("signature-missing", "no header") { $0.header = .missing },
        PlusFault("signature-missing", "nothing in it") { $0.header = .empty },
    ]

    /// What shows without the signature.
    static let lints = [
        PlusFault("clock", "a clock that drifts") {
            let drift = Int64.random(in: 61...4_000, using: &$0.generator) * (Bool.random(using: &$0.generator) ? 1 : -1)
            $0.date = PlusCase.httpDate($0.seconds - drift)
            $0.evidence = String(drift)
        },
        PlusFault("time-form", "no zone") {
            $0.time = PlusCase.iso($0.seconds, as: "").replacing("T", with: " ")
            $0.evidence = $0.time
        },
        PlusFault("amount-hundredfold", "multiplied once more") {
            $0.orderValue += "00"
            $0.payValue = $0.orderValue
            $0.evidence = $0.orderValue
        },
        PlusFault("amount-hundredfold", "the payment alone") {
            $0.payValue += "00"
            $0.evidence = $0.payValue
        },
        PlusFault("amount-hundredfold", "the order alone") {
            $0.hasGoods = false
            $0.orderValue += "00"
            $0.evidence = $0.orderValue
        },
        PlusFault("amount-hundredfold", "divided once more") {
            // The goods stay as they were; a hundredth has to be whole.
            $0.unit *= 100
            $0.orderValue = String($0.unit * $0.quantity / 100)
            $0.payValue = $0.orderValue
            $0.evidence = $0.orderValue
        },
        PlusFault("rupiah", "smaller units") {
            $0.currency = .idr
            $0.payCurrency = "IDR"
            $0.payValue = String((Int64($0.payValue) ?? 100) + Int64.random(in: 1...99, using: &$0.generator))
            $0.evidence = $0.payValue
        },
        PlusFault("amount-decimal", "a point") {
            $0.payValue = "\(Int.random(in: 1...999, using: &$0.generator)).\(Int.random(in: 10...99, using: &$0.generator))"
            $0.evidence = $0.payValue
        },
        PlusFault("amount-form", "an exponent, a sign, a blank") {
            $0.payValue = ["1e3", "-100", "+100", "1 000", "12345678901234567"][Int.random(in: 0..<5, using: &$0.generator)]
            $0.evidence = $0.payValue
        },
        PlusFault("currency", "small letters, or none") {
            $0.payCurrency = ["jpy", "RMB", "XQX", "Usd"][Int.random(in: 0..<4, using: &$0.generator)]
            $0.evidence = $0.payCurrency
        },
        PlusFault("gateway-url", "the merchant product's address") {
            $0.path = "/ams/api/v1/payments/pay"
            $0.evidence = $0.path
        },
    ]

    /// What shows only between two files.
    static let files = [
        PlusFault("id-reused", "another amount under one id") {
            var second = $0
            second.others = []
            second.payValue = String((Int64(second.payValue) ?? 0) + 100)
            second.header = .right
            $0.others.append(try second.artifact("again.http"))
            $0.evidence = "\($0.payCurrency) \($0.payValue) and then \($0.payCurrency) \(second.payValue)"
        },
        PlusFault("merchant-differs", "another merchant on the sheet") {
            let other = $0.merchant + "9"
            $0.others.append(sheet("SANDBOX", other))
            $0.evidence = other
        },
        PlusFault("environment-mixed", "the production's sheet") {
            $0.others.append(sheet("PROD", $0.merchant))
            $0.evidence = "PROD"
        },
    ]

    /// Another message, beside a sound request.
    static let beside = [
        PlusFault("other-side-key", "a notification signed by the client") {
            $0.others.append(try $0.notification(by: $0.client))
            $0.evidence = "acqp.pem"
        },
        PlusFault("other-side-key", "an answer signed by the client") {
            $0.others.append(try $0.answer(to: $0.path, by: $0.client))
            $0.evidence = "acqp.pem"
        },
        PlusFault("other-side-key", "an acknowledgement signed by Alipay+") {
            let notification = try $0.notification(by: $0.gateway)
            $0.others += [notification, try $0.answer(to: PlusCase.notifyPath, by: $0.gateway)]
            $0.evidence = "gateway.pem"
        },
        PlusFault("answer-unsigned", "a success") { $0.others.append(try $0.answer(to: $0.path, by: nil)) },
        PlusFault("answer-unsigned", "a payment's success, and no request of this client") {
            $0.others.append(try $0.answer(to: $0.path, by: nil, clientID: "SANDBOX_other", said: "paymentResult"))
        },
        PlusFault("acknowledgement", "no result") {
            $0.others.append(try $0.notification(by: $0.gateway, clientID: "SANDBOX_apart"))
            $0.others.append(try $0.answer(to: PlusCase.notifyPath, by: $0.client, clientID: "SANDBOX_apart", said: "code"))
            $0.evidence = "200"
        },
    ]

    private static func sheet(_ environment: String, _ merchant: String) -> Artifact {
        let text =
            #"{"version":1,"environment":"\#(environment)","paymentId":"x","merchantId":"\#(merchant)","sheetUrl":"https://a.example/s"}"#
        return Artifact(name: "sheet.json", bytes: Array(text.utf8))
    }
}

/// The mistakes of alipay-plus.md#failures, each made again and again, and in pairs.
@Suite struct DoctorInstanceTests {
    @Test(arguments: PlusFault.all) func aFaultIsNamedAlone(fault: PlusFault) throws {
        for instance in 0..<20 {
            var item = PlusCase(seed: 2_000 + UInt64(instance))
            try fault.make(&item)
            let findings = try item.findings()
            #expect(Set(findings.map(\.code)) == [fault.code], "\(fault.name), instance \(instance): \(findings)")
            if let evidence = item.evidence {
                let values = findings.flatMap(\.evidence).map(\.value)
                #expect(values.contains(evidence), "\(fault.name), instance \(instance): \(values)")
            }
            #expect(findings.allSatisfy { !$0.cause.isEmpty && !$0.mend.isEmpty })
        }
    }

    @Test func everyFaultIsListedOnce() {
        let listed = AlipayPlusFailure.listed.map(\.code)
        #expect(Set(listed).isSuperset(of: PlusFault.all.map(\.code)) && Set(listed).count == listed.count)
    }

    /// Two independent mistakes in one set of files.
    @Test func pairsOfFaultsAreBothNamed() throws {
        var pairs = 0
        func expect(_ first: PlusFault, _ second: PlusFault, _ seed: UInt64) throws {
            guard first.code != second.code else { return }
            var item = PlusCase(seed: seed)
            try first.make(&item)
            try second.make(&item)
            let codes = Set(try item.findings().map(\.code))
            #expect(codes == [first.code, second.code], "\(first.name) and \(second.name), seed \(seed): \(codes)")
            pairs += 1
        }
        // Lints that leave the message readable change what is signed with it; the mistake in the text is made behind them.
        let lints = PlusFault.lints.filter { !["alipay-plus.time-form", "alipay-plus.gateway-url"].contains($0.code) }
        let hash = try #require(PlusFault.keys.first { $0.code == "alipay-plus.hash" })
        for seed in 3_000..<3_006 as Range<UInt64> {
            for text in PlusFault.texts {
                for lint in lints { try expect(lint, text, seed) }
                try expect(text, hash, seed)
                for signature in PlusFault.signatures.prefix(3) { try expect(text, signature, seed) }
                for version in PlusFault.versions { try expect(text, version, seed) }
            }
            for version in PlusFault.versions {
                for lint in lints { try expect(lint, version, seed) }
                try expect(version, hash, seed)
                for signature in PlusFault.signatures.prefix(3) { try expect(version, signature, seed) }
                for file in PlusFault.files.dropFirst() { try expect(version, file, seed) }
            }
            for (index, first) in PlusFault.texts.enumerated() {
                for second in PlusFault.texts[index...] where Self.areApart(first, second) { try expect(first, second, seed) }
            }
            for file in PlusFault.files.dropFirst() {
                for text in PlusFault.texts { try expect(text, file, seed) }
            }
        }
        #expect(pairs > 1_000)
    }

    /// Two mistakes in the text are told apart where each is one of its own parts.
    private static func areApart(_ first: PlusFault, _ second: PlusFault) -> Bool {
        first.code != second.code && !(first.code.hasSuffix("reserialised") && second.code.hasSuffix("line-end"))
    }

    @Test func nothingIsFoundInGoodMessages() throws {
        for seed in 0..<1_000 as Range<UInt64> {
            var item = PlusCase(seed: 10_000 + seed)
            switch seed % 5 {
            case 0: item.time = "\(item.seconds)\(Int.random(in: 100...999, using: &item.generator))"
            case 1: item.time = PlusCase.iso(item.seconds, zone: 0, as: "Z")
            case 2: item.target = "https://\(item.host)\(item.path)"
            case 3: item.date = PlusCase.httpDate(item.seconds - Int64.random(in: -60...60, using: &item.generator))
            default: item.path = ["/aps/api/v1/payments/refund", "/acquirer/notify"][Int(seed / 5 % 2)]
            }
            switch seed / 5 % 4 {
            case 0:
                // Rotated, with either key under its number.
                item.keyFiles = [("acqp-v1.pem", item.client), ("acqp-v2.pem", item.spare), ("gateway-v7.pem", item.gateway)]
                if seed % 2 == 0 { (item.signer, item.keyVersion) = (item.spare, 2) }
            case 1:
                item.hasGoods = false
                item.keyVersion = Int.random(in: 0...99, using: &item.generator)
            case 2:
                // Half of the order.
                item.payValue = String((Int64(item.orderValue) ?? 0) / 200 * 100)
            default: break
            }
            let diagnosis = AlipayPlusDiagnostician(recovery: OpenSSLOperation()).examine(try item.artifacts())
            #expect(diagnosis.findings.isEmpty, "seed \(seed): \(diagnosis.findings)")
            #expect(diagnosis.identified.filter { $0.kind == "alipay-plus.message" }.count == 1)
        }
    }
}
