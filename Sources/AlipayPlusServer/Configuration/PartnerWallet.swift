package import AlipayPlus
package import BillfoldMoney

/// A wallet (MPP) that collects from its customers for us.
package struct PartnerWallet: Sendable, Hashable, Codable {
    /// How a wallet is opened. Each is an address that takes `codeValue=<order code>`.
    package struct Links: Sendable, Hashable, Codable {
        package var applink: String?
        package var scheme: String?
        package var normal: String
        package var appIdentifier: String?

        package init(applink: String? = nil, scheme: String? = nil, normal: String, appIdentifier: String? = nil) {
            self.applink = applink
            self.scheme = scheme
            self.normal = normal
            self.appIdentifier = appIdentifier
        }
    }

    package var clientID: String
    package var pspID: String
    /// `paymentMethodType`, also `walletName`: `GCASH`.
    package var type: String
    /// What people call it.
    package var brand: String
    /// Two letters.
    package var region: String
    package var currency: Currency
    /// Of one payment, in minor units of its currency.
    package var minimum: Int64?
    package var maximum: Int64?
    /// How it can be paid by.
    package var scenarios: [PaymentScenario]
    package var keys: [PartyKey]
    /// Of its API: an origin, with the path that the API lies below where it has one [I].
    package var origin: String
    package var links: Links
    /// The six digits that its customers' payment codes begin with (alipay-plus.md#payment-code [D]).
    package var codeIssuer: String
    package var promotions: [Promotion]

    package init(
        clientID: String, pspID: String, type: String, brand: String, region: String, currency: Currency, minimum: Int64? = nil,
        maximum: Int64? = nil, scenarios: [PaymentScenario], keys: [PartyKey], origin: String, links: Links, codeIssuer: String,
        promotions: [Promotion] = []
    ) {
        self.clientID = clientID
        self.pspID = pspID
        self.type = type
        self.brand = brand
        self.region = region
        self.currency = currency
        self.minimum = minimum
        self.maximum = maximum
        self.scenarios = scenarios
        self.keys = keys
        self.origin = origin
        self.links = links
        self.codeIssuer = codeIssuer
        self.promotions = promotions
    }

    /// The best offer for an amount in the wallet's currency: what takes most off, the first among equals.
    package func promotion(for amount: Amount) -> AppliedPromotion? {
        promotions.compactMap { $0.applied(to: amount) }.reduce(nil as AppliedPromotion?) { best, next in
            best.map { $0.amount >= next.amount ? $0 : next } ?? next
        }
    }
}
