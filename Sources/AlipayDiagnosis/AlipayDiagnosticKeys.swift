public import BillfoldDiagnosis
public import PaymentCrypto

/// Says what an RSA signature really signed. The implementation is passed in, because it needs OpenSSL.
public protocol RSASignatureRecovery: Sendable {
    /// The name of the hash inside the signature, `SHA-1` for example, and the digest; `nil` when this key did not make it.
    func recover(_ signature: [UInt8], key: LegacyRSAPublicKey) -> (hash: String, digest: [UInt8])?
}

/// What messages under diagnosis may have been signed with, apart from the keys and certificates among the files.
public struct AlipayDiagnosticKeys: Sendable {
    /// Keys that both sides share, for `sign_type` MD5.
    public var md5: [Secret<String>]
    public var recovery: (any RSASignatureRecovery)?

    public init(md5: [Secret<String>] = [], recovery: (any RSASignatureRecovery)? = nil) {
        self.md5 = md5
        self.recovery = recovery
    }
}

/// The RSA keys among the files, each with what its file's name says of its owner.
struct AlipayKeyRing {
    /// Whose a key is said to be.
    enum Owner {
        /// The merchant's: the file is named `merchant…`, `app…`, `partner…` or `registered…`, or it is a private key.
        case merchant
        /// The key of the old gateway, which all merchants share: `mapi…`.
        case legacyGateway
        /// The key of the open platform: `openapi…` or `openplatform…`.
        case openPlatform
        /// Alipay's, of no named generation: `alipay…`.
        case alipay
        case unknown

        var isAlipays: Bool { self == .alipay || self == .legacyGateway || self == .openPlatform }

        /// Goes by the name's first word, `alipay` of `alipayCertPublicKey_RSA2.crt`: within other words these say nothing.
        init(fileName: String) {
            var word = ""
            for letter in (fileName.split(separator: "/").last ?? "").prefix(while: \.isLetter) {
                // A word ends where a capital follows a small letter.
                if letter.isUppercase, word.last?.isLowercase == true { break }
                word.append(letter)
            }
            switch word.lowercased() {
            case "mapi": self = .legacyGateway
            case "openapi", "openplatform": self = .openPlatform
            case "alipay": self = .alipay
            case "merchant", "app", "partner", "registered": self = .merchant
            default: self = .unknown
            }
        }
    }

    struct Held {
        var file: String
        var owner: Owner
        var key: LegacyRSAPublicKey
        var isPrivate: Bool

        /// Whether its file's name says so, and not only that it is private.
        var isNamedMerchants: Bool { Owner(fileName: file) == .merchant }
    }

    var held: [Held] = []

    /// Each key once, private ones' files first.
    var distinct: [Held] {
        var seen: Set<LegacyRSAPublicKey> = []
        return (held.filter(\.isPrivate) + held.filter { !$0.isPrivate }).filter { seen.insert($0.key).inserted }
    }

    func isMerchants(_ key: LegacyRSAPublicKey) -> Bool { held.contains { $0.key == key && ($0.isPrivate || $0.owner == .merchant) } }
}
