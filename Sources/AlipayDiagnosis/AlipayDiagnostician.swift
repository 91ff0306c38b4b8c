import Alipay
public import BillfoldDiagnosis
import PaymentCrypto

/// Explains order strings, results, return URLs, notifications, gateway calls and answers of both generations, together with the keys and
/// certificates that belong to them, and a merchant's own log of its orders.
///
/// A cause is found by recovering what a signature really signed and trying the known wrong ways of building that text, two at a time, until
/// one fits. ``AlipayFailure/listed`` lists them. A key file's name says whose key it is: `merchant…`, `app…`, `partner…` or `registered…` is
/// the merchant's, `mapi…`, `openapi…` and `alipay…` are Alipay's; of others nothing is assumed.
public struct AlipayDiagnostician: Diagnostician {
    private let keys: AlipayDiagnosticKeys

    public init(keys: AlipayDiagnosticKeys = AlipayDiagnosticKeys()) { self.keys = keys }

    /// Names what it judges.
    public var subjects: String { "an order, result, notification, log or key of Alipay" }

    public func examine(_ artifacts: [Artifact]) -> Diagnosis {
        var diagnosis = Diagnosis()
        var ring = AlipayKeyRing()
        var certificates: [SerialLint.File] = []
        var messages: [(name: String, message: AlipayMessage)] = []
        for artifact in artifacts {
            if let log = OrderLog.parse(artifact.bytes) {
                diagnosis.identified.append(
                    .init(artifact: artifact.name, kind: "alipay.log", summary: "a log of \(log.count) Alipay events"))
                diagnosis.findings += OrderLog(subject: artifact.name, entries: log).findings()
                continue
            }
            if let file = KeyFile(artifact) {
                take(file, named: artifact.name, into: &ring, certificates: &certificates)
                diagnosis.findings += file.findings
                continue
            }
            do throws(AlipayError) {
                if let message = try AlipayMessage.read(artifact.bytes) { messages.append((artifact.name, message)) }
            } catch {
                guard let finding = Self.unreadable(artifact, error) else { continue }
                diagnosis.identified.append(
                    .init(artifact: artifact.name, kind: "alipay.message", summary: "an Alipay message that cannot be read"))
                diagnosis.findings.append(finding)
            }
        }
        for (name, message) in messages {
            let (summary, unjudged, findings) = AlipayExamination(subject: name, message: message, ring: ring, keys: keys).run()
            diagnosis.identified.append(.init(artifact: name, kind: "alipay.message", summary: summary, unjudged: unjudged))
            diagnosis.findings += findings + SerialLint(subject: name, message: message, files: certificates).findings()
        }
        diagnosis.findings += RefusalLint(messages: messages).findings()
        // A key is Alipay's business beside a message of Alipay's, and when it is shorter than others take it.
        for held in ring.held where !messages.isEmpty || held.key.bits < 2048 {
            diagnosis.identified.append(
                .init(
                    artifact: held.file, kind: held.isPrivate ? "private-key" : "public-key",
                    summary: "an RSA \(held.isPrivate ? "private" : "public") key of \(held.key.bits) bits"))
        }
        return diagnosis
    }

    private func take(_ file: KeyFile, named name: String, into ring: inout AlipayKeyRing, certificates: inout [SerialLint.File]) {
        let owner = AlipayKeyRing.Owner(fileName: name)
        switch file.content {
        case .publicKey(let key): ring.held.append(.init(file: name, owner: owner, key: key, isPrivate: false))
        case .privateKey(let key): ring.held.append(.init(file: name, owner: .merchant, key: key, isPrivate: true))
        case .certificates(let found):
            certificates.append(.init(name: name, certificates: found))
            // A bundle of roots signs no messages.
            guard let leaf = found.first, leaf.issuer != leaf.subject || found.count == 1,
                let key = try? LegacyRSAPublicKey(subjectPublicKeyInfo: Array(leaf.subjectPublicKeyInfo))
            else { return }
            ring.held.append(.init(file: name, owner: owner, key: key, isPrivate: false))
        }
    }

    /// Nil for bytes that do not even look like a message of Alipay's.
    private static func unreadable(_ artifact: Artifact, _ error: AlipayError) -> Finding? {
        let text = String(decoding: artifact.bytes.prefix(65_536), as: UTF8.self)
        let marks = ["mobile.securitypay.pay", "alipay.trade.", "alipay_trade_", "safepay", "notify_id=", "sign_type="]
        guard marks.contains(where: text.contains) else { return nil }
        return Finding(
            code: "alipay.unparsable", subject: artifact.name, cause: "The message breaks its grammar: \(error.reason).",
            evidence: [.init("refused as", error.code.description), .init("bytes", String(artifact.bytes.count))],
            mend: "Legacy orders are key=\"value\" pairs joined by &; all else is form-encoded, with every key once.")
    }
}
