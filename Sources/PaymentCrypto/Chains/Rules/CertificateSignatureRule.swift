public import Foundation

/// Each certificate is signed by the next one's key. Intermediates that were verified before, with the same bytes
/// under the same anchor, are not verified again; the leaf always is.
public struct CertificateSignatureRule: ChainRule {
    public let code = ChainRuleCode.badCertificateSignature
    public init() {}

    public func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure] {
        var failures = [ChainFailure]()
        for (index, certificate) in path.certificates.enumerated() where index == 0 || index < path.verifiedFrom {
            guard let issuer = path.issuer(of: index) else { continue }
            if let reason = Self.fault(of: certificate, issuer) {
                failures.append(ChainFailure(code: code, position: path.position(index), reason: reason))
            }
        }
        if path.anchor == nil, path.certificates.count == 1 {
            failures.append(ChainFailure(code: code, position: .leaf, reason: "there is no issuer to verify it with"))
        }
        return failures
    }

    private static func fault(of certificate: ParsedCertificate, _ issuer: ParsedCertificate) -> String? {
        guard certificate.signatureAlgorithm != nil else {
            return "signature algorithm \(certificate.signatureAlgorithmOID) is not accepted"
        }
        do {
            return certificate.isSigned(by: try issuer.publicKey) ? nil : "the issuer's key did not sign it"
        } catch {
            return "the issuer's key is not usable: \(error.reason)"
        }
    }
}
