import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// The certificates of each callback under the host's own policy (provisioning.md#failures, row 23).
struct ProvisioningChainDiagnosis {
    let file: ProvisioningCase

    func examine(into diagnosis: inout Diagnosis) {
        for callback in file.callbacks {
            let (certificates, unreadable) = Self.certificates(of: callback.value)
            judge(certificates, unreadable: unreadable, in: callback.name, into: &diagnosis)
        }
        guard file.callbacks.isEmpty else { return }
        // Certificates alone hold a chain for each broker's leaf; others among them belong to other things.
        let loose = file.certificates.map(\.value)
        for leaf in file.certificates where Self.isLeaf(leaf.value) {
            var chain = [leaf.value]
            while let last = chain.last, chain.count <= loose.count,
                let issuer = loose.first(where: { $0.subject == last.issuer && !$0.isSelfIssued && !chain.contains($0) })
            { chain.append(issuer) }
            judge(chain.map(\.der), unreadable: [], in: leaf.name, into: &diagnosis)
        }
    }

    static func isLeaf(_ certificate: ParsedCertificate) -> Bool { certificate.certificateExtension(.provisioningEncryption) != nil }

    /// Every certificate of callbacks and files.
    static func certificates(_ file: ProvisioningCase) -> [ParsedCertificate] {
        file.callbacks.flatMap { certificates(of: $0.value).certificates.compactMap { try? ParsedCertificate(der: $0) } }
            + file.certificates.map(\.value)
    }

    /// The broker's leaves among them.
    static func leaves(_ file: ProvisioningCase) -> [ParsedCertificate] { certificates(file).filter(isLeaf) }

    /// A callback's certificates, and why some could not be decoded.
    private static func certificates(of callback: JSONObject) -> (certificates: [[UInt8]], unreadable: [String]) {
        var found: [[UInt8]] = []
        var unreadable: [String] = []
        for (index, value) in (callback["certificates"]?.array ?? []).enumerated() {
            if let all = CarriedBytes.certificates(value.string ?? "") {
                found += all
            } else {
                unreadable.append("certificate \(index + 1) is neither base64 nor PEM")
            }
        }
        return (found, unreadable)
    }

    private func judge(_ certificates: [[UInt8]], unreadable: [String], in name: String, into diagnosis: inout Diagnosis) {
        let parsed = certificates.compactMap { try? ParsedCertificate(der: $0) }
        let leaf = parsed.first(where: Self.isLeaf)
        // The key's own kind stands in for a scheme that nobody named.
        let byKey: EncryptionScheme = if case .rsa? = (try? leaf?.publicKey)?.kind { .rsaV2 } else { .eccV2 }
        let named = file.configurations.compactMap { $0.value["encryptionScheme"]?.string.flatMap(EncryptionScheme.init(spelled:)) }
        let scheme = named.count == 1 ? named[0] : byKey
        // Without today the chain is judged in its own time.
        let instant = file.instant ?? leaf?.notBefore ?? Date(timeIntervalSince1970: 0)
        let trusts = [.production] + (file.roots.isEmpty ? [] : [ProvisioningTrust.test(roots: file.roots)])
        let reports = trusts.map {
            ProvisioningChainPolicy(trust: $0, scheme: scheme).check(certificates, at: instant, unreadable: unreadable)
        }
        if let first = parsed.first, let leaf, reports.contains(where: \.isAccepted), first != leaf {
            diagnosis.report(
                "chain.order", severity: .warning, in: name,
                cause: "The leaf does not stand first, which hosts that go by position refuse.",
                evidence: ["first certificate": first.subject.commonName ?? "unnamed", "leaf": leaf.subject.commonName ?? "unnamed"],
                mend: "Find the leaf by extension \(OID.provisioningEncryption), whatever the order.")
        }
        guard !reports.contains(where: \.isAccepted),
            let report = reports.min(by: { $0.refusals.count < $1.refusals.count })
        else { return }
        let refusals = Set(report.refusals)
        let isTest = parsed.contains(where: Self.isOfTest) && file.roots.isEmpty
        let names: KeyValuePairs = [
            "leaf": leaf?.subject.commonName ?? "unnamed", "leaf's issuer": leaf?.issuer.commonName ?? "unnamed",
            "issuer": parsed.last { !Self.isLeaf($0) }?.issuer.commonName ?? "unnamed",
        ]
        if refusals.contains(.certificateUnreadable) {
            add(
                .certificateUnreadable, report: report, in: name, cause: "A certificate is damaged.", mend: "Hand it on as it came, whole.",
                into: &diagnosis)
        } else if refusals.contains(.init(ChainRuleCode.untrustedRoot)) || refusals.contains(.init(ChainRuleCode.issuerMismatch)), isTest {
            diagnosis.report(
                "chain.test-leaf", in: name, cause: "A test leaf met the production anchor.", evidence: names,
                mend:
                    "Hand over the issuer's certificate too, a PEM file beside this one; the sandbox's played broker gives its own at GET "
                    + "/broker/control/root. Towards production use a production device against production hosts; a host under test pins the "
                    + "test root in its test profile.")
        } else if refusals.contains(.chainLength), report.path?.certificates.count == 1 {
            diagnosis.report(
                "chain.intermediate-missing", in: name, cause: "The sub-CA between leaf and root was left out.",
                evidence: ["certificates": String(certificates.count), "leaf's issuer": leaf?.issuer.commonName ?? "unnamed"],
                mend: "Hand over every certificate of the callback.")
        } else if let path = report.path?.certificates, zip(path, path.dropFirst()).contains(where: { $0.issuer != $1.subject }) {
            diagnosis.report(
                "chain.issuer-mismatch", in: name, cause: "The sub-CA is of another chain than the leaf.", evidence: names,
                mend: "Keep the certificates of one callback together.")
        } else if refusals.contains(.init(ChainRuleCode.untrustedRoot)) {
            diagnosis.report(
                "chain.untrusted-root", in: name, cause: "The chain ends at no trusted root.", evidence: names,
                mend: "Take the certificates of the callback alone, and pin the root.")
        } else {
            // A path that is too long has the wrong number of certificates: one cause.
            for code in report.refusals where code != .init(ChainRuleCode.pathTooLong) || !refusals.contains(.chainLength) {
                add(
                    code, report: report, in: name, cause: Self.cause(code),
                    mend: "Refuse such a chain; ask the device for new certificates.", into: &diagnosis)
            }
        }
    }

    /// By the names of non-production authorities (provisioning.md#certificates) and of this package's simulator.
    private static func isOfTest(_ certificate: ParsedCertificate) -> Bool {
        ["Test ", "InMemory", "Simulator"].contains { "\(certificate.subject) \(certificate.issuer)".contains($0) }
    }

    private func add(
        _ code: ApplePayError.Code, report: ProvisioningChainReport, in name: String, cause: String, mend: String,
        into diagnosis: inout Diagnosis
    ) {
        guard case .refused(let reason)? = report.rows.first(where: { $0.code == code })?.outcome else { return }
        diagnosis.report("chain.\(code)", in: name, cause: cause, evidence: ["rule": code.description, "reason": reason], mend: mend)
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
