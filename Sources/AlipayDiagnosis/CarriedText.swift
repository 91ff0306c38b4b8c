import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// A message's text without what pages, logs and libraries put round it or did to all of it, one named step at a time.
///
/// Only what shows in the text as a whole is undone here; what happened to single values is found by their signature.
struct CarriedText {
    private(set) var bytes: [UInt8]
    private(set) var notes: [AlipayMessage.Note] = []
    /// What the message was handed over in, in words; nil for itself.
    private(set) var carrier: String?

    /// Whose hands it was in on its way, which is where the mistake was made: a mend speaks of that.
    private enum Passage {
        /// From the merchant's server by the app to the kit.
        case order
        /// From Alipay to the merchant's server.
        case notification
        /// From the kit by the app to the merchant's server.
        case result

        init(_ text: String) {
            self =
                if text.contains(/(¬|not)ify_id|trade_status/) {
                    .notification
                } else if text.hasPrefix("resultStatus") || text.contains(/[&;]success=|safepay/) { .result } else { .order }
        }
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard let text = String(utf8: bytes), let first = text.unicodeScalars.first, first != "{", first != "[" else { return }
        var current = text
        undoJSON(&current)
        undoSwitch(&current)
        undoPercent(&current)
        undoHTML(&current)
        restoreSigns(&current)
        if current != text { self.bytes = Array(current.utf8) }
    }

    private mutating func note(_ code: String, cause: String, mend: String, evidence: (String, String)...) {
        notes.append(.init(code: code, cause: cause, evidence: evidence.map { .init($0.0, $0.1) }, mend: mend))
    }

    private func mend(_ text: String, order: String, notification: String, result: String) -> String {
        switch Passage(text) {
        case .order: order
        case .notification: notification
        case .result: result
        }
    }

    // MARK: JSON

    /// A text copied out of JSON: `\u003d` for =, `\u0026` for &, as libraries write them that think of pages.
    private mutating func undoJSON(_ text: inout String) {
        guard text.contains("\\u0026") || text.contains("\\u003d") || text.contains("\\u003D") else { return }
        let bare = text.hasPrefix("\"") && text.hasSuffix("\"") ? String(text.dropFirst().dropLast()) : text
        let inner = bare.replacing("\\\"", with: "\"").replacing("\"", with: "\\\"")
        guard let unescaped = (try? AlipayJSON.read("\"\(inner)\""))?.string else { return }
        note(
            "alipay.json-escaped", cause: "The text still has JSON's escapes: it was taken out of JSON without being read as JSON.",
            mend: mend(
                text, order: "Read the answer of your server as JSON and hand the text inside to the kit; no text of JSON is an order.",
                notification: "Verify the body of Alipay's call as it came; where it was kept or handed on as JSON, read the JSON first.",
                result: "Read what the app sent as JSON, and verify the text inside."),
            evidence: ("found", text.contains("\\u0026") ? "\\u0026 for &" : "\\u003d for ="))
        text = unescaped
    }

    // MARK: Percent signs

    private mutating func undoPercent(_ text: inout String) {
        let lower = text.lowercased()
        guard !text.contains("="), !text.contains("&"), lower.contains("%3d"), lower.contains("%26"),
            let decoded = PercentEncoding.decode(Array(text.utf8)[...], plusIsSpace: false).flatMap({ String(utf8: $0) })
        else { return }
        note(
            "alipay.percent-encoding", cause: "The whole message was percent-encoded once more.",
            mend: mend(
                text, order: "Encode each value once; the = and & between them stay as they are.",
                notification: "Verify the body of Alipay's call as it came: nothing may encode it as a whole before its pairs are read.",
                result: "Hand the result on as the kit gave it: where it goes into a form, the form's reader decodes it once more."),
            evidence: ("found", "%3D and %26 between the values"))
        text = decoded
    }

    // MARK: The wallet's URL

    /// The order inside of a URL by which an app hands it to the wallet (alipay.md#to-the-wallet).
    private mutating func undoSwitch(_ text: inout String) {
        guard text.hasPrefix("alipay"), let colon = text.firstRange(of: "://"), colon.lowerBound <= text.index(text.startIndex, offsetBy: 8)
        else { return }
        do throws(AlipayError) {
            let url = try AppSwitchURL(text)
            carrier = "an app-switch URL"
            if url.form == .client, url.returnScheme?.isEmpty ?? true {
                note(
                    "alipay.switch-scheme", cause: "The URL names no scheme to come back by, so the result reaches no app.",
                    mend: "Set fromAppUrlScheme to a scheme that the app registers.")
            }
            text = url.order
        } catch {
            guard let query = text.split(separator: "?", maxSplits: 1).dropFirst().first,
                let decoded = PercentEncoding.decode(Array(query.utf8)[...], plusIsSpace: false).flatMap({ String(utf8: $0) })
            else { return }
            carrier = "an app-switch URL"
            guard let key = decoded.firstRange(of: /"dataString"\s*:\s*/), decoded[key.upperBound...].first != "\"" else {
                note(
                    "alipay.switch-unreadable", cause: "The wallet's URL cannot be read: \(error.reason).",
                    mend: "Put JSON of requestType, fromAppUrlScheme and dataString behind the question mark, percent-encoded once.",
                    evidence: ("refused as", error.code.description))
                // What it carries is judged all the same.
                text = (try? AlipayJSON.read(decoded))?["dataString"]?.string ?? decoded
                return
            }
            note(
                "alipay.switch-unquoted", cause: "dataString has no quotation marks: what stands behind the question mark is no JSON.",
                mend: "Write the order as a text of JSON, escaped by a JSON library, and percent-encode the whole once.",
                evidence: ("refused as", error.code.description))
            // The last brace is the URL's own.
            let rest = decoded[key.upperBound...]
            text = String(rest[..<(rest.lastIndex(of: "}") ?? rest.endIndex)])
        }
    }

    // MARK: HTML

    /// `&amp;` between the pairs of all of it: every & of the text begins an entity.
    private mutating func undoHTML(_ text: inout String) {
        guard text.contains(/&amp;[A-Za-z_]+=/), !text.contains(/&(?!amp;|quot;|lt;|gt;|#)/) else { return }
        note(
            "alipay.html-escaped", cause: "The whole message was HTML-escaped.",
            mend: mend(
                text,
                order:
                    "Hand the order to the kit as it was made; a page that shows it has to escape it, and nothing may take it from the page's source.",
                notification:
                    "Verify the raw body of Alipay's call, before a filter or a framework of your server escapes it; a page that shows values escapes them then.",
                result: "Hand the result to your server as the kit gave it, and verify it before any page or filter escapes it."),
            evidence: ("found", "&amp; between the values"))
        text = HTMLEntities.unescape(text)
    }

    /// `&times` of `&timestamp` and its like, which something that reads HTML turned into a sign (alipay.md#failures [O]).
    private mutating func restoreSigns(_ text: inout String) {
        var found: [HTMLEntities.Sign] = []
        for sign in HTMLEntities.signs {
            guard text.contains(sign.sign) else { continue }
            let restored = text.split(separator: sign.sign, omittingEmptySubsequences: false)
            var joined = String(restored[0])
            var isFound = false
            for part in restored.dropFirst() {
                // The rest of a parameter's name, up to its =.
                let isName = part.prefixMatch(of: /[a-z_]{1,24}=/) != nil
                joined += (isName ? "&\(sign.name)" : String(sign.sign)) + part
                isFound = isFound || isName
            }
            guard isFound else { continue }
            found.append(sign)
            text = joined
        }
        guard !found.isEmpty else { return }
        if found.map(\.name) == ["not"] {
            note(
                "alipay.not-entity", cause: "\"&not\" of \"&notify_…\" was turned into the sign ¬ by something that reads HTML.",
                mend: mend(
                    text, order: "Hand the order to the kit as it was made; never pass it through a page or an HTML parser.",
                    notification: "Take the raw body; never pass it through a page or an HTML parser.",
                    result: "Take the result as the kit gave it; never pass it through a page or an HTML parser."),
                evidence: ("found", "¬ify_"))
        } else {
            note(
                "alipay.html-entity", cause: "The beginnings of parameters' names were taken for entities of HTML and turned into signs.",
                mend: mend(
                    text, order: "Never pass an order through a page or an HTML parser; where it has to be, escape & as &amp; before.",
                    notification:
                        "Verify the raw body of Alipay's call; never take it from a page, a mail or what an HTML parser made of it.",
                    result: "Verify the result as the kit gave it; never pass it through a page or an HTML parser."),
                evidence: ("found", found.map { "\($0.sign) of &\($0.name)" }.joined(separator: ", ")))
        }
    }
}
