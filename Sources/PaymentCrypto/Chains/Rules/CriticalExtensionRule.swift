public import Foundation

/// No certificate carries a critical extension that nobody here understands (RFC 5280 section 4.2).
public struct CriticalExtensionRule: ChainRule {
    public let code = ChainRuleCode.unknownCriticalExtension
    public var understood: Set<OID>

    /// `markers` are the party's own extensions, understood besides the ones that the standard rules check.
    public init(markers: Set<OID> = []) {
        understood = markers.union([.basicConstraints, .keyUsage, .extendedKeyUsage, .subjectAlternativeName])
    }

    public func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        var failures = [ChainFailure]()
        for (index, certificate) in path.certificates.enumerated() {
            for found in certificate.extensions where found.isCritical && !understood.contains(found.oid) {
                failures.append(
                    ChainFailure(code: code, position: path.position(index), reason: "critical extension \(found.oid)"))
            }
        }
        return failures
    }
}
