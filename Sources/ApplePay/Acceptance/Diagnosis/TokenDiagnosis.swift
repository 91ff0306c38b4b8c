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
                    mend: "Send the bytes exactly as the wallet made them, without serialising them again."))
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
        diagnosis.identified.append(.init(artifact: name, kind: "apple-pay.token", summary: summary(token, report, attempt)))
        var refusals = report.refusals
        if refusals.contains(.messageDigestMismatch), let finding = applicationDataForm(token, name) {
            diagnosis.findings.append(finding)
            refusals.removeAll { $0 == .messageDigestMismatch }
        }
        if let finding = forgedChain(report, name) {
            diagnosis.findings.append(finding)
            let explained: [ChainRuleCode] = [.untrustedRoot, .badCertificateSignature, .issuerMismatch]
            refusals.removeAll { code in explained.contains { ApplePayError.Code($0) == code } }
        }
        for (marker, what) in [(ChainRuleCode.leafMarkerMissing, "leaf"), (.intermediateMarkerMissing, "intermediate")] {
            guard refusals.contains(ApplePayError.Code(marker)) else { continue }
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
        diagnosis.findings += opening.findings(token, name, attempt)
    }

    private func summary(_ token: PaymentToken, _ report: TokenVerificationReport, _ attempt: TokenOpening.Attempt) -> String {
        var parts = ["\(token.version.rawValue) token", "transaction \(token.transactionIdentifier)"]
        if let signingTime = report.signingTime { parts.append("signed \(signingTime.formatted(.iso8601))") }
        parts.append(report.isAccepted ? "signature verified" : "signature refused")
        if token.signature.starts(with: [0x30, 0x80]) {
            parts.append("CMS in BER with indefinite lengths (30 80), which DER-only parsers refuse")
        }
        if attempt.leadingZeroSecret { parts.append("shared secret starts with a zero byte, which must be kept") }
        if let plaintext = attempt.plaintext, let payload = try? PaymentPayload(plaintext) { parts.append("opens: \(payload)") }
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

    /// A chain that is complete in itself and ends at nobody's pinned root, or borrows a pinned root's name.
    private func forgedChain(_ report: TokenVerificationReport, _ name: String) -> Finding? {
        let untrusted = report.refusals.contains(ApplePayError.Code(ChainRuleCode.untrustedRoot))
        let unsigned = report.refusals.contains(ApplePayError.Code(ChainRuleCode.badCertificateSignature))
        guard untrusted || unsigned, let chain = report.chain, let last = chain.certificates.last else { return nil }
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

    /// One transaction in two files that are not copies of each other.
    private func examineReplays(into diagnosis: inout Diagnosis) {
        for (index, token) in file.tokens.enumerated() {
            guard
                let earlier = file.tokens[..<index].first(where: {
                    $0.value.header.transactionId == token.value.header.transactionId
                        && $0.value.spelledTransactionIdentifiers != token.value.spelledTransactionIdentifiers
                })
            else { continue }
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.replayed-transaction", subject: token.name,
                    cause: "Two tokens carry one transaction identifier, spelled differently.",
                    evidence: [
                        .init(earlier.name, earlier.value.spelledTransactionIdentifiers.joined(separator: ", ")),
                        .init(token.name, token.value.spelledTransactionIdentifiers.joined(separator: ", ")),
                    ],
                    mend: "Compare and store the identifier in lower case, under a unique constraint that all nodes share."))
        }
    }
}
