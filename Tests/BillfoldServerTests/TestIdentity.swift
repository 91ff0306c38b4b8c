import BillfoldServer
import Crypto
import CryptoExtras
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A self-signed certificate for `localhost` and its key, as PEM files in a folder that lasts as long as this does.
final class TestIdentity: Sendable {
    enum Kind { case ec, rsa }

    let folder: URL
    let tls: TLSIdentity
    let root: NIOSSLCertificate

    /// - `end`: When the certificate ends; without it in an hour.
    init(_ kind: Kind = .ec, until end: Date? = nil, lookEvery: Duration = .seconds(5)) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-tls-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        tls = TLSIdentity(
            certificateChainPath: folder.appendingPathComponent("chain.pem").path,
            privateKeyPath: folder.appendingPathComponent("key.pem").path, lookEvery: lookEvery)
        let (chain, key) = try Self.make(kind, until: end)
        root = try NIOSSLCertificate(bytes: Array(chain.utf8), format: .pem)
        try write(chain: chain, key: key)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Puts others in the place of the files, each whole, as a renewal does.
    func write(chain: String? = nil, key: String? = nil, mode: Int = 0o600) throws {
        if let chain { try Data(chain.utf8).write(to: URL(fileURLWithPath: tls.certificateChainPath), options: .atomic) }
        if let key {
            let new = folder.appendingPathComponent("new.pem")
            guard FileManager.default.createFile(atPath: new.path, contents: Data(key.utf8), attributes: [.posixPermissions: mode]),
                rename(new.path, tls.privateKeyPath) == 0
            else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    static func make(_ kind: Kind = .ec, until end: Date? = nil) throws -> (chain: String, key: String) {
        let key: Certificate.PrivateKey
        let pem: String
        switch kind {
        case .ec:
            let made = P256.Signing.PrivateKey()
            key = Certificate.PrivateKey(made)
            pem = made.pemRepresentation
        case .rsa:
            let made = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            key = Certificate.PrivateKey(made)
            pem = made.pemRepresentation
        }
        let notAfter = end ?? Date().addingTimeInterval(3_600)
        let name = try DistinguishedName { CommonName("localhost") }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
            notValidBefore: min(Date(), notAfter).addingTimeInterval(-60), notValidAfter: notAfter, issuer: name, subject: name,
            signatureAlgorithm: kind == .ec ? .ecdsaWithSHA256 : .sha256WithRSAEncryption,
            extensions: try Certificate.Extensions { SubjectAlternativeNames([.dnsName("localhost")]) }, issuerPrivateKey: key)
        return (try certificate.serializeAsPEM().pemString, pem)
    }
}
