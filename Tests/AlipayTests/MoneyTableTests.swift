import Alipay
import BillfoldJSON
import BillfoldTestSupport
import PaymentCrypto
import Testing

/// What signed notifications say of money, one row for each form, with where the reading comes from.
///
/// Sources: (a) is alipay.md#amounts, (e) alipay.md#result, (f) alipay.md#what-a-notification-proves and alipay.md#trade-states, (g)
/// alipay.md#refunds and the calls beside it, (j) alipay.md#failures, `corrections` what alipay.md#what-a-notification-proves and
/// alipay.md#result-status have from records. [D] stands in documents, [V] was recomputed from real signatures, [O] and [S] were observed,
/// [I] is inferred.
struct NotificationMoneyTests {
    private static let gateway = TestParty.gateway

    enum Kind: String {
        /// The open platform's: `app_id`, `total_amount`.
        case modern
        /// The old gateway's long set: `seller_id`, `total_fee`.
        case domestic
        /// The old gateway's short set: `currency`, `total_fee`, and no time of payment [V].
        case crossBorder

        var fields: [String: String] {
            switch self {
            case .modern: ["app_id": "1", "charset": "utf-8", "total_amount": "10.00"]
            case .domestic: ["seller_id": "2088", "total_fee": "10.00"]
            case .crossBorder: ["currency": "HKD", "total_fee": "10.00"]
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var kind: Kind
        var fields: [String: String]
        var event: VerifiedNotification.Event
        var source: String

        init(_ kind: Kind, _ status: String?, _ fields: [String: String], _ event: VerifiedNotification.Event, _ source: String) {
            self.kind = kind
            self.fields = fields
            self.fields["trade_status"] = status
            self.event = event
            self.source = source
        }

        var testDescription: String {
            "\(kind.rawValue) \(fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))"
        }
    }

    private static let paid = ["gmt_payment": "2026-11-28 22:00:00"]
    private static func with(_ more: [String: String]) -> [String: String] { paid.merging(more) { $1 } }

    static let rows = paidRows + endedRows

    private static let endedRows: [Row] = [
        // An unpaid trade that ends.
        Row(.modern, "TRADE_CLOSED", ["refund_fee": "0.00", "gmt_close": "x"], .closed, "corrections [O], a record of 2021"),
        Row(.modern, "TRADE_CLOSED", ["refund_fee": "0"], .closed, "corrections [O]: above zero only"),
        Row(.modern, "TRADE_CLOSED", ["refund_fee": "000.000"], .closed, "corrections [O]: above zero only"),
        Row(.modern, "TRADE_CLOSED", ["gmt_close": "x"], .closed, "(f) [D]: a time-out close without refund fields"),
        Row(.modern, "TRADE_CLOSED", [:], .closed, "(f) [D]"),
        Row(.modern, "TRADE_CLOSED", ["refund_fee": "0.00", "gmt_refund": "x", "out_biz_no": "r"], .closed, "corrections [O]"),
        Row(.domestic, "TRADE_CLOSED", ["gmt_close": "x"], .closed, "(f) [D]"),
        Row(.domestic, "TRADE_CLOSED", ["refund_status": "REFUND_CLOSED"], .closed, "[I]: of the values, one means a refund"),
        Row(.crossBorder, "TRADE_CLOSED", [:], .closed, "(f) [D]"),
        Row(.crossBorder, "TRADE_CLOSED", ["refund_fee": "0.00"], .closed, "corrections [O]"),
        // A paid trade whose money went back in whole.
        Row(
            .modern, "TRADE_CLOSED", with(["refund_fee": "10.00", "gmt_refund": "x", "gmt_close": "x", "out_biz_no": "r"]),
            .refundedWhole(total: "10.00"), "(f) [D]: a full refund"),
        Row(.modern, "TRADE_CLOSED", with(["refund_fee": "10"]), .refundedWhole(total: "10"), "(a) [V]: amounts without decimals"),
        Row(
            .domestic, "TRADE_CLOSED", with(["refund_status": "REFUND_SUCCESS", "gmt_refund": "x"]), .refundedWhole(total: nil),
            "(f) [D]"),
        // A close proves no payment, and what contradicts itself proves nothing.
        Row(.modern, "TRADE_CLOSED", ["refund_fee": "10.00"], .unclear, "corrections [O]: without gmt_payment nothing was paid"),
        Row(.modern, "TRADE_CLOSED", ["refund_fee": "0.01", "gmt_refund": "x"], .unclear, "corrections [O]"),
        Row(.modern, "TRADE_CLOSED", paid, .unclear, "[I]: paid, closed, and no refund told"),
        Row(.modern, "TRADE_CLOSED", with(["refund_fee": "0.00"]), .unclear, "[I]: paid, closed, and nothing went back"),
        Row(.modern, "TRADE_CLOSED", with(["refund_fee": "4.00"]), .unclear, "(f) [D]: a part keeps TRADE_SUCCESS"),
        Row(.modern, "TRADE_CLOSED", with(["refund_fee": "10.01"]), .unclear, "[I]: more than was paid"),
        Row(.modern, "TRADE_CLOSED", with(["refund_fee": "ten"]), .unclear, "[I]: no amount"),
        Row(.modern, "TRADE_CLOSED", ["refund_fee": "-1.00"], .unclear, "[I]: no amount"),
        Row(.modern, "TRADE_CLOSED", ["refund_fee": "1e1"], .unclear, "[I]: no amount"),
        Row(.domestic, "TRADE_CLOSED", ["refund_status": "REFUND_SUCCESS", "gmt_close": "x"], .unclear, "corrections [O]"),
        Row(.domestic, "TRADE_CLOSED", with(["refund_status": "REFUND_CLOSED"]), .unclear, "[I]: paid, closed, and no refund told"),
        Row(.domestic, "TRADE_CLOSED", with(["refund_status": "REFUND_SUCCESS", "refund_fee": "0.00"]), .unclear, "[I]"),
        Row(
            .crossBorder, "TRADE_CLOSED", ["refund_status": "REFUND_SUCCESS"], .unclear,
            "(f), (g) [D]: cross-border refunds have a notification of their own"),
        // Nothing about money.
        Row(.modern, "WAIT_BUYER_PAY", [:], .other, "(f) [D]: not sent"),
        Row(.modern, "TRADE_PENDING", paid, .other, "(f) [I]: not met in any real sample"),
        Row(.modern, "trade_success", paid, .other, "[I]: letter case counts"),
        Row(.modern, nil, paid, .other, "[I]"),
        Row(.modern, "TRADE_SUCCESS", with(["notify_type": "refund_status_sync"]), .other, "(g) [D]: of a refund, not of the trade"),
        Row(.domestic, "TRADE_SUCCESS", with(["notify_type": "batch_refund_notify"]), .other, "(g) [D]"),
    ]

    private static let paidRows: [Row] = [
        Row(.modern, "TRADE_SUCCESS", paid, .paid, "(f) [D]"),
        Row(.modern, "TRADE_SUCCESS", [:], .paid, "(f) [D]: the status says it, whatever time is left out"),
        Row(.modern, "TRADE_FINISHED", paid, .paid, "(f) [D]"),
        Row(.modern, "TRADE_SUCCESS", with(["refund_fee": "0.00"]), .paid, "corrections [O]"),
        Row(.modern, "TRADE_SUCCESS", with(["refund_fee": "0.00", "gmt_refund": "x", "out_biz_no": "r"]), .paid, "corrections [O]"),
        Row(.domestic, "TRADE_SUCCESS", paid, .paid, "(f) [D]"),
        Row(.domestic, "TRADE_SUCCESS", with(["refund_status": "WAIT_SELLER_AGREE"]), .paid, "[I]: of the values, one means a refund"),
        Row(.crossBorder, "TRADE_FINISHED", [:], .paid, "(f) [V], corrections [O]: finished, and no time of payment"),
        Row(.crossBorder, "TRADE_SUCCESS", [:], .paid, "(f) [D]"),
        Row(
            .modern, "TRADE_SUCCESS", with(["refund_fee": "4.00", "gmt_refund": "x", "out_biz_no": "r"]), .refunded(total: "4.00"),
            "(f) [D]: a partial refund repeats TRADE_SUCCESS"),
        Row(.modern, "TRADE_SUCCESS", ["refund_fee": "4.00"], .refunded(total: "4.00"), "corrections [O]: above zero is a refund"),
        Row(.modern, "TRADE_FINISHED", with(["refund_fee": "10.00"]), .refunded(total: "10.00"), "(f) [D]: the state stays"),
        Row(.domestic, "TRADE_SUCCESS", with(["refund_status": "REFUND_SUCCESS"]), .refunded(total: nil), "(f) [D]"),
        Row(.domestic, "TRADE_FINISHED", ["refund_status": "REFUND_SUCCESS"], .refunded(total: nil), "(f) [D]"),
        Row(.modern, "TRADE_SUCCESS", with(["refund_fee": "11.00"]), .unclear, "[I]: more than was paid"),
        Row(.modern, "TRADE_SUCCESS", with(["refund_fee": "4,00"]), .unclear, "[I]: no amount"),
        Row(.domestic, "TRADE_SUCCESS", with(["refund_status": "REFUND_SUCCESS", "refund_fee": "0.00"]), .unclear, "[I]"),
    ]

    private static func event(_ kind: Kind, _ fields: [String: String]) async throws -> VerifiedNotification.Event {
        let all = ["notify_id": "1", "notify_type": "trade_status_sync", "out_trade_no": "T1"].merging(kind.fields) { $1 }
            .merging(fields) { $1 }
        let pairs = all.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        let signer = kind == .modern ? gateway.signer(.rsa2) : gateway.signer(.md5)
        let form = try await AlipayNotification.signed(pairs, by: signer).form
        let verified = try AlipayNotification(form: bytes(form)).verified(by: gateway.keys)
        #expect(verified.generation == (kind == .modern ? .modern : .legacy))
        return verified.event
    }

    @Test(arguments: rows) func whatANotificationSaysOfMoney(row: Row) async throws {
        #expect(try await Self.event(row.kind, row.fields) == row.event, "\(row.source)")
    }

    /// The rules behind the rows, over every combination.
    @Test func noCombinationProvesWhatIsNotSaid() async throws {
        var seen = 0
        for kind in [Kind.modern, .domestic, .crossBorder] {
            for status in ["TRADE_SUCCESS", "TRADE_FINISHED", "TRADE_CLOSED", "WAIT_BUYER_PAY", "TRADE_PENDING"] {
                for fee in [nil, "0.00", "0", "4.00", "10.00", "10.01", "x"] as [String?] {
                    for refund in [nil, "REFUND_SUCCESS", "REFUND_CLOSED"] as [String?] {
                        for time in [nil, "2026-11-28 22:00:00"] as [String?] {
                            var fields = ["trade_status": status]
                            (fields["refund_fee"], fields["refund_status"], fields["gmt_payment"]) = (fee, refund, time)
                            let event = try await Self.event(kind, fields)
                            seen += 1
                            switch event {
                            case .paid: #expect(status == "TRADE_SUCCESS" || status == "TRADE_FINISHED", "\(fields)")
                            case .refunded(let total), .refundedWhole(let total):
                                #expect(status != "TRADE_CLOSED" || time != nil, "\(fields)")
                                #expect(total == fee && (fee != nil || refund == "REFUND_SUCCESS"), "\(fields)")
                                #expect(!["0.00", "0", "10.01", "x"].contains(fee ?? ""), "\(fields)")
                            case .closed:
                                #expect(status == "TRADE_CLOSED" && time == nil && refund != "REFUND_SUCCESS", "\(fields)")
                                #expect([nil, "0.00", "0"].contains(fee), "\(fields)")
                            case .unclear, .other: break
                            }
                        }
                    }
                }
            }
        }
        #expect(seen == 3 * 5 * 7 * 3 * 2)
    }

    /// The notification as the real platform sent it to a public project: fields, order and form are its own.
    @Test func aRecordedTimeOutIsNoPayment() throws {
        let key = try LegacyRSAPublicKey(pem: text(FieldInput.bytes("alipay/closed-alipay.pub")))
        let notification = try AlipayNotification(form: FieldInput.bytes("alipay/closed-timeout-notify.form"))
        let verified = try notification.verified(by: AlipayVerificationKeys(rsa2: key))
        #expect(verified["refund_fee"] == "0.00" && verified["gmt_payment"] == nil && verified.tradeStatus == "TRADE_CLOSED")
        #expect(verified.event == .closed)
    }
}

/// What the result says that comes back to the phone: its status is the wallet's word, its text the gateway's.
struct ResultMoneyTests {
    private static let gateway = TestParty.gateway

    enum Text: String, CaseIterable {
        case legacySuccess, legacyNoSuccess, legacyFalse, modernAccepted, modernRefused, modernSilent, unsignedRefusal, empty

        func make() async throws -> String {
            func legacy(_ tail: String) async throws -> String {
                let pairs = #"partner="2088"&out_trade_no="T1"&total_fee="10.00""# + tail
                return "\(pairs)&sign_type=\"RSA\"&sign=\"\(try await gateway.rsa.sign(bytes(pairs)))\""
            }
            func modern(_ node: String) async throws -> String {
                "{\"alipay_trade_app_pay_response\":\(node),\"sign\":\"\(try await gateway.rsa2.sign(bytes(node)))\",\"sign_type\":\"RSA2\"}"
            }
            switch self {
            case .legacySuccess: return try await legacy(#"&success="true""#)
            case .legacyNoSuccess: return try await legacy("")
            case .legacyFalse: return try await legacy(#"&success="false""#)
            case .modernAccepted: return try await modern(#"{"code":"10000","out_trade_no":"T1"}"#)
            case .modernRefused: return try await modern(#"{"code":"40004","out_trade_no":"T1"}"#)
            case .modernSilent: return try await modern(#"{"out_trade_no":"T1"}"#)
            case .unsignedRefusal: return #"{"alipay_trade_app_pay_response":{"code":"40002","sub_code":"isv.invalid-signature"}}"#
            case .empty: return ""
            }
        }
    }

    /// What the signed text proves; nil where nothing is signed.
    static let texts: [(text: Text, saysPaid: Bool?, source: String)] = [
        (.legacySuccess, true, "(e) [V], nine real results"), (.legacyNoSuccess, false, "(e) [D]: both are needed"),
        (.legacyFalse, false, "(e) [S]: the pair is only known as true"), (.modernAccepted, true, "(e) [V], (g) [D]"),
        (.modernRefused, false, "(g) [D]"), (.modernSilent, false, "[I]: absence proves nothing"),
        (.unsignedRefusal, nil, "corrections [O]: a refusal in a result is not signed"), (.empty, nil, "(e) [S]"),
    ]

    /// What the app has to do after a status, whatever text comes with it.
    static let statuses: [(status: String, action: AlipayResultStatus.Action, source: String)] = [
        ("9000", .verify, "(e) [D]"), ("8000", .query, "(e) [D]"), ("4000", .retry, "(e) [D]"), ("5000", .query, "(e) [D]"),
        ("6001", .backToOrder, "(e) [D]"), ("6002", .query, "(e) [D]"), ("6004", .query, "(e) [D]: it may have been paid"),
        ("4001", .retry, "(e) [D]"), ("4006", .retry, "(e) [D]"), ("6000", .retry, "(e) [D]"), ("7001", .retry, "(e) [D]"),
        ("", .query, "(e) [D]: any other"), ("9001", .query, "(e) [D]: any other"), ("09000", .query, "(e) [D]: any other"),
    ]

    @Test(arguments: statuses.indices, texts.indices) func whatAResultSaysOfMoney(status: Int, text: Int) async throws {
        let (status, row) = (Self.statuses[status], Self.texts[text])
        let object: JSONValue = .texts(["ResultStatus": status.status, "result": try await row.text.make(), "memo": ""])
        let result = try PaymentResult(object)
        #expect(result.status.action == status.action, "\(status.source)")
        let verified = try? result.verified(by: Self.gateway.keys)
        #expect(verified?.saysPaid == row.saysPaid, "\(row.text): \(row.source)")
        // The wallet's word adds nothing to what is signed, and takes nothing away.
        #expect(verified?.status.rawValue ?? status.status == status.status)
    }
}

/// What a signed answer to a query, or to a refund, says of a trade's money.
struct QueryMoneyTests {
    private static let gateway = TestParty.gateway

    static let trades: [(status: String?, time: String?, outcome: TradeOutcome, source: String)] = [
        ("WAIT_BUYER_PAY", nil, .open, "(f) [D]"), ("WAIT_BUYER_PAY", "", .open, "(g) [I]: an empty field is none"),
        ("WAIT_BUYER_PAY", "x", .unclear, "[I]: a time of payment, and not paid"), ("TRADE_SUCCESS", "x", .paid, "(g) [D]"),
        ("TRADE_SUCCESS", nil, .paid, "(f) [D]: the status says it"), ("TRADE_FINISHED", "x", .paid, "(f) [D]"),
        ("TRADE_FINISHED", nil, .paid, "(f) [V]: cross-border, without a time"),
        ("TRADE_CLOSED", nil, .closed, "(f) [D]: time-out or close; absence proves neither"),
        ("TRADE_CLOSED", "x", .givenBack, "(f) [D]: only a full refund leads from a paid state to this one"),
        ("TRADE_PENDING", "x", .unclear, "(f) [I]"), ("SOMETHING", nil, .unclear, "[I]"), (nil, nil, .unclear, "[I]"),
    ]

    @Test(arguments: trades.indices) func whatAQueryAnswerSaysOfMoney(index: Int) async throws {
        let row = Self.trades[index]
        let node = JSONValue.texts([
            "code": "10000", "msg": "Success", "out_trade_no": "T1", "trade_status": row.status, "send_pay_date": row.time,
            "total_amount": "10.00",
        ])
        let method = "alipay.trade.query"
        let modern = try ModernAnswer(try await ModernAnswer.make(node, answering: method, by: Self.gateway.rsa2))
            .verified(by: Self.gateway.keys, answering: method)
        #expect(modern.tradeOutcome == row.outcome, "\(row.source)")
        var fields: [AlipayXML.Field] = [.init("out_trade_no", "T1"), .init("total_fee", "10.00")]
        if let status = row.status { fields.append(.init("trade_status", status)) }
        if let time = row.time, !time.isEmpty { fields.append(.init("gmt_payment", time)) }
        let xml = try await LegacyAnswer.success(request: [], response: fields, charset: .utf8, by: Self.gateway.rsa)
        #expect(try LegacyAnswer(xml).verified(by: Self.gateway.keys).tradeOutcome == row.outcome, "\(row.source)")
    }

    /// A refusal under a signature is no state of a trade, whatever else stands in it.
    @Test(arguments: ["20000", "40004", "10003"]) func aRefusedQuerySaysNothing(code: String) async throws {
        let node = JSONValue.texts(["code": code, "msg": "m", "trade_status": "TRADE_SUCCESS", "send_pay_date": "x"])
        let answer = try ModernAnswer(try await ModernAnswer.make(node, answering: "alipay.trade.query", by: Self.gateway.rsa2))
            .verified(by: Self.gateway.keys, answering: "alipay.trade.query")
        #expect(answer.tradeOutcome == .unclear && !answer.provesRefund)
    }

    static let refunds: [(fields: [String: String], isProven: Bool, source: String)] = [
        (["fund_change": "Y", "refund_fee": "4.00"], true, "(g) [D]"),
        (["fund_change": "N", "refund_fee": "4.00"], false, "(g), (j) [D]: accepted, and no money moved now"),
        (["refund_fee": "4.00"], false, "[I]: the amount is cumulative and proves no single refund"),
        ([:], false, "(g) [D]: 10000 without refund_status is not done"), (["refund_status": "REFUND_SUCCESS"], true, "(g) [D]"),
        (["refund_status": "REFUND_PROCESSING"], false, "[I]"), (["fund_change": "y"], false, "[I]: letter case counts"),
    ]

    @Test(arguments: refunds.indices) func whatARefundAnswerProves(index: Int) async throws {
        let row = Self.refunds[index]
        let members = [("code", "10000"), ("out_trade_no", "T1")] + row.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let node = JSONValue.object(JSONObject(members.map { .init($0.0, .string($0.1)) }))
        let method = "alipay.trade.fastpay.refund.query"
        let answer = try ModernAnswer(try await ModernAnswer.make(node, answering: method, by: Self.gateway.rsa2))
            .verified(by: Self.gateway.keys, answering: method)
        #expect(answer.provesRefund == row.isProven, "\(row.source)")
    }
}
