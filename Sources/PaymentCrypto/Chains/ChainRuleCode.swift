/// A stable name of a chain rule; parties add their own.
public struct ChainRuleCode: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }

    public static let untrustedRoot = Self("untrusted-root")
    public static let issuerMismatch = Self("issuer-mismatch")
    public static let badCertificateSignature = Self("bad-certificate-signature")
    public static let certificateExpired = Self("certificate-expired")
    public static let certificateNotYetValid = Self("certificate-not-yet-valid")
    public static let issuerNotAuthority = Self("issuer-not-authority")
    public static let leafIsAuthority = Self("leaf-is-authority")
    public static let pathTooLong = Self("path-too-long")
    public static let keyUsageForbids = Self("key-usage-forbids")
    public static let leafMarkerMissing = Self("leaf-marker-missing")
    public static let intermediateMarkerMissing = Self("intermediate-marker-missing")
    public static let unknownCriticalExtension = Self("unknown-critical-extension")
}
