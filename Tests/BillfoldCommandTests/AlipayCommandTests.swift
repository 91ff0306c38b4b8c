import Alipay
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import Hummingbird
import PaymentCrypto
import ServiceLifecycle
import Testing

@testable import billfold

/// The Alipay commands on their own messages, and on what a stranger would send.
final class AlipayCommandTests {
    private let folder: URL
    private let key: LegacyRSAPrivateKey

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("alipay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        key = try LegacyRSAPrivateKey(bits: 1024)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = folder.appendingPathComponent(name).path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func privateKey() throws -> String { try file("key.pem", PEMText.Block(label: "PRIVATE KEY", bytes: key.pkcs8).text) }
    private func publicKey() throws -> String { try file("key.pub", key.publicKey.pem) }

    private func run(_ command: some AlipayReplying) async throws -> AlipayReply { try await command.reply() }

    private func refusal(_ body: () async throws -> AlipayReply) async -> CommandFailure? {
        do {
            _ = try await body()
            return nil
        } catch { return CommandFailure(error) }
    }

    private let legacy = #"""
        {"service":"mobile.securitypay.pay","partner":"2088101122136241","_input_charset":"utf-8","notify_url":"https://shop.example/notify",
        "out_trade_no":"T1","subject":"茶","payment_type":"1","seller_id":"2088101122136241","total_fee":"10.00","currency":"HKD","forex_biz":"FP"}
        """#

    private let modern = #"""
        {"app_id":"2026000000000001","method":"alipay.trade.app.pay","timestamp":"2026-01-01 00:00:00","version":"1.0",
        "biz_content":{"out_trade_no":"T1","total_amount":"0.01","subject":"茶","product_code":"QUICK_MSECURITY_PAY"}}
        """#

    @Test(arguments: ["RSA", "RSA2"]) func ordersAreSignedAndVerified(signType: String) async throws {
        for (name, fields) in [("legacy", legacy), ("modern", modern)] {
            let signed = try await run(
                AlipaySignOrder.parse([file("\(name).json", fields), "--key", privateKey(), "--sign-type", signType]))
            #expect(signed.outcome == "signed")
            #expect(signed.generation == name)
            #expect(signed.violations?.isEmpty == true)
            let order = try file("\(name).order", #require(signed.message) + "\n")
            let verified = try await run(AlipayVerify.parse(["order", order, "--key", publicKey()]))
            #expect(verified.outcome == "verified")
            #expect(verified.signType == signType)
            #expect(verified.signedText == signed.signedText)
            #expect(verified.text.contains(name == "legacy" ? "out_trade_no = T1" : "app_id = 2026000000000001"))
            #expect(verified.json.contains(#""outcome":"verified""#))
            let changed = try file("changed", #require(signed.message).replacing("T1", with: "T2"))
            let failure = await refusal { try await run(AlipayVerify.parse(["order", changed, "--key", publicKey()])) }
            #expect(failure?.code == "signature-mismatch")
            #expect(failure?.exitCode == 1)
        }
    }

    @Test func orderInTheServicesFormIsVerifiedWithTheSharedKey() async throws {
        let secret = try file("secret", "a shared key\n")
        let made = try await LegacyServiceRequest.signed(
            [("service", "mobile.securitypay.pay"), ("out_trade_no", "T1"), ("_input_charset", "utf-8")],
            by: AlipayMD5Signer(key: .init("a shared key")))
        let verified = try await run(AlipayVerify.parse(["order", file("order", made.text), "--md5-key-file", secret]))
        #expect(verified.signType == "MD5")
        #expect(verified.violations?.isEmpty == false)
        #expect(!verified.json.contains("a shared key"))
        #expect(
            await refusal { try await run(AlipayVerify.parse(["order", file("order", made.text), "--key", publicKey()])) }?.code
                == "unknown-key")
        let empty = try file("empty", "\n")
        #expect(await refusal { try await run(AlipayVerify.parse(["order", empty, "--md5-key-file", empty])) }?.exitCode == 64)
        #expect(await refusal { try await run(AlipayVerify.parse(["order", empty])) }?.exitCode == 64)
    }

    @Test func brokenRuleIsRefusedUnlessAsObserved() async throws {
        let fields = try file("fields.json", legacy.replacing("10.00", with: "10"))
        let arguments = [fields, "--key", try privateKey(), "--sign-type", "RSA"]
        #expect(await refusal { try await run(AlipaySignOrder.parse(arguments)) }?.code == "alipay.amount")
        let signed = try await run(AlipaySignOrder.parse(arguments + ["--as-observed"]))
        #expect(signed.violations?.map(\.code) == ["alipay.amount"])
        #expect(signed.text == signed.message && signed.remarks.first?.hasPrefix("alipay.amount: total_fee") == true)
        let order = try file("order", #require(signed.message) + "&secondary_merchant_id=\"1\"")
        #expect(await refusal { try await run(AlipayVerify.parse(["order", order, "--key", publicKey()])) }?.code == "uncovered-parameter")
        let observed = try await run(AlipayVerify.parse(["order", order, "--key", publicKey(), "--as-observed"]))
        #expect(observed.uncovered == ["secondary_merchant_id"])
        #expect(observed.text.contains("no signature covers secondary_merchant_id"))
        for wrong in [["--sign-type", "DSA"], ["--sign-type", "MD5"]] {
            #expect(await refusal { try await run(AlipaySignOrder.parse([fields] + wrong)) }?.exitCode == 64)
        }
        #expect(await refusal { try await run(AlipaySignOrder.parse([fields])) }?.exitCode == 64)
        let list = try file("list.json", "[]")
        #expect(await refusal { try await run(AlipaySignOrder.parse([list, "--key", privateKey()])) }?.code == "malformed-fields")
    }

    @Test func resultsAreVerifiedInEveryForm() async throws {
        let result = try await PaymentResult.modern(["code": "10000", "out_trade_no": "T1", "nested": nil], by: AlipayRSASigner.rsa2(key))
        let order = try await LegacyOrder.signed([("_input_charset", "utf-8"), ("out_trade_no", "T1")], by: AlipayRSASigner.rsa(key))
        let legacy = try await PaymentResult.legacy(
            paying: order.verified(by: .init(rsa: key.publicKey)), by: AlipayRSASigner.rsa(key))
        for text in [result.result, result.json.text, SafepayURL(scheme: "shop", result: result).description, legacy.result] {
            let verified = try await run(AlipayVerify.parse(["result", file("result", text), "--key", publicKey()]))
            #expect(verified.fields?["out_trade_no"] == "T1")
            #expect(verified.resultStatus == "9000")
        }
        let parsed = try await run(AlipayParseReturnURL.parse([SafepayURL(scheme: "shop", result: legacy).description]))
        #expect(parsed.scheme == "shop")
        #expect(parsed.result == legacy.result)
        #expect(parsed.text.contains("scheme shop"))
        #expect(await refusal { try await run(AlipayParseReturnURL.parse(["shop://other"])) }?.code == "malformed")
    }

    @Test func answersOfBothGenerationsAreVerified() async throws {
        let signer = AlipayRSASigner.rsa2(key)
        let modern = try await ModernAnswer.make(.texts(["code": "10000", "trade_no": "1"]), answering: "alipay.trade.query", by: signer)
        let good = try file("answer", String(decoding: modern, as: UTF8.self))
        #expect(try await run(AlipayVerify.parse(["response", good, "--key", publicKey()])).fields?["trade_no"] == "1")
        let other = ["response", good, "--key", try publicKey(), "--method", "alipay.trade.close"]
        #expect(await refusal { try await run(AlipayVerify.parse(other)) }?.code == "other-message")
        #expect(
            await refusal { try await run(AlipayVerify.parse(["response", good, "--key", publicKey(), "--sign-type", "MD5"])) }?.exitCode
                == 64)
        #expect(
            await refusal { try await run(AlipayVerify.parse(["response", good, "--key", publicKey(), "--charset", "x"])) }?.exitCode == 64)
        let failure = try await ModernAnswer.make(ModernFailure.missing("signature").node, answering: "alipay.trade.query", by: nil)
        let unsigned = try file("unsigned", String(decoding: failure, as: UTF8.self))
        let refused = await refusal { try await run(AlipayVerify.parse(["response", unsigned, "--key", publicKey()])) }
        #expect(refused?.reason == "an unsigned failure: 40001 isv.missing-signature")
        let xml = try await LegacyAnswer.success(request: [], response: [.init("trade_no", "2")], charset: .utf8, by: signer)
        let legacy = try file("xml", String(decoding: xml, as: UTF8.self))
        #expect(try await run(AlipayVerify.parse(["response", legacy, "--key", publicKey()])).fields == ["trade_no": "2"])
    }

    @Test(.enabled(if: Vectors.available("alipay-express-order"))) func certificateSerialsAreComputed() async throws {
        struct Entry: Decodable {
            var pem: String
            var cert_sn: String?
            var alipay_root_cert_sn: String?
        }
        let entries: [Entry] = try Vectors.json("alipay-express-order/certificates.json")
        for entry in entries {
            let pem = try file("chain.pem", entry.pem)
            if let serial = entry.cert_sn { #expect(try await run(AlipayCertificateSN.parse([pem])).serials == [serial]) }
            if let root = entry.alipay_root_cert_sn {
                #expect(try await run(AlipayCertificateSN.parse([pem, "--root"])).text == "computed\n\(root)")
            }
        }
    }

    @Test func notificationIsSignedDeliveredAndJudged() async throws {
        let fields = try file(
            "fields.json", #"{"notify_id":"1","app_id":"1","charset":"gbk","subject":"茶","trade_status":"TRADE_SUCCESS"}"#)
        let arguments = [fields, "--key", try privateKey()]
        let signed = try await run(AlipayNotify.parse(arguments))
        #expect(signed.message?.contains("subject=%B2%E8") == true)
        let form = try file("form", #require(signed.message))
        #expect(try await run(AlipayVerify.parse(["notification", form, "--key", publicKey()])).fields?["subject"] == "茶")

        let publicKey = key.publicKey
        let router = Router()
        for (path, good) in [("good", "success"), ("bad", "<p>success</p>")] {
            router.post(RouterPath(path)) { request, _ in
                let body = try await request.body.collect(upTo: 65_536)
                let notification = try AlipayNotification(form: Array(body.readableBytesView)).verified(by: .init(rsa2: publicKey))
                return notification["subject"] == "茶" ? good : "fail"
            }
        }
        let (ports, given) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in given.yield(channel.localAddress?.port ?? 0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            let port = try #require(await ports.first { _ in true })
            let accepted = try await run(AlipayNotify.parse(arguments + ["--to", "http://127.0.0.1:\(port)/good"]))
            #expect(accepted.outcome == "accepted")
            #expect(accepted.isGood)
            let refused = try await run(AlipayNotify.parse(arguments + ["--to", "http://127.0.0.1:\(port)/bad"]))
            #expect(refused.outcome == "not-accepted")
            #expect(!refused.isGood)
            #expect(refused.reply == "<p>success</p>")
            #expect(refused.status == 200)
            group.cancelAll()
        }
        #expect(await refusal { try await run(AlipayNotify.parse(arguments + ["--to", "http://127.0.0.1:1/"])) }?.code == "not-connected")
    }

    /// The notification of an unpaid trade that timed out, in the real platform's form.
    @Test func aRecordedTimeOutIsSaidToBeClosed() async throws {
        let (form, key) = (FieldInput.path("alipay/closed-timeout-notify.form"), FieldInput.path("alipay/closed-alipay.pub"))
        let reply = try await run(AlipayVerify.parse(["notification", form, "--key", key]))
        #expect(reply.outcome == "verified" && reply.says == "closed")
        #expect(reply.text.contains("says closed") && reply.json.contains(#""says":"closed""#))
        let diagnosis = try await DoctorCommand.parse([form, key]).reply()
        #expect(diagnosis.exitCode == 0 && diagnosis.text.contains("which says: closed"), "\(diagnosis.text)")
    }

    /// What was really signed is recovered, and the changed order, the damaged signature and the app's property list are told.
    @Test func theDoctorExplainsAnOrder() async throws {
        let signed = try await run(AlipaySignOrder.parse([file("legacy.json", legacy), "--key", privateKey(), "--sign-type", "RSA"]))
        let order = try #require(signed.message)
        func codes(_ name: String, _ text: String, _ options: String...) async throws -> (code: Int32, text: String) {
            let reply = try await DoctorCommand.parse([file(name, text), privateKey()] + options).reply()
            return (reply.exitCode, reply.text)
        }
        let good = try await codes("order.txt", order)
        #expect(
            good.code == 0 && good.text.contains("an Alipay legacy order") && good.text.contains("nothing wrong was found"), "\(good.text)")
        let changed = try await codes("order.txt", order.replacing("10.00", with: "10.01"))
        #expect(changed.code == 1 && changed.text.contains("alipay.text-changed") && changed.text.contains("SHA-1"), "\(changed.text)")
        let twice = try await codes("order.txt", order.replacing("%", with: "%25"))
        #expect(twice.code == 1 && twice.text.contains("alipay.sign-encoded-twice"), "\(twice.text)")
        let plist = #"<?xml version="1.0"?><plist version="1.0"><dict><key>CFBundleName</key><string>Shop</string></dict></plist>"#
        let app = try await codes("Info.plist", plist, "--app-scheme", "shop")
        #expect(app.code == 1 && app.text.contains("alipay-app.scheme-unregistered"), "\(app.text)")
    }

    /// The query schemes say which wallet an app means. Without a scheme by name, the registered one is judged.
    @Test(
        arguments: [
            (asked: ["uppaysdk"], registered: "shop", options: [], codes: ["unionpay-app.query-scheme-missing"]),
            (asked: ["uppaysdk"], registered: "shop", options: ["--app-scheme", "other"], codes: ["unionpay-app.scheme-unregistered"]),
            (
                asked: ["alipay", "uppaywallet"], registered: "a_b", options: [],
                codes: ["alipay-app.scheme-unusable", "unionpay-app.query"]
            ),
            (asked: ["alipay"], registered: "shop", options: [], codes: ["nothing wrong was found"]),
            (asked: [], registered: "shop", options: [], codes: ["app-scheme-unknown"]),
            (asked: ["uppaysdk"], registered: nil, options: [], codes: ["app-scheme-unknown"]),
            (asked: nil, registered: nil, options: [], codes: ["alipay-app.plist-unreadable"]),
        ] as [(asked: [String]?, registered: String?, options: [String], codes: [String])])
    func theDoctorKnowsAPropertyListByItself(asked: [String]?, registered: String?, options: [String], codes: [String]) async throws {
        func list(_ items: [String]) -> String { "<array>" + items.map { "<string>\($0)</string>" }.joined() + "</array>" }
        let types = registered.map {
            "<key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key>\(list([$0]))</dict></array>"
        }
        let queries = asked.map { "<key>LSApplicationQueriesSchemes</key>\(list($0))" }
        let plist = #"<?xml version="1.0"?><plist version="1.0"><dict>\#(types ?? "")\#(queries ?? "<key>")</dict></plist>"#
        let text = try await DoctorCommand.parse([file("Info.plist", plist)] + options).reply().text
        #expect(codes.allSatisfy(text.contains) && !text.contains("nothing that a diagnostician knows"), "\(text)")
    }
}
