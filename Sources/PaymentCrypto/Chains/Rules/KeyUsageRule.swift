public import Foundation

/// Issuers may sign certificates, and the leaf may sign messages, where the key usage extension speaks (RFC 5280
/// section 4.2.1.3; an absent extension restricts nothing).
public struct KeyUsageRule: ChainRule {
    public let code = ChainRuleCode.keyUsageForbids
    /// What the leaf's key must be allowed to do.
    public var leafUsage: KeyUsage

    public init(leafUsage: KeyUsage = .digitalSignature) { self.leafUsage = leafUsage }

    public func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        var failures = [ChainFailure]()
        if let usage = path.leaf.keyUsage, !usage.isSuperset(of: leafUsage) {
            failures.append(ChainFailure(code: code, position: .leaf, reason: "its key may not sign messages"))
        }
        for index in path.certificates.indices {
            guard let usage = path.issuer(of: index)?.keyUsage, !usage.contains(.certificateSigning) else { continue }
            failures.append(
                ChainFailure(code: code, position: path.position(index + 1), reason: "its key may not sign certificates"))
        }
        return failures
    }
}
