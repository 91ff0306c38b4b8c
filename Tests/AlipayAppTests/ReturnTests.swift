import Alipay
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

@testable import AlipayApp

/// What comes back: twice, for another payment, forged, or in an odd form.
@MainActor @Suite struct ReturnTests {
    private func succeeded(_ number: String, verified: Bool = true) -> PaymentOutcome {
        .succeeded(ConfirmedPayment(orderNumber: number, resultIsVerified: verified))
    }

    @Test func urlThatComesTwiceCountsOnce() async throws {
        let phone = try TestPhone()
        phone.listen()
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .unpaid, .paid)
        let payment = await phone.begin(order)
        let result = try await order.paid()
        #expect(try phone.comeBack(result) && phone.comeBack(result))
        #expect(try await payment.value == succeeded("A-1"))
        #expect(try phone.comeBack(result))
        #expect(phone.client.faults.map(\.code) == [.returnRepeated, .returnRepeated])
        #expect(phone.server.questions.count == 2 && phone.heard.isEmpty)
    }

    @Test func cancellationThatComesTwiceIsNotOfAnEarlierPayment() async throws {
        let phone = try TestPhone()
        phone.listen()
        let (first, second) = (try await TestOrder("A-1"), try await TestOrder("A-2"))
        let early = await phone.begin(first)
        let late = await phone.begin(second)
        #expect(try await early.value == .undecided)
        try phone.comeBack(cancelled)
        try phone.comeBack(cancelled)
        #expect(try await late.value == .cancelled)
        #expect(phone.kept(first)?.reply == nil && phone.kept(second)?.conclusion == .cancelled)
        #expect(phone.client.faults.map(\.code) == [.returnRepeated])
    }

    @Test func everyResultFindsItsOrder() async throws {
        let phone = try TestPhone()
        phone.listen()
        let (first, second) = (try await TestOrder("A-1"), try await TestOrder("A-2", .modern))
        for number in ["A-1", "A-2"] { phone.server.answer(number, .paid) }
        let early = await phone.begin(first)
        // The first order's second question would find it paid: it must not be shown again, and is not asked about by the second.
        let late = await phone.begin(second)
        #expect(try await early.value == .undecided)
        try phone.comeBack(try await second.paid())
        #expect(try await late.value == succeeded("A-2"))
        try phone.comeBack(try await first.paid())
        await until { !phone.heard.isEmpty }
        #expect(phone.heard.map(\.outcome) == [succeeded("A-1")])
    }

    @Test func cancellationIsOfTheLatestLaunchOfItsScheme() async throws {
        let phone = try TestPhone()
        phone.listen()
        let (first, second) = (try await TestOrder("A-1"), try await TestOrder("A-2"))
        let early = await phone.begin(first, scheme: "shopone")
        let late = await phone.begin(second, scheme: "shoptwo")
        try phone.comeBack(cancelled, scheme: "ShopOne")
        #expect(try await early.value == .undecided)
        await until { !phone.heard.isEmpty }
        #expect(phone.heard.map(\.orderNumber) == ["A-1"] && phone.heard.map(\.outcome) == [.cancelled])
        #expect(phone.kept(second)?.conclusion == nil)
        phone.server.answer("A-2", .paid)
        try phone.comeBack(try await second.paid(), scheme: "shoptwo")
        #expect(try await late.value == succeeded("A-2"))
    }

    @Test func cancellationIsUndoneByAPayment() async throws {
        let phone = try TestPhone()
        phone.listen()
        let order = try await TestOrder("A-1")
        let payment = await phone.begin(order)
        // Anybody can make this URL: it is not signed.
        try phone.comeBack(cancelled)
        #expect(try await payment.value == .cancelled)
        phone.server.answer("A-1", .paid)
        try phone.comeBack(try await order.paid())
        await until { !phone.heard.isEmpty }
        #expect(phone.heard.map(\.outcome) == [succeeded("A-1")])
    }

    @Test func universalLinkBringsTheResultToo() async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .paid)
        let payment = await phone.begin(order, link: "https://shop.example.test/app/")
        let url = SafepayURL(scheme: "x", result: try await order.paid()).description
        let query = try #require(url.split(separator: "?", maxSplits: 1).last)
        #expect(phone.client.handle(try #require(URL(string: "https://shop.example.test/app/safepay?\(query)"))))
        #expect(try await payment.value == succeeded("A-1"))
        #expect(!phone.client.handle(try #require(URL(string: "https://other.example.test/app/?\(query)"))))
    }

    @Test(arguments: ["shopapp://oauth/?x", "https://shop.example.test/", "shopapp:safepay"])
    func otherURLsAreNotTaken(url: String) throws {
        let phone = try TestPhone()
        #expect(!phone.client.handle(try #require(URL(string: url))))
        #expect(phone.client.faults.isEmpty)
    }

    @Test(arguments: ["shopapp://safepay/?", "shopapp://safepay/?%7B%7D", "shopapp://safepay/", "shopapp://safepay/?%7B%22memo%22%3A1%7D"])
    func unreadableReturnsAreNotedAndChangeNothing(url: String) async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1")
        let payment = await phone.begin(order)
        #expect(phone.client.handle(try #require(URL(string: url))))
        #expect(phone.client.faults == [PaymentFault(.returnMalformed)] && phone.kept(order)?.reply == nil)
        try phone.comeBack(cancelled)
        #expect(try await payment.value == .cancelled)
    }

    @Test func cancellationWithoutALaunchIsNobodys() throws {
        let phone = try TestPhone()
        phone.listen()
        #expect(try phone.comeBack(cancelled))
        #expect(phone.client.faults == [PaymentFault(.returnUnmatched)] && phone.heard.isEmpty)
    }

    /// Anybody can open the app with a result that nobody signed, of an order whose number is known.
    @Test(arguments: [AlipayResultStatus.cancelled, .failed]) func anUnsignedReturnDoesNotTakeAProofsPlace(
        _ status: AlipayResultStatus
    ) async throws {
        let phone = try TestPhone()
        phone.listen()
        let order = try await TestOrder("A-1")
        // The server has not heard of it yet.
        phone.server.answer("A-1", .unpaid)
        let payment = await phone.begin(order)
        let proof = try await order.paid()
        try phone.comeBack(proof)
        #expect(try await payment.value == .undecided)
        try phone.comeBack(PaymentResult(status: status, result: #"out_trade_no="A-1"&success="false"&sign_type="RSA"&sign="AA==""#))
        await until { !phone.heard.isEmpty }
        #expect(phone.kept(order)?.reply == proof && phone.kept(order)?.conclusion == nil)
        #expect(phone.heard.map(\.outcome) == [.undecided])
        #expect(phone.client.faults == [PaymentFault(.replyUnproven, orderNumber: "A-1")])
        phone.server.answer("A-1", .paid)
        #expect(await phone.client.recover().map(\.outcome) == [succeeded("A-1")])
    }

    // MARK: Forgeries

    enum Forgery: CaseIterable {
        case wrongKey, otherGenerationsKey, amountChanged, otherMerchant, otherAmountSigned, textInserted, resultOfNothing
    }

    @Test(arguments: Forgery.allCases, AlipayGeneration.allCases)
    func forgedResultIsNotBelieved(forgery: Forgery, generation: AlipayGeneration) async throws {
        let phone = try TestPhone()
        let keys = try TestKeys.shared.get()
        let order = try await TestOrder("A-1", generation)
        var result = try await order.paid()
        switch forgery {
        case .wrongKey: result = try await order.paid(by: keys.stranger)
        case .otherGenerationsKey: result = try await order.paid(by: generation == .legacy ? keys.modern : keys.legacy)
        case .amountChanged: result.result = result.result.replacingOccurrences(of: "10.00", with: "0.01")
        // Alipay's own signature, over the order that somebody else made under the same number.
        case .otherMerchant: result = try await TestOrder("A-1", generation, partner: "2088000000000009").paid()
        case .otherAmountSigned: result = try await TestOrder("A-1", generation, amount: "0.01").paid()
        case .textInserted: result.result = result.result.replacingOccurrences(of: "1+1", with: "1 1")
        case .resultOfNothing: result.result = #"out_trade_no="A-1"&success="true"&sign_type="RSA"&sign="AA==""#
        }
        if forgery == .textInserted, generation == .modern { return }
        phone.server.answer("A-1", .unpaid)
        let payment = await phone.begin(order)
        try phone.comeBack(result)
        #expect(try await payment.value == .undecided)
        let isOther = [.otherMerchant, .otherAmountSigned].contains(forgery)
        #expect(phone.client.faults == [PaymentFault(isOther ? .otherOrder : .signatureRefused, orderNumber: "A-1")])
        // The real one comes afterwards all the same.
        phone.server.answer("A-1", .paid)
        phone.listen()
        try phone.comeBack(try await order.paid())
        await until { !phone.heard.isEmpty }
        #expect(phone.heard.last?.outcome == succeeded("A-1"))
    }

    @Test func resultOfAnotherOrderSaysNothingOfThisOne() async throws {
        let phone = try TestPhone()
        phone.listen()
        let (order, other) = (try await TestOrder("A-1"), try await TestOrder("B-9"))
        phone.server.answer("A-1", .unpaid)
        let payment = await phone.begin(order)
        try phone.comeBack(try await other.paid())
        await until { !phone.heard.isEmpty }
        #expect(phone.heard.map(\.orderNumber) == ["B-9"] && phone.heard.map(\.outcome) == [.undecided])
        #expect(phone.kept(order)?.reply == nil)
        phone.server.answer("A-1", .paid)
        try phone.comeBack(try await order.paid())
        #expect(try await payment.value == succeeded("A-1"))
    }

    @Test func withoutAKeyOnlyTheServerCounts() async throws {
        let phone = try TestPhone(hasKeys: false)
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .paid)
        let payment = await phone.begin(order)
        try phone.comeBack(try await order.paid())
        #expect(try await payment.value == succeeded("A-1", verified: false))
        #expect(phone.client.faults == [PaymentFault(.noResultKey, orderNumber: "A-1")])
    }

    // MARK: Forms

    /// The members in another order, as other builds of the wallet write them, and bare slashes.
    @Test func formsOfTheWalletsBuildsAreRead() async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .paid)
        let result = try await order.paid()
        #expect(result.result.contains("+") && result.result.contains("/"))
        let written = SafepayURL(scheme: "shopapp", result: result).description
        #expect(written.contains("1+1") && written.contains("%5C/"))
        let quoted = result.result.replacingOccurrences(of: #"""#, with: #"\""#)
        let json = #"{"requestType":"safepay","memo":{"result":"\#(quoted)","resultStatus":9000,"memo":"","extendInfo":"{}"}}"#
        let escaped = try #require(json.addingPercentEncoding(withAllowedCharacters: .unreserved))
        let payment = await phone.begin(order)
        phone.client.handle(try #require(URL(string: "shopapp://safepay/?" + escaped)))
        #expect(try await payment.value == succeeded("A-1"))
    }

    @Test func textOfOldAndroidKitsIsRead() async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .paid)
        let payment = await phone.begin(order)
        try phone.client.handle(resultText: "resultStatus={9000};memo={};result={\(try await order.paid().result)}")
        #expect(try await payment.value == succeeded("A-1"))
        let second = await phone.begin(try await TestOrder("A-2"))
        try phone.client.handle(resultText: "resultStatus={6001};memo={操作已经取消。};result={}")
        #expect(try await second.value == .cancelled)
        #expect(throws: AlipayError.self) { try phone.client.handle(resultText: #"{"memo":"","result":""}"#) }
    }

    /// A real URL with a real signature: a plus, escaped slashes, Chinese text.
    @Test(.enabled(if: Vectors.available("alipay-express-order")))
    func realReturnVerifies() async throws {
        struct Entry: Decodable { var id: String, url: String, signed_text: String? }
        struct Keys: Decodable { var public_keys_spki_base64: [String: String] }
        let entries: [Entry] = try Vectors.json("alipay-express-order/return-urls.json")
        let keys: Keys = try Vectors.json("alipay-express-order/keys.json")
        let key = try AlipayKeyText.publicKey(try #require(keys.public_keys_spki_base64["alipay-mapi-rsa1"]))
        let check = ResultCheck(legacyKeys: .init(rsa: key), modernKeys: .init())
        let paid = try #require(entries.first { $0.id == "return-9000-legacy" })
        let pairs = try #require(paid.signed_text).replacingOccurrences(of: #"&success="true""#, with: "")
        let order = try OrderFacts(pairs + #"&sign="c2lnbg%3D%3D"&sign_type="RSA""#)
        let returned = try ReturnedResult(url: paid.url)
        #expect(returned.orderNumber == "DWP0M5BYMHIY2L3")
        #expect(check.word(returned.reply, of: order) == .paid(tradeNumber: nil))
        let changed = try OrderFacts(pairs.replacingOccurrences(of: "0.02", with: "0.03") + #"&sign="c2lnbg%3D%3D"&sign_type="RSA""#)
        #expect(check.word(returned.reply, of: changed) == .unproven)
        let spaced = try ReturnedResult(url: paid.url.replacingOccurrences(of: "+", with: "%20"))
        #expect(check.word(spaced.reply, of: order) == .unproven)
        let cancelled = try ReturnedResult(url: try #require(entries.first { $0.id == "return-6001-a" }).url)
        #expect(check.word(cancelled.reply, of: order) == .cancelled && cancelled.orderNumber == nil)
    }

    /// The documented order has pairs behind `sign_type`; its result may repeat them or not.
    @Test func pairsBehindTheSignatureAreNotMissed() async throws {
        let keys = try TestKeys.shared.get()
        let order = try await TestOrder("A-1")
        let appended = try OrderFacts(order.text + #"&secondary_merchant_id="s-1""#)
        let check = ResultCheck(legacyKeys: .init(rsa: keys.legacy.publicKey), modernKeys: .init())
        #expect(check.word(try await order.paid(), of: appended) == .paid(tradeNumber: nil))
        #expect(check.word(try await order.paid(), of: try OrderFacts(try await TestOrder("A-1", amount: "9.99").text)) == .unproven)
    }
}
