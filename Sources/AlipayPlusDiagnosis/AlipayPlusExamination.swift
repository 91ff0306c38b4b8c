import AlipayPlus
import AlipayPlusValues
import BillfoldDiagnosis
import BillfoldJSON
import Crypto
import Foundation
import PaymentCrypto

/// Examines one message's envelope against the keys at hand.
struct AlipayPlusExamination {
    let subject: String
    let message: AlipayPlusArtifact
    /// The path of a request; those of the requests at hand that an answer may belong to.
    let targets: [String]
    let keys: AlipayPlusKeyFiles
    let recovery: (any RSAPublicOperation)?

    func run() -> (summary: String, findings: [Finding]) {
        let whose = targets.contains(where: MessageSide.isSuperApps) ? "a super app's signed" : "an Alipay+"
        let summary = "\(whose) \(message.kind == .request ? "request" : "answer")"
        guard let header = message.value("signature"), !header.isEmpty else {
            if message.kind == .answer { return (summary + ", unsigned", unsignedSuccess()) }
            return (
                summary,
                [
                    finding(
                        "alipay-plus.signature-missing", cause: "The request has no Signature header.",
                        mend: "Send algorithm, keyVersion and signature."
                    )
                ]
            )
        }
        var findings = time() + gateway() + headerCase()
        guard (try? AlipayPlusTime(header: message.timeText)) != nil, let fields = fields(header, &findings) else {
            return (summary, findings)
        }
        guard !keys.held.isEmpty else { return (summary + "; its signature is not judged: no key was given", findings) }
        findings += judge(fields)
        return (summary, findings)
    }

    /// The signature, where there is no key to judge it by.
    var unjudged: Diagnosis.Unjudged? {
        guard keys.held.isEmpty, message.value("signature")?.isEmpty == false else { return nil }
        return .init(
            "its signature",
            need: "the public key of the side that signs it, as PEM; --key VERSION=FILE says under which version it is registered")
    }

    func finding(
        _ code: String, cause: String, mend: String, evidence: [Finding.Evidence] = [], severity: Finding.Severity = .defect
    ) -> Finding {
        Finding(code: code, severity: severity, subject: subject, cause: cause, evidence: evidence, mend: mend)
    }

    /// Errors about the signature or the client may be unsigned [O], and so may what a receiver answers to a notification; nothing else
    /// that says S is to be believed without a signature.
    private func unsignedSuccess() -> [Finding] {
        guard let json = message.json, [json["result"], json["paymentResult"]].contains(where: { $0?["resultStatus"]?.string == "S" }),
            targets.isEmpty || targets.contains(where: { MessageSide.isGateways($0) })
        else { return [] }
        return [
            finding(
                "alipay-plus.answer-unsigned", cause: "The answer says S, and nobody signed it.",
                mend: "Believe only what Alipay+'s key signed: refuse the answer, and ask again.")
        ]
    }

    // MARK: Headers

    private func time() -> [Finding] {
        guard let time = try? AlipayPlusTime(header: message.timeText) else {
            return [
                finding(
                    "alipay-plus.time-form", cause: "The header's time names no moment with a zone.",
                    mend: "Write ISO 8601 with a zone, such as 2026-03-01T10:15:30+08:00.",
                    evidence: [.init("time", String(message.timeText.prefix(40)))])
            ]
        }
        // What an answer or a proxy says of the moment of arrival.
        guard let date = message.value("date"), let arrival = HTTPDate.read(date) else { return [] }
        let seconds = (time.millisecondsSince1970 - arrival * 1_000) / 1_000
        guard seconds.magnitude > 60 else { return [] }
        return [
            finding(
                "alipay-plus.clock", cause: "The message's time and the Date header are more than a minute apart: a clock drifts.",
                mend: "Let the machine's clock follow a time server.", evidence: [.init("seconds apart", String(seconds))],
                severity: .warning)
        ]
    }

    private func gateway() -> [Finding] {
        guard message.kind == .request, let host = message.host?.lowercased() else { return [] }
        let path =
            (try? AlipayPlusMessage(target: message.target, clientID: "x", timeText: message.timeText, body: []))?.path ?? message.target
        let isOther = path.contains("/ams/api/") || (host.hasSuffix("alipay.com") && path.contains("/api/v1/"))
        guard isOther || (path.contains("/sandbox/") && path.contains("/api/v1/")) else { return [] }
        return [
            finding(
                "alipay-plus.gateway-url", cause: "The address is that of another product of the vendor's.",
                mend: "Send to /aps/api/v1/ on open-sea-global.alipayplus.com, open-sea, or open-na; the sandbox has the same paths.",
                evidence: [.init("host", host), .init("path", path)])
        ]
    }

    /// Names have no case in HTTP; clients that look for the documented spelling alone find no signature (alipay-plus.md#headers [O]).
    private func headerCase() -> [Finding] {
        guard message.kind == .answer, targets.isEmpty || targets.contains(where: MessageSide.isGateways) else { return [] }
        let names = ["client-id", "response-time", "signature"]
        let others = message.headers.map(\.name).filter { names.contains($0.lowercased()) && !names.contains($0) }
        guard !others.isEmpty else { return [] }
        return [
            finding(
                "alipay-plus.header-case", cause: "Something on the way changed the letter case of the answer's header names.",
                mend: "Look headers up whatever their case: Alipay+ writes lower case, and a client that asks for that finds no signature.",
                evidence: [.init("found", others.joined(separator: ", ")), .init("as Alipay+ writes it", names.joined(separator: ", "))],
                severity: .warning)
        ]
    }

    private struct Fields {
        /// Nil for one that is no number.
        var version: Int?
        var bytes: [UInt8]
    }

    /// The header's parts, mended where a known mistake explains them.
    private func fields(_ header: String, _ findings: inout [Finding]) -> Fields? {
        var parts: [String: String] = [:]
        for part in header.split(separator: ",") {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            if halves.count == 2 { parts[halves[0]] = halves[1] }
        }
        guard var text = parts["signature"], !text.isEmpty else {
            findings.append(
                finding(
                    "alipay-plus.signature-missing", cause: "The Signature header holds no signature.", mend: "Write signature=<value>."))
            return nil
        }
        if let algorithm = parts["algorithm"], algorithm != AlipayPlusSignature.algorithm {
            findings.append(
                finding(
                    "alipay-plus.algorithm", cause: "The header names another algorithm.",
                    mend: "Sign with SHA-256 and RSA PKCS#1 v1.5, and write RSA256.",
                    evidence: [.init("algorithm", String(algorithm.prefix(40)))]))
        }
        if text.contains("%25"), let once = text.removingPercentEncoding {
            findings.append(
                finding(
                    "alipay-plus.signature-encoded-twice", cause: "The signature was percent-encoded twice.",
                    mend: "Encode once: base64, then percent.")
            )
            text = once
        }
        if text.contains(" ") {
            findings.append(
                finding(
                    "alipay-plus.signature-plus-to-space", cause: "Plus signs of the signature became blanks.",
                    mend: "Percent-encode + as %2B, and never decode the header as a form."))
            text = text.replacing(" ", with: "+")
        }
        guard let bytes = AlipayPlusSignature.decode(text) else {
            findings.append(
                finding("alipay-plus.signature-damaged", cause: "The signature is no base64.", mend: "Send the whole signature."))
            return nil
        }
        // Absent, it is the first version [I].
        let version = parts["keyVersion"] ?? "1"
        let number = Int(version).flatMap { $0 >= 0 && String($0) == version ? $0 : nil }
        if number == nil {
            findings.append(
                finding(
                    "alipay-plus.key-version", cause: "The header's keyVersion is no number.",
                    mend: "Write the number under which the key is registered, such as keyVersion=1.",
                    evidence: [.init("keyVersion", String(version.prefix(40)))]))
        }
        return Fields(version: number, bytes: bytes)
    }

    // MARK: The signature

    private func judge(_ fields: Fields) -> [Finding] {
        let candidates = keys.distinct.filter { ($0.key.bits + 7) / 8 == fields.bytes.count }
        guard !candidates.isEmpty else {
            return [
                finding(
                    "alipay-plus.signature-damaged", cause: "The signature is cut: it does not have the size of any key at hand.",
                    mend: "Send the whole signature.", evidence: [.init("bytes", String(fields.bytes.count))])
            ]
        }
        for held in candidates {
            guard let (hash, match, path) = search(fields.bytes, held) else { continue }
            var findings = match.map { finding($0.slip.code, cause: $0.slip.cause, mend: $0.slip.mend, evidence: $0.evidence) }
            if hash != "SHA-256" {
                findings.append(
                    finding(
                        "alipay-plus.hash", cause: "The signature was made with \(hash).", mend: "Sign with SHA-256 and RSA PKCS#1 v1.5.",
                        evidence: [.init("hash inside the signature", hash)]))
            }
            return findings + standing(of: held, fields, path: path)
        }
        for held in candidates {
            guard case .digest(let hash, let digest)? = content(fields.bytes, held) else { continue }
            return standing(of: held, fields, path: targets.count == 1 ? targets[0] : nil) + [
                finding(
                    "alipay-plus.text-changed",
                    cause: "The key is right, and it signed another text: the message was changed after signing.",
                    mend: "Log the text that is signed, and send exactly that.",
                    evidence: [
                        .init("hash inside the signature", hash), .init("digest", Hexadecimal.encode(digest)),
                        .init("signed with", held.file),
                    ])
            ]
        }
        return [
            finding(
                "alipay-plus.wrong-key", cause: "None of the keys at hand made this signature.",
                mend: message.kind == .request
                    ? "Sign with the key whose public half is registered for this client and version."
                    : "Check with Alipay+'s public key for this environment, not with one's own.",
                evidence: [
                    .init("keys tried", candidates.map(\.file).joined(separator: ", ")),
                    .init("keyVersion", fields.version.map(String.init) ?? "none"),
                ])
        ]
    }

    private typealias Match = [(slip: SigningSlip, evidence: [Finding.Evidence])]

    /// One for each path that an answer may have had; every API's too, unless one request alone is at hand.
    private var drafts: [SigningDraft] {
        (targets.count == 1 ? targets : targets + AlipayPlusAPIs.paths.filter { !targets.contains($0) }).compactMap { target in
            guard let read = try? AlipayPlusMessage(target: target, clientID: "x", timeText: message.timeText, body: []) else { return nil }
            return SigningDraft(path: read.path, clientID: message.clientID, time: message.timeText, body: message.body)
        }
    }

    private func search(_ signature: [UInt8], _ held: AlipayPlusKeyFiles.Held) -> (hash: String, match: Match, path: String)? {
        let fits: ([UInt8]) -> String?
        if recovery != nil {
            guard let content = content(signature, held) else { return nil }
            fits = { text in
                switch content {
                case .digest(let hash, let digest): Self.digest(text, hash) == digest ? hash : nil
                case .pss(let block): block.fits(text) ? "PSS" : nil
                }
            }
        } else {
            fits = { text in
                LegacyRSAHash.allCases.first { held.key.isValidSignature(signature, over: text, hash: $0) }.map {
                    $0 == .sha1 ? "SHA-1" : "SHA-256"
                }
            }
        }
        let drafts = drafts
        // What fits as it stands comes before every explanation of a mistake.
        for draft in drafts {
            if let hash = fits(draft.text) { return (hash, [], draft.path) }
        }
        for draft in drafts {
            if let found = search(draft, fits) { return (found.hash, found.match, draft.path) }
        }
        return nil
    }

    /// One slip, or two.
    private func search(_ draft: SigningDraft, _ fits: ([UInt8]) -> String?) -> (hash: String, match: Match)? {
        var singles: [(slip: SigningSlip, variant: SigningSlip.Variant)] = []
        for slip in SigningSlip.all {
            for variant in slip.variants(draft, message) {
                if let hash = fits(variant.draft.text) { return (hash, [(slip, variant.evidence)]) }
                singles.append((slip, variant))
            }
        }
        let wide = SigningSlip.time(window: 600)
        for variant in wide.variants(draft, message) {
            if let hash = fits(variant.draft.text) { return (hash, [(wide, variant.evidence)]) }
        }
        // The most bytes that are hashed, so that a long message takes no long time; without OpenSSL every try is an RSA operation.
        var budget = recovery == nil ? 2_000_000 : 200_000_000
        for (first, done) in singles {
            for slip in SigningSlip.all where slip.code > first.code {
                for variant in slip.variants(done.draft, message) {
                    budget -= message.body.count + 200
                    guard budget > 0, !DiagnosisBudget.current.isOver else { return nil }
                    if let hash = fits(variant.draft.text) { return (hash, [(first, done.evidence), (slip, variant.evidence)]) }
                }
            }
        }
        return nil
    }

    private func content(_ signature: [UInt8], _ held: AlipayPlusKeyFiles.Held) -> SignatureContent? {
        recovery?.encodedMessage(signature, key: held.key).flatMap(SignatureContent.init)
    }

    private static func digest(_ text: [UInt8], _ hash: String) -> [UInt8]? {
        switch hash {
        case "SHA-1": Array(Insecure.SHA1.hash(data: text))
        case "SHA-256": Array(SHA256.hash(data: text))
        default: nil
        }
    }

    /// Whether the key that made the signature is one that may, and the one that is named.
    private func standing(of signer: AlipayPlusKeyFiles.Held, _ fields: Fields, path: String?) -> [Finding] {
        let otherSide = owner(of: signer, path: path)
        guard otherSide.isEmpty, let version = fields.version else { return otherSide }
        return KeyVersionLint(subject: subject, named: version, keys: keys).findings(signedWith: signer)
    }

    /// Whether the key that made the signature is the side's whose message it says to be.
    private func owner(of signer: AlipayPlusKeyFiles.Held, path: String?) -> [Finding] {
        let sides = keys.held.filter { $0.key == signer.key }.map(\.side)
        let evidence: [Finding.Evidence] = [.init("signed with", signer.file)]
        switch (MessageSide(of: message, path: path), sides.contains(.client), sides.contains(.gateway)) {
        case (.client?, false, true):
            return [
                finding(
                    "alipay-plus.other-side-key",
                    cause: message.kind == .request
                        ? "The request is signed with a key of Alipay+'s side."
                        : "The acknowledgement of a notification is signed with a key of Alipay+'s side.",
                    mend: "A client signs with its own private key, whose public half it registered.", evidence: evidence)
            ]
        case (.gateway?, true, false):
            return [
                finding(
                    "alipay-plus.other-side-key",
                    cause: "The \(message.kind == .request ? "message" : "answer") says to be Alipay+'s, and the client's own key made its "
                        + "signature: it is forged, or came back to its sender.",
                    mend: "Refuse it. Check what Alipay+ sends with Alipay+'s key alone, and never with one's own.", evidence: evidence)
            ]
        default: return []
        }
    }
}
