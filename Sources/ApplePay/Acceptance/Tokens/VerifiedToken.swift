public import Foundation

/// A parsed token nobody vouches for yet.
public struct UnverifiedToken: Sendable {
    /// For logs and diagnosis: no decision may rest on it before it is verified.
    public let token: PaymentToken

    /// Reads strictly what arrived: native `paymentData`, or the outer object of native and web clients.
    public init(_ bytes: [UInt8], maximumBytes: Int = PaymentToken.byteLimit) throws(ApplePayError) {
        token = try PaymentToken(bytes, maximumBytes: maximumBytes)
    }

    public init(_ token: PaymentToken) { self.token = token }

    /// Verifies signature, chain and freshness, stopping at the first refusal.
    ///
    /// `anyAge` skips the freshness window, for recorded tokens only: the chain is judged at the signing time anyway.
    public func verified(by verifier: TokenVerifier, at instant: Date, anyAge: Bool = false) throws(ApplePayError) -> VerifiedToken {
        try verifier.verify(self, at: instant, anyAge: anyAge)
    }
}

/// A token that the wallet's servers signed, and recently. Services accept only this type.
///
/// Not covered by the signature even so: `header.publicKeyHash` and `paymentMethod`.
public struct VerifiedToken: Sendable {
    public let token: PaymentToken
    /// When the wallet's servers signed it.
    public let signingTime: Date

    /// Only ``TokenVerifier`` makes one.
    init(token: PaymentToken, signingTime: Date) {
        self.token = token
        self.signingTime = signingTime
    }
}
