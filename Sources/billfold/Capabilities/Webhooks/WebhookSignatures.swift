import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// What stands in `webhook-signature`, read as generously as it can be: the codes of 32 bytes, each with what is wrong about its form.
struct WebhookSignatures {
    struct Code {
        var bytes: [UInt8]
        var form: Form?
    }

    /// A form that no library takes, with the finding's code, cause and mend.
    enum Form: String, CaseIterable {
        case version = "webhook.signature-version"
        case prefix = "webhook.signature-prefix"
        case hexadecimal = "webhook.signature-hex"
        case separator = "webhook.signature-separator"

        var cause: String {
            switch self {
            case .version: "The signature names another version than v1."
            case .prefix: "The signature has no version in front of it."
            case .hexadecimal: "The signature is written in hexadecimal."
            case .separator: "The signatures are separated by something other than a space."
            }
        }

        var mend: String {
            switch self {
            case .version: "Sign by HMAC-SHA256 and write v1, before the base64; v1a is another algorithm's."
            case .prefix: "Write v1, before the base64, and hand the header on whole: a verifier looks for the version."
            case .hexadecimal: "Write the 32 bytes in base64, with v1, before them."
            case .separator: "Write each signature as v1, and its base64, with one space between two of them."
            }
        }
    }

    let codes: [Code]

    init(_ text: String) {
        var codes: [Code] = []
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
        for word in words {
            let (version, rest) = Self.halves(word)
            if let bytes = Self.base64(rest) {
                codes.append(Code(bytes: bytes, form: version == nil ? .prefix : ExactText.equal(version ?? "", "v1") ? nil : .version))
            } else if let bytes = Self.hexadecimal(rest) ?? Self.hexadecimal(word) {
                codes.append(Code(bytes: bytes, form: .hexadecimal))
            } else {
                // Commas, semicolons and line breaks that a header was joined with.
                let parts = word.split(whereSeparator: { ",;|".contains($0) }).map(String.init)
                codes += parts.compactMap(Self.base64).map { Code(bytes: $0, form: .separator) }
            }
        }
        self.codes = codes
    }

    /// A version and what it stands before: `v1,…`, and `v1=…` and `sha256=…` of other senders.
    private static func halves(_ word: String) -> (version: String?, rest: String) {
        guard let mark = word.firstIndex(where: { $0 == "," || $0 == "=" }), mark < word.index(before: word.endIndex),
            word[..<mark].count <= 8, base64(word) == nil
        else { return (nil, word) }
        return (String(word[..<mark]), String(word[word.index(after: mark)...]))
    }

    private static func base64(_ text: String) -> [UInt8]? { (try? StrictBase64.decode(text)).flatMap { $0.count == 32 ? $0 : nil } }

    private static func hexadecimal(_ text: String) -> [UInt8]? { try? text.utf8.count == 64 ? Hexadecimal.decode(text) : nil }
}

/// The text that a signature covers, `id.timestamp.body`, and the known ways to get it wrong.
struct WebhookText {
    struct Slip {
        var code: String
        var cause: String
        var mend: String
        var evidence: (name: String, value: String)
        var bytes: [UInt8]
    }

    let id: String
    let time: String
    let body: [UInt8]

    var bytes: [UInt8] { Self.joined(id, time, body: body) }

    private static func joined(_ first: String, _ second: String, body: [UInt8]) -> [UInt8] { Array("\(first).\(second).".utf8) + body }

    /// - Parameter eventID: What the body says of itself.
    func slips(eventID: String?) -> [Slip] { bodies + texts + ids(eventID) + times }

    private var bodies: [Slip] {
        var slips: [Slip] = []
        func add(_ body: [UInt8], _ what: String, code: String, cause: String) {
            guard body != self.body else { return }
            slips.append(
                Slip(
                    code: code, cause: cause, mend: "Verify the bytes as they came, before anything parses, trims or prints them.",
                    evidence: ("what was signed", what), bytes: Self.joined(id, time, body: body)))
        }
        let ends = "The body's end was changed on its way: a line end was added or taken away."
        let trimmed = body.reversed().drop { [0x0A, 0x0D, 0x20].contains($0) }.reversed()
        add(Array(trimmed), "the body without the blanks at its end", code: "webhook.body-line-end", cause: ends)
        add(Array(trimmed) + [0x0A], "the body with a line end", code: "webhook.body-line-end", cause: ends)
        for carried in [self.body, Array(trimmed)] {
            for form in Self.carriedForms(carried) { add(form.bytes, form.what, code: form.code, cause: form.cause) }
        }
        guard let json = try? JSONReader.read(self.body, maximumBytes: 1_048_576) else { return slips }
        for style in JSONStyle.all {
            add(
                JSONWriter.write(json, style: style), "the same JSON, \(style)", code: "webhook.body-reserialised",
                cause: "The body was parsed and written again: what is here are not the bytes that were signed.")
        }
        return slips
    }

    private struct CarriedBody {
        var code: String
        var cause: String
        var what: String
        var bytes: [UInt8]
    }

    /// What was signed, where filters, logs and frameworks wrote it into another form on its way.
    private static func carriedForms(_ body: [UInt8]) -> [CarriedBody] {
        guard let text = String(utf8: body) else { return [] }
        var forms: [CarriedBody] = []
        let plain = HTMLEntities.unescape(text)
        if !ExactText.equal(plain, text) {
            forms.append(
                CarriedBody(
                    code: "webhook.body-html-escaped",
                    cause: "The body was escaped for HTML before it was verified: entities such as &quot; stand where signs were signed.",
                    what: "the body without entities of HTML", bytes: Array(plain.utf8)))
        }
        if case .string(let inner)? = try? JSONReader.read(body, maximumBytes: 1_048_576) {
            forms.append(
                CarriedBody(
                    code: "webhook.body-quoted", cause: "The body was written as a text of JSON, in quotation marks and with escapes.",
                    what: "what stands in the quotation marks", bytes: Array(inner.utf8)))
        }
        let charset = "The body's bytes were read in another character set and written again."
        let scalars = text.unicodeScalars
        if scalars.contains(where: { $0.value > 0x7F }), scalars.allSatisfy({ $0.value <= 0xFF }) {
            forms.append(
                CarriedBody(
                    code: "webhook.body-charset", cause: charset, what: "the body before UTF-8 was read as Latin-1",
                    bytes: scalars.map { UInt8($0.value) }))
        }
        if body.starts(with: [0xEF, 0xBB, 0xBF]) {
            forms.append(
                CarriedBody(
                    code: "webhook.body-charset", cause: charset, what: "the body without the byte order mark in front",
                    bytes: Array(body.dropFirst(3))))
        }
        return forms
    }

    private var texts: [Slip] {
        let parts: [(String, [UInt8])] = [
            ("the body alone", body), ("timestamp and body", Array("\(time).".utf8) + body), ("id and body", Array("\(id).".utf8) + body),
            ("timestamp, id and body", Self.joined(time, id, body: body)),
            ("id, timestamp and body without full stops", Array((id + time).utf8) + body),
        ]
        return parts.map {
            Slip(
                code: "webhook.signed-text", cause: "Another text was signed than id, timestamp and body.",
                mend: "Sign and verify the id, a full stop, the timestamp, a full stop and the body's bytes.",
                evidence: ("what was signed", $0.0), bytes: $0.1)
        }
    }

    private func ids(_ eventID: String?) -> [Slip] {
        guard let eventID, !ExactText.equal(eventID, id) else { return [] }
        return [
            Slip(
                code: "webhook.id-altered", cause: "The header webhook-id is not the one that was signed.",
                mend: "Hand the header on as it came: it is the event's id, the same in every attempt.",
                evidence: ("signed id, as the body has it", eventID), bytes: Self.joined(eventID, time, body: body))
        ]
    }

    /// Up to an hour apart, and milliseconds in place of seconds.
    private var times: [Slip] {
        guard let seconds = Int64(time) else { return [] }
        let near = (-3_600...3_600).map { (seconds < 100_000_000_000 ? seconds : seconds / 1_000) + $0 }
        return near.map(String.init).filter { !ExactText.equal($0, time) }.map { other in
            Slip(
                code: "webhook.timestamp-altered", cause: "The header webhook-timestamp is not the one that was signed.",
                mend: "Hand the header on as it came, in seconds since 1970, and take no other clock's time for it.",
                evidence: ("signed timestamp", other), bytes: Self.joined(id, other, body: body))
        }
    }
}
