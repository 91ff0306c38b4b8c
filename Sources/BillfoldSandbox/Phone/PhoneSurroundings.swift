package import ApplePayApp
package import PassKitSimulator

/// The parties and the clock that a phone meets.
package struct PhoneSurroundings: Sendable {
    package var shop: any ShopFront
    package var merchant: any MerchantServer
    /// Makes the tokens.
    package var wallet: any PaymentTokenSource
    package var reporter: PartyReporter
    package var cards = PhoneOwner.cards
    package var contacts = PhoneOwner.contacts
    package var timer = DeviceTimer.continuous
    package var checkout = CheckoutConfiguration()
    /// The address of an order's messages in the console; nil without one.
    package var story: @Sendable (_ order: String) -> String? = { _ in nil }

    package init(shop: any ShopFront, merchant: any MerchantServer, wallet: any PaymentTokenSource, reporter: PartyReporter) {
        self.shop = shop
        self.merchant = merchant
        self.wallet = wallet
        self.reporter = reporter
    }
}
