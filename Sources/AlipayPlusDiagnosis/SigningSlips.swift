import AlipayPlusValues
import BillfoldDiagnosis
import BillfoldJSON

/// What was signed, taken apart, so that known mistakes can be made on purpose.
struct SigningDraft {
    var method = "POST"
    var path: String
    var lineEnd = "\n"
    var clientID: String
    var dots = (first: ".", second: ".")
    var time: String
    var body: [UInt8]
    var isBodyOnly = false

    var text: [UInt8] {
        if isBodyOnly { return body }
        return Array("\(method) \(path)\(lineEnd)\(clientID)\(dots.first)\(time)\(dots.second)".utf8) + body
    }
}

/// One known way of signing another text than the one that counts (alipay-plus.md#failures).
struct SigningSlip: Sendable {
    struct Variant {
        var draft: SigningDraft
        var evidence: [Finding.Evidence]
    }

    let code: String
    let cause: String
    let mend: String
    let variants: @Sendable (SigningDraft, AlipayPlusArtifact) -> [Variant]

    private static func variant(of draft: SigningDraft, _ name: String, _ value: String, change: (inout SigningDraft) -> Void) -> Variant {
        var next = draft
        change(&next)
        return Variant(draft: next, evidence: [.init(name, value)])
    }

    static let all: [SigningSlip] = [
        SigningSlip(
            code: "alipay-plus.signed-path", cause: "Another path than the request's was signed.",
            mend: "Sign the path alone, as it is sent: no scheme, host, port, query or /sandbox."
        ) { draft, artifact in
            let host = artifact.host ?? "open-sea-global.alipayplus.com"
            let tail = draft.path.split(separator: "/").suffix(2).joined(separator: "/")
            var paths = [
                "https://\(host)\(draft.path)", "http://\(host)\(draft.path)", artifact.target, "/sandbox\(draft.path)", "/\(tail)", tail,
            ]
            // Without a Host header, where a server on this machine usually is.
            paths += ["http://127.0.0.1:8080", "http://localhost:8080", "http://127.0.0.1", "http://localhost"].map { $0 + draft.path }
            paths += ["https://open-sea-global.alipayplus.com", "https://open-sea.alipayplus.com", "https://open-na.alipayplus.com"].map {
                $0 + draft.path
            }
            paths += ["/aps/api/v1/", "/sandbox/aps/api/v1/", "/aps/sandbox/api/v1/", "/ams/api/v1/", "/ams/sandbox/api/v1/", "/api/v1/"]
                .map { $0 + tail }
            // A notification goes to the receiver's own path, and has the name of an API behind it.
            if let last = draft.path.split(separator: "/").last {
                paths += ["/aps/api/v1/payments/", "/aps/api/v1/", "/ams/api/v1/payments/"].map { $0 + last }
            }
            if artifact.isNotification { paths += ["/aps/api/v1/payments/notifyPayment", "/aps/api/v1/payments/pay"] }
            paths += [String(draft.path.dropFirst()), draft.path + "/"]
            return paths.filter { $0 != draft.path && !$0.isEmpty }.map { path in
                variant(of: draft, "signed path", path) { $0.path = path }
            }
        },
        SigningSlip(
            code: "alipay-plus.line-end", cause: "A line end was added behind the text, or is missing from the body that was signed.",
            mend: "Sign the text without a line end behind it, and send exactly the signed body."
        ) { draft, _ in
            ["\n", "\r\n"].flatMap { end -> [Variant] in
                let name = end == "\n" ? "LF" : "CR LF"
                var variants = [variant(of: draft, "signed", "with \(name) behind the body") { $0.body += Array(end.utf8) }]
                if draft.body.suffix(end.utf8.count) == Array(end.utf8)[...] {
                    variants.append(variant(of: draft, "signed", "without the body's last \(name)") { $0.body.removeLast(end.utf8.count) })
                }
                return variants
            }
        },
        SigningSlip(
            code: "alipay-plus.separator", cause: "The parts of the text were joined by something else than they should be.",
            mend: "Join as POST, blank, path, one LF, client id, dot, time, dot, body."
        ) { draft, _ in
            [
                variant(of: draft, "line end", "CR LF") { $0.lineEnd = "\r\n" }, variant(of: draft, "line end", "none") { $0.lineEnd = "" },
                variant(of: draft, "line end", "the two characters \\n") { $0.lineEnd = "\\n" },
                variant(of: draft, "line end", "a blank") { $0.lineEnd = " " },
                variant(of: draft, "line end", "two") { $0.lineEnd = "\n\n" },
                variant(of: draft, "dots", "none") { $0.dots = ("", "") },
                variant(of: draft, "dots", "none before the body") { $0.dots.second = "" },
                variant(of: draft, "dots", "none before the time") { $0.dots.first = "" },
                variant(of: draft, "dots", "a line end before the body") { $0.dots.second = "\n" },
                variant(of: draft, "method", "post") { $0.method = "post" }, variant(of: draft, "method", "GET") { $0.method = "GET" },
            ]
        },
        SigningSlip(
            code: "alipay-plus.body-only", cause: "Only the body was signed.",
            mend: "Sign method, path, client id and time before the body."
        ) { draft, _ in [variant(of: draft, "signed", "the body alone") { $0.isBodyOnly = true }] },
        SigningSlip(
            code: "alipay-plus.body-reserialised",
            cause: "The body was parsed and printed again between signing and sending, or receiving and checking.",
            mend: "Print the body once; sign, send and check those bytes."
        ) { draft, _ in
            guard let json = try? JSONReader.read(draft.body, maximumBytes: 1_048_576) else { return [] }
            let threeBlanks = JSONBlanks.indented(json, by: 3)
            let printed = JSONStyle.all.map { ($0.description, JSONWriter.write(json, style: $0)) } + [("indented by three", threeBlanks)]
            return (printed + BodySpelling.variants(of: draft.body))
                .filter { $0.1 != draft.body }.map { style, body in variant(of: draft, "signed body", style) { $0.body = body } }
        },
        time(window: 5),
        SigningSlip(
            code: "alipay-plus.signed-client", cause: "Another client id than the header's was signed.",
            mend: "Sign the Client-Id of the header; sandbox and production have one each."
        ) { draft, artifact in
            var ids = [draft.clientID.lowercased(), draft.clientID.uppercased(), ""]
            ids.append(draft.clientID.hasPrefix("SANDBOX_") ? String(draft.clientID.dropFirst(8)) : "SANDBOX_" + draft.clientID)
            if let acquirer = artifact.json?["acquirerId"]?.string { ids.append(acquirer) }
            return ids.filter { $0 != draft.clientID }.map { id in variant(of: draft, "signed client id", id) { $0.clientID = id } }
        },
        // Last of all, because it has the most forms.
        SigningSlip(
            code: "alipay-plus.body-reserialised", cause: "A member without a value was signed, and left out when the body was sent.",
            mend: "Print the body once; sign and send those bytes, with or without members that are null."
        ) { draft, _ in
            BodySpelling.nulls(in: draft.body).map { member, body in
                variant(of: draft, "signed body", "with \(member)") { $0.body = body }
            }
        },
    ]

    /// The time in other forms, and some seconds apart on either side: a clock that was read twice.
    static func time(window: Int64) -> SigningSlip {
        SigningSlip(
            code: "alipay-plus.signed-time", cause: "Another time than the header's was signed.",
            mend: "Take the time once, and use that text for the header and for the signature."
        ) { draft, artifact in
            guard let time = try? AlipayPlusTime(header: draft.time) else { return [] }
            var texts = ["", String(time.millisecondsSince1970), String(time.millisecondsSince1970 / 1000)]
            for seconds in -window...window { texts += forms(of: time.adding(seconds: seconds)) }
            if let other = artifact.value(artifact.kind == .request ? "response-time" : "request-time") { texts.append(other) }
            if let date = artifact.value("date") { texts.append(date) }
            return texts.filter { $0 != draft.time }.map { text in variant(of: draft, "signed time", text) { $0.time = text } }
        }
    }

    private static func forms(of time: AlipayPlusTime) -> [String] {
        let china = time.description
        // The same clock face under the header's own zone, and in universal time.
        let zulu = time.adding(seconds: -8 * 3_600).description.prefix(19)
        return [china, "\(zulu)Z", "\(zulu)+00:00", String(china.prefix(19)) + "+0800"]
    }
}

/// The indentation that a public client prints with.
private enum JSONBlanks {
    static func indented(_ json: JSONValue, by blanks: Int) -> [UInt8] {
        let lines = String(decoding: JSONWriter.write(json, style: JSONStyle(spacing: .twoBlanks)), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        return Array(
            lines.map { line in
                let depth = line.prefix { $0 == " " }.count / 2
                return String(repeating: " ", count: depth * blanks) + line.drop { $0 == " " }
            }.joined(separator: "\n").utf8)
    }
}
