import BillfoldDiagnosis
import BillfoldJSON
import Crypto
import Foundation

/// Explains a webhook with its endpoint's secret: whether the signature fits, and if not, which known slip fits in its place
/// (docs/webhooks.md). Nothing here repeats a secret or a body.
struct WebhookDiagnostician: Diagnostician {
    /// When a timestamp is judged.
    let instant: Date

    var subjects: String { "a webhook of ours with its endpoint's secret" }

    func examine(_ artifacts: [Artifact]) -> Diagnosis {
        let webhooks = artifacts.compactMap(WebhookArtifact.init)
        let taken = Set(webhooks.map(\.name))
        var (secrets, broken): ([WebhookSecret], [Finding]) = ([], [])
        for artifact in artifacts where !taken.contains(artifact.name) {
            switch WebhookSecret.reading(artifact, besideWebhook: !webhooks.isEmpty) {
            case .whole(let secret)?: secrets.append(secret)
            case .broken(let finding)?: broken.append(finding)
            case nil: continue
            }
        }
        var diagnosis = Diagnosis()
        for webhook in webhooks { examine(webhook, secrets, isOneBroken: !broken.isEmpty, into: &diagnosis) }
        diagnosis.identified += secrets.map {
            .init(artifact: $0.name, kind: "webhook.secret", summary: "the secret of a webhook's endpoint, \($0.bytes.count) bytes")
        }
        diagnosis.identified += broken.map {
            .init(artifact: $0.subject, kind: "webhook.secret", summary: "the secret of a webhook's endpoint, which cannot be read")
        }
        diagnosis.findings += broken + secrets.compactMap(\.formFinding)
        if webhooks.isEmpty {
            diagnosis.findings += secrets.filter { $0.bytes.count != WebhookSecret.size }.map {
                WebhookSecret.wrongSize($0.name, bytes: $0.bytes.count, severity: .warning)
            }
            diagnosis.findings += secrets.map {
                Finding(
                    code: "webhook.no-message", severity: .warning, subject: $0.name, cause: "No webhook was handed over with the secret.",
                    mend: "Hand over the message too: its headers as they came, an empty line, and the body's exact bytes.")
            }
        }
        return diagnosis
    }

    private func examine(
        _ webhook: WebhookArtifact, _ secrets: [WebhookSecret], isOneBroken: Bool, into diagnosis: inout Diagnosis
    ) {
        let found = headerFindings(webhook) + timeFindings(webhook)
        let judged = Self.judge(webhook, secrets, isOneBroken: isOneBroken)
        let said = judged.signer.map { ", signed with the secret in \($0)" } ?? ""
        diagnosis.identified.append(
            .init(
                artifact: webhook.name, kind: "webhook.message",
                summary:
                    "a webhook\(webhook.value(WebhookArtifact.id).map { ", \(Self.shown($0))" } ?? ""), \(webhook.body.count) bytes\(said)")
        )
        diagnosis.findings += found + judged.findings
    }

    // MARK: Headers

    private func headerFindings(_ webhook: WebhookArtifact) -> [Finding] {
        [WebhookArtifact.id, WebhookArtifact.timestamp, WebhookArtifact.signature].filter { webhook.value($0) == nil }.map { name in
            let bare = name.replacing("webhook-", with: "")
            let near = webhook.headers.first { $0.name.hasSuffix("-\(bare)") || $0.name.hasSuffix("_\(bare)") }
            return Finding(
                code: "webhook.header-missing", subject: webhook.name, cause: "The header \(name) is not there.",
                evidence: [.init("header", name)] + (near.map { [.init("there is", Self.shown($0.name))] } ?? []),
                mend: "Hand all headers of webhook-… on to the verifier: a proxy or framework in between may rename or drop them.")
        }
    }

    private func timeFindings(_ webhook: WebhookArtifact) -> [Finding] {
        guard let text = webhook.value(WebhookArtifact.timestamp) else { return [] }
        guard let seconds = Int64(text), (0..<100_000_000_000).contains(seconds) else {
            return [
                Finding(
                    code: "webhook.timestamp-form", subject: webhook.name, cause: "The timestamp is no number of seconds since 1970.",
                    evidence: [.init("timestamp", Self.shown(text))],
                    mend: "It has ten digits: not milliseconds, and no date. Hand the header on as it came.")
            ]
        }
        let age = Int64(instant.timeIntervalSince1970) - seconds
        guard abs(age) > 300 else { return [] }
        // The file may have lain for a while: only its receiver knows when it came.
        return [
            Finding(
                code: age > 0 ? "webhook.timestamp-old" : "webhook.timestamp-ahead", severity: .warning, subject: webhook.name,
                cause: "The timestamp is \(abs(age)) seconds \(age > 0 ? "ago" : "ahead"); libraries refuse more than 300.",
                evidence: [.init("timestamp", text)],
                mend: age > 0
                    ? "If it was as old when it came, it is a replay, or your clock is ahead; --at judges at the time when it came."
                    : "Set the receiver's clock: the timestamp is the real time of the attempt.")
        ]
    }

    // MARK: Signature

    private static func judge(
        _ webhook: WebhookArtifact, _ secrets: [WebhookSecret], isOneBroken: Bool
    ) -> (findings: [Finding], signer: String?) {
        guard let header = webhook.value(WebhookArtifact.signature) else { return ([], nil) }
        let text = WebhookText(
            id: webhook.value(WebhookArtifact.id) ?? "", time: webhook.value(WebhookArtifact.timestamp) ?? "", body: webhook.body)
        let codes = WebhookSignatures(header).codes
        guard !codes.isEmpty else {
            return (
                [
                    Finding(
                        code: "webhook.signature-form", subject: webhook.name, cause: "The header webhook-signature holds no signature.",
                        evidence: [.init("characters", String(header.count))],
                        mend: "It is v1, and the base64 of 32 bytes; two of them have a space between. Look for what cut or decoded it.")
                ], nil
            )
        }
        guard !secrets.isEmpty else {
            // What is wrong with the secret is said of its own file.
            guard !isOneBroken else { return ([], nil) }
            return (
                [
                    Finding(
                        code: "webhook.no-secret", severity: .warning, subject: webhook.name,
                        cause: "No endpoint's secret was handed over: the signature was not judged.",
                        mend: "Hand over a file with the secret, whsec_ and what follows, as the answer to making the endpoint told it.")
                ], nil
            )
        }
        for slip in [nil] + text.slips(eventID: webhook.eventID).map(Optional.some) {
            for secret in secrets {
                for (key, keySlip) in secret.keys {
                    // A clock is tried with the right key alone: there are many seconds.
                    if keySlip != nil, slip?.code == "webhook.timestamp-altered" { continue }
                    let code = Array(
                        HMAC<SHA256>.authenticationCode(for: slip?.bytes ?? text.bytes, using: SymmetricKey(data: key)))
                    guard let fitting = codes.first(where: { $0.bytes == code }) else { continue }
                    return (findings(webhook.name, form: fitting.form, keySlip: keySlip, slip: slip, secret: secret.name), secret.name)
                }
            }
        }
        // A secret that was cut at a whole number of bytes can be read, and fits nothing.
        let missized = secrets.filter { $0.bytes.count != WebhookSecret.size }
        guard missized.isEmpty else { return (missized.map { WebhookSecret.wrongSize($0.name, bytes: $0.bytes.count) }, nil) }
        return (isOneBroken ? [] : [other(webhook, secrets)], nil)
    }

    private static func findings(
        _ subject: String, form: WebhookSignatures.Form?, keySlip: WebhookSecret.KeySlip?, slip: WebhookText.Slip?, secret: String
    ) -> [Finding] {
        var result: [Finding] = []
        if let keySlip {
            result.append(
                Finding(
                    code: keySlip.code, subject: subject, cause: keySlip.cause,
                    evidence: [.init("key that fits", keySlip.what), .init("secret", secret)],
                    mend: "Take whsec_ off and decode the base64 behind it: those bytes are the key."))
        }
        if let slip {
            result.append(
                Finding(
                    code: slip.code, subject: subject, cause: slip.cause,
                    evidence: [.init(slip.evidence.name, shown(slip.evidence.value)), .init("secret that fits", secret)], mend: slip.mend))
        }
        if let form {
            result.append(
                Finding(
                    code: form.rawValue, subject: subject, cause: form.cause, evidence: [.init("secret that fits", secret)], mend: form.mend
                ))
        }
        return result
    }

    private static func other(_ webhook: WebhookArtifact, _ secrets: [WebhookSecret]) -> Finding {
        let keys = webhook.value("webhook-key-id").map { [Finding.Evidence("signed with the keys", shown($0))] } ?? []
        return Finding(
            code: "webhook.other-secret", subject: webhook.name,
            cause: "No secret that was handed over signed this text, nor any known variant of it.",
            evidence: [.init("secrets tried", secrets.map(\.name).joined(separator: ", "))] + keys,
            mend:
                "Take the secret of the endpoint that was called, and the newest where it was rotated: each endpoint has its own. If it is that one, the message was changed on its way."
        )
    }

    private static func shown(_ text: String) -> String {
        String(text.unicodeScalars.prefix(80).map { (0x20...0x7e).contains($0.value) ? Character($0) : "?" })
    }
}
