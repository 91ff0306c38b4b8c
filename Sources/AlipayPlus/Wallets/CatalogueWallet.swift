public import BillfoldMoney

/// How a wallet can be paid by.
public enum WalletScenario: String, Sendable, Hashable, Codable, CaseIterable {
    case cashier
    case automaticDebit = "auto-debit"
    /// The person shows a code.
    case paymentCode = "payment-code"
    /// The person scans a code: an order code or an entry code.
    case merchantCode = "merchant-code"
}

/// One wallet that an acquirer may offer. Availability changes, so it is read from data.
public struct CatalogueWallet: Sendable, Hashable {
    /// What one payment, or all of a day or month, may come to.
    public struct Limit: Sendable, Hashable {
        /// Over what a limit counts.
        public enum Period: String, Sendable, Hashable, CaseIterable {
            case transaction, day, month
        }

        public var currency: Currency
        public var minimum: Amount?
        public var maximum: Amount?
        /// What ``maximum`` counts; ``minimum`` is always of one payment.
        public var period: Period

        public init(currency: Currency, minimum: Amount? = nil, maximum: Amount? = nil, period: Period = .transaction) {
            self.currency = currency
            self.minimum = minimum
            self.maximum = maximum
            self.period = period
        }

        /// Whether one payment of this amount can be within the limit. An amount in another currency has to be exchanged first: nil.
        public func admits(_ amount: Amount) -> Bool? {
            guard amount.currency == currency else { return nil }
            if let minimum, amount.minorUnits < minimum.minorUnits { return false }
            if let maximum, amount.minorUnits > maximum.minorUnits { return false }
            return true
        }
    }

    /// The enumeration value, such as `GCASH`; `walletName` in answers.
    public var paymentMethodType: String
    /// What people call it.
    public var displayName: String
    /// Two upper-case letters.
    public var region: String
    /// The currency that people have in it.
    public var homeCurrency: Currency
    /// The id of the wallet's company. A label in a sandbox.
    public var pspID: String
    /// Nil where nobody has seen which.
    public var scenarios: Set<WalletScenario>?
    public var limit: Limit?

    public init(
        paymentMethodType: String, displayName: String, region: String, homeCurrency: Currency, pspID: String,
        scenarios: Set<WalletScenario>?, limit: Limit? = nil
    ) {
        self.paymentMethodType = paymentMethodType
        self.displayName = displayName
        self.region = region
        self.homeCurrency = homeCurrency
        self.pspID = pspID
        self.scenarios = scenarios
        self.limit = limit
    }
}
