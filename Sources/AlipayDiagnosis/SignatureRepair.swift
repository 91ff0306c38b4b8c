import BillfoldDiagnosis
import Foundation
import PaymentCrypto

/// A signature's text made readable again, and what had happened to it.
struct SignatureRepair {
    var bytes: [UInt8]
    var notes: [AlipayMessage.Note] = []

    /// Nil when no repair makes it base64.
    init?(_ text: String) {
        var text = text
        var notes: [AlipayMessage.Note] = []
        func note(_ code: String, cause: String, mend: String) {
            notes.append(.init(code: code, cause: cause, evidence: [.init("sign", String(text.prefix(32)) + "…")], mend: mend))
        }
        if text.contains("%"), let once = text.removingPercentEncoding, !once.contains("%") || once.contains("%2") {
            note(
                "alipay.sign-encoded-twice", cause: "The signature was percent-encoded twice.",
                mend: "Encode sign exactly once: base64, then percent-encoding.")
            text = once.removingPercentEncoding ?? once
        }
        if text.contains(where: \.isNewline) {
            note("alipay.sign-line-breaks", cause: "The signature's base64 has line breaks.", mend: "Encode to base64 without line breaks.")
            text = text.filter { !$0.isNewline }
        }
        if text.contains(" ") {
            note(
                "alipay.sign-plus-to-space", cause: "Plus signs of the signature's base64 became spaces.",
                mend: "Percent-encode + as %2B when sending, and decode the form only once.")
            text = text.replacing(" ", with: "+")
        }
        if text.contains(where: { $0 == "-" || $0 == "_" }) {
            note(
                "alipay.sign-url-safe", cause: "The signature is in the URL-safe alphabet of base64.",
                mend: "Use the standard alphabet with + and /.")
            text = text.replacing("-", with: "+").replacing("_", with: "/")
        }
        let bare = text.prefix { $0 != "=" }
        let padded = String(bare) + String(repeating: "=", count: (4 - bare.count % 4) % 4)
        guard !bare.isEmpty, let bytes = Data(base64Encoded: padded) ?? Data(base64Encoded: String(bare.dropLast(bare.count % 4))) else {
            return nil
        }
        self.bytes = Array(bytes)
        self.notes = notes
    }
}
