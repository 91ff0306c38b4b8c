import Alipay
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import Foundation
import HTTPTypes
import PaymentCrypto
import Testing

@testable import AlipayServer

struct NotificationTests {
    private static func form(_ received: Outside.Received) throws -> AlipayNotification { try AlipayNotification(form: received.form) }

    @Test(arguments: StoreEngine.available) func aPaymentIsToldUntilTheExactWord(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("N_1"))
            gateway.outside.reply(200, "success\n")
            // Attempts follow the documented schedule, not a minute earlier, and end with the eighth.
            for (index, minutes) in [0, 4, 10, 10, 60, 120, 360, 900].enumerated() {
                if minutes > 0 {
                    gateway.clock.advance(by: .seconds(minutes * 60 - 60))
                    try await gateway.work()
                    #expect(gateway.outside.notifications.count == index, "before \(minutes) minutes")
                    gateway.clock.advance(by: .seconds(60))
                }
                try await gateway.work()
                #expect(gateway.outside.notifications.count == index + 1, "after \(minutes) minutes")
            }
            gateway.clock.advance(by: .seconds(7 * 86_400))
            try await gateway.work()
            #expect(gateway.outside.notifications.count == 8)
            let sent = gateway.outside.notifications
            #expect(Set(sent.map(\.form)).count == 1)
            #expect(sent.allSatisfy { $0.destination == .configured })
            let key = try await gateway.gatewayKey(OrderGatewayHarness.appID)
            let verified = try Self.form(sent[0]).verified(by: AlipayVerificationKeys(rsa2: key))
            #expect(verified.event == .paid)
            #expect(verified.tradeNo == tradeNo)
            #expect(verified["total_amount"] == "10.00")
            #expect(verified["subject"] == "测试 tea")
            let id = try #require(verified.notifyID)
            func ask(_ partner: String, _ id: String) async throws -> String {
                try await gateway.send(.get, "/gateway.do?service=notify_verify&partner=\(partner)&notify_id=\(id)").body
            }
            #expect(try await ask(OrderGatewayHarness.domestic, id) == "true")
            #expect(try await ask(OrderGatewayHarness.crossBorder, id) == "false")
            #expect(try await ask(OrderGatewayHarness.domestic, "") == "invalid")
            for partner in ["1", "1088000000000101", "208800000000010", "20880000000001011", "208800000000010x", ""] {
                #expect(try await ask(partner, "a") == "invalid", "\(partner)")
            }
            #expect(try await ask("2088999999999999", "a") == "false")
            let merchant = try MerchantID(OrderGatewayHarness.domestic)
            let (row, attempts) = try await gateway.store.database.read { tx in
                let row = try #require(try NotificationRecords.latest(merchant, limit: 1, in: tx).first)
                return (row, try NotificationRecords.deliveries.attempts(of: row.id, owner: merchant, in: tx))
            }
            #expect(row.state == .parked)
            #expect(attempts.map(\.number) == Array(1...8))
            #expect(attempts.allSatisfy { $0.status == 200 && $0.reply == Array("success\n".utf8) })
            #expect(attempts.allSatisfy { $0.reason == .wrongAnswer && $0.took != nil })
            // An operator replays it: the same content again, and the word settles it.
            gateway.outside.reply(200, "SUCCESS")
            let office = gateway.server.backOffice
            #expect(try await office.replay(row.id.description, of: OrderGatewayHarness.domestic, because: "mended", by: "ann"))
            try await gateway.work()
            #expect(gateway.outside.notifications.count == 9)
            #expect(Set(gateway.outside.notifications.map(\.form)).count == 1)
            #expect(try await ask(OrderGatewayHarness.domestic, id) == "false")
            #expect(try await office.replay(row.id.description, of: OrderGatewayHarness.domestic, because: "again", by: "ann"))
            try await gateway.work()
            #expect(gateway.outside.notifications.count == 10)
        }
    }

    @Test(arguments: [
        (200, "success", DeliveryRecords.Reason?.none), (500, "success", .wrongStatus), (302, "", .wrongStatus), (200, "fail", .refused),
        (200, "<html>success</html>", .wrongAnswer), (200, #""success""#, .wrongAnswer), (200, "", .wrongAnswer),
    ])
    func everyReplyThatDoesNotCountSaysWhy(_ status: Int, _ body: String, _ reason: DeliveryRecords.Reason?) async throws {
        try await OrderGatewayHarness.open { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("N_1"))
            gateway.outside.reply(status, body)
            try await gateway.work()
            let shown = try #require(try await gateway.server.backOffice.trade(tradeNo)?.notifications.first)
            #expect(shown.attempts.map(\.reason) == [reason?.rawValue ?? ""], "\(shown)")
            #expect((shown.nextAttempt != nil) == (reason != nil))
        }
    }

    @Test(arguments: [
        (200, "success\n", "a line end behind"), (200, "Success", "more than the seven letters, or other ones"),
        (200, "\u{FEFF}success", "more than the seven letters, or other ones"), (200, "<form>Log in", "it is a page"),
        (200, "", "it has no body"), (200, #"{"result":"success"}"#, "the reply is not exactly success"), (204, "", "200 is due"),
        (302, "success", "redirections are not followed"), (419, "success", "somebody in front of the receiver"),
    ])
    func whatIsNearlyRightSaysWhatItIs(_ status: Int, _ body: String, _ said: String) async throws {
        try await OrderGatewayHarness.open { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("N_1"))
            gateway.outside.reply(status, body)
            try await gateway.work()
            let shown = try #require(try await gateway.server.backOffice.trade(tradeNo)?.notifications.first)
            #expect(shown.attempts.first?.note.contains(said) == true && shown.nextAttempt != nil, "\(shown)")
        }
    }

    @Test func whoDoesNotAnswerIsToldSo() async throws {
        try await OrderGatewayHarness.open { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("N_1"))
            gateway.outside.beUnreachable()
            try await gateway.work()
            let shown = try #require(try await gateway.server.backOffice.trade(tradeNo)?.notifications.first)
            #expect(shown.attempts.map(\.reason) == ["no-answer"] && shown.attempts.first?.status == "no answer")
        }
    }

    /// A merchant's eight attempts are those that its server was asked in.
    @Test func whatWasNotBegunIsNoAttempt() async throws {
        try await OrderGatewayHarness.open { gateway in
            try await gateway.paid(try await gateway.modernOrder("N_1"))
            gateway.outside.hinder(.nameUnanswered)
            for _ in 0..<10 {
                try await gateway.work()
                gateway.clock.advance(by: .seconds(31))
            }
            gateway.outside.hinder(.lookUpsBusy)
            for _ in 0..<10 {
                try await gateway.work()
                gateway.clock.advance(by: .seconds(31))
            }
            gateway.outside.hinder(nil)
            try await gateway.work()
            #expect(gateway.outside.notifications.count == 1)
            let merchant = try MerchantID(OrderGatewayHarness.domestic)
            let (row, attempts) = try await gateway.store.database.read { tx in
                let row = try #require(try NotificationRecords.latest(merchant, limit: 1, in: tx).first)
                return (row, try NotificationRecords.deliveries.attempts(of: row.id, owner: merchant, in: tx))
            }
            #expect(row.state == .settled && attempts.map(\.number) == [1])
        }
    }

    @Test func theCrossBorderScheduleAndItsShortSet() async throws {
        try await OrderGatewayHarness.open { gateway in
            try await gateway.paid(try await gateway.legacyOrder("X_1", partner: OrderGatewayHarness.crossBorder))
            gateway.outside.reply(500, "success")
            try await gateway.work()
            gateway.clock.advance(by: .seconds(119))
            try await gateway.work()
            #expect(gateway.outside.notifications.count == 1)
            gateway.outside.reply(200, "success")
            gateway.clock.advance(by: .seconds(2))
            try await gateway.work()
            #expect(gateway.outside.notifications.count == 2)
            gateway.clock.advance(by: .seconds(86_400))
            try await gateway.work()
            #expect(gateway.outside.notifications.count == 2)
            let verified = try Self.form(gateway.outside.notifications[0]).verified(
                by: AlipayVerificationKeys(rsa: gateway.keys.gatewayPartners.publicKey))
            #expect(
                Set(verified.fields.keys) == [
                    "notify_id", "notify_type", "notify_time", "out_trade_no", "trade_no", "trade_status", "total_fee", "currency",
                ])
            #expect(verified["trade_status"] == "TRADE_FINISHED")
            #expect(verified["currency"] == "HKD")
        }
    }

    @Test func whatHappenedIsToldOnce() async throws {
        try await OrderGatewayHarness.open { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("T_1"))
            for (amount, number) in [("4.00", "a"), ("4.00", "a"), ("6.00", "b")] {
                _ = try await gateway.modern(
                    "alipay.trade.refund", #"{"trade_no":"\#(tradeNo)","refund_amount":"\#(amount)","out_request_no":"\#(number)"}"#)
            }
            _ = try await gateway.begin(try await gateway.modernOrder("T_2"))
            _ = try await gateway.modern("alipay.trade.close", #"{"out_trade_no":"T_2"}"#)
            try await gateway.work()
            let key = try await gateway.gatewayKey(OrderGatewayHarness.appID)
            let events = try gateway.outside.notifications.map {
                try Self.form($0).verified(by: AlipayVerificationKeys(rsa2: key)).event
            }
            #expect(events.count == 4)
            for event: VerifiedNotification.Event in [.paid, .refunded(total: "4.00"), .refundedWhole(total: "10.00"), .closed] {
                #expect(events.contains(event), "\(events)")
            }
        }
    }

    /// In the real platform's form: whoever reads a refund out of `refund_fee` alone takes an unpaid order for a paid one.
    @Test func anUnpaidTradesEndIsToldInTheRealForm() async throws {
        try await OrderGatewayHarness.open { gateway in
            let begun = try await gateway.begin(try await gateway.modernOrder("C_1", extra: #","timeout_express":"5m""#))
            _ = try await gateway.begin(try await gateway.modernOrder("C_2"))
            _ = try await gateway.modern("alipay.trade.close", #"{"out_trade_no":"C_2"}"#)
            gateway.clock.advance(by: .seconds(301))
            try await gateway.work()
            let key = try await gateway.gatewayKey(OrderGatewayHarness.appID)
            let recorded = try AlipayNotification(form: FieldInput.bytes("alipay/closed-timeout-notify.form")).parameters
            let told = try gateway.outside.notifications.map { try Self.form($0).verified(by: AlipayVerificationKeys(rsa2: key)) }
            #expect(Set(told.compactMap(\.outTradeNo)) == ["C_1", "C_2"])
            for notification in told {
                #expect(notification["refund_fee"] == "0.00" && notification["gmt_payment"] == nil)
                #expect(notification.event == .closed)
                let missing = recorded.entries.map(\.name).filter { notification[$0] == nil && !["sign", "sign_type"].contains($0) }
                #expect(missing.isEmpty, "the real form has \(missing) too")
            }
            // The wallet hears of no payment either, and the app gets nothing that anybody signed.
            #expect(try await gateway.pay(begun.tradeNo, "10.00", request: "late").status == 409)
            let result = try await gateway.link(.get, "results/\(begun.ref)")
            #expect(result["resultStatus"] == "4000" && result["result"] == "", "\(result.body)")
            #expect(try await gateway.balance(OrderGatewayHarness.domestic) == [:])
        }
    }

    /// A close behind a payment says both: what was paid, and that all of it went back.
    @Test func aPaidTradesCloseTellsOfThePayment() async throws {
        try await OrderGatewayHarness.open { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("C_3"))
            _ = try await gateway.modern("alipay.trade.cancel", #"{"trade_no":"\#(tradeNo)"}"#)
            let legacy = try await gateway.paid(try await gateway.legacyOrder("C_4"))
            _ = try await gateway.legacy(
                "refund_fastpay_by_platform_nopwd",
                [
                    ("batch_no", "20261121001"), ("batch_num", "1"), ("refund_date", "2026-11-21 04:00:00"),
                    ("detail_data", "\(legacy)^10.00^back"),
                ])
            try await gateway.work()
            let (modern, old) = (try await gateway.gatewayKey(OrderGatewayHarness.appID), gateway.keys.gatewayPartners.publicKey)
            var events: [VerifiedNotification.Event] = []
            for sent in gateway.outside.notifications {
                let form = try Self.form(sent)
                let keys = form.generation == .modern ? AlipayVerificationKeys(rsa2: modern) : AlipayVerificationKeys(rsa: old)
                events.append(try form.verified(by: keys).event)
            }
            #expect(Set(events) == [.paid, .refundedWhole(total: "10.00"), .refundedWhole(total: nil)], "\(events)")
        }
    }

    /// A worker dies between sending and marking: the row's lease ends, and another worker sends the same again.
    @Test(arguments: StoreEngine.available) func aKilledWorkerLosesNothing(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            try await gateway.paid(try await gateway.modernOrder("K_1"))
            // The first worker claims and never comes back.
            let (clock, holding) = (gateway.clock, NeverMarks())
            let dead = OutboxWorker(
                database: gateway.store.database, sender: holding, clock: clock, random: IdentifierSource { 7 }, logger: TestStore.logger)
            let task = Task { try await dead.runOnce() }
            await holding.claimed.wait()
            try await gateway.work()
            #expect(gateway.outside.notifications.isEmpty)
            clock.advance(by: .seconds(61))
            try await gateway.work()
            #expect(gateway.outside.notifications.count == 1)
            await holding.release.open()
            _ = try await task.value
            let merchant = try MerchantID(OrderGatewayHarness.domestic)
            let state = try await gateway.store.database.read { try NotificationRecords.latest(merchant, limit: 1, in: $0).first?.state }
            #expect(state == .settled)
        }
    }

    @Test(arguments: StoreEngine.available) func aWalletIsToldOfARefundUntilItHasIt(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("W_1"))
            gateway.outside.failRefunds(3)
            _ = try await gateway.modern("alipay.trade.refund", #"{"trade_no":"\#(tradeNo)","refund_amount":"10.00"}"#)
            for _ in 0..<20 {
                try await gateway.work()
                gateway.clock.advance(by: .seconds(60))
            }
            #expect(gateway.outside.credits.count == 1)
            let merchant = try MerchantID(OrderGatewayHarness.domestic)
            let refund = try await gateway.store.database.read { tx in
                try TradeRecords.find(tradeNo: tradeNo, in: tx).flatMap {
                    try RefundRecords.all(of: $0.id, merchant: merchant, in: tx).first
                }
            }
            #expect(refund?.state == .credited)
        }
    }

    @Test func theBackOfficeShowsEveryAttempt() async throws {
        try await OrderGatewayHarness.open { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("O_1"))
            gateway.outside.reply(302, "")
            try await gateway.work()
            let office = gateway.server.backOffice
            let overview = try await office.overview(OrderGatewayFilter())
            #expect(overview.orders.map(\.tradeNo) == [tradeNo])
            let view = try #require(try await office.trade(tradeNo))
            #expect(view.notifications.count == 1)
            #expect(view.notifications[0].attempts.map(\.status) == ["302"])
            #expect(view.postings.count == 4)
            #expect(try await office.trade("2026112122000000000000000001") == nil)
        }
    }

    /// A merchant that lost its data and verifies by the id is told the truth: nobody answered this sending yet.
    @Test(arguments: StoreEngine.available) func aReplayedNotificationIsOnceMoreGenuine(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("O_1"))
            try await gateway.work()
            let office = gateway.server.backOffice
            let told = try #require(try await office.trade(tradeNo)?.notifications.first)
            func verdict() async throws -> String {
                try await gateway.send(
                    .get, "/gateway.do?service=notify_verify&partner=\(OrderGatewayHarness.domestic)&notify_id=\(told.notifyID)"
                ).body
            }
            #expect(told.state.word == "delivered")
            #expect(try await verdict() == "false")
            gateway.outside.reply(500, "")
            #expect(try await office.replay(told.id, of: told.merchant, because: "their disk broke", by: "lin"))
            #expect(try await verdict() == "true")
            try await gateway.work()
            #expect(try await verdict() == "true")
            gateway.outside.reply(200, "success")
            gateway.clock.advance(by: .seconds(7 * 86_400))
            try await gateway.work()
            let after = try #require(try await office.trade(tradeNo)?.notifications.first)
            #expect(after.attempts.count >= 3)
            #expect(try await verdict() == (after.state.word == "delivered" ? "false" : "true"))
        }
    }

    /// Nothing secret is traced: keys, bearers, whole names, signatures.
    @Test func theTraceHoldsNoSecret() async throws {
        try await OrderGatewayHarness.open { gateway in
            try await gateway.paid(try await gateway.modernOrder("Z_1"))
            try await gateway.work()
            let text = gateway.recorder.entries.map { "\($0)" }.joined()
            #expect(text.contains("trade paid"))
            for secret in [
                OrderGatewayHarness.walletKey, OrderGatewayHarness.md5, OrderGatewayHarness.onboardingKey, OrderGatewayHarness.buyer,
                "gk_test_",
            ] {
                #expect(!text.contains(secret))
            }
        }
    }
}

/// Takes a message and holds it until it is let go.
struct NeverMarks: OutboxSender {
    let claimed = Gate()
    let release = Gate()

    func deliver(_ claim: OutboxClaim) async -> Delivery {
        await claimed.open()
        await release.wait()
        return Delivery(.retry(after: nil), note: "too late")
    }
}

actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func wait() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}
