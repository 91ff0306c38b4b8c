import Crypto
import CryptoExtras
public import Foundation

extension PublicKey {
    /// Says whether the signature is this key's over the message, hashed by the algorithm's digest.
    ///
    /// ECDSA signatures are DER and strictly so. An algorithm that does not fit the key gives false.
    public func isValidSignature(
        _ signature: some ContiguousBytes, over message: some ContiguousBytes, algorithm: SignatureAlgorithm
    ) -> Bool {
        message.withUnsafeBytes { message in
            switch algorithm {
            case .ecdsaSHA256, .rsaPKCS1SHA256: isValid(signature, for: SHA256.hash(data: message), algorithm)
            case .ecdsaSHA384, .rsaPKCS1SHA384: isValid(signature, for: SHA384.hash(data: message), algorithm)
            case .rsaPKCS1SHA512: isValid(signature, for: SHA512.hash(data: message), algorithm)
            }
        }
    }

    /// Like the other, for ECDSA signatures as the plain pair r‖s, each as long as the curve's order (IEEE P1363).
    public func isValidSignature(
        pair signature: some ContiguousBytes, over message: some ContiguousBytes, algorithm: SignatureAlgorithm
    ) -> Bool {
        guard algorithm.isECDSA else { return false }
        let pair = signature.withUnsafeBytes { [UInt8]($0) }
        return message.withUnsafeBytes { message in
            algorithm == .ecdsaSHA256
                ? isValid(pair: pair, for: SHA256.hash(data: message)) : isValid(pair: pair, for: SHA384.hash(data: message))
        }
    }

    private func isValid(
        _ signature: some ContiguousBytes, for digest: some Digest, _ algorithm: SignatureAlgorithm
    ) -> Bool {
        if case .rsa(let key) = backing {
            guard !algorithm.isECDSA else { return false }
            return signature.withUnsafeBytes {
                key.isValidSignature(.init(rawRepresentation: $0), for: digest, padding: .insecurePKCS1v1_5)
            }
        }
        guard algorithm.isECDSA, let size = coordinateSize,
            let pair = ECDSASignaturePair.raw(der: signature.withUnsafeBytes { [UInt8]($0) }, coordinateSize: size)
        else { return false }
        return isValid(pair: pair, for: digest)
    }

    private func isValid(pair: [UInt8], for digest: some Digest) -> Bool {
        switch backing {
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: pair) else { return false }
            return key.isValidSignature(signature, for: digest)
        case .p384(let key):
            guard let signature = try? P384.Signing.ECDSASignature(rawRepresentation: pair) else { return false }
            return key.isValidSignature(signature, for: digest)
        case .rsa:
            return false
        }
    }

    /// Bytes of one coordinate, nil for RSA.
    var coordinateSize: Int? {
        switch backing {
        case .p256: 32
        case .p384: 48
        case .rsa: nil
        }
    }
}
