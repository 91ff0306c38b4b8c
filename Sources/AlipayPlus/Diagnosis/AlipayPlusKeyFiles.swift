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
    }

    private(set) var held: [Held] = []

    /// False for a file that holds no RSA key.
    mutating func take(_ artifact: Artifact) -> Bool {
        guard artifact.bytes.count <= 65_536, let text = String(validating: artifact.bytes, as: UTF8.self) else { return false }
        let key: LegacyRSAPublicKey
        var isPrivate = false
        if let read = try? LegacyRSAPrivateKey(pem: text) {
            (key, isPrivate) = (read.publicKey, true)
        } else if let read = try? LegacyRSAPublicKey(pem: text) {
            key = read
        } else {
            return false
        }
        held.append(Held(file: artifact.name, side: Self.side(artifact.name), key: key, isPrivate: isPrivate))
        return true
    }

    private static func side(_ name: String) -> Side {
        let name = name.lowercased()
        if ["gateway", "alipayplus", "alipay-plus"].contains(where: name.contains) { return .gateway }
        return ["acqp", "acquirer", "merchant", "client", "registered", "wallet"].contains(where: name.contains) ? .client : .unknown
    }

    /// Each key once, private ones' files first.
    var distinct: [Held] {
        var seen: Set<LegacyRSAPublicKey> = []
        return (held.filter(\.isPrivate) + held.filter { !$0.isPrivate }).filter { seen.insert($0.key).inserted }
    }
}
