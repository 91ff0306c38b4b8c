package import Foundation
import PaymentCrypto

/// A party's own keys, in a folder of its own that nobody else reads. Test keys: they exist to be trusted by test configurations.
package struct PartyKeys: Sendable {
    package let url: URL

    package init(_ url: URL) { self.url = url }

    /// What the file holds, made at the first call.
    func material(_ name: String, make: () throws -> [UInt8]) throws -> [UInt8] {
        let path = url.appendingPathComponent(name).path
        if let found = FileManager.default.contents(atPath: path) { return Array(found) }
        try PrivateFolder.make(url.path)
        _ = try PrivateFile.create(path, with: try make())
        guard let made = FileManager.default.contents(atPath: path) else {
            throw SandboxError(code: .stateUnusable, reason: "the key file \(name) cannot be read back")
        }
        return Array(made)
    }

    /// A P-256 key, PEM.
    func agreementKey(_ name: String, using generator: inout some RandomNumberGenerator) throws -> P256PrivateKey {
        let pem = try material("\(name).pem") {
            Array(PEMText.Block(label: "PRIVATE KEY", bytes: try P256PrivateKey(using: &generator).pkcs8).text.utf8)
        }
        return try P256PrivateKey(pem: String(decoding: pem, as: UTF8.self))
    }

    /// What the party seals with at rest, and hashes card numbers with.
    func sealing(using generator: inout some RandomNumberGenerator) throws -> (sealer: EnvelopeSealer, hashKey: [UInt8]) {
        let bytes = try material("at-rest.key") { (0..<64).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
        guard bytes.count == 64 else { throw SandboxError(code: .stateUnusable, reason: "at-rest.key has not 64 bytes") }
        return (EnvelopeSealer(ring: KeyRing(active: "at-rest", try SealingKey(bytes: Array(bytes[..<32])))), Array(bytes[32...]))
    }
}
