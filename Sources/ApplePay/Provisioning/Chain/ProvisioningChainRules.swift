import Foundation
import PaymentCrypto

extension ChainRuleCode {
    /// The list's own rule or the leaf's, by the name that a refusal carries.
    init(_ code: ApplePayError.Code) { self.init(code.description) }
}

/// Three certificates in total: leaf, sub-CA, and the pinned root that the anchor's rule asks for
/// (provisioning.md#chain-checks, check 3).
struct ThreeCertificatesRule: ChainRule {
    let code = ChainRuleCode(.chainLength)

    func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        let count = path.certificates.count
        guard count != 2 else { return [] }
        return [ChainFailure(code: code, position: .path, reason: "\(count) certificates below the root, not 2")]
    }
}

/// The sub-CA has the name that the wallet's own policy asks for (provisioning.md#chain-checks, check 4 [D]).
struct IntermediateNameRule: ChainRule {
    let code = ChainRuleCode(.intermediateName)
    let names: Set<String>

    func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        let due = names.sorted().joined(separator: " or ")
        guard let intermediate = path.intermediates.first else {
            return [ChainFailure(code: code, position: .path, reason: "there is no sub-CA; \(due) is due")]
        }
        guard let found = intermediate.subject.commonName, names.contains(found) else {
            return [
                ChainFailure(
                    code: code, position: .intermediate(1), reason: "it is \(intermediate.subject.commonName ?? "unnamed"), not \(due)")
            ]
        }
        return []
    }
}

/// The leaf's key fits the encryption scheme (provisioning.md#chain-checks, check 2).
struct LeafKeyKindRule: ChainRule {
    let code = ChainRuleCode(.leafKeyKind)
    let scheme: EncryptionScheme

    func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        let kind = (try? path.leaf.publicKey)?.kind
        let fits =
            switch (scheme, kind) {
            case (.eccV2, .p256), (.rsaV2, .rsa): true
            default: false
            }
        guard !fits else { return [] }
        return [ChainFailure(code: code, position: .leaf, reason: "its key is no \(scheme == .eccV2 ? "P-256" : "RSA") key")]
    }
}

/// The leaf's key usage is there and allows to encipher keys (provisioning.md#chain-checks, check 2).
struct KeyEnciphermentRule: ChainRule {
    let code = ChainRuleCode(.keyEnciphermentMissing)

    func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        guard path.leaf.keyUsage?.contains(.keyEncipherment) != true else { return [] }
        return [ChainFailure(code: code, position: .leaf, reason: "its key usage does not allow to encipher keys")]
    }
}
