import BillfoldDiagnosis
import PaymentCrypto

/// The RSA keys among the files, each with what its file's name says of its owner.
struct AlipayPlusKeyFiles {
    enum Side {
        /// `acqp…`, `acquirer…`, `merchant…`, `client…`, `registered…`, `wallet…`, or any private key.
        case client
        /// `gateway…` or `alipayplus…`.
        case gateway
        case unknown
    }

    struct Held {
        var file: String
        var side: Side
        var key: LegacyRSAPublicKey
        var isPrivate: Bool
        /// Under which it is registered; nil where nobody said.
        var version: Int?
    }

    private(set) var held: [Held] = []

    /// - Parameter version: Under which the key is registered; without it the file's name may say so.
    /// - Returns: False for a file that holds no RSA key.
    mutating func take(_ artifact: Artifact, version: Int? = nil) -> Bool {
        guard artifact.bytes.count <= 65_536, let text = String(utf8: artifact.bytes) else { return false }
        guard let (key, isPrivate) = Self.key(text) ?? Self.bareKey(text) else { return false }
        held.append(
            Held(
                file: artifact.name, side: Self.side(artifact.name), key: key, isPrivate: isPrivate,
                version: version ?? Self.version(artifact.name)))
        return true
    }

    private static func key(_ pem: String) -> (LegacyRSAPublicKey, isPrivate: Bool)? {
        if let read = try? LegacyRSAPrivateKey(pem: pem) { return (read.publicKey, true) }
        return (try? LegacyRSAPublicKey(pem: pem)).map { ($0, false) }
    }

    /// A key as the SDKs of the vendor take it: base64 alone, in one line or several (alipay-plus.md#envelope [O]).
    private static func bareKey(_ text: String) -> (LegacyRSAPublicKey, isPrivate: Bool)? {
        let bare = text.filter { !$0.isWhitespace && $0 != "\u{FEFF}" && $0 != "\"" }
        guard bare.hasPrefix("MI"), let der = try? StrictBase64.decode(bare) else { return nil }
        if let read = try? LegacyRSAPrivateKey(der: der) { return (read.publicKey, true) }
        return (try? LegacyRSAPublicKey(subjectPublicKeyInfo: der)).map { ($0, false) }
    }

    private static func side(_ name: String) -> Side {
        let name = name.lowercased()
        if ["gateway", "alipayplus", "alipay-plus"].contains(where: name.contains) { return .gateway }
        return ["acqp", "acquirer", "merchant", "client", "registered", "wallet"].contains(where: name.contains) ? .client : .unknown
    }

    /// That of a name such as `client-v2.pem`: the last part between `-`, `_` and `.` that is a `v` and digits.
    private static func version(_ name: String) -> Int? {
        let file = name.lowercased().split(separator: "/").last ?? ""
        return file.split(whereSeparator: { "-_.".contains($0) }).reversed().lazy
            .filter { $0.first == "v" && $0.utf8.count <= 7 && $0.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) } }
            .compactMap { Int($0.dropFirst()) }.first
    }

    /// Each key once, private ones' files first.
    var distinct: [Held] {
        var seen: Set<LegacyRSAPublicKey> = []
        return (held.filter(\.isPrivate) + held.filter { !$0.isPrivate }).filter { seen.insert($0.key).inserted }
    }
}
