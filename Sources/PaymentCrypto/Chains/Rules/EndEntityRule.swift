public import Foundation

/// The leaf is no CA, so that a leaf and an intermediate cannot change places.
public struct EndEntityRule: ChainRule {
    public let code = ChainRuleCode.leafIsAuthority
    public init() {}

    public func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        guard path.leaf.isCertificateAuthority else { return [] }
        return [ChainFailure(code: code, position: .leaf, reason: "the leaf is a CA")]
    }
}
