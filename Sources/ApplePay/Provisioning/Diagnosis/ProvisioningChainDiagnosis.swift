import BillfoldDiagnosis
import Foundation
import PaymentCrypto

/// The certificates of each callback under the host's own policy (row 23).
struct ProvisioningChainDiagnosis {
    let file: ProvisioningCase

    func examine(into diagnosis: inout Diagnosis) {
        for callback in file.callbacks {
            var certificates: [[UInt8]] = []
            var unreadable: [String] = []
            for (index, value) in (callback.value["certificates"]?.array ?? []).enumerated() {
                let text = value.string ?? ""
                if let der = try? StrictBase64.decode(text) {
                    certificates.append(der)
                } else if let pem = try? PEMText(text).first("CERTIFICATE") {
                    certificates.append(pem)
                } else {
                    unreadable.append("certificate \(index + 1) is neither base64 nor PEM")
                }
            }
            judge(certificates, unreadable, callback.name, into: &diagnosis)
        }
        // Certificates alone are a chain when one of them is a broker's leaf.
        let loose = file.certificates.map(\.value)
        guard file.callbacks.isEmpty, let leaf = file.certificates.first(where: { Self.isLeaf($0.value) }) else { return }
        judge(loose.filter { !($0.isSelfIssued && $0.isCertificateAuthority) }.map(\.der), [], leaf.name, into: &diagnosis)
    }

    static func isLeaf(_ certificate: ParsedCertificate) -> Bool { certificate.certificateExtension(.provisioningEncryption) != nil }

    /// The leaf's key hash in each callback.
    static func leafHashes(_ file: ProvisioningCase) -> [[UInt8]] {
        let carried = file.callbacks.flatMap { $0.value["certificates"]?.array ?? [] }
            .compactMap { $0.string }.compactMap { try? ParsedCertificate(der: StrictBase64.decode($0)) }
        return (carried + file.certificates.map(\.value)).filter(isLeaf).map(\.publicKeyHash)
    }

    private func judge(_ certificates: [[UInt8]], _ unreadable: [String], _ name: String, into diagnosis: inout Diagnosis) {
        let parsed = certificates.compactMap { try? ParsedCertificate(der: $0) }
        let leaf = parsed.first(where: Self.isLeaf)
        let scheme: EncryptionScheme = if case .rsa? = (try? leaf?.publicKey)?.kind { .rsaV2 } else { .eccV2 }
        // Without today the chain is judged in its own time.
        let instant = file.instant ?? leaf?.notBefore ?? Date(timeIntervalSince1970: 0)
        let trusts = [.production] + (file.roots.isEmpty ? [] : [ProvisioningTrust.test(roots: file.roots)])
        let reports = trusts.map {
            ProvisioningChainPolicy(trust: $0, scheme: scheme).check(certificates, at: instant, unreadable: unreadable)
        }
        if let first = parsed.first, let leaf, reports.contains(where: \.isAccepted), first != leaf {
            diagnosis.report(
                "chain.order", .warning, in: name, "The leaf does not stand first, which hosts that go by position refuse.",
                ["first certificate": first.subject.commonName ?? "unnamed", "leaf": leaf.subject.commonName ?? "unnamed"],
                mend: "Find the leaf by extension \(OID.provisioningEncryption), whatever the order.")
        }
        guard !reports.contains(where: \.isAccepted),
            let report = reports.min(by: { $0.refusals.count < $1.refusals.count })
        else { return }
        let refusals = Set(report.refusals)
        if refusals.contains(.certificateUnreadable) {
            add(.certificateUnreadable, report, name, "A certificate is damaged.", "Hand it on as it came, whole.", into: &diagnosis)
        } else if refusals.contains(.chainLength), report.path?.certificates.count == 1 {
            diagnosis.report(
                "chain.intermediate-missing", in: name, "The sub-CA between leaf and root was left out.",
                ["certificates": String(certificates.count), "leaf's issuer": leaf?.issuer.commonName ?? "unnamed"],
                mend: "Hand over every certificate of the callback.")
        } else if refusals.contains(.init(ChainRuleCode.untrustedRoot))
            || (refusals.contains(.init(ChainRuleCode.issuerMismatch)) && leaf.map(Self.isOfTest) == true)
        {
            let isTest = parsed.contains(where: Self.isOfTest)
            diagnosis.report(
                isTest ? "chain.test-leaf" : "chain.untrusted-root", in: name,
                isTest ? "A test leaf met the production anchor." : "The chain ends at no trusted root.",
                [
                    "leaf": leaf?.subject.commonName ?? "unnamed",
                    "issuer": parsed.last { !Self.isLeaf($0) }?.issuer.commonName ?? "unnamed",
                ],
                mend: isTest
                    ? "Use a production device against production hosts, or pin the test root in the test profile."
                    : "Take the certificates of the callback alone, and pin the root.")
        } else {
            for code in report.refusals {
                add(code, report, name, Self.cause(code), "Refuse such a chain; ask the device for new certificates.", into: &diagnosis)
            }
        }
    }

    /// By the names of non-production authorities (section 5) and of this package's simulator.
    private static func isOfTest(_ certificate: ParsedCertificate) -> Bool {
        ["Test ", "InMemory", "Simulator"].contains { "\(certificate.subject) \(certificate.issuer)".contains($0) }
    }

    private func add(
        _ code: ApplePayError.Code, _ report: ProvisioningChainReport, _ name: String, _ cause: String, _ mend: String,
        into diagnosis: inout Diagnosis
    ) {
        guard case .refused(let reason)? = report.rows.first(where: { $0.code == code })?.outcome else { return }
        diagnosis.report("chain.\(code)", in: name, cause, ["rule": code.description, "reason": reason], mend: mend)
    }

    private static func cause(_ code: ApplePayError.Code) -> String {
        switch code {
        case .leafCount: "The number of leaves is not one."
        case .init(ChainRuleCode.certificateExpired): "A certificate of the chain has ended."
        case .init(ChainRuleCode.unknownCriticalExtension): "A certificate carries a critical extension that nobody understands."
        case .init(ChainRuleCode.badCertificateSignature): "A certificate is not signed by the one above it."
        default: "The chain breaks rule \(code)."
        }
    }
}
