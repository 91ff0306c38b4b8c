import ApplePay
import BillfoldDiagnosis
import Foundation
import PaymentCrypto

/// What certificates, keys and hints show among themselves (apple-pay.md#merchant-certificates).
struct CertificateDiagnosis {
    let file: CaseFile

    func examine(into diagnosis: inout Diagnosis) {
        for root in file.roots {
            diagnosis.identified.append(
                .init(artifact: root.name, kind: "certificate", summary: "root \(root.value.subject), offered as a trust anchor"))
        }
        for key in file.keys {
            diagnosis.identified.append(
                .init(
                    artifact: key.name, kind: "private-key",
                    summary: "\(key.value.description), publicKeyHash \(StrictBase64.encode(key.value.publicKey.sha256))"))
        }
        for hint in file.hints {
            diagnosis.identified.append(
                .init(artifact: hint.name, kind: "apple-pay.merchant", summary: "merchant \(hint.value.merchantIdentifier ?? "not named")"))
        }
        for other in file.others {
            diagnosis.identified.append(
                .init(
                    artifact: other.name, kind: "certificate",
                    summary: "certificate of \(other.value.subject), issued by \(other.value.issuer), valid until "
                        + other.value.notAfter.formatted(.iso8601)))
        }
        examineUnreadable(into: &diagnosis)
        for merchant in file.merchants { examine(merchant, into: &diagnosis) }
        examineIdentifiers(into: &diagnosis)
        examinePairs(into: &diagnosis)
    }

    private func examineUnreadable(into diagnosis: inout Diagnosis) {
        for damaged in file.unreadablePEM {
            diagnosis.identified.append(.init(artifact: damaged.name, kind: "pem", summary: "not readable"))
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.unreadable-pem", subject: damaged.name, cause: "The PEM text does not hold what its labels say.",
                    evidence: [.init("error", damaged.value.description)],
                    mend: "Copy the file again, whole: markers, line breaks and base64 as they were written."))
        }
        for key in file.encryptedKeys {
            diagnosis.identified.append(.init(artifact: key.name, kind: "private-key", summary: "a private key under a password"))
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.key-encrypted", severity: .warning, subject: key.name,
                    cause: "The private key is encrypted, so nothing could be tried with it.",
                    evidence: [.init("label", key.value)], mend: "Decrypt it first, for example with openssl pkey."))
        }
    }

    private func examine(_ merchant: CaseFile.Named<ParsedCertificate>, into diagnosis: inout Diagnosis) {
        let certificate = merchant.value
        let kind = certificate.isMerchantIdentity ? "merchant identity" : "payment processing"
        diagnosis.identified.append(
            .init(
                artifact: merchant.name, kind: "certificate",
                summary: "\(kind) certificate of \(certificate.subject.userID ?? "an unnamed merchant"), "
                    + "publicKeyHash \(StrictBase64.encode(certificate.publicKeyHash)), valid until \(certificate.notAfter.formatted(.iso8601))"
            ))
        if certificate.merchantIdentifierHash == nil, let damaged = certificate.certificateExtension(.merchantIdentifierHash) {
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.certificate-identifier-unreadable", subject: merchant.name,
                    cause: "The certificate's merchant identifier extension holds no hash.",
                    evidence: [.init("extension 1.2.840.113635.100.6.32", Hexadecimal.encode(Array(damaged.value)))],
                    mend: "Have the certificate issued again; the wallet derives keys from the extension's value."))
        }
        if let fromExtension = certificate.merchantIdentifierHash, let identifier = certificate.subject.userID,
            fromExtension != MerchantIdentifier.hash(identifier)
        {
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.certificate-identifier-mismatch", subject: merchant.name,
                    cause: "The certificate's UID and its merchant identifier extension name two merchants.",
                    evidence: [
                        .init("SHA-256(UID)", Hexadecimal.encode(MerchantIdentifier.hash(identifier))),
                        .init("extension 1.2.840.113635.100.6.32", Hexadecimal.encode(fromExtension)),
                    ],
                    mend: "Have the certificate issued again; the wallet derives keys from the extension's value."))
        }
        if !certificate.isMerchantIdentity { examineKind(merchant, into: &diagnosis) }
        examineDates(merchant, into: &diagnosis)
    }

    /// The wallet's servers encrypt to a P-256 key, or an RSA key of 2048 bits (apple-pay.md#merchant-certificates [D]).
    private func examineKind(_ merchant: CaseFile.Named<ParsedCertificate>, into diagnosis: inout Diagnosis) {
        let kind = (try? merchant.value.publicKey)?.kind
        guard !MerchantKeyKind.isFit(kind) else { return }
        diagnosis.findings.append(
            Finding(
                code: "apple-pay.certificate-key-kind", subject: merchant.name,
                cause: "The processing certificate's key is of a kind that no token is encrypted to.",
                evidence: [.init("key", MerchantKeyKind.words(kind)), .init("due", MerchantKeyKind.due)],
                mend: "Make a key of P-256, for China mainland of RSA with 2048 bits, and have a certificate issued for that."))
    }

    /// The identifiers that requests and the configuration name, against the certificates that tokens are encrypted to.
    private func examineIdentifiers(into diagnosis: inout Diagnosis) {
        let processing = file.processing.filter { $0.value.anyMerchantIdentifierHash != nil }
        guard !processing.isEmpty else { return }
        let configured = file.hints.compactMap { hint in hint.value.merchantIdentifier.map { (hint.name, "configured", $0) } }
        let requested = file.requests.map { ($0.name, "requested", $0.value.merchantIdentifier) }
        for (name, how, identifier) in configured + requested where !identifier.isEmpty {
            let hash = MerchantIdentifier.hash(identifier)
            guard
                !processing.contains(where: { $0.value.anyMerchantIdentifierHash == hash || $0.value.subject.userID == identifier })
            else { continue }
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.merchant-identifier-mismatch", subject: name,
                    cause: "The \(how) merchant identifier is no processing certificate's.",
                    evidence: [.init("\(how) identifier", identifier), .init("SHA-256 of it", Hexadecimal.encode(hash))]
                        + processing.map {
                            .init(
                                $0.name,
                                "\($0.value.subject.userID ?? "no UID"), "
                                    + ($0.value.anyMerchantIdentifierHash.map { Hexadecimal.encode($0) } ?? "no hash"))
                        },
                    mend: "Name one merchant in the app's entitlement, the request, the configuration and the certificate."))
        }
    }

    /// Whether another certificate of the merchant, of the same use and kind of key, is in date now and until then: an old pair
    /// is kept because tokens still arrive for it, a new one is made ahead (apple-pay.md#key-rotation).
    private func hasStandIn(_ certificate: ParsedCertificate, from instant: Date, until end: Date) -> Bool {
        guard let hash = certificate.anyMerchantIdentifierHash, let kind = (try? certificate.publicKey)?.kind else { return false }
        return file.merchants.contains { merchant in
            let other = merchant.value
            guard other != certificate, other.anyMerchantIdentifierHash == hash, let otherKind = (try? other.publicKey)?.kind else {
                return false
            }
            return other.isMerchantIdentity == certificate.isMerchantIdentity && TokenOpening.isSameKind(otherKind, kind)
                && other.isValid(at: instant) && other.isValid(at: end)
        }
    }

    private func examineDates(_ merchant: CaseFile.Named<ParsedCertificate>, into diagnosis: inout Diagnosis) {
        guard let instant = file.instant else { return }
        let certificate = merchant.value
        let isIdentity = certificate.isMerchantIdentity
        let soon = instant + 30 * 86_400
        let dates: [Finding.Evidence] = [
            .init("notBefore", certificate.notBefore.formatted(.iso8601)), .init("notAfter", certificate.notAfter.formatted(.iso8601)),
            .init("now", instant.formatted(.iso8601)),
        ]
        if instant > certificate.notAfter {
            guard !hasStandIn(certificate, from: instant, until: instant) else { return }
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.certificate-expired", subject: merchant.name,
                    cause: isIdentity
                        ? "The merchant identity certificate has expired: requests for a web session fail in TLS."
                        : "The certificate has expired: sheets end with \"Payment Not Completed\".", evidence: dates,
                    mend: isIdentity
                        ? "Create a new merchant identity certificate; the payment processing keys are not affected."
                        : "Create and activate a new processing certificate, and keep the old key until its last token is past."))
        } else if instant < certificate.notBefore {
            guard !hasStandIn(certificate, from: instant, until: instant) else { return }
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.certificate-not-yet-valid", subject: merchant.name, cause: "The certificate is not valid yet.",
                    evidence: dates, mend: "Check the server's clock and which certificate is active."))
        } else if certificate.notAfter < soon {
            guard !hasStandIn(certificate, from: instant, until: soon) else { return }
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.certificate-expiring", severity: .warning, subject: merchant.name,
                    cause: "The certificate ends within thirty days.", evidence: dates,
                    mend: "Create the next certificate now; two may exist, and activating one is an explicit step."))
        }
    }

    /// One certificate whose key is not there, beside one key of its kind that has no certificate. With more of either, nobody
    /// said which belong together.
    private func examinePairs(into diagnosis: inout Diagnosis) {
        let keyHashes = Set(file.keys.map { $0.value.publicKey.sha256 })
        let unpaired = file.processing.filter { !keyHashes.contains($0.value.publicKeyHash) }
        guard unpaired.count == 1, let kind = (try? unpaired[0].value.publicKey)?.kind else { return }
        let loose = file.looseKeys.filter { TokenOpening.isSameKind($0.value.publicKey.kind, kind) }
        guard loose.count == 1 else { return }
        diagnosis.findings.append(
            Finding(
                code: "apple-pay.key-mismatch", subject: loose[0].name,
                cause: "The private key does not belong to the processing certificate.",
                evidence: [
                    .init("certificate", unpaired[0].name),
                    .init("certificate publicKeyHash", StrictBase64.encode(unpaired[0].value.publicKeyHash)),
                    .init("key publicKeyHash", StrictBase64.encode(loose[0].value.publicKey.sha256)),
                    .init("key kind", loose[0].value.description),
                ],
                mend: "Deploy the key whose request this certificate answers; after a renewal both pairs stay in the ring."))
    }
}
