import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import Foundation

/// A merchant's own record of what happened to its orders, in order of time, as JSON:
/// `{"alipayLog": [{"event": "order", "order": "A1", "total": "10.00", "subject": "Tea"}, …]}`.
///
/// Events: `account` (`crossBorder`), `order` (`order`, `total`, `subject`, `currency`, `expiresAt`), `launch` (`order`, `buyer`, `at`),
/// `request` (`timestamp` as sent, `at` in seconds since 1970), `clientResult` (`order`, `resultStatus`), `notification` (`order`,
/// `trade_status`, `refund_fee`, `out_biz_no`), `reply` (`status`, `body`), `notifyVerify` (`notify_id` as sent, `known` as received, `answer`,
/// `age` in seconds), `refund` (`order`, `out_request_no`, `amount`, `fund_change`), `query` (`order`), `state` (`order`, `state`).
struct OrderLog {
    struct Entry: Codable {
        enum Event: String, Codable {
            case account, order, launch, request, clientResult, notification, reply, notifyVerify, refund, query, state
        }

        var event: Event
        var order: String?
        var total: String?
        var subject: String?
        var currency: String?
        var crossBorder: Bool?
        var buyer: String?
        /// Seconds since 1970.
        var at: Int64?
        var expiresAt: Int64?
        var timestamp: String?
        var resultStatus: String?
        var tradeStatus: String?
        var refundFee: String?
        var outBizNo: String?
        var status: Int?
        var body: String?
        var notifyID: String?
        var known: String?
        var answer: String?
        var age: Int64?
        var outRequestNo: String?
        var amount: String?
        var fundChange: String?
        var state: String?

        enum CodingKeys: String, CodingKey {
            case event, order, total, subject, currency, crossBorder, buyer, at, expiresAt, timestamp, resultStatus, status, body, known
            case answer, age, amount, state
            case tradeStatus = "trade_status"
            case refundFee = "refund_fee"
            case outBizNo = "out_biz_no"
            case notifyID = "notify_id"
            case outRequestNo = "out_request_no"
            case fundChange = "fund_change"
        }
    }

    private struct Document: Codable {
        var alipayLog: [Entry]
    }

    let subject: String
    let entries: [Entry]

    static func parse(_ bytes: [UInt8]) -> [Entry]? { (try? JSONDecoder().decode(Document.self, from: Data(bytes)))?.alipayLog }

    func findings() -> [Finding] {
        entries.indices.flatMap { index -> [Finding] in
            let entry = entries[index]
            let earlier = entries[..<index]
            return switch entry.event {
            case .order: repeated(entry, earlier) + domestic(entry, earlier)
            case .launch: launched(entry, earlier)
            case .request: clock(entry)
            case .reply: replied(entry)
            case .notifyVerify: asked(entry, earlier)
            case .refund: refunded(entry, earlier)
            case .state: concluded(entry, earlier)
            case .account, .clientResult, .notification, .query: []
            }
        }
    }

    private func finding(_ code: String, cause: String, mend: String, evidence: [(String, String?)]) -> [Finding] {
        [
            Finding(
                code: code, subject: subject, cause: cause,
                evidence: evidence.compactMap { name, value in value.map { Finding.Evidence(name, $0) } }, mend: mend)
        ]
    }

    private func repeated(_ entry: Entry, _ earlier: ArraySlice<Entry>) -> [Finding] {
        guard let first = earlier.first(where: { $0.event == .order && $0.order == entry.order }),
            first.total != entry.total || first.subject != entry.subject || first.currency != entry.currency
        else { return [] }
        return finding(
            "alipay.context-inconsistent", cause: "One out_trade_no was used for two different orders.",
            mend: "Make a new out_trade_no whenever amount, subject or currency change.",
            evidence: [
                ("order", entry.order), ("first", [first.total, first.currency, first.subject].compactMap { $0 }.joined(separator: " ")),
                ("then", [entry.total, entry.currency, entry.subject].compactMap { $0 }.joined(separator: " ")),
            ])
    }

    private func domestic(_ entry: Entry, _ earlier: ArraySlice<Entry>) -> [Finding] {
        guard earlier.last(where: { $0.event == .account })?.crossBorder == true, entry.currency == nil else { return [] }
        return finding(
            "alipay.domestic-product", cause: "A cross-border account sent a domestic order.",
            mend: "Send currency and forex_biz=FP with every order of this account.", evidence: [("order", entry.order)])
    }

    private func launched(_ entry: Entry, _ earlier: ArraySlice<Entry>) -> [Finding] {
        let order = earlier.last { $0.event == .order && $0.order == entry.order }
        if let at = entry.at, let end = order?.expiresAt, at > end {
            return finding(
                "alipay.order-expired", cause: "The order had expired when it was paid.", mend: "Make a new order with a new out_trade_no.",
                evidence: [("order", entry.order), ("seconds late", String(at - end))])
        }
        if let buyer = entry.buyer,
            let other = earlier.first(where: { $0.event == .launch && $0.order == entry.order && $0.buyer != nil && $0.buyer != buyer })
        {
            return finding(
                "alipay.second-payer", cause: "A second payer opened an order that the first one had begun to pay.",
                mend: "One order belongs to one payer: make another order.",
                evidence: [("order", entry.order), ("first", other.buyer), ("second", buyer)])
        }
        return []
    }

    private func clock(_ entry: Entry) -> [Finding] {
        guard let text = entry.timestamp, let at = entry.at, let sent = try? AlipayTime(text) else { return [] }
        let off = sent.secondsSince1970 - at
        guard abs(off) > 600 else { return [] }
        let hours = (Double(off) / 3_600).rounded()
        let isZone = hours != 0 && abs(off - Int64(hours) * 3_600) <= 300
        return finding(
            "alipay.clock",
            cause: isZone ? "The timestamp is in another time zone than China's." : "The server's clock is wrong.",
            mend: isZone ? "Write timestamps in GMT+8, whatever the server's zone is." : "Set the clock by NTP.",
            evidence: [("timestamp", text), ("seconds off", String(off)), ("hours off", isZone ? String(Int(hours)) : nil)])
    }

    private func replied(_ entry: Entry) -> [Finding] {
        let body = entry.body ?? ""
        let status = entry.status ?? 200
        guard !NotificationReply.isAccepted(status: status, body: Array(body.utf8)) else { return [] }
        let cause =
            if status != 200 { "The reply's status is \(status)." } else if body.hasPrefix("\u{FEFF}") {
                "A byte order mark stands in front of the reply."
            } else if body.contains("<") {
                "The reply is a page, or has HTML round it."
            } else if body.trimmingCharacters(in: .whitespacesAndNewlines)
                .lowercased() == "success"
            { "Blanks or line ends stand round the word." } else { "The reply is another text than the word." }
        return finding(
            "alipay.reply-not-success", cause: "The notification repeats for a day: \(cause)",
            mend: "Answer with status 200 and exactly the seven bytes of success, once what it says is stored.",
            evidence: [
                ("status", String(status)), ("bytes", String(body.utf8.count)),
                ("begins", String(DiagnosisText.printable(String(body.prefix(40))))),
            ])
    }

    private func asked(_ entry: Entry, _ earlier: ArraySlice<Entry>) -> [Finding] {
        guard entry.answer == "false", let sent = entry.notifyID else { return [] }
        if sent.contains("%25") {
            return finding(
                "alipay.notify-id-escaped", cause: "notify_id was escaped twice, so notify_verify knows no such id.",
                mend: "notify_id is safe text already: put it into the URL as it came, or encode it once.",
                evidence: [("sent", sent), ("received", entry.known)])
        }
        let isAnswered = earlier.contains {
            $0.event == .reply && NotificationReply.isAccepted(status: $0.status ?? 200, body: Array(($0.body ?? "").utf8))
        }
        guard isAnswered || (entry.age ?? 0) > 60 else { return [] }
        return finding(
            "alipay.notify-id-stale",
            cause: isAnswered
                ? "notify_verify was asked after the notification had been answered." : "notify_verify was asked more than a minute later.",
            mend: "Ask before the answer success, and within a minute for the id of a return URL.",
            evidence: [("notify_id", sent), ("seconds", entry.age.map(String.init))])
    }

    private func refunded(_ entry: Entry, _ earlier: ArraySlice<Entry>) -> [Finding] {
        guard let number = entry.outRequestNo,
            let first = earlier.first(where: {
                $0.event == .refund && ExactText.equal($0.order, entry.order) && ExactText.equal($0.outRequestNo, number)
            })
        else { return [] }
        if first.amount != entry.amount {
            return finding(
                "alipay.refund-number-reused", cause: "One out_request_no was used for two different refunds.",
                mend: "Give every refund a number of its own, and repeat a request with its own amount only.",
                evidence: [("out_request_no", number), ("first", first.amount), ("then", entry.amount)])
        }
        guard entry.fundChange == "N", first.fundChange == "Y" else { return [] }
        return finding(
            "alipay.refund-repeated", cause: "The refund was accepted and no money moved: its out_request_no had been used.",
            mend: "A repetition answers 10000 with fund_change=N; a second refund needs a number of its own.",
            evidence: [("out_request_no", number)])
    }

    private func concluded(_ entry: Entry, _ earlier: ArraySlice<Entry>) -> [Finding] {
        let own = earlier.filter { $0.order == entry.order }
        let note = own.last { $0.event == .notification }
        if entry.state == "paid", let note, let refund = note.refundFee, PlainDecimal(refund)?.isZero == false,
            own.contains(where: { $0.event == .state && $0.state == "paid" })
        {
            return finding(
                "alipay.refund-read-as-payment", cause: "The notification of a partial refund was taken for a second payment.",
                mend: "A refund repeats TRADE_SUCCESS with refund_fee: look at it, and never book a paid order again.",
                evidence: [("order", entry.order), ("refund_fee", refund), ("out_biz_no", note.outBizNo)])
        }
        if entry.state == "paid", let note, note.tradeStatus == "TRADE_CLOSED", !isProven(own) {
            return finding(
                "alipay.closed-read-as-paid", cause: "The notification of a close was taken for a payment.",
                mend: "An unpaid trade that times out is told as TRADE_CLOSED with refund_fee 0.00: a close proves no payment.",
                evidence: [("order", entry.order), ("trade_status", note.tradeStatus), ("refund_fee", note.refundFee)])
        }
        if entry.state == "failed", let result = own.last(where: { $0.event == .clientResult })?.resultStatus,
            ["8000", "6002", "6004", "5000"].contains(result), !own.contains(where: { $0.event == .query || $0.event == .notification })
        {
            return finding(
                "alipay.failed-without-query", cause: "The order was taken as failed, and nobody had said so.",
                mend: "8000, 5000, 6002 and 6004 mean that it may be paid: query before deciding.",
                evidence: [("order", entry.order), ("resultStatus", result)])
        }
        return []
    }

    /// Whether something else than a close may have told that the order was paid.
    private func isProven(_ own: [Entry]) -> Bool {
        own.contains { entry in
            switch entry.event {
            case .query: true
            case .notification: ["TRADE_SUCCESS", "TRADE_FINISHED"].contains(entry.tradeStatus ?? "")
            case .state: entry.state == "paid"
            default: false
            }
        }
    }
}
