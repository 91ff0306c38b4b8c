/// A private key of any supported kind, as read from a file. It prints as its kind alone.
public enum PrivateKey: Sendable, CustomStringConvertible {
    case p256(P256PrivateKey)
    case p384(P384PrivateKey)
    case rsa(RSAPrivateKey)

    /// Reads PKCS#8, SEC1 or PKCS#1 DER.
    public init(der: [UInt8]) throws(PaymentCryptoError) {
        switch try PrivateKeyForm(der: der) {
        case .rsa: self = .rsa(try RSAPrivateKey(der: der))
        case .elliptic(.curveP256): self = .p256(try P256PrivateKey(der: der))
        case .elliptic(.curveP384): self = .p384(try P384PrivateKey(der: der))
        case .elliptic(let curve): throw PaymentCryptoError(code: .unsupportedKey, reason: "curve \(curve)")
        case .other(let oid): throw PaymentCryptoError(code: .unsupportedKey, reason: "key algorithm \(oid)")
        }
    }

    /// Reads the first private-key block of a PEM text. Encrypted blocks are refused with `unsupported-key`.
    public init(pem: String) throws(PaymentCryptoError) {
        try self.init(der: PrivateKeyForm.block(of: pem))
    }

    public var publicKey: PublicKey { signer.publicKey }

    public var signer: any MessageSigner {
        switch self {
        case .p256(let key): key
        case .p384(let key): key
        case .rsa(let key): key
        }
    }

    /// PKCS#8 DER. A secret: write it to a sealed place or a file of mode 0600 only.
    public var pkcs8: [UInt8] {
        switch self {
        case .p256(let key): key.pkcs8
        case .p384(let key): key.pkcs8
        case .rsa(let key): key.pkcs8
        }
    }

    public var description: String {
        switch self {
        case .p256: "P-256 private key"
        case .p384: "P-384 private key"
        case .rsa: "RSA private key"
        }
    }
}

extension PrivateKey: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
