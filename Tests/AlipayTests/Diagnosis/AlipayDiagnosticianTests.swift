import Alipay
import AlipayDiagnosis
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCrypto
import Testing

enum OpenMD5 {
    static func hex(_ text: String) -> String {
        Insecure.MD5.hash(data: Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

struct AlipayDiagnosticianTests {
    @Test(arguments: AlipayFault.all) func aFaultIsNamedAlone(fault: AlipayFault) throws {
        for instance in 0..<20 {
            var item = AlipayCase(seed: 2_000 + UInt64(instance), isRSA2: fault.isRSA2)
            let findings = AlipayCase.examine(try fault.make(&item)).findings
            #expect(Set(findings.map(\.code)) == [fault.code], "\(fault.name), instance \(instance): \(findings)")
            if let evidence = fault.evidence {
                let values = findings.flatMap(\.evidence).filter { $0.name == evidence.name }.map(\.value)
                #expect(values.contains(evidence.value), "\(fault.name): \(values)")
            }
            #expect(findings.allSatisfy { !$0.cause.isEmpty && !$0.mend.isEmpty })
        }
    }

    @Test func everyFaultIsListedOnce() {
        let listed = AlipayFailure.listed.map(\.code)
        #expect(Set(listed).isSuperset(of: AlipayFault.all.map(\.code)) && Set(listed).count == listed.count)
    }

    /// A whole signature is never called cut: its size says how long the key was that made it.
    @Test func aKeyOfAnotherSizeIsNamedByItsSize() throws {
        for (seed, bits) in zip(UInt64(7_000)..., [1024, 2048, 3072, 4096, 1024, 2048]) {
            // The keys at hand are of the one size or the other; what nobody here can make is any number of that size.
            var item = AlipayCase(seed: seed, isRSA2: bits != 2048)
            let pairs = item.modernPairs()
            let text = AlipayCase.plain(AlipayCase.sorted(pairs))
            let sign =
                switch bits {
                case 1024: try item.sign(text, AlipayCase.small[0])
                case 2048: try item.sign(text, AlipayCase.large[0])
                default: StrictBase64.encode((0..<bits / 8).map { _ in UInt8.random(in: 0...255, using: &item.generator) })
                }
            let found = try AlipayCase.examine(item.with(item.modern(pairs, sign: AlipayCase.percent(sign)))).findings
            #expect(found.map(\.code) == ["alipay.wrong-key"], "\(bits)")
            #expect(found.first?.cause.contains("\(bits) bits") == true)
            #expect(found.first?.evidence.first == .init("bits of the key that signed", String(bits)))
        }
    }

    /// Who handles a notification makes no order: each mend speaks of what was handed over.
    @Test func aMendSpeaksOfWhatWasHandedOver() throws {
        var item = AlipayCase(seed: 8_100)
        func escaped(_ text: String) -> String { text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;") }
        func inJSON(_ text: String) -> String { text.replacing("=", with: "\\u003d").replacing("&", with: "\\u0026") }
        let notification = AlipayCase.form(try item.notified(item.notificationPairs()))
        let order = try item.legacyOrder(item.legacyPairs())
        let result = try item.legacyResult(item.legacyPairs())
        let cases: [(code: String, text: String, speaksOf: String)] = [
            ("alipay.html-escaped", escaped(notification), "Alipay's call"), ("alipay.html-escaped", escaped(order), "the order"),
            ("alipay.html-escaped", escaped(result), "the result"), ("alipay.json-escaped", inJSON(notification), "Alipay's call"),
            ("alipay.json-escaped", inJSON(order), "an order"),
            ("alipay.percent-encoding", AlipayCase.percent(notification), "Alipay's call"),
            ("alipay.not-entity", notification.replacing("&notify_id", with: "¬ify_id"), "raw body"),
            ("alipay.not-entity", order.replacing("&notify_url", with: "¬ify_url"), "the order"),
        ]
        for (code, text, speaksOf) in cases {
            let found = AlipayCase.examine(item.with(text)).findings
            #expect(found.map(\.code) == [code], "\(text): \(found)")
            let mend = try #require(found.first?.mend)
            #expect(mend.contains(speaksOf) && (speaksOf.hasSuffix("order") || !mend.contains("order")), "\(mend)")
        }
    }

    /// What nobody could judge says for whose key it waits.
    @Test func aMessageWithoutAKeySaysForWhichItWaits() throws {
        var item = AlipayCase(seed: 8_200)
        let texts = [
            (try item.legacyOrder(item.legacyPairs()), "merchant's private key"),
            (try item.modern(item.modernPairs()), "merchant's private"),
            (AlipayCase.form(try item.notified(item.notificationPairs())), "Alipay's public key of this application"),
            (try item.legacyResult(item.legacyPairs()), "old gateway"),
        ]
        for (text, need) in texts {
            let said = AlipayCase.examine(item.with(text, []))
            #expect(said.findings.isEmpty && said.identified.map { $0.unjudged?.part } == ["its signature"], "\(text): \(said)")
            #expect(said.identified.first?.unjudged?.need.contains(need) == true, "\(said)")
            #expect(AlipayCase.examine(item.with(text)).identified.allSatisfy { $0.unjudged == nil })
        }
    }

    /// As the real platform sent it: signed, and nothing was paid.
    @Test func aRecordedTimeOutIsCalledClosed() throws {
        let diagnosis = AlipayCase.examine([
            Artifact(name: "notify.form", bytes: try FieldInput.bytes("alipay/closed-timeout-notify.form")),
            Artifact(name: "alipay.pub", bytes: try FieldInput.bytes("alipay/closed-alipay.pub")),
        ])
        #expect(diagnosis.findings.isEmpty)
        #expect(diagnosis.identified.first { $0.artifact == "notify.form" }?.summary == "an Alipay notification, which says: closed")
    }

    /// In certificate mode the serial number stands beside what is signed: nobody has to mend that.
    @Test func aSerialNumberBesideTheSignatureIsNoMistake() throws {
        let diagnosis = AlipayCase.examine([
            Artifact(name: "notify.form", bytes: try FieldInput.bytes("alipay/notify-cert-sn-notify.form")),
            Artifact(name: "alipay.pub", bytes: try FieldInput.bytes("alipay/cert-sn-alipay.pub")),
        ])
        #expect(diagnosis.findings.isEmpty)
        #expect(diagnosis.identified.first { $0.artifact == "notify.form" }?.summary == "an Alipay notification, which says: paid")
    }

    /// An order may be booked after a close where something else told of the payment.
    @Test(arguments: [
        #"{"event":"notification","order":"1","trade_status":"TRADE_SUCCESS"}"#, #"{"event":"query","order":"1"}"#,
        #"{"event":"state","order":"1","state":"paid"}"#,
    ]) func aPaymentToldElsewhereIsNoMistake(told: String) throws {
        let events =
            told
            + #",{"event":"notification","order":"1","trade_status":"TRADE_CLOSED","refund_fee":"0.00"},{"event":"state","order":"1","state":"paid"}"#
        #expect(AlipayCase.examine(AlipayFault.log(events)).findings.isEmpty)
    }

    /// A gateway's own files may lie beside what it signed.
    @Test func theGatewaysOwnKeyIsNoMerchants() throws {
        var item = AlipayCase(seed: 9)
        let files = [
            Artifact(name: "alipay_private_key.pem", bytes: Array(AlipayCase.pem("PRIVATE KEY", item.alipay.pkcs8).utf8)), item.alipayFile,
        ]
        #expect(try AlipayCase.examine(item.with(item.answer(item.node()), files)).findings.isEmpty)
    }

    /// Two independent mistakes in one message.
    @Test func pairsOfFaultsAreBothNamed() throws {
        var pairs = 0
        for seed in 3_000..<3_020 {
            var item = AlipayCase(seed: UInt64(seed))
            // The text: two slips at once.
            var sent = item.legacyPairs()
            AlipayFault.set("notify_url", "https://shop.example.com/notify", &sent)
            let signed = AlipayCase.quoted(AlipayCase.sorted(sent))
            AlipayFault.set("notify_url", AlipayCase.percent("https://shop.example.com/notify"), &sent)
            let slips = try AlipayCase.examine(item.with(item.legacyOrder(sent, signed: signed))).findings
            #expect(Set(slips.map(\.code)) == ["alipay.order-changed", "alipay.percent-encoding"])
            // A slip, and a damaged signature.
            let order = item.modernPairs()
            let text = AlipayCase.plain(AlipayCase.sorted(order), without: ["sign_type"])
            let twice = AlipayCase.percent(AlipayCase.percent(try item.sign(text)))
            let both = try AlipayCase.examine(item.with(item.modern(order, sign: twice))).findings
            #expect(Set(both.map(\.code)) == ["alipay.sign-encoded-twice", "alipay.sign-type-left-out"])
            // Every message beside every log.
            for message in AlipayFault.texts.shuffled(using: &item.generator).prefix(6) {
                for log in AlipayFault.logs.shuffled(using: &item.generator).prefix(4) {
                    let found = try AlipayCase.examine(message.make(&item) + log.make(&item)).findings
                    #expect(Set(found.map(\.code)) == [message.code, log.code], "\(message.name) and \(log.name)")
                    pairs += 1
                }
            }
        }
        #expect(pairs == 480)
    }

    @Test func nothingIsFoundInGoodMessages() throws {
        var kinds: Set<String> = []
        for seed in 0..<1_000 {
            var item = AlipayCase(seed: 10_000 + UInt64(seed))
            let artifacts = try good(&item, seed % 14)
            let diagnosis = AlipayCase.examine(artifacts)
            #expect(diagnosis.findings.isEmpty, "kind \(seed % 14), seed \(seed): \(diagnosis.findings)")
            let message = diagnosis.identified.filter { $0.artifact == "message.txt" }
            #expect(message.count == 1, "kind \(seed % 14)")
            kinds.formUnion(message.map(\.summary))
        }
        #expect(kinds.count >= 8, "\(kinds)")
    }

    private func good(_ item: inout AlipayCase, _ kind: Int) throws -> [Artifact] {
        switch kind {
        case 0: return item.with(try item.legacyOrder(item.legacyPairs()))
        case 1:
            // A merchant that sorts, so that pairs stand behind the signature.
            let pairs = AlipayCase.sorted(item.legacyPairs())
            let place = Int.random(in: 1..<pairs.count, using: &item.generator)
            let sign: AlipayCase.Pairs = [
                ("sign", AlipayCase.percent(try item.sign(AlipayCase.quoted(pairs)))), ("sign_type", item.signType),
            ]
            return item.with(AlipayCase.quoted(Array(pairs[..<place]) + sign + Array(pairs[place...])))
        case 2:
            let pairs = item.legacyPairs(charset: "gbk").map { $0.name == "subject" ? ($0.name, "茶叶一斤") : $0 }
            let bytes = try AlipayCharset.gbk.encode(AlipayCase.quoted(pairs))
            let tail = "&sign=\"\(AlipayCase.percent(try item.sign(bytes)))\"&sign_type=\"\(item.signType)\""
            return [Artifact(name: "message.txt", bytes: bytes + Array(tail.utf8))] + item.keyFiles
        case 3: return item.with(try item.modern(item.modernPairs().shuffled(using: &item.generator)))
        case 4:
            // The wallet's kit appends its own, unsigned.
            return item.with(
                try item.legacyOrder(item.legacyPairs(), behind: [("bizcontext", #"{"av":"1","ty":"ios_lite"}"#)].filter { _ in kind == 4 })
            )
        case 5: return item.with(try item.legacyResult(item.legacyPairs()))
        case 6: return item.with(try item.modernResult(item.node()))
        case 7:
            let pairs = item.notificationPairs()
            return item.with(AlipayCase.form(try item.notified(pairs).shuffled(using: &item.generator)) + (seedIsEven(item) ? "\n" : ""))
        case 8: return item.with(try item.answer(item.node()))
        case 9:
            let pairs = item.legacyCall()
            let sign = OpenMD5.hex(AlipayCase.plain(AlipayCase.sorted(pairs)) + AlipayCase.md5Key.reveal())
            return item.with("https://mapi.alipay.com/gateway.do?" + AlipayCase.form(pairs + [("sign", sign), ("sign_type", "MD5")]))
        case 10:
            let result = PaymentResult(status: .paid, result: try item.legacyResult(item.legacyPairs()))
            return item.with(SafepayURL(scheme: "shop", result: result).description)
        case 12, 13:
            // A notification in GBK: as it was posted, and as a framework keeps it.
            let others = item.notificationPairs().filter { !["charset", "subject"].contains($0.name) }
            let pairs = others + [("charset", "gbk"), ("subject", "茶叶一斤")]
            let signed = try AlipayCharset.gbk.encode(AlipayCase.plain(AlipayCase.sorted(pairs), without: ["sign_type"]))
            let all = pairs + [("sign", try item.sign(signed, item.alipay))]
            if kind == 12 { return item.with(JSONValue.object(JSONObject(all.map { .init($0.name, .string($0.value)) })).text) }
            return item.with(try AlipayParameters(all, charset: .gbk).form)
        default:
            var strict = AlipayCase(seed: item.generator.seed, isRSA2: true)
            let (roots, leaf) = try strict.certificates()
            let root = roots.dropLast().map { AlipayCase.serial($0) }.joined(separator: "_")
            return strict.with(try strict.certified(root: root, app: AlipayCase.serial(leaf)), strict.certificateFiles(roots, leaf))
        }
    }

    private func seedIsEven(_ item: AlipayCase) -> Bool { item.generator.seed.isMultiple(of: 2) }

    /// What is recovered from every signature of others that verifies, and from those that do not.
    @Test(.enabled(if: KnownAnswer.areThere, "known answers of others are not there")) func knownAnswersAreExplained() throws {
        for answer in KnownAnswer.all("orders.json") {
            guard let text = answer.order_string, let key = answer.verify_key else { continue }
            let file = Artifact(name: "merchant_key.pem", bytes: Array(try KnownAnswer.publicKey(key).pem.utf8))
            let codes = Set(
                AlipayCase.examine([Artifact(name: "message.txt", bytes: Array(text.utf8)), file]).findings.filter {
                    $0.severity == .defect
                }.map(\.code))
            #expect(codes.contains("alipay.text-changed") == (answer.outcome == "right-key-wrong-text"), "\(answer.id): \(codes)")
            #expect(!codes.contains("alipay.wrong-key"), "\(answer.id)")
        }
    }

    @Test func aDamagedFileStopsNothing() throws {
        var item = AlipayCase(seed: 5_000)
        var generator = SeededGenerator(seed: 5_001)
        for kind in 0..<12 {
            let artifacts = try good(&item, kind)
            for _ in 0..<20 {
                var damaged = artifacts
                var bytes = damaged[0].bytes
                for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
                    let place = Int.random(in: 0..<bytes.count, using: &generator)
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                    case 1: bytes.remove(at: place)
                    case 2: bytes.insert(contentsOf: Array("\"&=%\\{".utf8).shuffled(using: &generator).prefix(2), at: place)
                    default: bytes.removeSubrange(place..<min(place + 40, bytes.count))
                    }
                }
                damaged[0].bytes = bytes
                let findings = AlipayCase.examine(damaged).findings
                let text = findings.map { "\($0)" }.joined()
                #expect(!text.contains(AlipayCase.md5Key.reveal()))
            }
        }
    }

    /// A file's name speaks by its first word only: `app` within another word says nothing of a key's owner.
    @Test(arguments: ["happy-tea.pem", "snapp.pem", "whatsapp-webhook.pem", "my_alipay_app_public.pem", "apple.pem"])
    func aBystandersKeyIsNotTheRegisteredOne(name: String) throws {
        var item = AlipayCase(seed: 6_000)
        let order = try item.legacyOrder(item.legacyPairs())
        let bystander = Artifact(name: name, bytes: Array(item.stranger.publicKey.pem.utf8))
        let findings = AlipayCase.examine(item.with(order) + [bystander]).findings
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test(arguments: ["appPublicKey.pem", "app_public_key.pem", "merchant2.pem", "keys/registered-key.pem"])
    func aFileNamedForTheMerchantHoldsItsRegisteredKey(name: String) throws {
        var item = AlipayCase(seed: 6_001)
        let order = try item.modern(item.modernPairs())
        let registered = Artifact(name: name, bytes: Array(item.stranger.publicKey.pem.utf8))
        let findings = AlipayCase.examine(item.with(order, [item.merchantFile, registered])).findings
        #expect(findings.map(\.code) == ["alipay.key-not-registered"])
    }

    @Test func nothingIsSaidOfForeignFiles() {
        let artifacts = [
            Artifact(name: "a.json", bytes: Array(#"{"amount":"1.00","sign":"AA=="}"#.utf8)),
            Artifact(name: "b.txt", bytes: Array("merId=777290058110048&signature=abc".utf8)), Artifact(name: "c", bytes: []),
            Artifact(name: "d", bytes: [0xFF, 0xD8, 0xFF]),
        ]
        #expect(AlipayCase.examine(artifacts) == Diagnosis())
    }
}
