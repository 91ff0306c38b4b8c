public import Foundation

/// What the merchant asks the customer to authorise (apple-pay.md#payment-request).
///
/// The simulator checks the request when the sheet is presented; see ``RequestRule``.
open class PKPaymentRequest: NSObject {
    /// Must be one of the app's entitlements, and the one whose processing certificate the server holds.
    open var merchantIdentifier = ""
    /// The merchant's processing country, two letters.
    open var countryCode = ""
    /// ISO 4217, three letters.
    open var currencyCode = ""
    open var supportedNetworks: [PKPaymentNetwork] = []
    open var merchantCapabilities: PKMerchantCapability = []
    /// The last item is the grand total and equals the sum of the others.
    open var paymentSummaryItems: [PKPaymentSummaryItem] = []
    open var requiredShippingContactFields: Set<PKContactField> = []
    open var requiredBillingContactFields: Set<PKContactField> = []
    /// Counts where ``requiredShippingContactFields`` is empty: the newer property wins (apple-pay.md#contact-fields [I]).
    @available(iOS, deprecated: 11.0, message: "Use requiredShippingContactFields.")
    open var requiredShippingAddressFields: PKAddressField = []
    /// Counts where ``requiredBillingContactFields`` is empty: the newer property wins (apple-pay.md#contact-fields [I]).
    @available(iOS, deprecated: 11.0, message: "Use requiredBillingContactFields.")
    open var requiredBillingAddressFields: PKAddressField = []
    open var shippingContact: PKContact?
    open var billingContact: PKContact?
    open var shippingMethods: [PKShippingMethod]?
    open var shippingType = PKShippingType.shipping
    open var shippingContactEditingMode = PKShippingContactEditingMode.available
    open var supportsCouponCode = false
    open var couponCode: String?
    open var supportedCountries: Set<String>?
    /// Opaque bytes of the merchant's choice. The token carries their SHA-256, which binds it to an order.
    open var applicationData: Data?
    // At most one of the following four per request.
    open var multiTokenContexts: [PKPaymentTokenContext] = []
    open var recurringPaymentRequest: PKRecurringPaymentRequest?
    open var automaticReloadPaymentRequest: PKAutomaticReloadPaymentRequest?
    open var deferredPaymentRequest: PKDeferredPaymentRequest?
    /// Whether the customer could have paid in instalments. That service ended: nothing reads it.
    open var applePayLaterAvailability = ApplePayLaterAvailability.available
    /// Names the request in the merchant's reports at the platform. Nothing here reads it.
    open var attributionIdentifier: String?
    /// Whether the app asks on behalf of another merchant. Nothing here reads it.
    open var isDelegatedRequest = false

    /// Whether the customer may pay in instalments, by the service that ended.
    public enum ApplePayLaterAvailability: Sendable, Hashable {
        /// Why not.
        public enum Reason: Sendable, Hashable {
            case itemIneligible, recurringTransaction
        }

        case available
        case unavailable(Reason)
    }

    public override init() { super.init() }

    var shippingFields: Set<PKContactField> {
        requiredShippingContactFields.isEmpty ? requiredShippingAddressFields.contactFields : requiredShippingContactFields
    }

    var billingFields: Set<PKContactField> {
        requiredBillingContactFields.isEmpty ? requiredBillingAddressFields.contactFields : requiredBillingContactFields
    }

    /// The schemes that the current device's system knows.
    open class func availableNetworks() -> [PKPaymentNetwork] { PKPaymentNetwork.ofTheDevice }
}
