public import ApplePay
public import Foundation

/// What the simulated wallet is told to do wrong, from the next token on (reference section 10).
public struct WalletKnobs: Sendable {
    public var flaws: Set<TokenFlaw>
    /// Seconds added to the signing time: negative for stale tokens, positive for tokens from the future.
    public var signingTimeOffset: TimeInterval
    /// Nil lets the merchant's active certificates decide.
    public var version: PaymentToken.Version?
    /// Adds a merchant token identifier, as recurring payments carry.
    public var makesMerchantTokens: Bool
    /// Derives keys for another identifier, as an app with the wrong entitlement does.
    public var derivedForMerchantIdentifier: String?

    public init(
        flaws: Set<TokenFlaw> = [], signingTimeOffset: TimeInterval = 0, version: PaymentToken.Version? = nil,
        makesMerchantTokens: Bool = false,
        derivedForMerchantIdentifier: String? = nil
    ) {
        self.flaws = flaws
        self.signingTimeOffset = signingTimeOffset
        self.version = version
        self.makesMerchantTokens = makesMerchantTokens
        self.derivedForMerchantIdentifier = derivedForMerchantIdentifier
    }
}
