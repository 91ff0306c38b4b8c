public import X509

/// Signs with a merchant's RSA key, PKCS#1 v1.5.
public protocol RSAMessageSigner: Sendable {
    /// The signature over the message, which is hashed with SHA-256 on the way.
    func rsaSignatureSHA256(_ message: [UInt8]) throws -> [UInt8]
}

/// Computes SM3 (GB/T 32905). The implementation is passed in: no library on every platform has it.
public protocol SM3Digester: Sendable {
    /// 32 bytes.
    func sm3(_ message: [UInt8]) throws -> [UInt8]
}

/// Signs with an SM2 key (GB/T 32918), hashing with SM3 and the user id.
public protocol SM2MessageSigner: Sendable {
    /// The signature as DER `SEQUENCE { r, s }`.
    func sm2Signature(_ message: [UInt8], userID: [UInt8]) throws -> [UInt8]
}

/// Checks SM2 signatures of one public key.
public protocol SM2MessageVerifier: Sendable {
    /// - Parameters:
    ///   - signature: DER `SEQUENCE { r, s }`.
    ///   - message: What was signed: in UnionPay's messages the hexadecimal text of an SM3 digest, which SM2 hashes once more.
    ///   - userID: The signer's id, which SM2 hashes with the message; UnionPay's is the text of the certificate id.
    func isValidSM2Signature(_ signature: [UInt8], for message: [UInt8], userID: [UInt8]) -> Bool
}

extension Certificate.PrivateKey: RSAMessageSigner {
    public func rsaSignatureSHA256(_ message: [UInt8]) throws -> [UInt8] {
        try sign(bytes: message, signatureAlgorithm: .sha256WithRSAEncryption).rawRepresentation
    }
}

/// How the pair (r, s) of an SM2 signature is written. Which of the two the acquirer wants is not confirmed [I]: both are
/// accepted, and the output is configured.
public enum SM2SignatureForm: Sendable, Hashable, CaseIterable {
    case der
    /// r and s, 32 bytes each.
    case raw

    /// Brings either form into DER, or returns `nil` when it is neither.
    package static func der(from bytes: [UInt8]) -> [UInt8]? {
        if bytes.count == 64 { return sequence(integer(bytes[..<32]) + integer(bytes[32...])) }
        guard raw(from: bytes) != nil else { return nil }
        return bytes
    }

    /// Takes r and s out of strict DER; `nil` for anything else.
    static func raw(from der: [UInt8]) -> [UInt8]? {
        guard der.count >= 8, der.count <= 72, der[0] == 0x30, Int(der[1]) == der.count - 2 else { return nil }
        var result: [UInt8] = []
        var index = 2
        for _ in 0..<2 {
            guard index + 2 <= der.count, der[index] == 0x02 else { return nil }
            let length = Int(der[index + 1])
            guard length >= 1, length <= 33, index + 2 + length <= der.count else { return nil }
            var digits = der[(index + 2)..<(index + 2 + length)]
            guard digits.first.map({ $0 & 0x80 == 0 }) == true else { return nil }
            if length > 1, digits.first == 0 {
                digits = digits.dropFirst()
                // A zero in front is allowed only to keep the number positive.
                guard digits.first.map({ $0 & 0x80 != 0 }) == true else { return nil }
            }
            guard digits.count <= 32 else { return nil }
            result += [UInt8](repeating: 0, count: 32 - digits.count) + digits
            index += 2 + length
        }
        return index == der.count ? result : nil
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.isEmpty || digits[0] & 0x80 != 0 { digits.insert(0, at: 0) }
        return [0x02, UInt8(digits.count)] + digits
    }

    private static func sequence(_ content: [UInt8]) -> [UInt8] { [0x30, UInt8(content.count)] + content }
}
