public import ApplePay
public import Foundation
public import PaymentCrypto
import PaymentCryptoIssuing

/// The broker's certificate authority in software: root P-384, sub-CA P-256 and a marked leaf with its key
/// (provisioning.md#simulation). It also signs nonces, in a way of its own.
///
/// Names say "Simulator", so that nobody takes it for the real one.
public struct ProvisioningAuthority: Sendable {
    /// The sub-CA's common name, which a test profile asks for.
    public static let intermediateName = ProvisioningTrust.simulatorIntermediateName

    /// What can be wrong with a chain, for negative cases.
    public enum Flaw: String, Sendable, Hashable, CaseIterable {
        case leafWithoutMarker, leafMarkerNotCritical, leafIsAuthority, leafExpired, leafNotYetValid, leafMayNotEncipher,
            leafWithoutKeyUsage
        case leafWithUnknownCriticalExtension, leafOnOtherCurve
        case intermediateOtherName, intermediateExpired, intermediateNotAuthority, intermediateMayNotSign
        /// The sub-CA is signed by a stranger with the root's name.
        case rogueRoot
        /// The leaf is signed by a stranger with the sub-CA's name.
        case rogueIntermediate
    }

    /// Pin this in a test profile.
    public let root: ParsedCertificate
    public let intermediate: ParsedCertificate
    public let leaf: ParsedCertificate
    public let leafKey: P256PrivateKey
    /// Present when an RSA key was given: `EncryptionScheme.rsaV2` has a leaf of its own. [I]
    public let rsaLeaf: ParsedCertificate?
    public let rsaLeafKey: RSAPrivateKey?
    /// Signs nonces.
    public let nonceKey: P256PrivateKey

    /// Makes an authority whose certificates are valid around `instant`, with keys from the generator. RSA keys cannot be drawn from
    /// a generator, so the caller makes them.
    public init(
        at instant: Date, rsaLeafKey: RSAPrivateKey? = nil, flaws: Set<Flaw> = [], using generator: inout some RandomNumberGenerator
    ) throws(ApplePayError) {
        do throws(PaymentCryptoError) {
            try self.init(around: instant, rsaLeafKey: rsaLeafKey, flaws: flaws, using: &generator)
        } catch {
            throw ApplePayError(code: .composition, reason: error.reason)
        }
    }

    private init(
        around instant: Date, rsaLeafKey: RSAPrivateKey?, flaws: Set<Flaw>, using generator: inout some RandomNumberGenerator
    ) throws(PaymentCryptoError) {
        let day: TimeInterval = 86_400
        let rootName = Self.name("Simulator Root CA - T3")
        let rootKey = try P384PrivateKey(using: &generator)
        let rootIssuer = CertificateIssuer(name: rootName, signer: rootKey, algorithm: .ecdsaSHA256)
        root = try rootIssuer.issue(
            CertificateTemplate(
                serialNumber: Self.serial(&generator), subject: rootName, notBefore: instant - 1_825 * day, notAfter: instant + 7_300 * day,
                publicKey: rootKey.publicKey, isCertificateAuthority: true, keyUsage: [.certificateSigning, .revocationListSigning]))
        let signingRoot =
            flaws.contains(.rogueRoot)
            ? CertificateIssuer(name: rootName, signer: try P384PrivateKey(using: &generator), algorithm: .ecdsaSHA256) : rootIssuer
        let intermediateName = Self.name(
            flaws.contains(.intermediateOtherName) ? "Simulator Other Relations CA - T4" : Self.intermediateName)
        let intermediateKey = try P256PrivateKey(using: &generator)
        intermediate = try signingRoot.issue(
            CertificateTemplate(
                serialNumber: Self.serial(&generator), subject: intermediateName, notBefore: instant - 1_095 * day,
                notAfter: flaws.contains(.intermediateExpired) ? instant - day : instant + 3_650 * day,
                publicKey: intermediateKey.publicKey, isCertificateAuthority: !flaws.contains(.intermediateNotAuthority),
                keyUsage: flaws.contains(.intermediateMayNotSign) ? .revocationListSigning : [.certificateSigning, .revocationListSigning]))
        let leafIssuer = CertificateIssuer(
            name: intermediateName,
            signer: flaws.contains(.rogueIntermediate) ? try P256PrivateKey(using: &generator) : intermediateKey, algorithm: .ecdsaSHA256)

        leafKey = try P256PrivateKey(using: &generator)
        let leafPublicKey = flaws.contains(.leafOnOtherCurve) ? try P384PrivateKey(using: &generator).publicKey : leafKey.publicKey
        leaf = try leafIssuer.issue(Self.leafTemplate(leafPublicKey, at: instant, flaws: flaws, using: &generator))
        self.rsaLeafKey = rsaLeafKey
        rsaLeaf =
            if let rsaLeafKey {
                try leafIssuer.issue(Self.leafTemplate(rsaLeafKey.publicKey, at: instant, flaws: flaws, using: &generator))
            } else { nil }
        nonceKey = try P256PrivateKey(using: &generator)
    }

    /// Restores an authority from its stored parts.
    public init(
        root: ParsedCertificate, intermediate: ParsedCertificate, leaf: ParsedCertificate, leafKey: P256PrivateKey,
        rsaLeaf: ParsedCertificate? = nil, rsaLeafKey: RSAPrivateKey? = nil, nonceKey: P256PrivateKey
    ) {
        self.root = root
        self.intermediate = intermediate
        self.leaf = leaf
        self.leafKey = leafKey
        self.rsaLeaf = rsaLeaf
        self.rsaLeafKey = rsaLeafKey
        self.nonceKey = nonceKey
    }

    private static func leafTemplate(
        _ key: PublicKey, at instant: Date, flaws: Set<Flaw>, using generator: inout some RandomNumberGenerator
    ) -> CertificateTemplate {
        let day: TimeInterval = 86_400
        var extensions: [CertificateExtension] = []
        if !flaws.contains(.leafWithoutMarker) {
            extensions.append(.marker(.provisioningEncryption, isCritical: !flaws.contains(.leafMarkerNotCritical)))
        }
        if flaws.contains(.leafWithUnknownCriticalExtension) { extensions.append(.marker("1.2.840.113635.100.6.99", isCritical: true)) }
        let usage: KeyUsage? =
            if flaws.contains(.leafWithoutKeyUsage) {
                nil
            } else if flaws.contains(.leafMayNotEncipher) {
                .keyAgreement
            } else {
                [.keyEncipherment, .keyAgreement]
            }
        return CertificateTemplate(
            serialNumber: serial(&generator), subject: name("ecc-crypto-services-encipherment_UC6-SIMULATOR"),
            notBefore: flaws.contains(.leafNotYetValid) ? instant + day : instant - 180 * day,
            notAfter: flaws.contains(.leafExpired) ? instant - day : instant + 580 * day, publicKey: key,
            isCertificateAuthority: flaws.contains(.leafIsAuthority), keyUsage: usage, extensions: extensions)
    }

    /// What a host of this authority's devices trusts.
    public var trust: ProvisioningTrust { .test(roots: [root], name: "simulator") }

    /// What the callback hands over: leaf first, the root absent, as PassKit usually does.
    public func certificates(scheme: EncryptionScheme = .eccV2) -> [[UInt8]] {
        scheme == .rsaV2 ? [rsaLeaf?.der, intermediate.der].compactMap { $0 } : [leaf.der, intermediate.der]
    }

    /// Draws a nonce and signs it for a device and an account: `40`, 64 bytes of r and s, 16 bytes of an identifier. The layout is the
    /// one of recorded samples [V for the lengths]; what is signed is this simulator's own.
    public func challenge(
        secureElement: String, account: String, using generator: inout some RandomNumberGenerator
    ) throws(ApplePayError) -> ProvisioningChallenge {
        var nonce = [UInt8](repeating: 0, count: ProvisioningChallenge.nonceCount)
        generator.fill(&nonce)
        var identifier = [UInt8](repeating: 0, count: 16)
        generator.fill(&identifier)
        guard
            let der = try? nonceKey.signature(
                over: Self.signed(nonce: nonce, identifier: identifier, secureElement: secureElement, account: account),
                algorithm: .ecdsaSHA256),
            let pair = ECDSASignaturePair.raw(der: der, coordinateSize: 32)
        else { throw ApplePayError(code: .composition, reason: "the nonce could not be signed") }
        return try ProvisioningChallenge(nonce: nonce, nonceSignature: [0x40] + pair + identifier)
    }

    /// Whether this authority signed the nonce for that device and account.
    public func isValid(_ challenge: ProvisioningChallenge, secureElement: String, account: String) -> Bool {
        let signature = challenge.nonceSignature
        guard signature[0] == 0x40 else { return false }
        return nonceKey.publicKey.isValidSignature(
            pair: Array(signature[1..<65]),
            over: Self.signed(nonce: challenge.nonce, identifier: Array(signature[65...]), secureElement: secureElement, account: account),
            algorithm: .ecdsaSHA256)
    }

    private static func signed(nonce: [UInt8], identifier: [UInt8], secureElement: String, account: String) -> [UInt8] {
        nonce + identifier + Array("\(secureElement)\n\(account)".utf8)
    }

    private static func name(_ commonName: String) -> CertificateName {
        CertificateName([
            .init(type: .commonName, value: commonName), .init(type: .organizationName, value: "Wallet Simulator"),
            .init(type: .countryName, value: "ZZ"),
        ])
    }

    private static func serial(_ generator: inout some RandomNumberGenerator) -> SerialNumber {
        var bytes = [UInt8](repeating: 0, count: 8)
        generator.fill(&bytes)
        return SerialNumber(magnitude: [1] + bytes)
    }
}
