public import Foundation

/// No certificate of the path, anchor included, has ended at the instant.
public struct ExpiryRule: ChainRule {
    public let code = ChainRuleCode.certificateExpired
    public init() {}

    public func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        var failures = [ChainFailure]()
        for index in 0...path.certificates.count {
            guard let certificate = index == 0 ? path.leaf : path.issuer(of: index - 1), instant > certificate.notAfter else {
                continue
            }
            failures.append(
                ChainFailure(
                    code: code, position: path.position(index),
                    reason: "ended at \(certificate.notAfter.ISO8601Format()), checked for \(instant.ISO8601Format())"))
        }
        return failures
    }
}
