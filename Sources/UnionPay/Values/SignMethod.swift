/// `signMethod` (apple-pay.md#sign-methods).
public enum SignMethod: String, Sendable, Hashable, Codable, CaseIterable {
    /// RSA; SHA-256 with version 5.1.0, SHA-1 with 5.0.0.
    case rsa = "01"
    /// SHA-256 with a shared secret, no certificate.
    case secureKeySHA256 = "11"
    /// SM3 with a shared secret, no certificate.
    case secureKeySM3 = "12"
    /// SM2 with SM3.
    case sm2 = "21"
}
