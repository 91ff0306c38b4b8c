import ArgumentParser
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL

/// `keys make`: a new private key in a file.
struct KeysMake: KeysReplying {
    static let configuration = CommandConfiguration(
        commandName: "make", abstract: "Make a private key: P-256, RSA 2048 or SM2, as PKCS#8 in a file of mode 0600.",
        discussion: "The kind `encryption` is the key that seals the others at rest; name its file in \(KeyEncryptionKey.variable).")

    enum Kind: String, ExpressibleByArgument, CaseIterable { case ec, rsa, sm2, encryption }

    @Option(help: "ec (P-256), rsa (2048 bits), sm2 or encryption.") var kind: Kind
    @Option(help: "The file to write. An existing one is not overwritten.") var out: String
    @Flag(help: "Mark the file as a test key's: commands that print secrets take no other.") var test = false
    @OptionGroup var options: KeysOptions

    func validate() throws {
        guard !test || kind != .encryption else { throw ValidationError("A key that seals others is not marked as a test key.") }
    }

    func reply(now: Date) throws -> KeysReply {
        var generator = SystemRandomNumberGenerator()
        return try reply(using: &generator)
    }

    func reply(using generator: inout some RandomNumberGenerator) throws -> KeysReply {
        let pkcs8: [UInt8]
        let publicKey: [UInt8]
        switch kind {
        case .ec:
            let key = try P256PrivateKey(using: &generator)
            (pkcs8, publicKey) = (key.pkcs8, key.publicKey.subjectPublicKeyInfo)
        case .rsa:
            let key = try RSAPrivateKey(bits: 2048)
            (pkcs8, publicKey) = (key.pkcs8, key.publicKey.subjectPublicKeyInfo)
        case .sm2:
            let key = try SM2PrivateKey(using: &generator)
            (pkcs8, publicKey) = (key.pkcs8, key.publicKey.subjectPublicKeyInfo)
        case .encryption:
            let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            try CommandFile.writePrivate(out, Hexadecimal.encode(key) + "\n")
            return KeysReply(text: "\(out): a new key-encryption key", object: ["file": .text(out), "kind": .text(kind.rawValue)])
        }
        let mark = test ? TestKeyMark.line + "\n" : ""
        try CommandFile.writePrivate(out, mark + PEMText.Block(label: "PRIVATE KEY", bytes: pkcs8).text)
        let hash = StrictBase64.encode(try OpenSSLHash.sha256.hash(publicKey))
        return KeysReply(
            text: "\(out): a new \(kind.rawValue)\(test ? " test" : "") key; publicKeyHash \(hash)",
            object: ["file": .text(out), "kind": .text(kind.rawValue), "publicKeyHash": .text(hash)])
    }
}
