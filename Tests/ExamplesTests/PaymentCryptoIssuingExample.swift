import Foundation
import PaymentCrypto
import PaymentCryptoIssuing
import Testing

struct PaymentCryptoIssuingExample {
    // Example
    /// A certificate office for tests: a root that signed itself, and a certificate for whoever asks with a request.
    struct TestOffice {
        let issuer: CertificateIssuer
        let root: ParsedCertificate

        init(key: P256PrivateKey, from start: Date, to end: Date) throws {
            let name = CertificateName([.init(type: .commonName, value: "Test Root")])
            issuer = CertificateIssuer(name: name, signer: key, algorithm: .ecdsaSHA256)
            root = try issuer.issue(
                CertificateTemplate(
                    serialNumber: SerialNumber(magnitude: [1]), subject: name, notBefore: start, notAfter: end, publicKey: key.publicKey,
                    isCertificateAuthority: true, keyUsage: .certificateSigning))
        }

        /// The serial number is the caller's to count. A request is read only where its own key signed it.
        func certificate(for request: CertificateRequest, serialNumber: SerialNumber) throws -> ParsedCertificate {
            try issuer.issue(
                CertificateTemplate(
                    serialNumber: serialNumber, subject: request.subject, notBefore: root.notBefore, notAfter: root.notAfter,
                    publicKey: request.publicKey))
        }
    }
    // End

    @Test func aRequestGetsItsCertificate() throws {
        let start = Date(timeIntervalSince1970: 1_790_000_000)
        var random = SystemRandomNumberGenerator()
        let office = try TestOffice(key: P256PrivateKey(using: &random), from: start, to: start + 86_400)
        let key = try P256PrivateKey(using: &random)
        let request = try CertificateRequest(subject: CertificateName([.init(type: .commonName, value: "shop")]), signer: key)
        let certificate = try office.certificate(for: request, serialNumber: SerialNumber(magnitude: [2]))
        #expect(certificate.subject.commonName == "shop")
        #expect(certificate.publicKeyHash == key.publicKey.sha256)
        #expect(certificate.isSigned(by: try office.root.publicKey))
        #expect(!certificate.isCertificateAuthority)
    }
}
