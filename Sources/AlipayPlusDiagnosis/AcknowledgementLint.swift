import BillfoldDiagnosis
import BillfoldJSON

/// Whether what a receiver answered to a notification settles it: status 200, and a result with `S`
/// (alipay-plus.md#acknowledgement [D]). Whether it has to be signed, documents do not agree on [O].
struct AcknowledgementLint {
    let messages: [(name: String, message: AlipayPlusArtifact)]

    func findings() -> [Finding] {
        messages.compactMap { name, message in
            guard message.kind == .answer, isAcknowledgement(message) else { return nil }
            let cause: String
            if let status = message.status, status != 200 {
                cause = "its status is \(status)"
            } else if let result = message.json?["result"]?["resultStatus"]?.string {
                guard result != "S" else { return nil }
                cause = "its result is not S"
            } else {
                cause = "it has no result with a resultStatus"
            }
            return Finding(
                code: "alipay-plus.acknowledgement", subject: name,
                cause: "The notification comes again for hours: the answer does not settle it, \(cause).",
                evidence: [
                    .init("status", message.status.map(String.init) ?? "none"),
                    .init("begins", DiagnosisText.printable(String(decoding: message.body.prefix(40), as: UTF8.self))),
                ],
                mend: #"Answer 200 and {"result":{"resultCode":"SUCCESS","resultStatus":"S"}} within 5 s, without a login or a redirect."#)
        }
    }

    /// Of an answer that lies beside notifications alone, which is then to one of them.
    private func isAcknowledgement(_ answer: AlipayPlusArtifact) -> Bool {
        let requests = messages.map(\.message).filter {
            $0.kind == .request && (answer.clientID.isEmpty || ExactText.equal($0.clientID, answer.clientID))
        }
        return !requests.isEmpty && requests.allSatisfy(\.isNotification)
    }
}

extension AlipayPlusArtifact {
    /// Whether it is a request of Alipay+'s to an address of the client's own.
    var isNotification: Bool {
        guard kind == .request, case .gateway? = MessageSide(of: self, path: target) else { return false }
        return true
    }
}
