import Crypto
import Foundation
import HTTPTypes
package import NIOSSL
import PaymentCrypto

/// The certificate chain and key that a listener proves itself with.
public struct TLSIdentity: Sendable, Hashable {
    package var certificateChainPath: String
    package var privateKeyPath: String
    package var lookEvery: Duration

    /// - Parameters:
    ///   - certificateChainPath: PEM, leaf first.
    ///   - privateKeyPath: PEM, unencrypted, and its owner's alone.
    ///   - lookEvery: How often a listener looks whether the files have changed.
    public init(certificateChainPath: String, privateKeyPath: String, lookEvery: Duration = .seconds(5)) {
        self.certificateChainPath = certificateChainPath
        self.privateKeyPath = privateKeyPath
        self.lookEvery = lookEvery
    }

    /// TLS 1.2 and later with forward secrecy. Refuses with `certificate-unusable` when a file cannot be read or holds something else, and
    /// with `key-store-exposed` a key that others may read, or that belongs to another user.
    package func configuration() throws(ServerError) -> TLSConfiguration { try configuration(of: contents()) }

    /// What the files held when they were read.
    struct Contents: Sendable {
        var chain: [UInt8]
        var key: [UInt8]

        /// Tells these from others, without holding the key.
        var mark: [UInt8] { Array(SHA256.hash(data: chain)) + Array(SHA256.hash(data: key)) }
    }

    func contents() throws(ServerError) -> Contents {
        guard let chain = FileManager.default.contents(atPath: certificateChainPath).map(Array.init) else {
            throw unusable("cannot be read")
        }
        return Contents(chain: chain, key: try readKey())
    }

    func configuration(of contents: Contents) throws(ServerError) -> TLSConfiguration {
        do {
            let chain = try NIOSSLCertificate.fromPEMBytes(contents.chain).map { NIOSSLCertificateSource.certificate($0) }
            let key = try NIOSSLPrivateKey(bytes: contents.key, format: .pem)
            guard !chain.isEmpty else { throw unusable("holds no certificate") }
            var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key))
            configuration.requireForwardSecrecy()
            configuration.applicationProtocols = ["http/1.1"]
            return configuration
        } catch let error as ServerError {
            throw error
        } catch {
            throw unusable("or its key cannot be read as PEM")
        }
    }

    func context(of contents: Contents) throws(ServerError) -> NIOSSLContext {
        let configuration = try configuration(of: contents)
        do { return try NIOSSLContext(configuration: configuration) } catch {
            throw unusable("and the key do not belong together")
        }
    }

    /// When the certificate that is shown first ends.
    func notAfter(of contents: Contents) throws(ServerError) -> Date {
        guard let leaf = try? NIOSSLCertificate.fromPEMBytes(contents.chain).first else { throw unusable("holds no certificate") }
        return Date(timeIntervalSince1970: TimeInterval(leaf.notValidAfter))
    }

    private func readKey() throws(ServerError) -> [UInt8] {
        do throws(PaymentCryptoError) { return try PrivateFile.read(privateKeyPath) } catch {
            guard error.code == .keyStoreExposed else { throw unusable("has a key that cannot be read: \(error.reason)") }
            throw ServerError(code: .keyStoreExposed, reason: error.reason, status: .internalServerError)
        }
    }

    private func unusable(_ what: String) -> ServerError {
        ServerError(code: .certificateUnusable, reason: "\(certificateChainPath) \(what)", status: .internalServerError)
    }
}
