import BillfoldJSON
public import PaymentCrypto

/// Metadata as it came from a platform. ``verified(by:appID:)`` is its one way on; a container keeps bytes and signature for starts without
/// a network, and verifies them again then.
public struct UnverifiedMiniProgramMetadata: Sendable {
    /// The answer's body.
    public var bytes: [UInt8]
    public var signature: MetadataSignature

    public init(bytes: [UInt8], signature: MetadataSignature) {
        self.bytes = bytes
        self.signature = signature
    }

    /// Checks the signature, reads the metadata, and holds it against the mini program that was asked for. `untrusted-key`,
    /// `signature-mismatch`, `malformed-json`, `missing-field`, `malformed-field`, `malformed-version`, `wrong-package`.
    /// - Parameters:
    ///   - keys: The platform's, by their ids: those that packages are verified with.
    ///   - appID: The mini program that was asked for.
    public func verified(by keys: KeyRing<PublicKey>, appID: String) throws(MiniProgramError) -> MiniProgramMetadata {
        let key = try keys.trusted(signature.keyID)
        guard signature.isValid(over: bytes, for: key) else {
            throw MiniProgramError(code: .signatureMismatch, reason: "the signature is not the platform's over this metadata")
        }
        let metadata = try MiniProgramMetadata(OpenAPIBody.object(bytes))
        guard ExactText.equal(metadata.appID, appID) else {
            throw MiniProgramError(
                code: .wrongPackage, reason: "the metadata is of \(metadata.appID), and \(MiniProgramError.quoted(appID)) was asked for")
        }
        return metadata
    }
}

/// The platform's signature over metadata, which travels beside it in the header ``headerName``.
///
/// No document shows one for metadata: the form is ours [I]. Without it, whoever stands between could widen a mini program's permissions.
public struct MetadataSignature: Sendable, Hashable, CustomStringConvertible {
    public static let headerName = "Metadata-Signature"
    /// What is signed begins with this line, so that a signature over anything else is none over metadata.
    private static let purpose = "mini program metadata, format 1\n"

    public var keyID: KeyID
    public var algorithm: SignatureAlgorithm
    public var bytes: [UInt8]

    /// Signs metadata's exact bytes. `unusable-key` where the key refuses the algorithm.
    public init(
        over metadata: [UInt8], by signer: any MessageSigner, keyID: KeyID, algorithm: SignatureAlgorithm
    ) throws(MiniProgramError) {
        self.keyID = keyID
        self.algorithm = algorithm
        do {
            bytes = try signer.signature(over: Array(Self.purpose.utf8) + metadata, algorithm: algorithm)
        } catch {
            throw MiniProgramError(code: .unusableKey, reason: "the key cannot sign by \(algorithm.rawValue)")
        }
    }

    /// Reads the header: `keyId=<percent-encoded>, algorithm=<name>, signature=<base64>` in this order. `malformed-signature`.
    public init(header: String) throws(MiniProgramError) {
        let values = header.split(separator: ", ", omittingEmptySubsequences: false).map { part in
            part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        }
        guard header.utf8.count <= 4_096, values.allSatisfy({ $0.count == 2 }),
            values.map({ $0[0] }) == ["keyId", "algorithm", "signature"],
            let name = PercentEncoding.decode(Array(values[0][1].utf8)[...], plusIsSpace: false),
            let keyID = String(utf8: name), let algorithm = SignatureAlgorithm(rawValue: String(values[1][1])),
            let signature = try? StrictBase64.decode(values[2][1])
        else { throw MiniProgramError(code: .malformedSignature, reason: "the header lacks key id, algorithm or base64") }
        self.keyID = KeyID(keyID)
        self.algorithm = algorithm
        bytes = signature
    }

    /// The header's text.
    public var description: String {
        "keyId=\(PercentEncoding.encode(keyID.description.utf8)), algorithm=\(algorithm.rawValue), signature=\(StrictBase64.encode(bytes))"
    }

    func isValid(over metadata: [UInt8], for key: PublicKey) -> Bool {
        key.isValidSignature(bytes, over: Array(Self.purpose.utf8) + metadata, algorithm: algorithm)
    }
}
