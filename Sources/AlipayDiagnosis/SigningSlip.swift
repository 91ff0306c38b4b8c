import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// One known way of signing another text than the one that is sent, or of reading another than was sent.
struct SigningSlip: Sendable {
    struct Variant {
        var draft: SignedDraft
        var evidence: [Finding.Evidence]
    }

    var code: String
    var cause: String
    var mend: String
    /// For what the merchant signs; nil where it is the same.
    var merchantsMend: String?
    var variants: @Sendable (SignedDraft) -> [Variant]

    init(
        _ code: String, cause: String, mend: String, merchantsMend: String? = nil,
        _ variants: @escaping @Sendable (SignedDraft) -> [Variant]
    ) {
        self.code = code
        self.cause = cause
        self.mend = mend
        self.merchantsMend = merchantsMend
        self.variants = variants
    }

    private static func changed(_ draft: SignedDraft, _ evidence: (String, String)..., by change: (inout SignedDraft) -> Void) -> [Variant]
    {
        var next = draft
        change(&next)
        return [Variant(draft: next, evidence: evidence.map { .init($0.0, $0.1) })]
    }

    private static func values(_ draft: SignedDraft, _ change: (SignedDraft.Pair) -> [UInt8]?) -> [Variant] {
        draft.changingValues(change).map { Variant(draft: $0.draft, evidence: [.init("values", $0.names.joined(separator: ", "))]) }
    }

    private static func text(_ change: @escaping (String) -> String) -> (SignedDraft.Pair) -> [UInt8]? {
        { pair in String(utf8: pair.value).map { Array(change($0).utf8) } }
    }

    private static func lowerCaseDigits(_ encoded: String) -> [UInt8] {
        var bytes = Array(encoded.utf8)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
            for digit in (index + 1)..<min(index + 3, bytes.count) where (0x41...0x46).contains(bytes[digit]) { bytes[digit] += 0x20 }
        }
        return bytes
    }

    /// What a message of pairs may have gone through, likeliest first.
    static let ofPairs: [SigningSlip] = [
        SigningSlip(
            "alipay.key-after-sign", cause: "Parameters were appended after signing: the signature does not cover them.",
            mend: "Put every parameter into the order before it is signed."
        ) { draft in
            guard !draft.behind.isEmpty else { return [] }
            return changed(draft, ("not covered", draft.behind.joined(separator: ", "))) { $0.left.formUnion(draft.behind) }
        },
        SigningSlip(
            "alipay.sign-type-left-out", cause: "sign_type was left out of the text that was signed.",
            mend: "Keep sign_type in: a modern request signs all parameters but sign."
        ) { draft in
            guard !draft.isQuoted, !draft.left.contains("sign_type") else { return [] }
            return changed(draft) { $0.left.insert("sign_type") }
        },
        SigningSlip(
            "alipay.sign-type-kept", cause: "sign_type was kept in the text that was signed or checked.",
            mend: "Take sign and sign_type out: legacy messages and notifications sign neither."
        ) { draft in
            guard draft.left.contains("sign_type"), draft.pairs.contains(where: { $0.name == "sign_type" }) else { return [] }
            return changed(draft) { $0.left.remove("sign_type") }
        },
        SigningSlip(
            "alipay.quotes-missing",
            cause: "Quotation marks stand around the values on one side only: signed text and sent text differ in them.",
            mend: "Sign key=\"value\" pairs exactly as they are sent, quotation marks included."
        ) { draft in
            changed(draft, ("signed", draft.isQuoted ? "without quotation marks" : "with quotation marks")) {
                $0.isQuoted.toggle()
                if $0.isQuoted { ($0.isSorted, $0.keepsEmpty) = (false, true) }
            }
        },
        SigningSlip(
            "alipay.order-changed", cause: "The parameters were signed in another order than the one that counts.",
            mend: "Legacy orders are signed as they are sent; everything else sorted by the bytes of the keys."
        ) { draft in
            changed(draft, ("signed", draft.isSorted ? "in the order sent" : "sorted")) { $0.isSorted.toggle() }
        },
        SigningSlip(
            "alipay.charset-mixed", cause: "The text was signed in another charset than the one that the message names or comes in.",
            mend: "Use one charset for text, signed bytes and message, and name it in the URL, for a POST too."
        ) { draft in
            let other: AlipayCharset = draft.charset == .utf8 ? .gbk : .utf8
            return changed(draft, ("message", draft.charset.rawValue), ("signed", other.rawValue)) { $0.recoded = other }
        },
        SigningSlip(
            "alipay.json-reserialised", cause: "JSON was parsed and printed again between signing and sending, or receiving and checking.",
            mend: "Carry the JSON text that was signed as it is; print it once."
        ) { draft in
            draft.pairs.indices.flatMap { index -> [Variant] in
                let pair = draft.pairs[index]
                guard pair.value.first == UInt8(ascii: "{") || pair.value.first == UInt8(ascii: "["), !draft.left.contains(pair.name) else {
                    return []
                }
                return JSONPrinting.variants(of: pair.value).map { style, value in
                    var next = draft
                    next.pairs[index].value = value
                    return Variant(draft: next, evidence: [.init("parameter", pair.name), .init("signed", style)])
                }
            }
        },
        SigningSlip(
            "alipay.html-escaped", cause: "Values were HTML-escaped on their way.",
            mend: "Take the raw body: frameworks escape request values before your code sees them.",
            merchantsMend: "Send the values that were signed: a template or a filter escaped them behind the signing, or before it."
        ) { draft in
            values(draft, text(HTMLEntities.unescape)) + values(draft, text(HTMLEntities.escape))
        },
        SigningSlip(
            "alipay.plus-to-space", cause: "Plus signs and spaces were taken for each other.",
            mend: "Form bodies decode + to a space, once; URLs of the app switch never do."
        ) { draft in
            values(draft, text { $0.replacing(" ", with: "+") }) + values(draft, text { $0.replacing("+", with: " ") })
        },
        SigningSlip(
            "alipay.percent-encoding", cause: "Values were percent-encoded once more, or once less, than when they were signed.",
            mend: "Legacy orders sign values as they stand between the quotation marks; all else signs decoded values."
        ) { draft in
            values(draft) { PercentEncoding.decode($0.value[...], plusIsSpace: false) }
                + values(draft) { PercentEncoding.decode($0.value[...], plusIsSpace: true) }
                + values(draft) { Array(PercentEncoding.encode($0.value).utf8) }
                + values(draft) { Array(PercentEncoding.encode($0.value, spaceAsPlus: true).utf8) }
                // With %3d for %3D, as the documents' own examples have it.
                + values(draft) { lowerCaseDigits(PercentEncoding.encode($0.value)) }
        },
        SigningSlip(
            "alipay.trimmed", cause: "Blanks at the beginning or end of a value were cut off.",
            mend: "Trim nothing before the signature is checked: a subject may begin with a space."
        ) { draft in
            [[UInt8(ascii: " ")], []].flatMap { front in
                values(draft) { front.isEmpty ? $0.value + [UInt8(ascii: " ")] : front + $0.value }
            }
        },
        SigningSlip(
            "alipay.empty-fields", cause: "Empty values are in one of the two texts and not in the other.",
            mend: "Leave empty values out of the text in requests; check notifications over the fields as they were posted."
        ) { draft in
            let present = Set(draft.pairs.map(\.name))
            let added = ["body", "passback_params", "gmt_close", "gmt_refund", "refund_status", "out_biz_no", "buyer_email"]
                .filter { !present.contains($0) }.map { name in
                    var next = draft
                    next.pairs.append(.init(name: name, value: []))
                    next.keepsEmpty = true
                    return Variant(draft: next, evidence: [.init("empty", name)])
                }
            let empty = draft.pairs.filter { $0.value.isEmpty && !draft.left.contains($0.name) }.map(\.name)
            guard !empty.isEmpty else { return added }
            return changed(draft, ("empty", empty.joined(separator: ", "))) { $0.keepsEmpty.toggle() } + added
        },
        SigningSlip(
            "alipay.extra-parameter", cause: "A parameter is in the message that the signer did not have.",
            mend: "Take the fields from the query or body alone; frameworks add routes and session ids, and SDKs a name of their own."
        ) { draft in
            let covered = draft.pairs.filter { !draft.left.contains($0.name) }.map(\.name)
            // Certificate mode adds two at once, and what is added late stands behind the signature.
            let serials = covered.filter { $0.hasSuffix("cert_sn") }
            let late =
                draft.pairs.lastIndex { $0.name == "sign" }.map { draft.pairs[($0 + 1)...].map(\.name).filter(covered.contains) } ?? []
            let several = [serials, late].filter { $0.count > 1 }.flatMap { names in
                changed(draft, ("parameter", names.joined(separator: ", "))) { $0.left.formUnion(names) }
            }
            return covered.flatMap { name in changed(draft, ("parameter", name)) { $0.left.insert(name) } } + several
        },
        trailingNewline,
    ]

    private static let trailingNewline = SigningSlip(
        "alipay.trailing-newline", cause: "The text that was signed ends in a line end.", mend: "Sign the text without a line end."
    ) { draft in
        ["\n", "\r\n"].flatMap { end in changed(draft, ("signed", end == "\n" ? "with LF" : "with CR LF")) { $0.suffix = Array(end.utf8) } }
    }

    /// What an answer's node may have gone through.
    static let ofNode: [SigningSlip] = [
        SigningSlip(
            "alipay.json-reserialised", cause: "The answer was parsed and printed again: its node is not the text that was signed.",
            mend: "Cut the node out of the bytes as they came, from its { to the matching }, and check those."
        ) { draft in
            (JSONPrinting.variants(of: draft.node) + JSONPrinting.reordered(draft.node)).map { style, node in
                var next = draft
                next.node = node
                return Variant(draft: next, evidence: [.init("signed", style)])
            }
        },
        SigningSlip(
            "alipay.charset-mixed", cause: "The answer was signed in another charset than the one it was kept in.",
            mend: "Check the bytes as they came, before they become text."
        ) { draft in
            let other: AlipayCharset = draft.charset == .utf8 ? .gbk : .utf8
            return changed(draft, ("kept", draft.charset.rawValue), ("signed", other.rawValue)) { $0.recoded = other }
        },
        SigningSlip("alipay.html-escaped", cause: "The answer was HTML-escaped.", mend: "Take the raw body.") { draft in
            guard let text = String(utf8: draft.node) else { return [] }
            return [HTMLEntities.unescape(text), HTMLEntities.escape(text)].filter { $0 != text }.flatMap { node in
                changed(draft) { $0.node = Array(node.utf8) }
            }
        },
        SigningSlip(
            "alipay.plus-to-space", cause: "Plus signs in the result became spaces.",
            mend: "Decode the return URL's percent signs only: + stays +."
        ) { draft in
            guard let text = String(utf8: draft.node), text.contains(" ") else { return [] }
            return changed(draft) { $0.node = Array(text.replacing(" ", with: "+").utf8) }
        },
        trailingNewline,
    ]
}

/// The texts that one JSON value has in the hands of common libraries.
enum JSONPrinting {
    /// Each with what tells it from the others; none equal to the text itself.
    static func variants(of bytes: [UInt8]) -> [(style: String, bytes: [UInt8])] {
        guard let json = try? AlipayJSON.read(bytes) else { return [] }
        return JSONStyle.all.map { ($0.description, JSONWriter.write(json, style: $0)) }.filter { $0.1 != bytes }
    }

    /// Orders of a node's members that the platform uses (alipay.md#modern-result): whoever sorts them by name signs another text.
    private static let orders = [
        [
            "code", "msg", "sub_code", "sub_msg", "app_id", "auth_app_id", "charset", "timestamp", "out_trade_no", "total_amount",
            "trade_no",
            "seller_id",
        ],
        [
            "code", "msg", "sub_code", "sub_msg", "app_id", "auth_app_id", "charset", "timestamp", "total_amount", "trade_no", "seller_id",
            "out_trade_no",
        ],
        ["code", "msg", "sub_code", "sub_msg"],
    ]

    /// The node with its members in one of those orders, the others behind as they are and sorted, with slashes plain and escaped.
    static func reordered(_ bytes: [UInt8]) -> [(style: String, bytes: [UInt8])] {
        guard let object = (try? AlipayJSON.read(bytes))?.object else { return [] }
        var found: [(style: String, bytes: [UInt8])] = []
        for order in orders {
            let first = order.compactMap { object.member($0) }
            let rest = object.members(besides: Set(order))
            for others in [rest, rest.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }] {
                let node = JSONWriter.write(.object(JSONObject(first + others)))
                guard node != bytes else { continue }
                found.append(("members in the platform's own order", node))
                let escaped = Array(String(decoding: node, as: UTF8.self).replacing("/", with: "\\/").utf8)
                if escaped != node { found.append(("members in the platform's own order, slashes escaped", escaped)) }
            }
        }
        return found
    }
}
