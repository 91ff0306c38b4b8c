public import BillfoldJSON

/// What the merchant asks of the sheet (apple-pay.md#payment-request): the native field names, used by the server that quotes an order and
/// by the app that opens the sheet.
///
/// Amounts are decimal text in major units, as written: a value that came out of binary floating point must stay visible
/// to ``PaymentRequestLinter``. The type holds what somebody sent, right or wrong; the linter judges it.
public struct PaymentRequest: Sendable {
    /// One line of the sheet's sum.
    public struct SummaryItem: Sendable, Hashable {
        /// Whether the amount is known.
        public enum Kind: String, Sendable, Hashable {
            case final
            /// The amount is not known yet.
            case pending
        }

        public var label: String
        public var amount: String
        public var kind: Kind

        public init(label: String, amount: String, kind: Kind = .final) {
            self.label = label
            self.amount = amount
            self.kind = kind
        }
    }

    /// One way to deliver that the sheet offers, with its price.
    public struct ShippingMethod: Sendable, Hashable {
        public var identifier: String
        public var label: String
        public var detail: String
        public var amount: String

        public init(identifier: String, label: String, detail: String, amount: String) {
            self.identifier = identifier
            self.label = label
            self.detail = detail
            self.amount = amount
        }
    }

    /// One sub-merchant's share of a multi-token request (apple-pay.md#several-tokens).
    public struct TokenContext: Sendable, Hashable {
        public var merchantIdentifier: String
        public var externalIdentifier: String
        public var merchantName: String
        public var merchantDomain: String?
        public var amount: String

        public init(
            merchantIdentifier: String, externalIdentifier: String, merchantName: String, merchantDomain: String? = nil, amount: String
        ) {
            self.merchantIdentifier = merchantIdentifier
            self.externalIdentifier = externalIdentifier
            self.merchantName = merchantName
            self.merchantDomain = merchantDomain
            self.amount = amount
        }
    }

    /// The part that recurring, automatic-reload and deferred requests share (apple-pay.md#later-charges [D]).
    public struct LaterCharge: Sendable, Hashable {
        public var paymentDescription: String
        /// Where the customer manages the arrangement.
        public var managementURL: String
        /// Where the wallet reports the merchant token's life-cycle events.
        public var tokenNotificationURL: String?
        /// What the web's form says of the charges; nil where the request has another form.
        package var terms: Terms?

        /// Members of a later charge as the web's form has them.
        package struct Terms: Sendable, Hashable {
            /// The names of all members.
            package var names: [String]
            /// The member that has the charges: `regularBilling`, `automaticReloadBilling` or `deferredBilling`.
            package var billingName: String
            package var hasBilling: Bool
            package var timing: String?
            package var start: String?
            package var end: String?
            package var deferredDate: String?

            package init(
                names: [String], billingName: String, hasBilling: Bool, timing: String? = nil, start: String? = nil, end: String? = nil,
                deferredDate: String? = nil
            ) {
                (self.names, self.billingName, self.hasBilling) = (names, billingName, hasBilling)
                (self.timing, self.start, self.end, self.deferredDate) = (timing, start, end, deferredDate)
            }
        }

        public init(paymentDescription: String, managementURL: String, tokenNotificationURL: String? = nil) {
            self.paymentDescription = paymentDescription
            self.managementURL = managementURL
            self.tokenNotificationURL = tokenNotificationURL
        }
    }

    /// How goods reach the customer. It changes the sheet's wording only.
    public enum ShippingType: String, Sendable, Hashable, CaseIterable { case shipping, delivery, storePickup, servicePickup }

    public var merchantIdentifier: String
    /// The merchant's processing country, ISO 3166-1 alpha-2.
    public var countryCode: String
    /// ISO 4217 alphabetic.
    public var currencyCode: String
    public var supportedNetworks: [PaymentNetwork]
    public var merchantCapabilities: Set<MerchantCapability>
    /// The last item is the grand total; its label is the merchant's name.
    public var paymentSummaryItems: [SummaryItem]
    public var requiredShippingContactFields: Set<ContactField>
    public var requiredBillingContactFields: Set<ContactField>
    public var shippingMethods: [ShippingMethod]
    public var shippingType: ShippingType
    public var supportsCouponCode: Bool
    public var couponCode: String?
    /// Bytes of the merchant's choice; the token then carries their SHA-256.
    public var applicationData: [UInt8]?
    public var multiTokenContexts: [TokenContext]
    public var recurringPaymentRequest: LaterCharge?
    public var automaticReloadPaymentRequest: LaterCharge?
    public var deferredPaymentRequest: LaterCharge?
    /// Members this library does not know, kept as they came.
    public var otherMembers: [JSONObject.Member]
    /// Whether it was read in the form of Apple Pay JS, which has no merchant identifier (apple-pay.md#web-forms [D]).
    package var isOfJavaScript = false

    public init(
        merchantIdentifier: String, countryCode: String, currencyCode: String, supportedNetworks: [PaymentNetwork],
        merchantCapabilities: Set<MerchantCapability>, paymentSummaryItems: [SummaryItem],
        requiredShippingContactFields: Set<ContactField> = [], requiredBillingContactFields: Set<ContactField> = [],
        shippingMethods: [ShippingMethod] = [], shippingType: ShippingType = .shipping, supportsCouponCode: Bool = false,
        couponCode: String? = nil, applicationData: [UInt8]? = nil, multiTokenContexts: [TokenContext] = [],
        recurringPaymentRequest: LaterCharge? = nil, automaticReloadPaymentRequest: LaterCharge? = nil,
        deferredPaymentRequest: LaterCharge? = nil, otherMembers: [JSONObject.Member] = []
    ) {
        self.merchantIdentifier = merchantIdentifier
        self.countryCode = countryCode
        self.currencyCode = currencyCode
        self.supportedNetworks = supportedNetworks
        self.merchantCapabilities = merchantCapabilities
        self.paymentSummaryItems = paymentSummaryItems
        self.requiredShippingContactFields = requiredShippingContactFields
        self.requiredBillingContactFields = requiredBillingContactFields
        self.shippingMethods = shippingMethods
        self.shippingType = shippingType
        self.supportsCouponCode = supportsCouponCode
        self.couponCode = couponCode
        self.applicationData = applicationData
        self.multiTokenContexts = multiTokenContexts
        self.recurringPaymentRequest = recurringPaymentRequest
        self.automaticReloadPaymentRequest = automaticReloadPaymentRequest
        self.deferredPaymentRequest = deferredPaymentRequest
        self.otherMembers = otherMembers
    }

    /// The last summary item, which the sheet shows as the amount to pay.
    public var total: SummaryItem? { paymentSummaryItems.last }
}
