public import BillfoldDiagnosis
import Crypto
import Foundation
public import PaymentCrypto

/// The values of `sign_type`.
public enum AlipaySignatureAlgorithm: String, Sendable, Hashable, Codable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-1.
    case rsa = "RSA"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rsa2 = "RSA2"
    /// Lower-case hexadecimal MD5 of the text followed by the shared key; legacy only.
    case md5 = "MD5"

    /// Reads `sign_type`; `unsupported-sign-type` for `DSA` and everything else, lower case too.
    init(signType: String) throws(AlipayError) {
        guard let algorithm = Self(rawValue: signType) else {
            throw AlipayError(code: .unsupportedSignType, reason: "sign_type \(AlipayError.quoted(signType)) is none of RSA, RSA2, MD5")
        }
        self = algorithm
    }

    var hash: LegacyRSAHash { self == .rsa2 ? .sha256 : .sha1 }
}

/// Signs texts for one party with one key, wherever that key is held.
public protocol AlipaySigner: Sendable {
    /// What the message says in `sign_type`.
    var algorithm: AlipaySignatureAlgorithm { get }

    /// What stands in `sign` before any percent-encoding: base64, or hexadecimal MD5. `unusable-key` when the key refuses.
    func sign(_ bytes: [UInt8]) async throws(AlipayError) -> String
}

/// Signs with an RSA key; deterministic.
public struct AlipayRSASigner: AlipaySigner {
    public let algorithm: AlipaySignatureAlgorithm
    private let signature: @Sendable ([UInt8]) throws -> [UInt8]

    /// `RSA`, or `RSA2` with a key of 1024 bits or more.
    public static func rsa(_ key: any LegacyRSASigner) -> Self {
        Self(algorithm: .rsa) { try key.signature(over: $0, hash: .sha1) }
    }

    /// `RSA2` with a key of 1024 bits or more.
    public static func rsa2(_ key: any LegacyRSASigner) -> Self {
        Self(algorithm: .rsa2) { try key.signature(over: $0, hash: .sha256) }
    }

    /// `RSA2` with a key of 2048 bits or more, wherever it is held.
    public static func rsa2(_ key: any MessageSigner) -> Self {
        Self(algorithm: .rsa2) { try key.signature(over: $0, algorithm: .rsaPKCS1SHA256) }
    }

    private init(algorithm: AlipaySignatureAlgorithm, signature: @escaping @Sendable ([UInt8]) throws -> [UInt8]) {
        self.algorithm = algorithm
        self.signature = signature
    }

    public func sign(_ bytes: [UInt8]) async throws(AlipayError) -> String {
        do { return StrictBase64.encode(try signature(bytes)) } catch {
            throw AlipayError(code: .unusableKey, reason: "the RSA key cannot sign")
        }
    }
}

/// Signs with a key that both sides share. Whoever can check such a signature can make it.
public struct AlipayMD5Signer: AlipaySigner {
    private let key: Secret<String>

    public init(key: Secret<String>) { self.key = key }

    public var algorithm: AlipaySignatureAlgorithm { .md5 }

    public func sign(_ bytes: [UInt8]) async throws(AlipayError) -> String { Self.digest(bytes, key) }

    package static func digest(_ bytes: [UInt8], _ key: Secret<String>) -> String {
        var hash = Insecure.MD5()
        hash.update(data: bytes)
        hash.update(data: Array(key.reveal().utf8))
        return Hexadecimal.encode(Array(hash.finalize()))
    }
}

/// What one party's messages are checked with: at most one key for each `sign_type`.
///
/// The message's `sign_type` chooses among the registered keys and never brings one along.
public struct AlipayVerificationKeys: Sendable {
    public var rsa: LegacyRSAPublicKey?
    public var rsa2: LegacyRSAPublicKey?
    public var md5: Secret<String>?

    public init(rsa: LegacyRSAPublicKey? = nil, rsa2: LegacyRSAPublicKey? = nil, md5: Secret<String>? = nil) {
        self.rsa = rsa
        self.rsa2 = rsa2
        self.md5 = md5
    }

    /// Says whether the text carries this signature: base64 in its one canonical form, or 32 lower-case hexadecimal digits.
    ///
    /// `unknown-key` when no key of the algorithm is registered, `malformed-signature` when it is none.
    public func isValid(
        _ signature: String, over bytes: [UInt8], _ algorithm: AlipaySignatureAlgorithm
    ) throws(AlipayError) -> Bool {
        if algorithm == .md5 {
            guard let md5 else { throw unregistered(algorithm) }
            return ConstantTime.equal(signature, AlipayMD5Signer.digest(bytes, md5))
        }
        guard let key = algorithm == .rsa ? rsa : rsa2 else { throw unregistered(algorithm) }
        let raw: [UInt8]
        do { raw = try StrictBase64.decode(signature) } catch {
            throw AlipayError(code: .malformedSignature, reason: Self.complaint(about: signature))
        }
        guard raw.count == (key.bits + 7) / 8 else {
            throw AlipayError(
                code: .malformedSignature, reason: "the signature has \(raw.count) bytes, and the key's have \((key.bits + 7) / 8)")
        }
        return key.isValidSignature(raw, over: bytes, hash: algorithm.hash)
    }

    /// What made this no base64, where that can be seen.
    private static func complaint(about signature: String) -> String {
        let letters = Set(signature.utf8)
        func has(_ any: Unicode.Scalar...) -> Bool { any.contains { letters.contains(UInt8(ascii: $0)) } }
        if has("\n", "\r") { return "the signature is wrapped into lines, and base64 in one line is due" }
        if has(" ") { return "the signature has blanks: a plus sign that is not percent-encoded becomes one in a form" }
        if has("%") { return "the signature is percent-encoded once too often" }
        if has("-", "_") { return "the signature is base64url, and base64 with + and / is due" }
        return "the signature is no base64"
    }

    /// Returns when the signature fits; `signature-mismatch` otherwise, and what ``isValid(_:over:_:)`` throws.
    public func require(
        _ signature: String, over bytes: [UInt8], _ algorithm: AlipaySignatureAlgorithm
    ) throws(AlipayError) {
        guard try isValid(signature, over: bytes, algorithm) else {
            throw AlipayError(code: .signatureMismatch, reason: "the signature does not fit the text")
        }
    }

    /// The text of parameters that the signature fits, and what was left out of it: the first that fits of several ways to make it.
    /// `signature-mismatch` where none does.
    ///
    /// - Parameters:
    ///   - parameters: As they came.
    ///   - signature: Base64.
    ///   - algorithm: As the message names it.
    ///   - ways: Keys that are left out. A way that makes no other text than the one before is not tried.
    func text(
        of parameters: AlipayParameters, signedBy signature: String, _ algorithm: AlipaySignatureAlgorithm, leaving ways: [Set<String>]
    ) throws(AlipayError) -> (text: [UInt8], left: Set<String>) {
        let isAmbiguous = parameters.bytes(AlipayParameters.gatewaySerial)?.isEmpty == false
        for left in isAmbiguous ? ways : Array(ways.prefix(1)) {
            let text = parameters.sortedText(without: left)
            if try isValid(signature, over: text, algorithm) { return (text, left) }
        }
        throw AlipayError(code: .signatureMismatch, reason: "the signature does not fit the text")
    }

    private func unregistered(_ algorithm: AlipaySignatureAlgorithm) -> AlipayError {
        AlipayError(code: .unknownKey, reason: "no \(algorithm.rawValue) key is registered")
    }
}

/// Keys as they are handed around: PEM, or the bare base64 of one line that consoles show.
public enum AlipayKeyText {
    /// `unusable-key` unless the text is a SubjectPublicKeyInfo of an RSA key, or a certificate that holds one.
    public static func publicKey(_ text: String) throws(AlipayError) -> LegacyRSAPublicKey {
        do {
            if text.contains("-----BEGIN CERTIFICATE-----") {
                return try LegacyRSAPublicKey(subjectPublicKeyInfo: Array(ParsedCertificate(pem: text).subjectPublicKeyInfo))
            }
            if text.contains("-----BEGIN") { return try LegacyRSAPublicKey(pem: text) }
            return try LegacyRSAPublicKey(subjectPublicKeyInfo: StrictBase64.decode(bare(text)))
        } catch { throw AlipayError(code: .unusableKey, reason: "the text holds no RSA public key of 1024 bits or more") }
    }

    /// `unusable-key` unless the text is PKCS#8 or PKCS#1 of an RSA key.
    public static func privateKey(_ text: String) throws(AlipayError) -> LegacyRSAPrivateKey {
        do {
            if text.contains("-----BEGIN") { return try LegacyRSAPrivateKey(pem: text) }
            return try LegacyRSAPrivateKey(der: StrictBase64.decode(bare(text)))
        } catch { throw AlipayError(code: .unusableKey, reason: "the text holds no RSA private key of 1024 bits or more") }
    }

    private static func bare(_ text: String) -> String { text.filter { !$0.isWhitespace } }
}
