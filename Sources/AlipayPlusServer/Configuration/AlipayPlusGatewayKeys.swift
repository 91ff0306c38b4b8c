package import BillfoldPayments
public import Crypto
public import PaymentCrypto

/// Keys of the gateway's own. They lie outside the database.
public struct AlipayPlusGatewayKeys: Sendable {
    package var audit: SymmetricKey
    package var hashing: HashingKey
    package var sealer: EnvelopeSealer
    package var acquirerSide: any MessageSigner
    package var walletSide: any MessageSigner
    package var keyVersion: Int

    /// - Parameters:
    ///   - audit: Keys the chain of what was done.
    ///   - hashing: For payment codes, tokens and bearers.
    ///   - sealer: Seals wallets' tokens.
    ///   - acquirerSide: Signs answers and notifications to acquirers.
    ///   - walletSide: Signs answers and requests to wallets.
    ///   - keyVersion: Under which parties have registered both.
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
