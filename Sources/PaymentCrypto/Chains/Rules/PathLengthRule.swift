public import Foundation

/// No issuer has more intermediates below it than its path length allows, and the path is no longer than the checker's
/// own limit (RFC 5280 section 4.2.1.9).
public struct PathLengthRule: ChainRule {
    public let code = ChainRuleCode.pathTooLong
    /// The most intermediates; wallet tokens have one.
    public var maximumIntermediates: Int

    public init(maximumIntermediates: Int = 3) { self.maximumIntermediates = maximumIntermediates }

    public func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        var failures = [ChainFailure]()
        if path.intermediates.count > maximumIntermediates {
            failures.append(
                ChainFailure(code: code, position: .path, reason: "\(path.intermediates.count) intermediates"))
        }
        for index in path.certificates.indices {
            guard let issuer = path.issuer(of: index), let limit = issuer.pathLength, limit < index else { continue }
            failures.append(
                ChainFailure(
                    code: code, position: path.position(index + 1),
                    reason: "it allows \(limit) intermediates below it and has \(index)"))
        }
        return failures
    }
}
