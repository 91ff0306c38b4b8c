/// A private key with its certificate, as a server loads them.
public struct KeyPair: Sendable {
    public var privateKey: PrivateKey
    /// Nil for keys that need none.
    public var certificate: ParsedCertificate?

    public init(privateKey: PrivateKey, certificate: ParsedCertificate?) {
        self.privateKey = privateKey
        self.certificate = certificate
    }
}
