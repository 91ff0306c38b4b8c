public import PaymentCrypto

/// Which root and sub-CA a deployment accepts for the broker's leaf (section 5).
public struct ProvisioningTrust: Sendable {
    /// For reports: `production`, or the name of a test profile.
    public let name: String
    public let anchors: [TrustAnchor]
    /// The common name of the one certificate between leaf and root.
    public let intermediateName: String

    /// Apple Root CA - G3 by its fingerprint, and the sub-CA by its name. [V]
    public static let production = ProvisioningTrust(
        name: "production", anchors: TrustPolicy.production.anchors,
        intermediateName: "Apple Worldwide Developer Relations CA - G2")

    /// Roots of a simulator. A deployment in production must not be given one.
    public static func test(
        roots: [ParsedCertificate], intermediateName: String = ProvisioningAuthority.intermediateName, name: String = "test"
    ) -> ProvisioningTrust {
        ProvisioningTrust(name: name, anchors: roots.map { TrustAnchor($0) }, intermediateName: intermediateName)
    }
}
