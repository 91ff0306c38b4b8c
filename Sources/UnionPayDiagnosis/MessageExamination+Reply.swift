import BillfoldDiagnosis
import UnionPay
import X509

extension MessageExamination {
    // MARK: Replies and notifications, method 01

    func examineReply() -> [Finding]? {
        guard let text = message.fields["signPubKeyCert"] else {
            if let named = message.fields.optional("certId") { return examineReply(signedWith: named) }
            return [
                finding(
                    "unionpay.certificate-missing", cause: "The reply carries no signPubKeyCert, so nothing says which key signed it.",
                    mend: "Keep every field of the reply until the signature is checked.")
            ]
        }
        guard let certificate = try? UnionPayTrust.certificate(pem: PEMSpelling.readable(text)) else {
            return [
                finding(
                    "unionpay.certificate-unreadable", cause: "signPubKeyCert is not a certificate that can be read.",
                    mend: "Keep the value exactly as received.")
            ]
        }
        let findings = standing(of: certificate)
        let search = SignatureSearch(
            faults: SigningFault.reply + SigningFault.common, candidates: [Self.rsaCheck(certificate.publicKey)])
        guard let match = search.run(SigningDraft(message.fields, .reply)) else {
            let replaced = message.fields.entries.filter { $0.value.contains("\u{FFFD}") }.map(\.name)
            if !replaced.isEmpty {
                return findings + [
                    finding(
                        "unionpay.charset", cause: "A value was decoded in the wrong character encoding and has lost characters.",
                        mend: "Decode the body in the encoding that the message names.",
                        evidence: [.init("fields with replaced characters", replaced.joined(separator: ", "))])
                ]
            }
            return findings + [otherSigner(than: certificate) ?? unexplained([certificate.publicKey])]
        }
        return findings + self.findings(of: match)
    }

    /// A reply of version 5.0.0: the number of a certificate in the certificate's place, and SHA-1 twice.
    private func examineReply(signedWith named: String) -> [Finding] {
        let evidence: [Finding.Evidence] = [.init("version", message.fields["version"] ?? "none"), .init("certId", named)]
        guard
            let holder = ring.holders.first(where: { holder in holder.certificate.map { CertificateID($0).description == named } ?? false }
            ),
            let certificate = holder.certificate
        else {
            return [
                finding(
                    "unionpay.version-5-0-0",
                    cause: "The reply is of version 5.0.0: certId names UnionPay's certificate, which is not among the files.",
                    mend: "Hand over UnionPay's certificate of that number; or ask with version 5.1.0, whose replies bring theirs.",
                    evidence: evidence, severity: .warning)
            ]
        }
        var draft = SigningDraft(message.fields, .reply)
        draft.digest = .legacySHA1
        let search = SignatureSearch(
            faults: SigningFault.reply + SigningFault.common, candidates: [Self.rsaCheck(certificate.publicKey)])
        guard let match = search.run(draft) else { return standing(of: certificate) + [unexplained([certificate.publicKey])] }
        return standing(of: certificate) + [
            finding(
                "unionpay.version-5-0-0",
                cause: "The reply is of version 5.0.0: certId names the certificate, there is no signPubKeyCert, and SHA-1 signs it.",
                mend: "Ask with version 5.1.0: its replies are signed with SHA-256 and bring their certificate.",
                evidence: evidence + [.init("verified with", holder.source)], severity: .warning)
        ] + findings(of: match)
    }

    /// Another certificate among the files whose key made the signature, as when two were mixed up.
    private func otherSigner(than certificate: Certificate) -> Finding? {
        let others = ring.holders.filter { $0.publicKey != certificate.publicKey }
        guard !others.isEmpty else { return nil }
        let search = SignatureSearch(
            faults: SigningFault.reply + SigningFault.common, candidates: others.map { Self.rsaCheck($0.publicKey) })
        guard let match = search.run(SigningDraft(message.fields, .reply)) else { return nil }
        return finding(
            "unionpay.foreign-key",
            cause: "Another key than that of the message's own certificate made the signature: two certificates were mixed up.",
            mend: "Refuse the message: only the key of signPubKeyCert may sign it. Look where the certificate was put into it or changed.",
            evidence: [
                .init("signed with", others[match.candidate].source),
                .init("signPubKeyCert", UnionPayTrust.commonName(certificate) ?? CertificateID(certificate).description),
            ])
    }

    /// Whether the certificate that came with a message is one that UnionPay may sign with.
    private func standing(of certificate: Certificate) -> [Finding] {
        let isNamedUnionPays = isUnionPays(certificate)
        var error: UnionPayError?
        if let trust {
            do throws(UnionPayError) { try trust.check(certificate, at: instant) } catch let refusal { error = refusal }
        }
        let own = ring.holders.first { $0.publicKey == certificate.publicKey && !($0.certificate.map(isUnionPays) ?? false) }
        if let own, trust == nil || (error != nil && !isNamedUnionPays) {
            return [
                finding(
                    "unionpay.own-certificate",
                    cause:
                        "The message says to be UnionPay's, and the merchant's own key made its signature: it is forged, or from a test.",
                    mend: "Refuse the message. Check the chain and the name of signPubKeyCert before using its key.",
                    evidence: [.init("signed with", own.source)])
            ]
        }
        guard trust != nil else {
            let isOwnIssuer = certificate.issuer == certificate.subject
            return [
                finding(
                    "unionpay.signer-not-judged",
                    cause: "The certificate came with the message, and no root was given to judge it by: anyone could have made both.",
                    mend: "Give the root and intermediate certificates of UnionPay's authority as well.",
                    evidence: [.init("certificate", isOwnIssuer ? "it signed itself" : UnionPayTrust.commonName(certificate) ?? "")],
                    severity: .warning)
            ] + datesOf(certificate, "The signing certificate")
        }
        switch error?.code {
        case nil: return []
        case .certificateOutOfDate?: return datesOf(certificate, "UnionPay's signing certificate or its issuer")
        case .certificateNotUnionPay?:
            return [
                finding(
                    "unionpay.certificate-not-unionpay", cause: "The certificate chains to a trusted root and is not UnionPay's.",
                    mend: "Check the second element of the common name, split at @, on every message.",
                    evidence: [.init("common name", UnionPayTrust.commonName(certificate) ?? "")])
            ]
        default:
            var evidence: [Finding.Evidence] = [.init("reason", error?.reason ?? "")]
            if let own { evidence.append(.init("its key is that of", own.source)) }
            return [
                finding(
                    "unionpay.certificate-forged",
                    cause:
                        "The signing certificate that came with the message does not chain to a trusted root: anyone could have made it.",
                    mend: "Refuse the message. Check the chain of signPubKeyCert to configured anchors before using its key.",
                    evidence: evidence)
            ]
        }
    }
}
