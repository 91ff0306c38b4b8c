import Foundation
import SwiftASN1
public import X509

/// Signs replies and notifications as UnionPay does, for gateways that are run locally.
///
/// Adds `signMethod` 01, `signPubKeyCert` (PEM with CR LF line ends) and `signature`; empty values stay and are covered.
public struct ReplySigner: Sendable {
    private let key: any RSAMessageSigner
    private let certificateText: String

    /// `unusable-key` when the key does not belong to the certificate.
    public init(key: Certificate.PrivateKey, certificate: Certificate) throws(UnionPayError) {
        guard key.publicKey == certificate.publicKey, let pem = try? certificate.serializeAsPEM().pemString else {
            throw UnionPayError(code: .unusableKey, reason: "the private key does not belong to the certificate")
        }
        self.key = key
        certificateText = pem.split(separator: "\n").map { $0.replacing("\r", with: "") }.joined(separator: "\r\n") + "\r\n"
    }

    /// Signs the message anew: a signature that it had is replaced. `unusable-key` when the key cannot sign.
    public func signed(_ message: UnionPayFields) throws(UnionPayError) -> UnionPayFields {
        var fields = message
        fields["signature"] = nil
        fields["signMethod"] = SignMethod.rsa.rawValue
        fields["signPubKeyCert"] = certificateText
        let bytes = try StringToSign.bytes(fields, .reply)
        do {
            fields["signature"] = Data(try key.rsaSignatureSHA256(SignatureDigest.sha256HexText(bytes))).base64EncodedString()
        } catch { throw UnionPayError(code: .unusableKey, reason: "the RSA key cannot sign") }
        return fields
    }
}
