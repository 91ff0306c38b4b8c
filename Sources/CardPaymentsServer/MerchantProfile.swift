public import ApplePay
public import BillfoldMoney
public import BillfoldPayments
public import BillfoldServer
public import PaymentCrypto
public import UnionPay

/// One merchant: who it is to its customers, to the wallet and to the acquirer, and with which keys.
public struct MerchantProfile: Sendable {
    /// The owner of the books.
    public var id: BillfoldPayments.MerchantID
    /// What the app's entitlement and the processing certificate name.
    public var applePayIdentifier: String
    /// What the sheet on a web page says; at most 64 characters [D].
    public var displayName: String
    /// Hosts of the merchant's pages, in lower case.
    public var domains: Set<String> = []
    /// The file that proves the domains to Apple.
    public var domainAssociation: [UInt8]?
    /// Reaches Apple with the merchant's identity certificate, for web sessions; `nil` where there is none.
    public var walletSessions: (any HTTPSender)?
    public var supportedNetworks: [String]
    public var merchantCapabilities: [String]
    /// Open tokens; the one to use is named by the token (apple-pay.md#key-rotation).
    public var processingKeys: KeyRing<ProcessingKey>
    public var acquirerID: UnionPay.MerchantID
    /// Signs what goes to the acquirer.
    public var signer: UnionPaySigner
    /// Believes what comes from the acquirer.
    public var verifier: UnionPayVerifier
    public var messageProfile: MessageProfile
    /// What the acquirer keeps by contract, of the amount; `nil` leaves the fee to the file.
    public var expectedFeeRate: Rational?

    public init(
        id: BillfoldPayments.MerchantID, applePayIdentifier: String, displayName: String = "",
        supportedNetworks: [String] = ["chinaUnionPay"],
        merchantCapabilities: [String] = ["threeDSecure", "emv"], processingKeys: KeyRing<ProcessingKey>, acquirerID: UnionPay.MerchantID,
        signer: UnionPaySigner, verifier: UnionPayVerifier, messageProfile: MessageProfile = MessageProfile(),
        expectedFeeRate: Rational? = nil
    ) {
        self.id = id
        self.applePayIdentifier = applePayIdentifier
        self.displayName = displayName
        self.supportedNetworks = supportedNetworks
        self.merchantCapabilities = merchantCapabilities
        self.processingKeys = processingKeys
        self.acquirerID = acquirerID
        self.signer = signer
        self.verifier = verifier
        self.messageProfile = messageProfile
        self.expectedFeeRate = expectedFeeRate
    }
}
