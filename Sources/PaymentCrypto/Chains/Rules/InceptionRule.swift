public import Foundation

/// Every certificate of the path, anchor included, has begun at the instant.
public struct InceptionRule: ChainRule {
    public let code = ChainRuleCode.certificateNotYetValid
    public init() {}

    public func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        var failures = [ChainFailure]()
        for index in 0...path.certificates.count {
            guard let certificate = index == 0 ? path.leaf : path.issuer(of: index - 1), instant < certificate.notBefore
            else { continue }
            failures.append(
                ChainFailure(
                    code: code, position: path.position(index),
                    reason: "begins at \(certificate.notBefore.ISO8601Format()), checked for \(instant.ISO8601Format())"))
        }
        return failures
    }
}
