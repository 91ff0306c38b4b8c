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
    package var applePayIdentifier: String
    package var displayName: String
    /// Hosts of the merchant's pages, in lower case.
    public var domains: Set<String> = []
    /// The file that proves the domains to Apple.
    public var domainAssociation: [UInt8]?
    /// Reaches Apple with the merchant's identity certificate, for web sessions; `nil` where there is none.
    public var walletSessions: (any HTTPSender)?
    /// Checks what UnionPay's own client signs; nil leaves the signatures unchecked, and settles as much as they do: nothing.
    package var appResults: LegacyAppResultSHA1Verifier?
    package var supportedNetworks: [String]
    package var merchantCapabilities: [String]
    package var processingKeys: KeyRing<ProcessingKey>
    package var acquirerID: UnionPay.MerchantID
    package var signer: UnionPaySigner
    package var verifier: UnionPayVerifier
    package var messageProfile: MessageProfile
    package var expectedFeeRate: Rational?
    /// In which currencies the acquirer settles with the merchant. An order in another one is refused when it is made.
    package var settledCurrencies: Set<Currency> = [.cny]
    /// What the app hears of a payment that is pending; `nil` is the server's own policy.
    package var pendingPolicy: CardPaymentsConfiguration.PendingPolicy?
    /// How long a payment request waits for its outcome; `nil` is the server's own time.
    package var sheetWait: Duration?

    /// - Parameters:
    ///   - id: The merchant's name in the books and at the console.
    ///   - applePayIdentifier: What the app's entitlement and the processing certificate name.
    ///   - displayName: What the sheet on a web page says; at most 64 characters [D].
    ///   - supportedNetworks: What the sheet offers, in PassKit's names.
    ///   - merchantCapabilities: What the sheet asks of cards, in PassKit's names.
    ///   - processingKeys: Open tokens; the one to use is named by the token (apple-pay.md#key-rotation).
    ///   - acquirerID: `merId`, by which UnionPay knows the merchant.
    ///   - signer: Signs what goes to the acquirer.
    ///   - verifier: Believes what comes from the acquirer.
    ///   - messageProfile: What the contract with the acquirer decides of every message.
    ///   - expectedFeeRate: What the acquirer keeps by contract, of the amount; `nil` leaves the fee to the file.
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
