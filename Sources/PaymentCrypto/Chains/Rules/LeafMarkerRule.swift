public import Foundation

/// The leaf carries a marker extension; only its presence counts (apple-pay.md#certificate-chain). [V]
public struct LeafMarkerRule: ChainRule {
    public let code = ChainRuleCode.leafMarkerMissing
    public var marker: OID

    public init(marker: OID) { self.marker = marker }

    public func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        guard path.leaf.certificateExtension(marker) == nil else { return [] }
        return [ChainFailure(code: code, position: .leaf, reason: "extension \(marker) is missing")]
    }
}
