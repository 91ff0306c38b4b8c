public import ApplePayApp
public import PassKitSimulator

/// The parties and the clock that a phone meets.
public struct PhoneSurroundings: Sendable {
    public var shop: any ShopFront
    public var merchant: any MerchantServer
    /// Makes the tokens.
    public var wallet: any PaymentTokenSource
    public var reporter: PartyReporter
    public var cards = PhoneOwner.cards
    public var contacts = PhoneOwner.contacts
    public var timer = DeviceTimer.continuous
    public var checkout = CheckoutConfiguration()
    /// The address of an order's messages in the console; nil without one.
    public var story: @Sendable (_ order: String) -> String? = { _ in nil }

    public init(shop: any ShopFront, merchant: any MerchantServer, wallet: any PaymentTokenSource, reporter: PartyReporter) {
        self.shop = shop
        self.merchant = merchant
        self.wallet = wallet
        self.reporter = reporter
    }
}
