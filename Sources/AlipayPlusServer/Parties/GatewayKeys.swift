public import BillfoldPayments
public import Crypto
public import PaymentCrypto

/// Keys of the gateway's own. They lie outside the database.
public struct AlipayPlusGatewayKeys: Sendable {
    public var audit: SymmetricKey
    /// For payment codes, tokens and bearers.
    public var hashing: HashingKey
    /// Seals wallets' tokens.
    public var sealer: EnvelopeSealer
    /// Signs answers and notifications to acquirers.
    public var acquirerSide: any MessageSigner
    /// Signs answers and requests to wallets.
    public var walletSide: any MessageSigner
    /// Under which parties have registered both.
    public var keyVersion: Int

    public init(
        audit: SymmetricKey, hashing: SymmetricKey, sealer: EnvelopeSealer, acquirerSide: any MessageSigner, walletSide: any MessageSigner,
        keyVersion: Int = 1
    ) {
        self.audit = audit
        self.hashing = HashingKey(hashing)
        self.sealer = sealer
        self.acquirerSide = acquirerSide
        self.walletSide = walletSide
        self.keyVersion = keyVersion
    }
}
