import Alipay
import BillfoldDiagnosis
import Foundation

/// What a refusal of the gateway says, and where it quotes the text that it verified, in what the order at hand differs from that
/// (alipay.md#reply-codes, alipay.md#checks).
struct RefusalLint {
    typealias Named = (name: String, message: AlipayMessage)

    let messages: [Named]

    func findings() -> [Finding] { messages.flatMap { refusal($0.name, $0.message) } }

    private func refusal(_ name: String, _ message: AlipayMessage) -> [Finding] {
        guard message.kind == .answer || message.kind == .modernResult, let code = message.value("code"),
            !["10000", "10003"].contains(code), let subCode = message.value("sub_code"), !subCode.isEmpty
        else { return [] }
        let said = message.value("sub_msg") ?? ""
        if subCode == "isv.invalid-signature", let verified = Self.verifiedText(said) {
            if let compared = compare(verified, in: name) { return [compared] }
        }
        let (cause, mend) = Self.explanation(subCode)
        return [
            Finding(
                code: "alipay.refused", severity: subCode.hasPrefix("ACQ.") || code == "20000" ? .warning : .defect, subject: name,
                cause: "The gateway refused with \(subCode.prefix(80)): \(cause)",
                evidence: [.init("code", code), .init("sub_code", String(subCode.prefix(80)))]
                    + (said.isEmpty ? [] : [.init("sub_msg", String(DiagnosisText.printable(said).prefix(160)))]),
                mend: mend)
        ]
    }

    // MARK: The gateway's text

    /// What follows the words of the platform's message, or of this package's gateway.
    private static func verifiedText(_ said: String) -> String? {
        for words in ["验签字符串为：", "验签字符串为:", "the text verified is: "] {
            guard let range = said.firstRange(of: words) else { continue }
            let text = HTMLEntities.unescape(String(said[range.upperBound...])).trimmingCharacters(in: .whitespacesAndNewlines)
            return text.isEmpty ? nil : text
        }
        return nil
    }

    private static let common = [
        "app_id", "biz_content", "charset", "format", "method", "notify_url", "return_url", "sign_type", "timestamp", "version",
        "app_auth_token", "auth_token", "app_cert_sn", "alipay_root_cert_sn", "alipay_sdk", "encrypt_type", "terminal_type", "prod_code",
    ]

    /// Values may hold &: a pair begins where a known name does.
    private static func pairs(_ text: String, names: Set<String>) -> [String: String] {
        var found: [(name: String, value: String)] = []
        for part in text.split(separator: "&", omittingEmptySubsequences: false) {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if halves.count == 2, names.contains(String(halves[0])) {
                found.append((String(halves[0]), String(halves[1])))
            } else if !found.isEmpty {
                found[found.count - 1].value += "&\(part)"
            }
        }
        return Dictionary(found.map { ($0.name, $0.value) }) { first, _ in first }
    }

    private func compare(_ verified: String, in name: String) -> Finding? {
        let orders = messages.filter { $0.message.kind == .modernOrder || $0.message.kind == .modernCall }
        let compared = orders.map { order -> (order: Named, differences: [(name: String, gateway: String?, order: String?)]) in
            let own = Dictionary(
                order.message.draft.pairs.filter { !order.message.draft.left.contains($0.name) && !$0.value.isEmpty }
                    .map { ($0.name, order.message.value($0.name) ?? "") }
            ) { first, _ in first }
            let quoted = Self.pairs(verified, names: Set(Self.common).union(own.keys))
            let differences = Set(own.keys).union(quoted.keys).sorted().filter { own[$0] != quoted[$0] }
                .map { (name: $0, gateway: quoted[$0], order: own[$0]) }
            return (order, differences)
        }
        guard let nearest = compared.min(by: { $0.differences.count < $1.differences.count }) else { return nil }
        guard !nearest.differences.isEmpty else {
            return Finding(
                code: "alipay.refused", subject: name,
                cause: "The gateway verified exactly the text of the order: it holds another key than the one that signed.",
                evidence: [.init("sub_code", "isv.invalid-signature"), .init("order", nearest.order.name)],
                mend: "Compare the application's public key at the platform with the key that signs, and the sign_type of both.")
        }
        func shown(_ value: String?) -> String { value.map { "\"\(DiagnosisText.printable($0).prefix(120))\"" } ?? "absent" }
        let named = nearest.differences.map(\.name).joined(separator: ", ")
        return Finding(
            code: "alipay.gateway-text-differs", subject: name,
            cause: "The gateway verified another text than the order at hand has: they differ in \(named).",
            evidence: [.init("order", nearest.order.name)]
                + nearest.differences.prefix(8).map {
                    .init($0.name, "gateway \(shown($0.gateway)), order \(shown($0.order))")
                },
            mend: "Look for what changes these values between signing and sending: an order is sent exactly as it was signed.")
    }

    // MARK: Codes

    private static func explanation(_ subCode: String) -> (cause: String, mend: String) {
        if let known = known[subCode] { return known }
        if subCode.hasPrefix("isv.missing-") {
            let parameter = subCode.dropFirst(12).replacing("-", with: "_")
            return ("the parameter \(parameter) is not there.", "Send \(parameter), form-encoded with all others.")
        }
        if subCode.hasPrefix("isv.invalid-") {
            let parameter = subCode.dropFirst(12).replacing("-", with: "_")
            return ("\(parameter) is there and wrong.", "Compare \(parameter) with the documents and with the account's settings.")
        }
        if subCode.hasPrefix("ACQ.") {
            return (
                "the trade's own state or data forbid it.", "Query the trade, and decide by what it says; nothing was changed by this call."
            )
        }
        return ("see the platform's list of codes.", "Look the code up at the platform; its message says more.")
    }

    private static let known: [String: (cause: String, mend: String)] = [
        "isv.invalid-app-id": (
            "no application of this environment has the app_id, or it is none: a partner's number (2088…), or the other environment's.",
            "Send the application's own id, of 16 digits, to the gateway of its environment; it has to be online and signed up."
        ),
        "isv.invalid-signature": (
            "the signature does not fit the text that the gateway built: another key, or another text.",
            "Hand over the order and both keys: the doctor tells which. Compare with the text that sub_msg quotes."
        ),
        "isv.missing-signature-config": (
            "the application has no public key at the platform.", "Upload the application's public key, and save it for this environment."
        ),
        "isv.invalid-signature-type": (
            "sign_type is not the one that the application is set to.", "Write RSA2, and upload a key of 2048 bits."
        ),
        "isv.invalid-timestamp": (
            "the timestamp is in another form or zone, or far from the gateway's clock.",
            "Write yyyy-MM-dd HH:mm:ss in GMT+8, and let the machine's clock follow a time server."
        ),
        "isv.insufficient-isv-permissions": (
            "the product is not signed for, or not bound to the application.", "Sign the product's contract, and add it to the application."
        ),
        "isv.invalid-app-state": ("the application is not online.", "Put the application online, or use the sandbox's gateway and app_id."),
        "isv.suspected-attack": (
            "a value holds what looks like parameters.", "Leave names of parameters out of subject and body, or encode them in another way."
        ),
        "isv.app-call-limited": ("too many calls of this application.", "Wait, and call less often; nothing was done."),
        "aop.invalid-auth-token": ("the authorisation token is none of this application's.", "Ask the merchant to authorise again."),
        "aop.auth-token-time-out": ("the authorisation token has run out.", "Refresh it, or ask the merchant to authorise again."),
        "isp.unknow-error": ("the platform failed, and nothing is decided.", "Repeat the call with the same numbers, or query."),
        "aop.unknow-error": ("the platform failed, and nothing is decided.", "Repeat the call with the same numbers, or query."),
        "ACQ.TRADE_NOT_EXIST": (
            "there is no such trade: nobody began to pay it, or the number or the environment is another.",
            "Right after an order this is usual: the trade begins when the payer opens it. Else compare number and environment."
        ),
        "ACQ.TRADE_HAS_SUCCESS": ("the trade is paid already.", "Query it; ask for no second payment."),
        "ACQ.TRADE_HAS_CLOSE": ("the trade is closed.", "Make a new order with a new out_trade_no."),
        "ACQ.CONTEXT_INCONSISTENT": (
            "the out_trade_no was used with other data.", "Make a new out_trade_no whenever amount, subject or seller change."
        ),
        "ACQ.DISCORDANT_REPEAT_REQUEST": (
            "the out_request_no was used for another amount.", "Give each refund a number of its own, and repeat it with its own amount."
        ),
        "ACQ.ACCESS_FORBIDDEN": (
            "the account has no right to this product.", "Sign the product's contract; a cross-border account names currency and forex_biz."
        ),
    ]
}
