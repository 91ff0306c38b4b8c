import Alipay
import BillfoldArchive
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import HTTPTypes
import PaymentCrypto
import Synchronization
import Testing

@testable import AlipayServer

/// What merchants, strangers and lost answers may not bring about.
struct OrderGatewayTrustTests {
    @Test(arguments: [
        ("aaa", "&notify_id=1&notify_type=trade_status_sync&out_trade_no=B1&trade_status=TRADE_SUCCESS&zzz="),
        ("trade_status", "TRADE_SUCCESS"),
        ("notify_id", "1"), ("body", "a trade_status"), ("return_url", "https://shop.example/?a&notify_id=1"),
    ]) func anOrderThatReadsAsANotificationIsRefused(_ name: String, _ value: String) async throws {
        try await OrderGatewayHarness.open { gateway in
            let shown = try await gateway.show(try await gateway.legacyOrder("A_1", with: [(name, value)]))
            #expect(shown.status == 403)
            #expect(shown.errorCode == "ALIN43911", "\(shown.body)")
        }
    }

    @Test func aRefundedOrderIsNotSignedAsPaid() async throws {
        try await OrderGatewayHarness.open { gateway in
            for order in [try await gateway.legacyOrder("A_1"), try await gateway.modernOrder("A_2")] {
                let tradeNo = try await gateway.paid(order)
                let paid = try await gateway.show(order)
                #expect(paid["state"] == "paid")
                #expect(try await gateway.link(.get, "results/\(try #require(paid["ref"]))")["resultStatus"] == "9000")
                _ = try await gateway.modern("alipay.trade.cancel", #"{"trade_no":"\#(tradeNo)"}"#)
                let shown = try await gateway.show(order)
                #expect(shown["state"] == "closed")
                let result = try await gateway.link(.get, "results/\(try #require(shown["ref"]))")
                #expect(result["resultStatus"] == "6004")
                #expect(result["result"] == "")
            }
        }
    }

    @Test func strangersCallsDoNotCountAgainstAMerchant() async throws {
        try await OrderGatewayHarness.open(change: { $0.callRate = RateLimit(perSecond: 1, burst: 4) }) { gateway in
            let text = try await gateway.modernText("alipay.trade.query", #"{"out_trade_no":"Q_1"}"#)
            let forged = text.split(separator: "&").map { $0.hasPrefix("sign=") ? "sign=AAAA" : String($0) }.joined(separator: "&")
            for _ in 0..<10 {
                #expect(try await gateway.send(.get, "/gateway.do?\(forged)").body.contains("isv.invalid-signature"))
                let legacy = "service=single_trade_query&partner=\(OrderGatewayHarness.domestic)&_input_charset=utf-8&out_trade_no=a"
                #expect(try await gateway.send(.get, "/gateway.do?\(legacy)&sign=x&sign_type=MD5").body.contains("ILLEGAL_SIGN"))
            }
            for _ in 0..<4 { #expect(try await gateway.send(.get, "/gateway.do?\(text)").body.contains("ACQ.TRADE_NOT_EXIST")) }
            #expect(try await gateway.send(.get, "/gateway.do?\(text)").body.contains("isv.app-call-limited"))
            for _ in 0..<4 {
                #expect(try await gateway.legacy("single_trade_query", [("out_trade_no", "a")]).contains("TRADE_NOT_EXIST"))
            }
            #expect(try await gateway.legacy("single_trade_query", [("out_trade_no", "a")]).contains("SYSTEM_ERROR"))
        }
    }

    @Test func beyondTheLimitNoNotificationIsCalledForged() async throws {
        try await OrderGatewayHarness.open(change: { $0.callRate = RateLimit(perSecond: 1, burst: 3) }) { gateway in
            try await gateway.paid(try await gateway.modernOrder("N_1"))
            let merchant = try MerchantID(OrderGatewayHarness.domestic)
            let row = try await gateway.store.database.read { try NotificationRecords.latest(merchant, limit: 1, in: $0).first }
            let path = "/gateway.do?service=notify_verify&partner=\(merchant)&notify_id=\(try #require(row?.notifyID))"
            for _ in 0..<3 { #expect(try await gateway.send(.get, path).body == "true") }
            let limited = try await gateway.send(.get, path)
            #expect(limited.status == 429)
            #expect(limited.errorCode == "rate-limited")
        }
    }

    /// The commit's answer is lost: what was done is answered as done.
    @Test(arguments: StoreEngine.available) func aLostCommitChangesNoAnswer(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine, faults: .init(lostReplies: 500)) { gateway in
            for index in 0..<12 {
                _ = try await gateway.begin(try await gateway.modernOrder("C_\(index)"))
                let closed = try await gateway.modern("alipay.trade.close", #"{"out_trade_no":"C_\#(index)"}"#)
                #expect(closed["code"]?.string == "10000", "\(closed.text)")
                let tradeNo = try await gateway.paid(try await gateway.modernOrder("R_\(index)"))
                let refunded = try await gateway.modern(
                    "alipay.trade.refund", #"{"trade_no":"\#(tradeNo)","refund_amount":"4.00","out_request_no":"a"}"#)
                #expect(refunded["fund_change"]?.string == "Y", "\(refunded.text)")
            }
        }
    }

    /// Two processes read one file at once: whatever key either was given holds.
    @Test(arguments: StoreEngine.available) func anApplicationsKeyIsMadeOnce(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let key = StrictBase64.encode(gateway.keys.stranger.publicKey.subjectPublicKeyInfo)
            let body =
                #"{"partner":"2088000000000404","name":"Tea","md5":"0123456789abcdef0123","applications":[{"appID":"2021000000000404","rsa2":"\#(key)"}]}"#
            let given = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<6 {
                    group.addTask { try await gateway.server.onboarding.register(Array(body.utf8)).applications.first?.gatewayKey }
                }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(given.count == 1)
            let handed = OrderGatewayHandover(database: gateway.store.database, keys: gateway.server.context.configuration.keys)
            let known = try #require(try await handed.keys(of: "2088000000000404"))
            #expect(known.applications.map(\.gatewayKey) == given.compactMap(\.self))
            #expect(try await handed.keys(of: "2088000000000999") == nil)
        }
    }

    // MARK: Rates

    @Test(arguments: StoreEngine.available) func anOldRatePricesNothingAndItsWantIsNotFinal(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine, change: { $0.rateLifetime = .seconds(72 * 3_600) }) { gateway in
            let order = try await gateway.legacyOrder("X_1", partner: OrderGatewayHarness.crossBorder)
            let ref = try #require(try await gateway.show(order)["ref"])
            gateway.clock.advance(by: .seconds(71 * 3_600))
            // Three days after it was published.
            gateway.clock.advance(by: .seconds(4 * 3_600))
            let missed = try await gateway.openTrade(ref, request: "same")
            #expect(missed.status == 503)
            #expect(missed.errorCode == "no-rate")
            #expect(try await gateway.show(order, request: "shown").errorCode == "no-rate")
            #expect(try await gateway.legacy("forex_rate_file", partner: OrderGatewayHarness.crossBorder, []) == "")
            try await gateway.server.rates.publish(RateFile("20261124|010000|HKD|0.9200\n"))
            #expect(try await gateway.openTrade(ref, request: "same").json?["payable"]?["value"]?.string == "9.20")
            #expect(try await gateway.show(order, request: "shown").status == 200)
        }
    }

    @Test func aNewRateFileIsTakenOverAndABrokenOneIsNot() async throws {
        try await OrderGatewayHarness.open { gateway async throws in
            let file = Mutex("20261121|020000|HKD|0.9200\n")
            let watch = RateWatch(gateway.server) { Array(file.withLock { $0 }.utf8) }
            func rate() async throws -> String? {
                try await gateway.server.rates.newest(at: gateway.clock.now()).first { $0.currency == .hkd }?.rate.description
            }
            await watch.look()
            #expect(try await rate() == "0.9200")
            file.withLock { $0 = "nothing" }
            await watch.look()
            #expect(try await rate() == "0.9200")
            file.withLock { $0 = "20261121|030000|HKD|0.9300\n" }
            await watch.look()
            #expect(try await rate() == "0.9300")
        }
    }

    // MARK: Files

    @Test func aFileThatWouldBeTooLargeIsNotMade() async throws {
        try await OrderGatewayHarness.open(change: { $0.mostFileBytes = 100 }) { gateway in
            for index in 0..<3 {
                try await gateway.paid(try await gateway.modernOrder("B_\(index)"))
                try await gateway.paid(try await gateway.legacyOrder("Y_\(index)", partner: OrderGatewayHarness.crossBorder))
            }
            gateway.clock.advance(by: .seconds(86_400 + 6 * 3_600))
            let asked = try await gateway.modern(
                "alipay.data.dataservice.bill.downloadurl.query", #"{"bill_type":"trade","bill_date":"2026-11-21"}"#)
            let url = try #require(asked["bill_download_url"]?.string)
            let answer = try await gateway.send(.get, url.replacing("http://gateway.test", with: ""))
            #expect(answer.status == 422 && answer.errorCode == "bill-too-large")
            let compared = try await gateway.legacy(
                "forex_compare_file", partner: OrderGatewayHarness.crossBorder, [("start_date", "20261121"), ("end_date", "20261121")])
            #expect(compared == "System exception")
        }
    }

    @Test(arguments: StoreEngine.available) func noFileEndsBeforeItsRowsDo(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine, change: { $0.bookPage = 2 }) { gateway in
            for index in 0..<5 {
                let tradeNo = try await gateway.paid(try await gateway.modernOrder("B_\(index)"))
                _ = try await gateway.modern("alipay.trade.cancel", #"{"trade_no":"\#(tradeNo)"}"#)
                try await gateway.paid(try await gateway.legacyOrder("Y_\(index)", partner: OrderGatewayHarness.crossBorder))
            }
            gateway.clock.advance(by: .seconds(86_400 + 6 * 3_600))
            let asked = try await gateway.modern(
                "alipay.data.dataservice.bill.downloadurl.query", #"{"bill_type":"trade","bill_date":"2026-11-21"}"#)
            let url = try #require(asked["bill_download_url"]?.string)
            let archive = try ZipArchive(try await gateway.send(.get, url.replacing("http://gateway.test", with: "")).bytes)
            let details = try AlipayCharset.gbk.decode(archive.entries[0].bytes)
            for index in 0..<5 { #expect(details.split(separator: "\r\n").filter { $0.contains(",B_\(index),") }.count == 2) }
            #expect(try AlipayCharset.gbk.decode(archive.entries[1].bytes).contains("\r\n5,5\r\n"))
            let compared = try await gateway.legacy(
                "forex_compare_file", partner: OrderGatewayHarness.crossBorder, [("start_date", "20261121"), ("end_date", "20261121")])
            #expect(compared.split(separator: "\n").map { String($0.prefix { $0 != "|" }) }.sorted() == (0..<5).map { "Y_\($0)" })
        }
    }
}
