import BillfoldDiagnosis
import BillfoldMoney
import Foundation
import UnionPay

/// A merchant's own record of what it sent, received and concluded, in order of time, as JSON:
/// `{"unionpayLog": [{"event": "request", "order": "A1", "amount": "33.00", "fields": {…}}, …]}`.
///
/// Events are `request`, `reply`, `notification`, `queryReply` (each with its `fields`), `state` (with `state`, `orderId` and
/// `order`), and `appResult`, what UnionPay's own client told the app (with `code` and `orderId`).
struct StateLog {
    struct Entry: Codable {
        enum Event: String, Codable {
            case request, reply, notification, queryReply, state, appResult
        }

        var event: Event
        /// The merchant's order, which may have several attempts.
        var order: String?
        /// The order's amount in major units, as the shop shows it.
        var amount: String?
        var orderId: String?
        var state: String?
        /// `success`, `fail` or `cancel`.
        var code: String?
        var fields: [String: String]?

        var attempt: String? { orderId ?? fields?["orderId"] }
    }

    private struct Document: Codable {
        var unionpayLog: [Entry]
    }

    let subject: String
    let entries: [Entry]

    static func parse(_ bytes: [UInt8]) -> [Entry]? {
        (try? JSONDecoder().decode(Document.self, from: Data(bytes)))?.unionpayLog
    }

    func findings() -> [Finding] {
        var findings: [Finding] = []
        for (index, entry) in entries.enumerated() {
            let earlier = entries[..<index]
            switch entry.event {
            case .state:
                if entry.state == "succeeded" { findings += paidWithoutEvidence(entry, earlier) }
                if entry.state == "failed" { findings += failedWithoutEvidence(entry, earlier) }
            case .request:
                guard let type = entry.fields?["txnType"].flatMap(TransactionType.init(rawValue:)) else { continue }
                switch type {
                case .consume: findings += twoAttempts(entry, earlier) + amount(entry)
                case .query: findings += queryTime(entry, earlier)
                case .refund, .void: findings += undo(entry, earlier)
                default: break
                }
            case .notification: findings += notifiedAmount(entry, earlier)
            default: break
            }
        }
        return findings
    }

    private func finding(_ code: String, cause: String, mend: String, evidence: [(String, String?)]) -> Finding {
        Finding(
            code: code, subject: subject, cause: cause,
            evidence: evidence.compactMap { name, value in value.map { Finding.Evidence(name, $0) } }, mend: mend)
    }

    private func proves(_ entry: Entry, paid attempt: String?) -> Bool {
        guard entry.attempt == attempt else { return false }
        switch entry.event {
        case .notification: return ReplyCode(rawValue: entry.fields?["respCode"] ?? "").meansPaidWhenOriginal
        case .queryReply:
            return entry.fields?["respCode"] == "00" && ReplyCode(rawValue: entry.fields?["origRespCode"] ?? "").meansPaidWhenOriginal
        default: return false
        }
    }

    private func paidWithoutEvidence(_ entry: Entry, _ earlier: ArraySlice<Entry>) -> [Finding] {
        guard !earlier.contains(where: { proves($0, paid: entry.attempt) }) else { return [] }
        if word(of: entry.attempt, earlier) == "success" {
            return [
                finding(
                    "unionpay.paid-on-app-result", cause: "The order was taken as paid because the client on the phone said so.",
                    mend: "Take the client's word for the screen alone; wait for the notification, or query.",
                    evidence: [("orderId", entry.attempt), ("the client's word", "success")])
            ]
        }
        let reply = earlier.last { $0.event == .reply && $0.attempt == entry.attempt }?.fields?["respCode"]
        return [
            finding(
                "unionpay.paid-on-acceptance", cause: "The order was taken as paid before a notification or a query said so.",
                mend: "Take 00 of the synchronous reply as received only; wait for the notification, or query.",
                evidence: [("orderId", entry.attempt), ("synchronous respCode", reply)])
        ]
    }

    private func failedWithoutEvidence(_ entry: Entry, _ earlier: ArraySlice<Entry>) -> [Finding] {
        let isSent = earlier.contains { $0.event == .request && $0.attempt == entry.attempt && $0.fields?["txnType"] == "01" }
        let isRefused = earlier.contains { other in
            guard other.attempt == entry.attempt else { return false }
            let name = other.event == .queryReply ? "origRespCode" : "respCode"
            // Of the transaction a query tells only where it worked itself.
            guard other.event == .reply || (other.event == .queryReply && other.fields?["respCode"] == "00"),
                let code = other.fields?[name]
            else { return false }
            // A refusal of the message itself is final too: nothing was booked for it.
            return [.declined, .ourFault, .setUp].contains(ReplyCode(rawValue: code).class)
        }
        guard isSent, !isRefused else { return [] }
        if let word = word(of: entry.attempt, earlier), word != "success" {
            return [
                finding(
                    "unionpay.failed-on-app-result", cause: "The attempt was taken as failed because the client on the phone said so.",
                    mend: "Query: the customer may have paid before leaving, or may still pay by the same number until its time limit.",
                    evidence: [("orderId", entry.attempt), ("the client's word", word)])
            ]
        }
        return [
            finding(
                "unionpay.failed-on-timeout", cause: "The attempt was taken as failed, and nothing UnionPay said is a refusal.",
                mend: "Keep it unknown and query; only a decline, or a clear query after payTimeout, ends it.",
                evidence: [("orderId", entry.attempt)])
        ]
    }

    /// What the client said last about an attempt (unionpay-tn.md#result).
    private func word(of attempt: String?, _ earlier: ArraySlice<Entry>) -> String? {
        earlier.last { $0.event == .appResult && $0.attempt == attempt }?.code
    }

    private func twoAttempts(_ entry: Entry, _ earlier: ArraySlice<Entry>) -> [Finding] {
        guard let order = entry.order, let attempt = entry.attempt else { return [] }
        let others = Set(
            earlier.filter { $0.event == .request && $0.order == order && $0.fields?["txnType"] == "01" }.compactMap(\.attempt)
        ).subtracting([attempt])
        return others.sorted().compactMap { other in
            let states = earlier.filter { $0.event == .state && $0.attempt == other }.compactMap(\.state)
            guard states.last != "failed", states.last != "reversed" else { return nil }
            return finding(
                "unionpay.two-live-attempts",
                cause: "A second attempt was sent while the first one was still open: the customer can pay twice.",
                mend: "Query or reverse the first attempt before a new orderId is used for the same order.",
                evidence: [("open attempt", other), ("new attempt", attempt), ("its state", states.last ?? "none")])
        }
    }

    private func queryTime(_ entry: Entry, _ earlier: ArraySlice<Entry>) -> [Finding] {
        let original = earlier.last { $0.event == .request && $0.attempt == entry.attempt && $0.fields?["txnType"] != "00" }
        guard let asked = entry.fields?["txnTime"], let sent = original?.fields?["txnTime"], asked != sent else { return [] }
        return [
            finding(
                "unionpay.query-other-time", cause: "The query names another txnTime than the original, so UnionPay answers 34.",
                mend: "Store orderId and txnTime before sending, and query with both as they were sent.",
                evidence: [("orderId", entry.attempt), ("txnTime sent", sent), ("txnTime asked", asked)])
        ]
    }

    /// Compares `txnAmt` with the order's amount.
    private func amount(_ entry: Entry) -> [Finding] {
        guard let text = entry.amount, let sent = entry.fields?["txnAmt"].flatMap(Int64.init),
            let currency = try? Currency(numeric: entry.fields?["currencyCode"] ?? "156"),
            let expected = try? Self.minorUnits(text, currency),
            sent != expected
        else { return [] }
        let scale = currency.scale
        let evidence: [(String, String?)] = [("order", text), ("txnAmt", String(sent)), ("expected", String(expected))]
        if currency.isScale(between: sent, and: expected) {
            return [
                finding(
                    "unionpay.amount-factor",
                    cause: "Major and minor units were mixed: txnAmt differs from the order by a factor of \(scale).",
                    mend: "txnAmt is in minor units; convert the order's amount exactly once.", evidence: evidence)
            ]
        }
        return [
            finding(
                "unionpay.amount-differs", cause: "txnAmt is not the order's amount.",
                mend: "Charge the order's own amount; the one inside the token is a cross-check only.", evidence: evidence)
        ]
    }

    private func notifiedAmount(_ entry: Entry, _ earlier: ArraySlice<Entry>) -> [Finding] {
        let original = earlier.last {
            $0.event == .request && $0.attempt == entry.attempt && $0.fields?["txnType"] == entry.fields?["txnType"]
        }
        guard let notified = entry.fields?["txnAmt"], let sent = original?.fields?["txnAmt"], notified != sent else { return [] }
        return [
            finding(
                "unionpay.notified-amount", cause: "The notification states another amount than was sent.",
                mend: "Refuse the notification, query the transaction, and alarm a person.",
                evidence: [("orderId", entry.attempt), ("sent", sent), ("notified", notified)])
        ]
    }

    private func undo(_ entry: Entry, _ earlier: ArraySlice<Entry>) -> [Finding] {
        guard let original = entry.fields?["origQryId"] else { return [] }
        let proof = earlier.first { ($0.event == .notification || $0.event == .queryReply) && $0.fields?["queryId"] == original }
        guard let proof, proves(proof, paid: proof.attempt) else {
            return [
                finding(
                    "unionpay.refund-before-success", cause: "A refund or void was sent before the original was known to be paid.",
                    mend: "Wait for the notification or a query with 00 before undoing; use a reversal while the state is unknown.",
                    evidence: [("origQryId", original)])
            ]
        }
        let paid = proof.fields?["txnAmt"].flatMap(Int64.init) ?? 0
        let undone = (earlier + [entry]).filter { $0.event == .request && $0.fields?["origQryId"] == original }
        // A repeated request is the same one.
        let amounts = Dictionary(undone.map { ($0.attempt, $0.fields?["txnAmt"].flatMap(Int64.init) ?? 0) }, uniquingKeysWith: { $1 })
        let total = amounts.values.reduce(WideInteger(0)) { $0 + WideInteger($1) }
        guard paid > 0, total > WideInteger(paid) else { return [] }
        return [
            finding(
                "unionpay.refunds-exceed-payment", cause: "More is given back than was paid, so UnionPay answers 36 or 45.",
                mend: "Keep the sum of refunds within the payment.",
                evidence: [("origQryId", original), ("paid", String(paid)), ("given back", total.description)])
        ]
    }

    private static func minorUnits(_ text: String, _ currency: Currency) throws -> Int64 {
        try Amount(text, currency: currency).minorUnits
    }
}
