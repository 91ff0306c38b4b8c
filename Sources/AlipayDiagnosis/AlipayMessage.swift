import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// A message of any kind as the doctor reads it: leniently, because it may be damaged.
struct AlipayMessage {
    enum Kind: String {
        case legacyOrder = "legacy order"
        case unquotedOrder = "order without quotation marks"
        case modernOrder = "modern order"
        case legacyCall = "legacy call"
        case modernCall = "modern call"
        case legacyResult = "legacy result"
        case modernResult = "modern result"
        case notification
        case answer = "gateway answer"

        /// Whether Alipay signs it, and not the merchant.
        var isAlipays: Bool { [.legacyResult, .modernResult, .notification, .answer].contains(self) }
        var isOrder: Bool { self == .legacyOrder || self == .unquotedOrder || self == .modernOrder }
    }

    /// Something that reading alone shows.
    struct Note {
        var code: String
        var severity = Finding.Severity.defect
        var cause: String
        var evidence: [Finding.Evidence] = []
        var mend: String
    }

    var kind: Kind
    var draft: SignedDraft
    /// As its place in the message says once decoded.
    var signature: String
    var signType: String?
    /// The host of the URL that it was sent to.
    var host: String?
    /// What it was handed over in, in words; nil for itself.
    var carrier: String?
    var notes: [Note] = []

    func value(_ name: String) -> String? {
        draft.pairs.first { $0.name == name }.flatMap { try? draft.charset.decode($0.value) }
    }

    /// What a person calls it.
    var title: String { kind == .modernCall && isAlipays ? "page's return" : kind.rawValue }

    /// Whether Alipay signs it: a page's return, which has the form of a call, too.
    var isAlipays: Bool { kind.isAlipays || (value("method")?.hasSuffix(".return") ?? false) }

    /// Whether it tells a refusal, which the gateway does not sign.
    var isRefusal: Bool {
        guard kind == .answer || kind == .modernResult, let code = value("code") else { return false }
        return code != "10000"
    }

    /// The generation whose gateway takes or makes such messages.
    var generation: AlipayGeneration {
        switch kind {
        case .legacyOrder, .unquotedOrder, .legacyCall, .legacyResult: .legacy
        case .modernOrder, .modernCall, .modernResult, .answer: .modern
        case .notification: value("app_id") == nil ? .legacy : .modern
        }
    }

    // MARK: Reading

    /// Nil when the bytes are no message of Alipay's; an error when they want to be one and cannot be read.
    static func read(_ bytes: [UInt8]) throws(AlipayError) -> AlipayMessage? {
        guard bytes.count <= AlipayJSON.maximumLength else { return nil }
        let carried = CarriedText(trimmed(bytes))
        guard var message = try message(carried.bytes) else { return nil }
        message.notes = carried.notes + message.notes
        message.carrier = carried.carrier
        return message
    }

    private static func message(_ bytes: [UInt8]) throws(AlipayError) -> AlipayMessage? {
        let text = String(decoding: bytes, as: UTF8.self)
        if text.hasPrefix("{") || text.hasPrefix("[") {
            if let message = try json(bytes, text) { return message }
            return try PrintedResult.read(text).flatMap { printed throws(AlipayError) in try result(printed.result) }
        }
        if text.hasPrefix("resultStatus={") || SafepayURL.isSafepay(text) {
            let result = SafepayURL.isSafepay(text) ? try SafepayURL(text).result : try PaymentResult(text: text)
            return try self.result(result.result)
        }
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")), var message = try form(Array(bytes[(mark + 1)...])) else {
                return nil
            }
            message.host = URLComponents(string: String(text.prefix { $0 != "?" }))?.host
            return message
        }
        if isQuoted(bytes) {
            guard text.contains("service=") || text.contains("partner=") || text.contains("out_trade_no=") else { return nil }
            if text.contains("success=\"") { return try result(text) }
            return try quotedOrder(bytes)
        }
        return try form(bytes)
    }

    /// Without the line end that an editor adds.
    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        Array(bytes.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed())
    }

    private static func isQuoted(_ bytes: [UInt8]) -> Bool {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals <= 64 else { return false }
        return bytes[(equals + 1)...].first == UInt8(ascii: "\"") && bytes[..<equals].allSatisfy(PercentEncoding.isNameByte)
    }

    private static func quotedOrder(_ bytes: [UInt8]) throws(AlipayError) -> AlipayMessage {
        let pairs = try QuotedPairs(bytes, reading: .asObserved).pairs
        func text(_ name: String) -> String? { pairs.first { $0.name == name }.map { String(decoding: $0.value, as: UTF8.self) } }
        var draft = SignedDraft(pairs: pairs.map { .init(name: $0.name, value: $0.value) }, isQuoted: true, keepsEmpty: true)
        draft.left = LegacyServiceRequest.unsigned
        draft.charset = text("_input_charset").flatMap(AlipayCharset.init(name:)) ?? .gbk
        if let last = pairs.lastIndex(where: { $0.name == "sign" || $0.name == "sign_type" }) {
            draft.behind = pairs[(last + 1)...].map(\.name).filter { !LegacyOrder.appendedByWallet.contains($0) }
        }
        // What the wallet's kit appends is never signed.
        draft.left.formUnion(LegacyOrder.appendedByWallet)
        let sign = text("sign") ?? ""
        var notes: [Note] = []
        if sign.contains(where: { "+/=".contains($0) }), !sign.contains("%") {
            notes.append(
                Note(
                    code: "alipay.sign-not-encoded", cause: "The signature stands in the order as plain base64.",
                    evidence: [.init("sign", String(sign.prefix(24)) + "…")],
                    mend: "Percent-encode sign once, + / = included, before it is put between its quotation marks."))
        }
        return AlipayMessage(
            kind: .legacyOrder, draft: draft,
            signature: PercentEncoding.decode(Array(sign.utf8)[...], plusIsSpace: false).map { String(decoding: $0, as: UTF8.self) }
                ?? sign,
            signType: text("sign_type"), notes: notes)
    }

    private static func result(_ text: String) throws(AlipayError) -> AlipayMessage? {
        if text.isEmpty { return nil }
        if text.hasPrefix("{") { return try node(Array(text.utf8)) }
        let signed = try SignedLegacyResult(text)
        var draft = SignedDraft(pairs: signed.pairs.map { .init(name: $0.name, value: $0.value) }, isQuoted: true, keepsEmpty: true)
        draft.charset = signed.charset
        draft.left = LegacyServiceRequest.unsigned
        return AlipayMessage(kind: .legacyResult, draft: draft, signature: signed.signature, signType: signed.algorithm.rawValue)
    }

    private static func json(_ bytes: [UInt8], _ text: String) throws(AlipayError) -> AlipayMessage? {
        guard let json = try? AlipayJSON.read(bytes), let members = json.members else { return nil }
        if members.contains(where: { $0.key == "error_response" || $0.key.hasSuffix("_response") }) { return try node(bytes) }
        if json["resultStatus"] != nil || json["ResultStatus"] != nil { return try result(PaymentResult(json).result) }
        guard json["notify_id"] != nil, json["sign"] != nil else { return nil }
        var draft = SignedDraft(isSorted: true)
        // The text was decoded when it was kept; what was signed are its bytes in the charset that the notification names.
        let charset = json["charset"]?.string.flatMap(AlipayCharset.init(name:)) ?? .utf8
        draft.charset = charset
        draft.pairs = members.map { member in
            let text = member.value.scalar ?? member.value.text
            return .init(name: member.key, value: (try? charset.encode(text)) ?? Array(text.utf8))
        }
        draft.left = AlipayNotification.unsigned
        return AlipayMessage(
            kind: .notification, draft: draft, signature: json["sign"]?.string ?? "", signType: json["sign_type"]?.string)
    }

    private static func node(_ bytes: [UInt8]) throws(AlipayError) -> AlipayMessage {
        let isText = String(utf8: bytes) != nil
        let node = try SignedNode(bytes, charset: isText ? .utf8 : .gbk)
        var draft = SignedDraft(node: node.signedBytes, charset: isText ? .utf8 : .gbk)
        // Members serve the rules, not the text that is signed.
        draft.pairs = (node.value.members ?? []).compactMap { member in
            member.value.scalar.map { .init(name: member.key, value: Array($0.utf8)) }
        }
        return AlipayMessage(
            kind: [PaymentResult.nodeName, "alipay_trade_wap_pay_response"].contains(node.name) ? .modernResult : .answer, draft: draft,
            signature: node.signature ?? "",
            signType: node.signType)
    }

    private static func form(_ bytes: [UInt8]) throws(AlipayError) -> AlipayMessage? {
        var notes: [Note] = []
        let names = Set(
            bytes.split(separator: UInt8(ascii: "&")).compactMap { $0.split(separator: UInt8(ascii: "="), maxSplits: 1).first }
                .map { String(decoding: $0, as: UTF8.self) })
        let isModern = names.contains("method") || names.contains("biz_content")
        let isNotification = names.contains("notify_id") && (names.contains("notify_type") || names.contains("trade_status"))
        guard isModern || isNotification || (names.contains("service") && names.contains("partner")) else { return nil }
        var parameters = try isNotification ? AlipayParameters(form: bytes) : AlipayParameters(request: bytes)
        let charset = (parameters["charset"] ?? parameters["_input_charset"]).flatMap(AlipayCharset.init(name:))
        // A notification of the legacy generation does not name its charset.
        let isUTF8 = parameters.entries.allSatisfy { String(utf8: $0.value) != nil }
        parameters.charset = charset ?? (isUTF8 ? .utf8 : .gbk)
        var draft = SignedDraft(pairs: parameters.entries.map { .init(name: $0.name, value: $0.value) }, isSorted: true)
        draft.charset = parameters.charset
        let method = parameters["method"]
        // A page's return is signed as a notification is.
        let isReturn = method?.hasSuffix(".return") ?? false
        draft.left = isModern && !isNotification && !isReturn ? ["sign"] : AlipayNotification.unsigned
        let service = parameters["service"]
        let kind: Kind =
            if isNotification { .notification } else if isModern { method == "alipay.trade.app.pay" ? .modernOrder : .modernCall } else {
                service == "mobile.securitypay.pay" ? .unquotedOrder : .legacyCall
            }
        var sign = parameters["sign"] ?? ""
        if kind == .unquotedOrder, sign.hasPrefix("\""), sign.hasSuffix("\""), sign.count > 2 {
            sign = String(sign.dropFirst().dropLast())
            notes.append(
                Note(
                    code: "alipay.quotes-missing", cause: "Quotation marks stand round the signature only.",
                    mend: "Put quotation marks round every value, before signing."))
        }
        if kind == .modernOrder, bytes.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "\"") }) {
            notes.append(
                Note(
                    code: "alipay.biz-content-not-encoded", cause: "biz_content stands in the order without percent-encoding.",
                    mend: "Form-encode every value of the order string, biz_content too."))
        }
        // The order's form decoding turned a bare + into a blank; so does a gateway.
        return AlipayMessage(kind: kind, draft: draft, signature: sign, signType: parameters["sign_type"], notes: notes)
    }
}
