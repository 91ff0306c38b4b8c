public import BillfoldDiagnosis
import BillfoldJSON
import PaymentCrypto

/// Explains signed requests, answers and notifications of Alipay+, with the keys, payment data and other messages that belong to them.
///
/// A message is a file of an HTTP request or answer: first line, headers, an empty line, the body's exact bytes. A cause is found by
/// recovering what the signature signed and trying the known wrong ways of building that text, two at a time, until one fits.
/// ``AlipayPlusFailure/listed`` lists them. A key file's name says whose it is: `acqp…`, `client…`, `merchant…`, `registered…` or
/// `wallet…` is the client's, `gateway…` and `alipayplus…` are Alipay+'s; of others nothing is assumed. A part `v2` of the name, as in
/// `client-v2.pem`, is the version under which the key is registered: with it, the version that a message names is judged too.
public struct AlipayPlusDiagnostician: Diagnostician {
    private let recovery: (any RSAPublicOperation)?
    private let keyVersions: [String: Int]

    /// - Parameters:
    ///   - recovery: Without it the hash and the key of a signature over another text stay unknown.
    ///   - keyVersions: By a key's artifact, the version under which it is registered; others are told by their names.
    public init(recovery: (any RSAPublicOperation)? = nil, keyVersions: [String: Int] = [:]) {
        self.recovery = recovery
        self.keyVersions = keyVersions
    }

    /// Names what it judges.
    public var subjects: String { "a message or key of Alipay+" }

    public func examine(_ artifacts: [Artifact]) -> Diagnosis {
        var diagnosis = Diagnosis()
        var keys = AlipayPlusKeyFiles()
        var messages: [(name: String, message: AlipayPlusArtifact)] = []
        var sheets: [(name: String, data: JSONObject)] = []
        var answers: [(name: String, message: AlipayPlusArtifact)] = []
        for artifact in artifacts {
            if let message = AlipayPlusArtifact(artifact.bytes) {
                messages.append((artifact.name, message))
            } else if let data = try? JSONReader.readObject(artifact.bytes), data["sheetUrl"] != nil || data["wallets"] != nil,
                data["paymentId"] != nil
            {
                sheets.append((artifact.name, data))
                diagnosis.identified.append(
                    .init(artifact: artifact.name, kind: "alipay-plus.payment-data", summary: "the payment data of an Alipay+ sheet"))
            } else if let answer = AlipayPlusArtifact(http: artifact.bytes), answer.kind == .answer {
                answers.append((artifact.name, answer))
            } else {
                _ = keys.take(artifact, version: keyVersions[artifact.name])
            }
        }
        // A page, for example, in place of an answer: only beside a notification it is anything of Alipay+'s.
        if messages.contains(where: \.message.isNotification) {
            for (name, _) in answers {
                diagnosis.identified.append(
                    .init(artifact: name, kind: "alipay-plus.message", summary: "what was answered to an Alipay+ notification"))
            }
        } else {
            answers = []
        }
        diagnosis.findings += AcknowledgementLint(messages: messages + answers).findings()
        for (name, message) in messages {
            let targets = message.kind == .request ? [message.target] : Self.targets(of: message, among: messages.map(\.message))
            let examination = AlipayPlusExamination(subject: name, message: message, targets: targets, keys: keys, recovery: recovery)
            let (summary, findings) = examination.run()
            diagnosis.identified.append(
                .init(artifact: name, kind: "alipay-plus.message", summary: summary, unjudged: examination.unjudged))
            diagnosis.findings += findings + AmountLint(subject: name, message: message).findings()
            diagnosis.findings += RequestLint(subject: name, message: message).findings()
        }
        diagnosis.findings += PairLint(messages: messages, sheets: sheets).findings() + PaymentStory(messages: messages).findings()
        if !messages.isEmpty {
            for held in keys.held {
                diagnosis.identified.append(
                    .init(
                        artifact: held.file, kind: held.isPrivate ? "private-key" : "public-key",
                        summary: "an RSA \(held.isPrivate ? "private" : "public") key of \(held.key.bits) bits"
                            + (held.version.map { ", registered as version \($0)" } ?? "")))
            }
        }
        return diagnosis
    }

    /// An answer has its request's path: that of one of the requests of the same client, each once.
    private static func targets(of answer: AlipayPlusArtifact, among all: [AlipayPlusArtifact]) -> [String] {
        var seen: Set<String> = []
        return all.filter { $0.kind == .request && $0.clientID == answer.clientID }.map(\.target).filter { seen.insert($0).inserted }
    }
}
