import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// The rules of an order's values, and of the address that notifications go to.
struct OrderLint {
    let subject: String
    let message: AlipayMessage

    func findings() -> [Finding] {
        guard message.kind.isOrder else { return [] }
        return rules() + notifyURL() + identity() + encodedTexts()
    }

    /// A partner's number begins with 2088, an application's with the year of its making; both have 16 digits.
    private func identity() -> [Finding] {
        func isNumber(_ text: String) -> Bool { text.utf8.count == 16 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        if message.generation == .modern, let id = message.value("app_id"), isNumber(id), id.hasPrefix("2088") {
            return [
                Finding(
                    code: "alipay.app-id", subject: subject, cause: "app_id holds a partner's number, not an application's.",
                    evidence: [.init("app_id", id)],
                    mend: "Send the id of the application at the open platform; the number that begins with 2088 is the account's.")
            ]
        }
        guard message.generation == .legacy, let partner = message.value("partner"), isNumber(partner), !partner.hasPrefix("2088"),
            partner.hasPrefix("20")
        else { return [] }
        return [
            Finding(
                code: "alipay.partner-id", subject: subject, cause: "partner holds an application's id, not the account's number.",
                evidence: [.init("partner", partner)], mend: "Send the account's number, which begins with 2088.")
        ]
    }

    /// Texts that were percent-encoded before they became part of the order: the payer reads them as they are.
    private func encodedTexts() -> [Finding] {
        let names = ["subject", "body"]
        let texts: [(name: String, text: String)]
        if message.kind == .modernOrder {
            guard let content = message.value("biz_content"), let json = try? AlipayJSON.read(content) else { return [] }
            texts = names.compactMap { name in json[name]?.string.map { (name, $0) } }
        } else {
            texts = names.compactMap { name in message.value(name).map { (name, $0) } }
        }
        let encoded = texts.filter { _, text in
            // A letter of another script has two triplets at least.
            text.contains(/%[8-9A-Fa-f][0-9A-Fa-f]%[8-9A-Ba-b][0-9A-Fa-f]/) && text.removingPercentEncoding != nil
        }
        guard !encoded.isEmpty else { return [] }
        return [
            Finding(
                code: "alipay.text-encoded", severity: .warning, subject: subject,
                cause: "A text was percent-encoded before it was put into the order: the payer reads percent signs.",
                evidence: encoded.map { .init($0.name, String($0.text.prefix(60))) },
                mend: "Put plain texts into the order; only the finished values are encoded, once.")
        ]
    }

    private func rules() -> [Finding] {
        func violations(_ reading: AlipayReading) -> [RuleViolation] {
            if message.kind == .modernOrder {
                guard let content = message.value("biz_content"), let json = try? AlipayJSON.read(content) else {
                    return [
                        RuleViolation(
                            code: "alipay.biz-content", parameter: "biz_content", reason: "is no JSON object",
                            isMissing: message.value("biz_content") == nil)
                    ]
                }
                return ModernOrderRules.violations(in: json, reading: reading)
            }
            let pairs = message.draft.pairs.filter { $0.name != "sign" && $0.name != "sign_type" }
            guard
                let parameters = try? LegacyOrderParameters(
                    pairs.map { .init(name: $0.name, value: $0.value) }, charset: message.draft.charset)
            else {
                return [
                    RuleViolation(
                        code: "alipay.charset", parameter: "_input_charset", reason: "is not the charset that the values are in",
                        isMissing: message.value("_input_charset") == nil)
                ]
            }
            return LegacyOrderRules.violations(in: parameters, reading: reading)
        }
        let observed = violations(.asObserved)
        // What real orders were paid with in spite of the documents is worth a word, and no more.
        let documented = violations(.strict).filter { strict in
            !observed.contains { $0.code == strict.code && $0.parameter == strict.parameter }
        }
        // notifyURL() says more of that one.
        return (observed.map { finding($0, .defect) } + documented.map { finding($0, .warning) })
            .filter { $0.code != "alipay.address" || !$0.evidence.contains(.init("parameter", "notify_url")) }
    }

    private func finding(_ violation: RuleViolation, _ severity: Finding.Severity) -> Finding {
        Finding(
            code: violation.code, severity: severity, subject: subject,
            cause: "\(violation.parameter) \(violation.isMissing ? "is missing" : violation.reason).",
            evidence: [.init("parameter", violation.parameter)] + place(of: violation),
            mend: "Send \(violation.parameter) as the documents say.")
    }

    /// Where JSON stops being JSON.
    private func place(of violation: RuleViolation) -> [Finding.Evidence] {
        guard violation.code == "alipay.biz-content", let content = message.value("biz_content") else { return [] }
        do throws(AlipayError) {
            _ = try AlipayJSON.read(content)
            return []
        } catch { return [.init("refused", error.reason)] }
    }

    /// Why a notification would never come (alipay.md#notify-address).
    private func notifyURL() -> [Finding] {
        guard var text = message.value("notify_url"), !text.isEmpty else { return [] }
        func finding(_ cause: String, mend: String, severity: Finding.Severity = .defect) -> [Finding] {
            [
                Finding(
                    code: "alipay.notify-url", severity: severity, subject: subject, cause: cause, evidence: [.init("notify_url", text)],
                    mend: mend)
            ]
        }
        if text.lowercased().contains("%253a") {
            return finding("notify_url is percent-encoded twice, so nothing can be called.", mend: "Encode it at most once.")
        }
        if !text.contains("://"), let decoded = text.removingPercentEncoding { text = decoded }
        guard let components = URLComponents(string: text), let scheme = components.scheme?.lowercased(),
            let host = components.host?.lowercased(),
            !host.isEmpty
        else { return finding("notify_url is no address.", mend: "Send a full http or https address.") }
        guard scheme == "http" || scheme == "https" else {
            return finding("notify_url has the scheme \(scheme).", mend: "Send an http or https address.")
        }
        if PrivateHost.isOne(host) {
            return finding(
                "notify_url leads to an address that only your own network reaches.",
                mend: "Send an address that the public internet reaches.",
                severity: .warning)
        }
        if let port = components.port, port != 80, port != 443 {
            return finding(
                "notify_url names a port, which the gateway may not call.", mend: "Use port 80 or 443, without naming it.",
                severity: .warning)
        }
        if components.fragment != nil {
            return finding("notify_url has a fragment, which is never sent.", mend: "Leave out what stands behind #.", severity: .warning)
        }
        return []
    }
}
