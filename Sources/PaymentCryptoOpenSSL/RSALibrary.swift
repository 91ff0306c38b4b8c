public import PaymentCrypto
import Synchronization

/// The two libraries that sign with RSA keys here. Which is the faster depends on the processor and on their versions; both give the same
/// bytes.
public enum RSALibrary: String, Sendable, Hashable, CaseIterable {
    case openSSL
    case swiftCrypto

    private static let chosen = Mutex<RSALibrary?>(nil)

    /// The one that signs faster on this machine, by a trial with the key that takes some ten signatures. It is made once in a process:
    /// every later key gets the library of the first.
    public static func faster(tryingWith key: RSAPrivateKey) throws -> RSALibrary {
        try chosen.withLock { chosen in
            if let chosen { return chosen }
            let best = try trial(key)
            chosen = best
            return best
        }
    }

    /// A signer in this library's hands.
    public func signer(_ key: RSAPrivateKey) throws(PaymentCryptoOpenSSLError) -> any MessageSigner {
        switch self {
        case .openSSL: try OpenSSLRSAKey(key)
        case .swiftCrypto: key
        }
    }

    /// As ``signer(_:)``, for keys that may be shorter.
    public func signer(_ key: LegacyRSAPrivateKey) throws(PaymentCryptoOpenSSLError) -> any LegacyRSASigner {
        switch self {
        case .openSSL: try OpenSSLLegacyRSAKey(key)
        case .swiftCrypto: key
        }
    }

    /// The better of a few turns each, in alternation: whatever else the machine does then slows both.
    private static func trial(_ key: RSAPrivateKey) throws -> RSALibrary {
        let signers = try allCases.map { ($0, try $0.signer(key)) }
        var best = signers.map { _ in Duration.seconds(3_600) }
        for _ in 0..<6 {
            for (index, (_, signer)) in signers.enumerated() {
                let start = ContinuousClock.now
                _ = try signer.signature(over: [UInt8](), algorithm: .rsaPKCS1SHA256)
                best[index] = min(best[index], ContinuousClock.now - start)
            }
        }
        return best[0] <= best[1] ? .openSSL : .swiftCrypto
    }
}

extension RSAPrivateKey {
    /// This key in the hands of the library that signs faster here: ``RSALibrary/faster(tryingWith:)``.
    public var fasterSigner: any MessageSigner {
        get throws { try RSALibrary.faster(tryingWith: self).signer(self) }
    }
}
