import AlipayPlus
import AlipayPlusValues
import BillfoldDiagnosis
import BillfoldJSON

/// What one request of an acquirer's breaks whatever its signature says: the rules of its API, its expiry, and an address that nobody
/// reaches.
struct RequestLint {
    let subject: String
    let message: AlipayPlusArtifact

    func findings() -> [Finding] {
        guard message.kind == .request, MessageSide.isGateways(message.target), let json = message.json else { return [] }
        return rules(json) + expiry(json) + addresses(json)
    }

    private func finding(
        _ code: String, cause: String, mend: String, evidence: [Finding.Evidence], severity: Finding.Severity = .defect
    ) -> Finding {
        Finding(code: code, severity: severity, subject: subject, cause: cause, evidence: evidence, mend: mend)
    }

    /// The rules of `pay` by its scenario (alipay-plus.md#pay [D]). A request that names none is of an older dialect, or another product's.
    private func rules(_ json: JSONObject) -> [Finding] {
        guard message.target.contains("/payments/pay"), let (request, violations) = try? PayRequest.read(json),
            request.paymentFactor?.scenario != nil
        else { return [] }
        // Amounts have findings of their own.
        return violations.filter { !$0.member.hasSuffix("Amount") }.map { violation in
            finding(
                "alipay-plus.request-rule", cause: "The request is refused: \(violation.description).",
                mend: "Send \(violation.member) as the scenario of the payment asks.",
                evidence: [.init("member", violation.member), .init("result code", violation.resultCode)])
        }
    }

    /// A time that is past when the request is made (alipay-plus.md#expiry).
    private func expiry(_ json: JSONObject) -> [Finding] {
        guard let text = json["paymentExpiryTime"]?.string, !text.isEmpty else { return [] }
        guard let end = try? AlipayPlusTime(text) else {
            return [
                finding(
                    "alipay-plus.expiry", cause: "paymentExpiryTime names no moment with a zone.",
                    mend: "Write ISO 8601 with a zone, such as 2026-03-01T10:15:30+08:00.",
                    evidence: [.init("paymentExpiryTime", String(text.prefix(40)))])
            ]
        }
        guard let begin = try? AlipayPlusTime(header: message.timeText), end <= begin else { return [] }
        let minutes = (begin.millisecondsSince1970 - end.millisecondsSince1970) / 60_000
        // Zones are whole quarters of an hour apart, and an expiry is some minutes ahead.
        let isZone = minutes >= 30
        return [
            finding(
                "alipay-plus.expiry", cause: "The payment had expired when it was sent: paymentExpiryTime is not behind Request-Time.",
                mend: isZone
                    ? "Look at the zone: a clock's time that is written under another zone is hours off. The expiry is some minutes ahead."
                    : "Set an expiry that is some minutes ahead of the request.",
                evidence: [
                    .init("paymentExpiryTime", text), .init("request-time", message.timeText), .init("minutes past", String(minutes)),
                ])
        ]
    }

    private func addresses(_ json: JSONObject) -> [Finding] {
        guard let text = json["paymentNotifyUrl"]?.string, let slashes = text.firstRange(of: "://") else { return [] }
        let authority = text[slashes.upperBound...].prefix { !"/?#".contains($0) }.split(separator: "@").last ?? ""
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        guard PrivateHost.isOne(String(host)) else { return [] }
        return [
            finding(
                "alipay-plus.callback-address", cause: "paymentNotifyUrl leads to an address that only your own network reaches.",
                mend: "Name an address that the public internet reaches; a sandbox on this machine takes one of this machine.",
                evidence: [.init("paymentNotifyUrl", String(text.prefix(200)))], severity: .warning)
        ]
    }
}
