import Crypto
public import Foundation
public import PaymentCrypto
public import PaymentCryptoIssuing

/// A certificate authority like the wallet's, for tests: P-384 root, P-256 intermediate with its marker, marked leaves.
///
/// Keys and serial numbers come from the seed and dates from the caller, so that a run can be repeated. (RSA keys and
/// ECDSA signatures are random: the library that makes them takes no seed.)
public struct TestCertificateAuthority: Sendable {
    public let notBefore: Date
    public let notAfter: Date
    public let rootIssuer: CertificateIssuer
    public let root: ParsedCertificate
    public let intermediateIssuer: CertificateIssuer
    public let intermediate: ParsedCertificate
    public var generator: SeededGenerator

    /// `intermediateChanges` edits the intermediate before it is signed, for negative cases.
    public init(
        notBefore: Date, notAfter: Date, seed: UInt64, name: String = "Test",
        intermediateChanges: (inout CertificateTemplate) -> Void = { _ in }
    ) throws {
        self.notBefore = notBefore
        self.notAfter = notAfter
        var generator = SeededGenerator(seed: seed, label: "test certificate authority")
        let rootKey = try P384PrivateKey(using: &generator)
        let rootName = CertificateName([
            .init(type: .commonName, value: "\(name) Root CA"), .init(type: .organizationName, value: "Billfold Tests"),
        ])
        // As Apple's root: a P-384 key that signs with SHA-256.
        rootIssuer = CertificateIssuer(name: rootName, signer: rootKey, algorithm: .ecdsaSHA256)
        root = try rootIssuer.issue(
            CertificateTemplate(
                serialNumber: Self.serial(&generator), subject: rootName, notBefore: notBefore, notAfter: notAfter,
                publicKey: rootKey.publicKey, isCertificateAuthority: true,
                keyUsage: [.certificateSigning, .revocationListSigning]))
        let key = try P256PrivateKey(using: &generator)
        let intermediateName = CertificateName([.init(type: .commonName, value: "\(name) Application Integration CA")])
        var template = CertificateTemplate(
            serialNumber: Self.serial(&generator), subject: intermediateName, notBefore: notBefore, notAfter: notAfter,
            publicKey: key.publicKey, isCertificateAuthority: true, pathLength: 0,
            keyUsage: [.certificateSigning, .revocationListSigning], extensions: [.marker(.walletIntermediate)])
        intermediateChanges(&template)
        intermediateIssuer = CertificateIssuer(name: template.subject, signer: key, algorithm: .ecdsaSHA256)
        intermediate = try rootIssuer.issue(template)
        self.generator = generator
    }

    public var anchor: TrustAnchor { TrustAnchor(root) }

    /// A checker that pins this root, with the wallet's rules and a cache of its own.
    public func checker(cache: VerifiedIntermediateCache = .init()) -> CertificateChainChecker {
        CertificateChainChecker(anchors: [anchor], rules: ChainRules.walletToken(), cache: cache)
    }

    /// A leaf that may sign wallet tokens. `changes` edits it before it is signed.
    public mutating func walletLeaf(
        _ key: PublicKey, name: String = "ecc-smp-broker-sign_UC4-TEST", changes: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> ParsedCertificate {
        var template = CertificateTemplate(
            serialNumber: Self.serial(&generator), subject: CertificateName([.init(type: .commonName, value: name)]),
            notBefore: notBefore, notAfter: notAfter, publicKey: key, extensions: [.marker(.walletTokenSigner)])
        changes(&template)
        return try intermediateIssuer.issue(template)
    }

    /// A merchant's payment processing certificate: UID and the hash extension carry the identifier.
    public mutating func merchantCertificate(
        _ key: PublicKey, identifier: String, changes: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> ParsedCertificate {
        var template = CertificateTemplate(
            serialNumber: Self.serial(&generator), subject: CertificateRequest.merchantSubject(identifier: identifier),
            notBefore: notBefore, notAfter: notAfter, publicKey: key, keyUsage: [.keyEncipherment, .keyAgreement],
            extensions: [.merchantIdentifierHash(Array(SHA256.hash(data: Array(identifier.utf8))))])
        changes(&template)
        return try intermediateIssuer.issue(template)
    }

    private static func serial(_ generator: inout SeededGenerator) -> SerialNumber {
        SerialNumber(magnitude: [UInt8.random(in: 1...0x7F, using: &generator)] + generator.bytes(7))
    }
}
