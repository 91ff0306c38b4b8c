import BillfoldDiagnosis
import Foundation
import PaymentCrypto

/// What certificates, keys and hints show among themselves (section 7).
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
        for merchant in file.merchants { examine(merchant, into: &diagnosis) }
        examinePairs(into: &diagnosis)
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
        if !certificate.isMerchantIdentity, let hash = certificate.anyMerchantIdentifierHash {
            for hint in file.hints {
                guard let identifier = hint.value.merchantIdentifier, MerchantIdentifier.hash(identifier) != hash,
                    certificate.subject.userID != identifier
                else { continue }
                diagnosis.findings.append(
                    Finding(
                        code: "apple-pay.merchant-identifier-mismatch", subject: merchant.name,
                        cause: "The configured merchant identifier is not the certificate's.",
                        evidence: [
                            .init("configured identifier", identifier), .init("certificate UID", certificate.subject.userID ?? "absent"),
                            .init("SHA-256(configured)", Hexadecimal.encode(MerchantIdentifier.hash(identifier))),
                            .init("extension 1.2.840.113635.100.6.32", Hexadecimal.encode(hash)),
                        ],
                        mend: "Configure the identifier that the certificate was issued for, and check the app's entitlement against it."))
            }
        }
        examineDates(merchant, into: &diagnosis)
    }

    private func examineDates(_ merchant: CaseFile.Named<ParsedCertificate>, into diagnosis: inout Diagnosis) {
        guard let instant = file.instant else { return }
        let certificate = merchant.value
        let dates: [Finding.Evidence] = [
            .init("notBefore", certificate.notBefore.formatted(.iso8601)), .init("notAfter", certificate.notAfter.formatted(.iso8601)),
            .init("now", instant.formatted(.iso8601)),
        ]
        if instant > certificate.notAfter {
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.certificate-expired", subject: merchant.name,
                    cause: "The certificate has expired: sheets end with \"Payment Not Completed\".", evidence: dates,
                    mend: "Create and activate a new processing certificate, and keep the old key until its last token is past."))
        } else if instant < certificate.notBefore {
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.certificate-expired", subject: merchant.name, cause: "The certificate is not valid yet.",
                    evidence: dates,
                    mend: "Check the server's clock and which certificate is active."))
        } else if certificate.notAfter.timeIntervalSince(instant) < 30 * 86_400 {
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.certificate-expiring", severity: .warning, subject: merchant.name,
                    cause: "The certificate ends within thirty days.", evidence: dates,
                    mend: "Create the next certificate now; two may exist, and activating one is an explicit step."))
        }
    }

    /// A certificate whose key is not there, beside a key whose certificate is not there.
    private func examinePairs(into diagnosis: inout Diagnosis) {
        let processing = file.merchants.filter { !$0.value.isMerchantIdentity }
        guard !processing.isEmpty else { return }
        let keyHashes = Set(file.keys.map { $0.value.publicKey.sha256 })
        let certificateHashes = Set(file.merchants.map { $0.value.publicKeyHash })
        let orphans = file.keys.filter { !certificateHashes.contains($0.value.publicKey.sha256) }
        guard !orphans.isEmpty else { return }
        for merchant in processing where !keyHashes.contains(merchant.value.publicKeyHash) {
            for orphan in orphans {
                diagnosis.findings.append(
                    Finding(
                        code: "apple-pay.key-mismatch", subject: orphan.name,
                        cause: "The private key does not belong to the processing certificate.",
                        evidence: [
                            .init("certificate", merchant.name),
                            .init("certificate publicKeyHash", StrictBase64.encode(merchant.value.publicKeyHash)),
                            .init("key publicKeyHash", StrictBase64.encode(orphan.value.publicKey.sha256)),
                            .init("key kind", orphan.value.description),
                        ],
                        mend: "Deploy the key whose request this certificate answers; after a renewal both pairs stay in the ring."))
            }
        }
    }
}
