import HTTPTypes
public import NIOSSL

/// The certificate chain and key that a listener proves itself with.
public struct TLSIdentity: Sendable, Hashable {
    /// PEM, leaf first.
    public var certificateChainPath: String
    /// PEM, unencrypted.
    public var privateKeyPath: String

    public init(certificateChainPath: String, privateKeyPath: String) {
        self.certificateChainPath = certificateChainPath
        self.privateKeyPath = privateKeyPath
    }

    /// TLS 1.2 and later. Refuses with `certificate-unusable` when a file cannot be read or holds something else.
    public func configuration() throws(ServerError) -> TLSConfiguration {
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(certificateChainPath).map { NIOSSLCertificateSource.certificate($0) }
            let key = try NIOSSLPrivateKey(file: privateKeyPath, format: .pem)
            guard !chain.isEmpty else { throw unusable("holds no certificate") }
            var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            return configuration
        } catch let error as ServerError {
            throw error
        } catch {
            throw unusable("or its key cannot be read as PEM")
        }
    }

    private func unusable(_ what: String) -> ServerError {
        ServerError(code: .certificateUnusable, reason: "\(certificateChainPath) \(what)", status: .internalServerError)
    }
}
