public import PaymentCrypto

/// Which root and sub-CA a deployment accepts for the broker's leaf (provisioning.md#certificates).
public struct ProvisioningTrust: Sendable {
    /// For reports: `production`, or the name of a test profile.
    public let name: String
    public let anchors: [TrustAnchor]
    /// The common names that the one certificate between leaf and root may have.
    public let intermediateNames: Set<String>

    /// The sub-CA that issues leaves to Apple's broker. [V]
    public static let productionIntermediateName = "Apple Worldwide Developer Relations CA - G2"

    /// The sub-CA that a simulated broker's leaves are issued by.
    public static let simulatorIntermediateName = "Simulator Worldwide Developer Relations CA - T2"

    /// Apple Root CA - G3 by its fingerprint, and the sub-CA by its name. [V]
    public static let production = ProvisioningTrust(
        name: "production", anchors: TrustPolicy.production.anchors, intermediateNames: [productionIntermediateName])

    /// Roots of a simulator, whose sub-CA has the production name or ``simulatorIntermediateName``. A deployment in
    /// production must not be given one.
    public static func test(
        roots: [ParsedCertificate], intermediateNames: Set<String> = [productionIntermediateName, simulatorIntermediateName],
        name: String = "test"
    ) -> ProvisioningTrust {
        ProvisioningTrust(name: name, anchors: roots.map { TrustAnchor($0) }, intermediateNames: intermediateNames)
    }
}
