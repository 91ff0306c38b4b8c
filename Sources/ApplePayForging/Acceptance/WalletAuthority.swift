public import ApplePay
public import Foundation
public import PaymentCrypto
import PaymentCryptoIssuing

/// A wallet's certificate authority in software: root P-384, marked intermediate P-256, marked EC and RSA leaves
/// (apple-pay.md#simulation). It signs what a simulated device hands over, and issues merchants' certificates.
///
/// Names say "Simulator", so that nobody takes it for the real one.
public struct WalletAuthority: Sendable {
    /// Pin this in a test profile.
    public let root: ParsedCertificate
    /// Issues intermediates; absent where only the rest of an authority was kept.
    public let rootKey: P384PrivateKey?
    public let intermediate: ParsedCertificate
    public let leaf: ParsedCertificate
    public let leafKey: P256PrivateKey
    /// Present when an RSA key was given: real RSA_v1 tokens are signed by an RSA leaf.
    public let rsaLeaf: ParsedCertificate?
    public let rsaLeafKey: RSAPrivateKey?
    /// Issues merchants' certificates.
    let intermediateIssuer: CertificateIssuer
    public let intermediateKey: P256PrivateKey

    /// Makes an authority whose certificates are valid around `instant`, with keys from the generator.
    ///
    /// RSA keys cannot be drawn from a generator, so the caller makes them; one may serve many authorities of a test.
    public init(
        at instant: Date, rsaLeafKey: RSAPrivateKey? = nil, flaws: Set<ChainFlaw> = [], using generator: inout some RandomNumberGenerator
    ) throws(ApplePayError) {
        do throws(PaymentCryptoError) {
            try self.init(at: instant, root: nil, rsaLeafKey: rsaLeafKey, flaws: flaws, using: &generator)
        } catch {
            throw ApplePayError(code: .composition, reason: error.reason)
        }
    }

    /// The same root with other certificates below it, flawed on purpose. Without ``rootKey`` they get a root of their own.
    ///
    /// The authority's RSA leaf key, if any, signs on; the other keys are new.
    public func flawed(
        _ flaws: Set<ChainFlaw>, at instant: Date, using generator: inout some RandomNumberGenerator
    ) throws(ApplePayError) -> WalletAuthority {
        do throws(PaymentCryptoError) {
            return try WalletAuthority(
                at: instant, root: rootKey.map { (root, $0) }, rsaLeafKey: rsaLeafKey, flaws: flaws, using: &generator)
        } catch {
            throw ApplePayError(code: .composition, reason: error.reason)
        }
    }

    private init(
        at instant: Date, root known: (certificate: ParsedCertificate, key: P384PrivateKey)?, rsaLeafKey: RSAPrivateKey?,
        flaws: Set<ChainFlaw>, using generator: inout some RandomNumberGenerator
    ) throws(PaymentCryptoError) {
        let year: TimeInterval = 365 * 86_400
        let rootName = Self.name("Simulator Root CA - T1")
        let intermediateName = Self.name("Simulator Application Integration CA - T1")
        let rootKey = if let known { known.key } else { try P384PrivateKey(using: &generator) }
        self.rootKey = rootKey
        let rootIssuer = CertificateIssuer(name: rootName, signer: rootKey, algorithm: .ecdsaSHA256)
        if let known {
            root = known.certificate
        } else {
            root = try rootIssuer.issue(
                CertificateTemplate(
                    serialNumber: Self.serial(&generator), subject: rootName, notBefore: instant - 5 * year, notAfter: instant + 20 * year,
                    publicKey: rootIssuer.signer.publicKey, isCertificateAuthority: true,
                    keyUsage: [.certificateSigning, .revocationListSigning]))
        }
        let signingRoot =
            flaws.contains(.rogueRoot)
            ? CertificateIssuer(name: rootName, signer: try P384PrivateKey(using: &generator), algorithm: .ecdsaSHA256) : rootIssuer

        intermediateKey = try P256PrivateKey(using: &generator)
        intermediate = try signingRoot.issue(
            CertificateTemplate(
                serialNumber: Self.serial(&generator), subject: intermediateName, notBefore: instant - 3 * year,
                notAfter: flaws.contains(.intermediateExpired) ? instant - 86_400 : instant + 10 * year,
                publicKey: intermediateKey.publicKey, isCertificateAuthority: !flaws.contains(.intermediateNotAuthority),
                pathLength: flaws.contains(.intermediateNotAuthority) ? nil : 0,
                keyUsage: flaws.contains(.intermediateMayNotSign) ? .revocationListSigning : [.certificateSigning, .revocationListSigning],
                extensions: flaws.contains(.intermediateWithoutMarker) ? [] : [.marker(.walletIntermediate)]))
        intermediateIssuer = CertificateIssuer(name: intermediateName, signer: intermediateKey, algorithm: .ecdsaSHA256)

        let leafIssuer = CertificateIssuer(
            name: flaws.contains(.leafNamesOtherIssuer) ? Self.name("Simulator Other CA - T1") : intermediateName,
            signer: flaws.contains(.leafSignedByStranger) ? try P256PrivateKey(using: &generator) : intermediateKey, algorithm: .ecdsaSHA256
        )
        var extensions: [CertificateExtension] = flaws.contains(.leafWithoutMarker) ? [] : [.marker(.walletTokenSigner)]
        if flaws.contains(.unknownCriticalExtension) {
            extensions.append(CertificateExtension(oid: "1.3.6.1.4.1.99999.1", isCritical: true, value: [0x05, 0x00]))
        }
        leafKey = try P256PrivateKey(using: &generator)
        func leaf(_ name: String, key: PublicKey, serial: SerialNumber) throws(PaymentCryptoError) -> ParsedCertificate {
            try leafIssuer.issue(
                CertificateTemplate(
                    serialNumber: serial, subject: Self.name(name),
                    notBefore: flaws.contains(.leafNotYetValid) ? instant + 86_400 : instant - year,
                    notAfter: flaws.contains(.leafExpired) ? instant - 86_400 : instant + 4 * year, publicKey: key,
                    isCertificateAuthority: flaws.contains(.leafIsAuthority),
                    keyUsage: flaws.contains(.leafMayNotSign) ? .keyAgreement : .digitalSignature, extensions: extensions))
        }
        self.leaf = try leaf("ecc-smp-broker-sign_SIMULATOR", key: leafKey.publicKey, serial: Self.serial(&generator))
        self.rsaLeafKey = rsaLeafKey
        if let rsaLeafKey {
            rsaLeaf = try leaf("rsa-smp-broker-sign_SIMULATOR", key: rsaLeafKey.publicKey, serial: Self.serial(&generator))
        } else {
            rsaLeaf = nil
        }
    }

    /// Restores an authority from its stored parts.
    public init(
        root: ParsedCertificate, rootKey: P384PrivateKey? = nil, intermediate: ParsedCertificate, intermediateKey: P256PrivateKey,
        leaf: ParsedCertificate,
        leafKey: P256PrivateKey, rsaLeaf: ParsedCertificate? = nil, rsaLeafKey: RSAPrivateKey? = nil
    ) {
        self.root = root
        self.rootKey = rootKey
        self.intermediate = intermediate
        self.intermediateKey = intermediateKey
        self.leaf = leaf
        self.leafKey = leafKey
        self.rsaLeaf = rsaLeaf
        self.rsaLeafKey = rsaLeafKey
        intermediateIssuer = CertificateIssuer(name: intermediate.subject, signer: intermediateKey, algorithm: .ecdsaSHA256)
    }

    /// What a verifier of this authority's tokens trusts.
    public var trust: TrustPolicy { .testAnchors([root], name: "simulator") }

    /// Whether a certificate is for payment processing or for the web server (apple-pay.md#merchant-certificates).
    public enum MerchantCertificateKind: String, Sendable, Hashable, CaseIterable { case processing, identity }

    /// Issues a merchant's certificate with UID and merchant identifier extension, valid for 25 months unless told otherwise.
    public func merchantCertificate(
        for publicKey: PublicKey, merchantIdentifier: String, kind: MerchantCertificateKind = .processing, notBefore: Date,
        notAfter: Date? = nil, hashOf otherIdentifier: String? = nil, using generator: inout some RandomNumberGenerator
    ) throws(ApplePayError) -> ParsedCertificate {
        var extensions: [CertificateExtension] = [
            .merchantIdentifierHash(MerchantIdentifier.hash(otherIdentifier ?? merchantIdentifier))
        ]
        let usage: KeyUsage
        switch (kind, publicKey.kind) {
        case (.identity, _):
            usage = .digitalSignature
            // Extended key usage: TLS client authentication, 1.3.6.1.5.5.7.3.2.
            extensions.append(
                CertificateExtension(
                    oid: .extendedKeyUsage, value: [0x30, 0x0A, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02]))
        case (.processing, .rsa): usage = .keyEncipherment
        case (.processing, _): usage = .keyAgreement
        }
        do throws(PaymentCryptoError) {
            return try intermediateIssuer.issue(
                CertificateTemplate(
                    serialNumber: Self.serial(&generator),
                    subject: CertificateName([
                        .init(type: .userID, value: merchantIdentifier),
                        .init(
                            type: .commonName,
                            value: kind == .processing
                                ? "Simulator Pay Payment Processing: \(merchantIdentifier)"
                                : "Simulator Pay Merchant Identity: \(merchantIdentifier)"),
                        .init(type: .countryName, value: "ZZ"),
                    ]),
                    notBefore: notBefore, notAfter: notAfter ?? notBefore + 760 * 86_400, publicKey: publicKey, keyUsage: usage,
                    extensions: extensions))
        } catch {
            throw ApplePayError(code: .composition, reason: error.reason)
        }
    }

    private static func name(_ commonName: String) -> CertificateName {
        CertificateName([
            .init(type: .commonName, value: commonName), .init(type: .organizationName, value: "Wallet Simulator"),
            .init(type: .countryName, value: "ZZ"),
        ])
    }

    private static func serial(_ generator: inout some RandomNumberGenerator) -> SerialNumber {
        SerialNumber(magnitude: [1] + (0..<8).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
