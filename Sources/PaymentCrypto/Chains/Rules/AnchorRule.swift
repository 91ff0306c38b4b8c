public import Foundation

/// The path ends at a pinned root, and no other root stands in it: a root that came in a message is never trusted.
public struct AnchorRule: ChainRule {
    public let code = ChainRuleCode.untrustedRoot
    public init() {}

    public func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        var failures = [ChainFailure]()
        if path.anchor == nil {
            failures.append(ChainFailure(code: code, position: .path, reason: "the path ends at no pinned root"))
        }
        for (index, certificate) in path.certificates.enumerated() where certificate.isSelfIssued {
            failures.append(
                ChainFailure(code: code, position: path.position(index), reason: "a self-issued certificate came in the message"))
        }
        return failures
    }
}
