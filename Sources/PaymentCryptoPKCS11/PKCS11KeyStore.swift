import CP11Kit
import CryptoExtras
import Foundation
public import PaymentCrypto

/// An issuer's network keys on a token, found by their labels. They never leave it.
public struct PKCS11KeyStore: IssuerKeyStore {
    private let token: PKCS11Token

    public init(token: PKCS11Token) { self.token = token }

    public func tripleDESKey(_ id: KeyID) async throws(PaymentCryptoError) -> any TripleDESKey {
        let key = PKCS11TripleDESKey(token: token, label: id.description)
        // A key that is not there is found missing now, and not by the first customer.
        _ = try await key.encrypt([UInt8](repeating: 0, count: 8))
        return key
    }

    public func signer(_ id: KeyID) async throws(PaymentCryptoError) -> any RemoteMessageSigner {
        let label = id.description
        func attribute(_ type: CK_ATTRIBUTE_TYPE) async throws(PaymentCryptoError) -> [UInt8] {
            try await token.run { session in
                try session.attribute(type, of: session.key(label, CK_OBJECT_CLASS(CKO_PRIVATE_KEY)))
            }
        }
        let (modulus, exponent) = (
            try await attribute(CK_ATTRIBUTE_TYPE(CKA_MODULUS)), try await attribute(CK_ATTRIBUTE_TYPE(CKA_PUBLIC_EXPONENT))
        )
        guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else {
            throw PaymentCryptoError(code: .unsupportedKey, reason: "key \(label) of the token is no RSA key that is taken here")
        }
        return PKCS11Signer(
            token: token, label: label, publicKey: try PublicKey(subjectPublicKeyInfo: Array(key.derRepresentation)))
    }

    /// Puts a two-part key on a token that was opened to be written: sensitive, not extractable, for encryption alone.
    ///
    /// Throws `duplicate-key` for a label that is taken.
    public func importTripleDESKey(_ id: KeyID, _ key: SecretBytes) async throws(PaymentCryptoError) {
        guard key.count == 16 else { throw PaymentCryptoError(code: .malformedKey, reason: "a two-part triple DES key has 16 bytes") }
        let label = id.description
        let known = try await token.run { session in
            guard try session.object(label, CK_OBJECT_CLASS(CKO_SECRET_KEY)) == nil else { return [1] }
            try session.create([
                .number(CK_ATTRIBUTE_TYPE(CKA_CLASS), CK_ULONG(CKO_SECRET_KEY)),
                .number(CK_ATTRIBUTE_TYPE(CKA_KEY_TYPE), CK_ULONG(CKK_DES2)),
                .bytes(CK_ATTRIBUTE_TYPE(CKA_LABEL), Array(label.utf8)), .bytes(CK_ATTRIBUTE_TYPE(CKA_VALUE), key.reveal()),
                .flag(CK_ATTRIBUTE_TYPE(CKA_TOKEN), true), .flag(CK_ATTRIBUTE_TYPE(CKA_PRIVATE), true),
                .flag(CK_ATTRIBUTE_TYPE(CKA_SENSITIVE), true), .flag(CK_ATTRIBUTE_TYPE(CKA_EXTRACTABLE), false),
                .flag(CK_ATTRIBUTE_TYPE(CKA_ENCRYPT), true), .flag(CK_ATTRIBUTE_TYPE(CKA_DECRYPT), false),
            ])
            return []
        }
        guard known.isEmpty else { throw PaymentCryptoError(code: .duplicateKey, reason: "the token has a key \(label) already") }
    }
}

/// A Visa zone key on a token.
struct PKCS11TripleDESKey: TripleDESKey {
    let token: PKCS11Token
    let label: String

    func encrypt(_ blocks: [UInt8]) async throws(PaymentCryptoError) -> [UInt8] {
        guard blocks.count.isMultiple(of: 8) else {
            throw PaymentCryptoError(code: .invalidParameter, reason: "\(blocks.count) bytes are no whole blocks of 8")
        }
        // A copy of our own, for the thread may look at it after the caller has overwritten its array.
        let secret = SecretBytes(blocks)
        return try await token.run { [label] session in
            try session.encrypt(secret, key: session.key(label, CK_OBJECT_CLASS(CKO_SECRET_KEY)))
        }
    }
}

/// An RSA key on a token.
struct PKCS11Signer: RemoteMessageSigner {
    let token: PKCS11Token
    let label: String
    let publicKey: PublicKey

    func signature(over message: SecretBytes, algorithm: SignatureAlgorithm) async throws(PaymentCryptoError) -> [UInt8] {
        let mechanism: CK_MECHANISM_TYPE
        switch algorithm {
        case .rsaPKCS1SHA256: mechanism = CK_MECHANISM_TYPE(CKM_SHA256_RSA_PKCS)
        case .rsaPKCS1SHA384: mechanism = CK_MECHANISM_TYPE(CKM_SHA384_RSA_PKCS)
        case .rsaPKCS1SHA512: mechanism = CK_MECHANISM_TYPE(CKM_SHA512_RSA_PKCS)
        case .ecdsaSHA256, .ecdsaSHA384:
            throw PaymentCryptoError(code: .unsupportedAlgorithm, reason: "\(algorithm.rawValue) does not fit an RSA key")
        }
        return try await token.run { [label] session in
            try session.sign(message, mechanism: mechanism, key: session.key(label, CK_OBJECT_CLASS(CKO_PRIVATE_KEY)))
        }
    }
}
