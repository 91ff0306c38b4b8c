import ApplePay
import BillfoldDiagnosis
import Crypto
import Foundation
import PaymentCrypto

/// What tokens show: form, signature, chain, and whether the held keys open them.
struct TokenDiagnosis {
    let file: CaseFile
    let trust: [TrustPolicy]
    let hashPairs: (any OAEPHashPairs)?

    private var opening: TokenOpening { TokenOpening(file: file, hashPairs: hashPairs) }

    func examine(into diagnosis: inout Diagnosis) {
        for name in file.emptyTokens {
            diagnosis.identified.append(.init(artifact: name, kind: "apple-pay.token", summary: "empty paymentData"))
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.payment-data-empty", subject: name,
                    cause: "paymentData is empty: the token comes from the iOS simulator or from a device without a real card.",
                    evidence: [.init("paymentData length", "0")],
                    mend:
                        "Test with a sandbox card on a device, or with a simulated wallet, and refuse empty paymentData with a clear error."
                ))
        }
        for unreadable in file.unreadable {
            diagnosis.identified.append(
                .init(artifact: unreadable.name, kind: "apple-pay.\(unreadable.value.kind)", summary: "not readable"))
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.\(unreadable.value.error.code)", subject: unreadable.name,
                    cause: "The \(unreadable.value.kind) is refused by strict reading.",
                    evidence: [.init("refusal", unreadable.value.error.reason)],
                    mend: unreadable.value.kind == "token"
                        ? "Send the bytes exactly as the wallet made them, without serialising them again."
                        : "Correct what the refusal names; nothing else in this file was judged."))
        }
        for wrapper in file.wrappers {
            diagnosis.identified.append(
                .init(artifact: wrapper.name, kind: "apple-pay.wrapper", summary: "a token stands in \(wrapper.value)"))
        }
        for repaired in file.repaired { examine(repaired, into: &diagnosis) }
        for token in file.tokens { examine(token.value, token.name, into: &diagnosis) }
        examineReplays(into: &diagnosis)
    }

    /// The payloads of the tokens that open with what is at hand.
    func openedPayloads() -> [(name: String, token: PaymentToken, payload: PaymentPayload)] {
        (file.tokens.map { ($0.name, $0.value) } + file.repaired.map { ($0.name, $0.value.0.token) }).compactMap { name, token in
            guard let plaintext = opening.attempt(token).plaintext, let payload = try? PaymentPayload(plaintext) else { return nil }
            return (name, token, payload)
        }
    }

    private func examine(_ repaired: CaseFile.Named<(TransportRepair, ApplePayError)>, into diagnosis: inout Diagnosis) {
        let (repair, error) = repaired.value
        guard report(repair.token).refusals.allSatisfy({ $0 != .messageDigestMismatch && $0 != .signatureUnreadable }) else {
            diagnosis.identified.append(.init(artifact: repaired.name, kind: "apple-pay.token", summary: "not readable"))
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.\(error.code)", subject: repaired.name, cause: "The token is refused by strict reading.",
                    evidence: [.init("refusal", error.reason)], mend: "Send the bytes exactly as the wallet made them."))
            return
        }
        diagnosis.findings.append(
            Finding(
                code: "apple-pay.transport-damage", subject: repaired.name,
                cause: "The token was damaged between the wallet and this file: once repaired, its digest is the signed one.",
                evidence: [.init("refusal", error.reason)] + repair.changes.map { .init($0.field, $0.kind.rawValue) },
                mend:
                    "Send paymentData as it is: as a binary body, or as base64 in a JSON string that is escaped once; never form-decoded or rewrapped."
            ))
        examine(repair.token, repaired.name, into: &diagnosis)
    }

    private func report(_ token: PaymentToken) -> TokenVerificationReport {
        let policies = trust + (file.roots.isEmpty ? [] : [TrustPolicy.testAnchors(file.roots.map(\.value), name: "offered root")])
        let reports = policies.map {
            TokenVerifier(trust: $0).report(UnverifiedToken(token), at: file.instant ?? .distantPast, anyAge: true)
        }
        return reports.first { $0.isAccepted } ?? reports.min { $0.refusals.count < $1.refusals.count }
            ?? TokenVerificationReport(signingTime: nil, chain: nil, rows: [])
    }

    private func examine(_ token: PaymentToken, _ name: String, into diagnosis: inout Diagnosis) {
        let report = report(token)
        let attempt = opening.attempt(token)
        diagnosis.identified.append(
            .init(
                artifact: name, kind: "apple-pay.token", summary: summary(token, report: report, attempt: attempt),
                unjudged: file.keys.isEmpty ? unopened(token) : nil))
        var refusals = report.refusals
        if refusals.contains(.messageDigestMismatch), let finding = applicationDataForm(token, name) {
            diagnosis.findings.append(finding)
            refusals.removeAll { $0 == .messageDigestMismatch }
        }
        if refusals.contains(.signatureUnreadable), CutSignature.endsEarly(token.signature) {
            diagnosis.findings.append(CutSignature.finding(token.signature, in: name))
            refusals.removeAll { $0 == .signatureUnreadable }
        }
        if let finding = missingIntermediate(report, name) {
            diagnosis.findings.append(finding)
            let explained: [ChainRuleCode] = [.untrustedRoot, .badCertificateSignature, .issuerMismatch, .intermediateMarkerMissing]
            refusals.removeAll { code in explained.contains { ApplePayError.Code($0) == code } }
        } else if let finding = forgedChain(report, name) {
            diagnosis.findings.append(finding)
            let explained: [ChainRuleCode] = [.untrustedRoot, .badCertificateSignature, .issuerMismatch]
            refusals.removeAll { code in explained.contains { ApplePayError.Code($0) == code } }
        }
        let hasIntermediate = report.chain?.intermediates.isEmpty == false
        for (marker, what) in [(ChainRuleCode.leafMarkerMissing, "leaf"), (.intermediateMarkerMissing, "intermediate")] {
            guard refusals.contains(ApplePayError.Code(marker)), what == "leaf" || hasIntermediate else { continue }
            refusals.removeAll { $0 == ApplePayError.Code(marker) }
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.marker-missing", subject: name,
                    cause: "The \(what) lacks the wallet's marker, so it was issued for something else than signing tokens.",
                    evidence: [
                        .init("certificate", what),
                        .init("missing extension", what == "leaf" ? OID.walletTokenSigner.description : OID.walletIntermediate.description),
                    ],
                    mend: "Refuse it: any certificate of the same authority would otherwise pass."))
        }
        for row in report.rows where refusals.contains(row.code) {
            guard case .refused(let reason) = row.outcome else { continue }
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.token.\(row.code)", subject: name, cause: "The token breaks a rule of verification: \(reason).",
                    evidence: [.init("rule", row.code.description)], mend: "Refuse the token; it is not what the wallet's servers made."))
        }
        if report.isAccepted { examineDates(report, name, into: &diagnosis) }
        diagnosis.findings += opening.findings(token, in: name, after: attempt)
        if let plaintext = attempt.plaintext { examinePayload(plaintext, name, into: &diagnosis) }
    }

    private func examinePayload(_ plaintext: [UInt8], _ name: String, into diagnosis: inout Diagnosis) {
        do throws(ApplePayError) {
            _ = try PaymentPayload(plaintext)
        } catch {
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.\(error.code)", subject: name, cause: "The token opens, and its payload is refused by strict reading.",
                    evidence: [.init("refusal", error.reason)], mend: "Correct the maker of the token; the wallet does not write this."))
        }
    }

    /// What the payload waits for, where there is no key at all; one that does not fit is a finding.
    private func unopened(_ token: PaymentToken) -> Diagnosis.Unjudged {
        let kind = if case .wrappedKey = token.header.key { "RSA" } else { "EC" }
        return .init(
            "its payload: card, amount and cryptogram",
            need: "the private \(kind) key of the payment processing certificate, and the certificate, which names the merchant")
    }

    private func summary(_ token: PaymentToken, report: TokenVerificationReport, attempt: TokenOpening.Attempt) -> String {
        var parts = ["\(token.version.rawValue) token", "transaction \(token.transactionIdentifier)"]
        if let signingTime = report.signingTime { parts.append("signed \(signingTime.formatted(.iso8601))") }
        parts.append(report.isAccepted ? "signature verified" : "signature refused")
        if token.signature.starts(with: [0x30, 0x80]) {
            parts.append("CMS in BER with indefinite lengths (30 80), which DER-only parsers refuse")
        }
        if attempt.leadingZeroSecret { parts.append("shared secret starts with a zero byte, which must be kept") }
        if let plaintext = attempt.plaintext {
            parts.append((try? PaymentPayload(plaintext)).map { "opens: \($0)" } ?? "opens, and its payload cannot be read")
        } else {
            parts.append("not opened with the keys at hand")
        }
        return parts.joined(separator: "; ")
    }

    /// Tries what other implementations sign or hash in place of applicationData's bytes.
    private func applicationDataForm(_ token: PaymentToken, _ name: String) -> Finding? {
        guard let hash = token.header.applicationData, let signedData = try? SignedData(ber: token.signature),
            let digest = signedData.signers.first?.signedAttributes?.messageDigest
        else { return nil }
        let prefix = token.header.key.bytes + token.data + token.header.transactionId
        let hex = Hexadecimal.encode(hash)
        let variants: [(String, [UInt8])] = [
            ("left out", []), ("as lower-case hex text", Array(hex.utf8)), ("as upper-case hex text", Array(hex.uppercased().utf8)),
            ("as base64 text", Array(StrictBase64.encode(hash).utf8)),
        ]
        guard let (form, bytes) = variants.first(where: { digest.elementsEqual(SHA256.hash(data: prefix + $0.1)) }) else { return nil }
        return Finding(
            code: "apple-pay.application-data-form", subject: name,
            cause: "The signature covers applicationData \(form) instead of its 32 decoded bytes.",
            evidence: [
                .init("applicationData", form), .init("messageDigest", Hexadecimal.encode(Array(digest))),
                .init("SHA-256 with this form", Hexadecimal.encode(Array(SHA256.hash(data: prefix + bytes)))),
                .init("SHA-256 with decoded bytes", Hexadecimal.encode(Array(SHA256.hash(data: token.signedContent)))),
            ],
            mend: "Append the 32 bytes that the header's hex text decodes to, after the transaction id.")
    }

    /// Nobody above the leaf was carried, so nothing was verified and nothing is known of the authority.
    private func missingIntermediate(_ report: TokenVerificationReport, _ name: String) -> Finding? {
        guard let chain = report.chain, chain.intermediates.isEmpty, chain.anchor == nil else { return nil }
        return Finding(
            code: "apple-pay.intermediate-missing", subject: name,
            cause: "The signature does not carry the certificate of the authority that issued the leaf.",
            evidence: [.init("leaf", chain.leaf.subject.description), .init("its issuer", chain.leaf.issuer.description)],
            mend: "Send the signature with all of its certificates, as the wallet made it.")
    }

    /// A chain that is complete in itself and ends at nobody's pinned root, or borrows a pinned root's name.
    private func forgedChain(_ report: TokenVerificationReport, _ name: String) -> Finding? {
        guard let chain = report.chain, let last = chain.certificates.last else { return nil }
        let untrusted = report.refusals.contains(ApplePayError.Code(ChainRuleCode.untrustedRoot))
        // The rule also refuses keys and algorithms that it cannot use; only a signature that was tried shows a forgery.
        let unsigned =
            report.refusals.contains(ApplePayError.Code(ChainRuleCode.badCertificateSignature))
            && chain.certificates.indices.contains { index in
                let certificate = chain.certificates[index]
                guard certificate.signatureAlgorithm != nil, let key = try? chain.issuer(of: index)?.publicKey else { return false }
                return !certificate.isSigned(by: key)
            }
        guard untrusted || unsigned else { return nil }
        return Finding(
            code: "apple-pay.forged-chain", subject: name,
            cause: unsigned
                ? "A certificate of the chain was not signed by the authority it names."
                : "The chain does not end at a pinned root; it was made by somebody else's authority.",
            evidence: [
                .init("leaf", chain.leaf.subject.description), .init("last certificate", last.subject.description),
                .init("its issuer", last.issuer.description), .init("its SHA-256", Hexadecimal.encode(last.fingerprint)),
            ],
            mend:
                "Refuse it, and pin the root instead of trusting what a token carries. For a simulator's token, hand over the simulator's root."
        )
    }

    private func examineDates(_ report: TokenVerificationReport, _ name: String, into diagnosis: inout Diagnosis) {
        guard let instant = file.instant, let signingTime = report.signingTime, let chain = report.chain,
            let expired = chain.certificates.first(where: { instant > $0.notAfter })
        else { return }
        diagnosis.findings.append(
            Finding(
                code: "apple-pay.expired-today", severity: .warning, subject: name,
                cause: "The token verifies at its signing time, and its chain has expired since.",
                evidence: [
                    .init("signed", signingTime.formatted(.iso8601)), .init("certificate", expired.subject.description),
                    .init("notAfter", expired.notAfter.formatted(.iso8601)), .init("at the signing time", "accepted"),
                    .init("today", "expired"),
                ],
                mend: "Judge chains at the signing time; in tests of recorded tokens pass that time in as the clock."))
    }

    /// One transaction in two files that are neither copies nor the two forms of one token.
    private func examineReplays(into diagnosis: inout Diagnosis) {
        let tokens = file.tokens.map { ($0.name, $0.value) } + file.repaired.map { ($0.name, $0.value.0.token) }
        for (index, (name, token)) in tokens.enumerated() {
            for (earlierName, earlier) in tokens[..<index] where earlier.header.transactionId == token.header.transactionId {
                let isOtherBody = token.header != earlier.header || token.data != earlier.data || token.signature != earlier.signature
                guard isOtherBody || Self.isRespelled(token, earlier) else { continue }
                diagnosis.findings.append(
                    Finding(
                        code: "apple-pay.replayed-transaction", subject: name,
                        cause: isOtherBody
                            ? "Two different tokens carry one transaction identifier."
                            : "One token came twice, with its transaction identifier spelled differently.",
                        evidence: [Self.evidence(earlierName, earlier), Self.evidence(name, token)],
                        mend: isOtherBody
                            ? "Answer the same identifier with the same body as before, and refuse it with any other."
                            : "Compare and store the identifier in lower case, under a unique constraint that all nodes share."))
                break
            }
        }
    }

    /// Whether one of the two spellings differs; the native form has no outer one.
    private static func isRespelled(_ one: PaymentToken, _ other: PaymentToken) -> Bool {
        if one.spelledTransactionIdentifier != other.spelledTransactionIdentifier { return true }
        guard let outer = one.spelledOuterIdentifier, let otherOuter = other.spelledOuterIdentifier else { return false }
        return outer != otherOuter
    }

    private static func evidence(_ name: String, _ token: PaymentToken) -> Finding.Evidence {
        let spelled = [token.spelledTransactionIdentifier] + (token.spelledOuterIdentifier.map { [$0] } ?? [])
        return .init(
            name, spelled.joined(separator: ", ") + "; SHA-256 " + Hexadecimal.encode(Array(SHA256.hash(data: token.signedContent))))
    }
}
