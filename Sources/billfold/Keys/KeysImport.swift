import ArgumentParser
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL

/// `keys import`: a key with its certificate into the store.
struct KeysImport: KeysReplying {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Put a key into the store as the active one: PKCS#12, PEM, or a certificate with --key.",
        discussion: """
            A PKCS#12 file's password comes from --password-file or from the environment variable \
            BILLFOLD_PKCS12_PASSWORD: an argument could be read by every user of the machine.
            """)

    @Argument(help: "A .p12 or .pfx file, a PEM file, or a DER certificate.") var file: String
    @Option(help: "The private key in PEM, when the file holds the certificate alone.") var key: String?
    @Option(
        help: "processing, identity or signing; told from the certificate without it.",
        transform: { text in
            guard let purpose = StoredKey.Purpose(rawValue: text) else {
                throw ValidationError("A purpose is processing, identity or signing.")
            }
            return purpose
        })
    var purpose: StoredKey.Purpose?
    @Option(help: "A file whose first line is the PKCS#12 password.") var passwordFile: String?
    @OptionGroup var options: KeysOptions

    func reply(now: Date) throws -> KeysReply {
        let bytes = try CommandFile.read(file)
        let material = try bytes.first == 0x30 ? readDER(bytes) : readPEM(String(decoding: bytes, as: UTF8.self))
        let store = try options.keyStore
        let stored: StoredKey
        if let sm2 = try? SM2PrivateKey(der: material.pkcs8) {
            guard material.certificate == nil, purpose == nil || purpose == .signing else {
                throw CommandFailure(.refused, code: "key-kind", reason: "an SM2 key is a signing key without a certificate here")
            }
            stored = try store.addSM2(
                pkcs8: sm2.pkcs8, publicKeyHash: OpenSSLHash.sha256.hash(sm2.publicKey.subjectPublicKeyInfo), at: now)
        } else {
            let purpose = purpose ?? Self.purpose(of: material.certificate)
            guard material.certificate != nil || purpose == .signing else {
                throw CommandFailure(.refused, code: "certificate-missing", reason: "a \(purpose.rawValue) key needs its certificate")
            }
            stored = try store.add(PrivateKey(der: material.pkcs8), certificate: material.certificate, purpose: purpose, at: now)
        }
        var warnings = KeysList.warning(stored, now: now).map { [$0] } ?? []
        if stored.state == .old {
            warnings.append("\(stored.id) was in the store already and stays old: keys activate makes it the active one")
        }
        return KeysReply(
            text: "\(stored.id): \(stored.kind.rawValue) \(stored.purpose.rawValue) key, \(stored.state.rawValue); "
                + "publicKeyHash \(stored.publicKeyHash)",
            object: KeysList.object(stored, now: now), warnings: warnings)
    }

    private struct Material {
        var pkcs8: [UInt8]
        var certificate: ParsedCertificate?
    }

    private func readPEM(_ text: String) throws -> Material {
        let pem = try PEMText(text)
        let certificates = try ParsedCertificate.all(pem: text)
        let keyText = try key.map { path throws(CommandFailure) in try CommandFile.text(path) } ?? text
        guard pem.blocks.contains(where: { $0.label == "CERTIFICATE" || $0.label.hasSuffix("PRIVATE KEY") }) else {
            throw CommandFailure(.refused, code: "malformed-pem", reason: "\(file) holds neither a key nor a certificate")
        }
        return try material(key: keyText, certificates: certificates)
    }

    private func readDER(_ bytes: [UInt8]) throws -> Material {
        if let certificate = try? ParsedCertificate(der: bytes) {
            guard let key else {
                throw CommandFailure(.usage, code: "key-missing", reason: "the file holds a certificate alone; name its key with --key")
            }
            return try material(key: CommandFile.text(key), certificates: [certificate])
        }
        if let pkcs8 = (try? PrivateKey(der: bytes))?.pkcs8 ?? (try? SM2PrivateKey(der: bytes))?.pkcs8 {
            return Material(pkcs8: pkcs8, certificate: nil)
        }
        let archive = try PKCS12Archive(der: bytes, password: password())
        return Material(pkcs8: archive.privateKeyDER, certificate: archive.certificate)
    }

    /// Picks the certificate that belongs to the key; the others are its issuers.
    private func material(key text: String, certificates: [ParsedCertificate]) throws -> Material {
        let pkcs8 = try Self.privateKeyBytes(text)
        guard let key = try? PrivateKey(der: pkcs8) else { return Material(pkcs8: pkcs8, certificate: certificates.first) }
        let own = certificates.first { (try? $0.publicKey) == key.publicKey }
        guard own != nil || certificates.isEmpty else {
            throw PaymentCryptoError(code: .keyMismatch, reason: "no certificate in the file belongs to the private key")
        }
        return Material(pkcs8: key.pkcs8, certificate: own)
    }

    private static func privateKeyBytes(_ text: String) throws -> [UInt8] {
        if let key = try? PrivateKey(pem: text) { return key.pkcs8 }
        if let key = try? SM2PrivateKey(pem: text) { return key.pkcs8 }
        return try PrivateKey(pem: text).pkcs8
    }

    private func password() throws -> String {
        if let passwordFile { return try CommandFile.firstLine(passwordFile) }
        guard let password = ProcessInfo.processInfo.environment["BILLFOLD_PKCS12_PASSWORD"] else {
            throw CommandFailure(
                .usage, code: "password-missing", reason: "name the password with --password-file or BILLFOLD_PKCS12_PASSWORD")
        }
        return password
    }

    private static func purpose(of certificate: ParsedCertificate?) -> StoredKey.Purpose {
        switch certificate?.merchantUse {
        case .processing: .processing
        case .identity: .identity
        case nil: .signing
        }
    }
}
