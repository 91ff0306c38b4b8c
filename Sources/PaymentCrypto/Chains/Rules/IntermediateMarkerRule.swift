public import Foundation

/// The certificate that issued the leaf is an intermediate and carries a marker extension; only its presence counts
/// (apple-pay.md#certificate-chain). [V]
public struct IntermediateMarkerRule: ChainRule {
    public let code = ChainRuleCode.intermediateMarkerMissing
    public var marker: OID

    public init(marker: OID) { self.marker = marker }

    public func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        guard let intermediate = path.intermediates.first else {
            return [ChainFailure(code: code, position: .path, reason: "there is no intermediate")]
        }
        guard intermediate.certificateExtension(marker) == nil else { return [] }
        return [ChainFailure(code: code, position: .intermediate(1), reason: "extension \(marker) is missing")]
    }
}
