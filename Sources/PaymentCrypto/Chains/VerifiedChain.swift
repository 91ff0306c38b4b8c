/// A chain that every rule accepted. Only the checker makes one.
public struct VerifiedChain: Sendable {
    public let path: CertificatePath
    /// The leaf's key, parsed.
    public let leafKey: PublicKey

    public var leaf: ParsedCertificate { path.leaf }
}
