public import Foundation

/// Every certificate that issued another carries the CA flag (RFC 5280 section 4.2.1.9). The anchor's flag is checked too.
public struct AuthorityRule: ChainRule {
    public let code = ChainRuleCode.issuerNotAuthority
    public init() {}

    public func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        var failures = [ChainFailure]()
        for index in path.certificates.indices {
            guard let issuer = path.issuer(of: index), !issuer.isCertificateAuthority else { continue }
            failures.append(
                ChainFailure(code: code, position: path.position(index + 1), reason: "it issued a certificate and is no CA"))
        }
        return failures
    }
}
