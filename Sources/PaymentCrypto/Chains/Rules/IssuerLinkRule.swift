public import Foundation

/// Each certificate names the next one's subject as its issuer, byte for byte (RFC 5280 section 6.1.3).
public struct IssuerLinkRule: ChainRule {
    public let code = ChainRuleCode.issuerMismatch
    public init() {}

    public func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        var failures = [ChainFailure]()
        for (index, certificate) in path.certificates.enumerated() {
            guard let issuer = path.issuer(of: index) else {
                failures.append(
                    ChainFailure(
                        code: code, position: path.position(index), reason: "nobody named \(certificate.issuer) was offered"))
                continue
            }
            guard certificate.issuer != issuer.subject else { continue }
            failures.append(
                ChainFailure(
                    code: code, position: path.position(index),
                    reason: "issuer is \(certificate.issuer); the next certificate is of \(issuer.subject)"))
        }
        return failures
    }
}
