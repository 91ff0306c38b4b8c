import ApplePayForging
import BillfoldSandbox
import Foundation
import PaymentCrypto

/// Plays the merchant's administrator who prepares a new processing key. In test mode office and server share the data folder:
/// the server takes the key over from its key store, without a restart, and the old one goes on opening tokens.
struct KeyRotation {
    let store: KeyStore
    let directory: MerchantDirectory
    let now: @Sendable () -> Date

    /// - Parameter keyKind: `EC` or `RSA`.
    func prepare(_ keyKind: String) async throws -> IssuedCertificate {
        var generator = SystemRandomNumberGenerator()
        let key: PrivateKey = keyKind == "EC" ? .p256(try P256PrivateKey(using: &generator)) : .rsa(try RSAPrivateKey(bits: 2048))
        let request = try CertificateRequest(
            subject: CertificateRequest.merchantSubject(identifier: MerchantInstallation.sandboxApplePayIdentifier), signer: key.signer)
        let issued = try await directory.issue(request, kind: .processing)
        _ = try store.add(key, certificate: issued.certificate, purpose: .processing, at: now())
        return issued
    }
}
