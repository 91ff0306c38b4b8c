public import BillfoldDiagnosis
import Crypto
import Foundation
public import PaymentCrypto
public import X509

/// The texts and bytes between the string to sign and the signature.
package enum SignatureDigest {
    /// What method 01 signs: the 64 characters of the SHA-256 digest in lower-case hex, which RSA then hashes again.
    package static func sha256HexText(_ bytes: [UInt8]) -> [UInt8] { Array(Hexadecimal.encode(SHA256.hash(data: bytes)).utf8) }

    package static func sm3HexText(_ bytes: [UInt8], _ digester: any SM3Digester) throws(UnionPayError) -> [UInt8] {
        do { return Array(Hexadecimal.encode(try digester.sm3(bytes)).utf8) } catch {
            throw UnionPayError(code: .unusableKey, reason: "SM3 could not be computed")
        }
    }

    /// Method 11: sha256hex(string ‖ "&" ‖ sha256hex(secureKey)).
    static func secureKeySHA256(_ bytes: [UInt8], _ secureKey: Secret<String>) -> String {
        let key = sha256HexText(Array(secureKey.reveal().utf8))
        return Hexadecimal.encode(SHA256.hash(data: bytes + [UInt8(ascii: "&")] + key))
    }

    /// Method 12: as method 11, with SM3.
    static func secureKeySM3(
        _ bytes: [UInt8], secureKey: Secret<String>, digester: any SM3Digester
    ) throws(UnionPayError) -> String {
        let key = try sm3HexText(Array(secureKey.reveal().utf8), digester)
        return String(decoding: try sm3HexText(bytes + [UInt8(ascii: "&")] + key, digester), as: UTF8.self)
    }

    /// Base64 in its one canonical form: unused bits of the last character must be zero, so that no second text carries the
    /// same signature.
    static func canonicalBase64(_ text: String) -> [UInt8]? {
        guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else { return nil }
        return Array(data)
    }
}

/// Signs a merchant's requests (ACP 5.1.0).
///
/// The merchant signs; UnionPay verifies with the certificate that the merchant registered. RSA signatures are
/// deterministic: the same fields give the same message, byte for byte.
public struct UnionPaySigner: Sendable {
    /// What a merchant signs with, by the sign method.
    public enum Credential: Sendable {
        /// Method 01.
        case rsa(any RSAMessageSigner, CertificateID)
        /// Method 11.
        case secureKeySHA256(Secret<String>)
        /// Method 12.
        case secureKeySM3(Secret<String>, any SM3Digester)
        /// Method 21. The SM2 user id is the decimal `certId`; the usual default id does not verify.
        case sm2(any SM2MessageSigner, any SM3Digester, CertificateID, SM2SignatureForm)
    }

    private let credential: Credential

    public init(_ credential: Credential) { self.credential = credential }

    /// Takes a key and its certificate, and refuses a pair that does not belong together (`unusable-key`).
    public init(key: Certificate.PrivateKey, certificate: Certificate) throws(UnionPayError) {
        guard key.publicKey == certificate.publicKey else {
            throw UnionPayError(code: .unusableKey, reason: "the private key does not belong to the certificate")
        }
        self.init(.rsa(key, CertificateID(certificate)))
    }

    /// As above, for an RSA key that another library holds, a faster one say: it has to sign once as a proof.
    public init(key: any MessageSigner, certificate: Certificate) throws(UnionPayError) {
        let (signer, probe) = (RSAKeySigner(key: key), Array("pair".utf8))
        guard let signature = try? signer.rsaSignatureSHA256(probe),
            certificate.publicKey.isValidSignature(signature, for: probe, signatureAlgorithm: .sha256WithRSAEncryption)
        else { throw UnionPayError(code: .unusableKey, reason: "the private key does not belong to the certificate") }
        self.init(.rsa(signer, CertificateID(certificate)))
    }

    public var method: SignMethod {
        switch credential {
        case .rsa: .rsa
        case .secureKeySHA256: .secureKeySHA256
        case .secureKeySM3: .secureKeySM3
        case .sm2: .sm2
        }
    }

    /// Trims the values, drops empty ones, and adds `signMethod`, `certId` (where a certificate signs) and `signature`.
    ///
    /// `unsupported` for `version` 5.0.0, whose SHA-1 is only in ``LegacyRSASHA1Signer``; `unusable-key` when the key refuses.
    public func signed(_ message: UnionPayFields) throws(UnionPayError) -> UnionPayFields {
        var fields = message.normalized
        guard fields["version"] == "5.1.0" else {
            throw UnionPayError(code: .unsupported, reason: "this signature belongs to version 5.1.0")
        }
        fields["signature"] = nil
        fields["certId"] = nil
        fields["signMethod"] = method.rawValue
        switch credential {
        case .rsa(_, let id), .sm2(_, _, let id, _): fields["certId"] = id.description
        default: break
        }
        let bytes = try StringToSign.bytes(fields, .request)
        fields["signature"] = try signature(bytes)
        return fields
    }

    private func signature(_ bytes: [UInt8]) throws(UnionPayError) -> String {
        switch credential {
        case .rsa(let key, _):
            do {
                return Data(try key.rsaSignatureSHA256(SignatureDigest.sha256HexText(bytes))).base64EncodedString()
            } catch { throw UnionPayError(code: .unusableKey, reason: "the RSA key cannot sign") }
        case .secureKeySHA256(let secureKey): return SignatureDigest.secureKeySHA256(bytes, secureKey)
        case .secureKeySM3(let secureKey, let digester):
            return try SignatureDigest.secureKeySM3(bytes, secureKey: secureKey, digester: digester)
        case .sm2(let key, let digester, let id, let form):
            let digest = try SignatureDigest.sm3HexText(bytes, digester)
            let signature: [UInt8]
            do { signature = try key.sm2Signature(digest, userID: Array(id.description.utf8)) } catch {
                throw UnionPayError(code: .unusableKey, reason: "the SM2 key cannot sign")
            }
            guard let raw = SM2SignatureForm.raw(from: signature) else {
                throw UnionPayError(code: .unusableKey, reason: "the SM2 key returned no DER signature")
            }
            return Data(form == .raw ? raw : signature).base64EncodedString()
        }
    }
}

extension UnionPayRequest {
    /// The message with its signature, ready for ``FormBody``.
    public func signed(by signer: UnionPaySigner) throws(UnionPayError) -> UnionPayFields { try signer.signed(fields()) }
}
