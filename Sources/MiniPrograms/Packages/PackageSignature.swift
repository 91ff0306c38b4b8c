import BillfoldJSON
public import PaymentCrypto

/// The platform's or the developer's signature over a manifest.
public struct PackageSignature: Sendable, Hashable {
    /// Where it lies in a package.
    public static let path = "manifest.sig"
    /// What is signed begins with this line, so that a signature over anything else is none over a package.
    static let purpose = "mini program package, format 1\n"

    /// Which key made it: by this name it is looked up, and never found by trying.
    public var keyID: KeyID
    public var algorithm: SignatureAlgorithm
    public var signature: [UInt8]

    /// Signs a manifest with RSA or ECDSA. `unusable-key` where the key refuses the algorithm.
    public init(
        over manifest: PackageManifest, by signer: any MessageSigner, keyID: KeyID, algorithm: SignatureAlgorithm
    ) throws(MiniProgramError) {
        self.keyID = keyID
        self.algorithm = algorithm
        do {
            signature = try signer.signature(over: Self.signedBytes(manifest.bytes), algorithm: algorithm)
        } catch {
            throw MiniProgramError(code: .unusableKey, reason: "the key cannot sign by \(algorithm.rawValue)")
        }
    }

    /// Reads the file. `malformed-signature`.
    public init(_ bytes: [UInt8]) throws(MiniProgramError) {
        guard let object = try? JSONReader.readObject(bytes, maximumBytes: 8_192), let keyID = object["keyId"]?.string,
            let algorithm = object["algorithm"]?.string.flatMap(SignatureAlgorithm.init(rawValue:)),
            let signature = try? object["signature"]?.string.map({ try StrictBase64.decode($0) })
        else { throw MiniProgramError(code: .malformedSignature, reason: "the signature file lacks key id, algorithm or base64") }
        self.keyID = KeyID(keyID)
        self.algorithm = algorithm
        self.signature = signature
    }

    public var bytes: [UInt8] {
        JSONWriter.write(
            JSONObject([
                .init("keyId", .string(keyID.description)), .init("algorithm", .string(algorithm.rawValue)),
                .init("signature", .string(StrictBase64.encode(signature))),
            ]))
    }

    static func signedBytes(_ manifest: [UInt8]) -> [UInt8] { Array(purpose.utf8) + manifest }

    /// Whether it is this key's over these bytes.
    package func isValid(over manifest: [UInt8], for key: PublicKey) -> Bool {
        key.isValidSignature(signature, over: Self.signedBytes(manifest), algorithm: algorithm)
    }
}

extension KeyRing<PublicKey> {
    /// `untrusted-key` where the ring has no such key.
    func trusted(_ id: KeyID) throws(MiniProgramError) -> PublicKey {
        do {
            return try key(id)
        } catch {
            throw MiniProgramError(code: .untrustedKey, reason: "key \(MiniProgramError.quoted(id.description)) is not trusted here")
        }
    }
}
