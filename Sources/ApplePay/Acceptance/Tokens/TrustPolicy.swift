public import PaymentCrypto

/// Which roots may stand at the end of a token's chain.
public struct TrustPolicy: Sendable {
    /// For reports: `production`, or the name of a test profile.
    public let name: String
    public let anchors: [TrustAnchor]

    /// Trusts roots of a test authority. A server in production mode must not be given one.
    public static func testAnchors(_ roots: [ParsedCertificate], name: String = "test") -> TrustPolicy {
        TrustPolicy(name: name, anchors: roots.map { TrustAnchor($0) })
    }

    /// Trusts Apple Root CA - G3 alone, by its published fingerprint (apple-pay.md#certificate-chain). [V]
    ///
    /// The list is empty, and every token refused, if the embedded certificate did not have that fingerprint.
    public static let production = TrustPolicy(
        name: "production",
        anchors: [try? TrustAnchor(ParsedCertificate(pem: AppleRootCAG3.pem), fingerprint: TrustAnchor.appleRootG3Fingerprint)]
            .compactMap { $0 })
}

/// Apple's public root certificate, P-384, valid 2014 to 2039, as published on its certificate authority page.
enum AppleRootCAG3 {
    static let pem = """
        -----BEGIN CERTIFICATE-----
        MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwS
        QXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQLDB1BcHBsZSBDZXJ0aWZpY2F0aW9u
        IEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcN
        MTQwNDMwMTgxOTA2WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBS
        b290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRpZmljYXRpb24gQXV0aG9y
        aXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49
        AgEGBSuBBAAiA2IABJjpLz1AcqTtkyJygRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtf
        TjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqXl5dvMVztK517
        IDvYuVTZXpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySr
        MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMDA2gA
        MGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWTxnS4
        at+qIxUCMG1mihDK1A3UT82NQz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM
        6BgD56KyKA==
        -----END CERTIFICATE-----
        """
}

/// How far a signing time may lie from now.
public struct Freshness: Sendable, Hashable {
    /// Seconds; five minutes. [D]
    public var maximumAge: Double
    /// Seconds that clocks may differ, granted in both directions. [I]
    public var skew: Double

    public init(maximumAge: Double = 300, skew: Double = 30) {
        self.maximumAge = maximumAge
        self.skew = skew
    }
}
