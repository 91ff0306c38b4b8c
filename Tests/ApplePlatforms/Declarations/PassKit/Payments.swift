public import Foundation

/// <https://developer.apple.com/documentation/passkit/pkpaymentmethodtype>
@available(iOS 9, *)
public enum PKPaymentMethodType: UInt, Sendable {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentmethodtype/unknown>
    @available(iOS 9, *)
    case unknown
    /// <https://developer.apple.com/documentation/passkit/pkpaymentmethodtype/debit>
    @available(iOS 9, *)
    case debit
    /// <https://developer.apple.com/documentation/passkit/pkpaymentmethodtype/credit>
    @available(iOS 9, *)
    case credit
    /// <https://developer.apple.com/documentation/passkit/pkpaymentmethodtype/prepaid>
    @available(iOS 9, *)
    case prepaid
    /// <https://developer.apple.com/documentation/passkit/pkpaymentmethodtype/store>
    @available(iOS 9, *)
    case store
    /// <https://developer.apple.com/documentation/passkit/pkpaymentmethodtype/emoney>
    @available(iOS 15, *)
    case eMoney
}

/// <https://developer.apple.com/documentation/passkit/pkpaymentmethod>
@available(iOS 9, *)
open class PKPaymentMethod: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentmethod/displayname>
    @available(iOS 9, *)
    open var displayName: String? { nil }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentmethod/network>
    @available(iOS 9, *)
    open var network: PKPaymentNetwork? { nil }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentmethod/type>
    @available(iOS 9, *)
    open var type: PKPaymentMethodType { .unknown }
}

/// <https://developer.apple.com/documentation/passkit/pkpaymenttoken>
@available(iOS 8, *)
open class PKPaymentToken: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pkpaymenttoken/paymentmethod>
    @available(iOS 9, *)
    open var paymentMethod: PKPaymentMethod { PKPaymentMethod() }
    /// <https://developer.apple.com/documentation/passkit/pkpaymenttoken/transactionidentifier>
    @available(iOS 8, *)
    open var transactionIdentifier: String { "" }
    /// <https://developer.apple.com/documentation/passkit/pkpaymenttoken/paymentdata>
    @available(iOS 8, *)
    open var paymentData: Data { Data() }
}

/// <https://developer.apple.com/documentation/passkit/pkpayment>
@available(iOS 8, *)
open class PKPayment: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pkpayment/token>
    @available(iOS 8, *)
    open var token: PKPaymentToken { PKPaymentToken() }
    /// <https://developer.apple.com/documentation/passkit/pkpayment/billingcontact>
    @available(iOS 9, *)
    open var billingContact: PKContact? { nil }
    /// <https://developer.apple.com/documentation/passkit/pkpayment/shippingcontact>
    @available(iOS 9, *)
    open var shippingContact: PKContact? { nil }
    /// <https://developer.apple.com/documentation/passkit/pkpayment/shippingmethod>
    @available(iOS 8, *)
    open var shippingMethod: PKShippingMethod? { nil }
}

/// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationstatus>
@available(iOS 8, *)
public enum PKPaymentAuthorizationStatus: Int, Sendable {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationstatus/success>
    @available(iOS 8, *)
    case success
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationstatus/failure>
    @available(iOS 8, *)
    case failure
}

/// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationresult>
@available(iOS 11, *)
open class PKPaymentAuthorizationResult: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationresult/init(status:errors:)>
    @available(iOS 11, *)
    public init(status: PKPaymentAuthorizationStatus, errors: [any Error]?) { super.init() }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationresult/status>
    @available(iOS 11, *)
    open var status = PKPaymentAuthorizationStatus.success
}

/// <https://developer.apple.com/documentation/passkit/pkpaymentrequestupdate>
@available(iOS 11, *)
open class PKPaymentRequestUpdate: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequestupdate/init(paymentsummaryitems:)>
    @available(iOS 11, *)
    public init(paymentSummaryItems: [PKPaymentSummaryItem]) { super.init() }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequestupdate/status>
    @available(iOS 11, *)
    open var status = PKPaymentAuthorizationStatus.success
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequestupdate/paymentsummaryitems>
    @available(iOS 11, *)
    open var paymentSummaryItems: [PKPaymentSummaryItem] = []
}

/// <https://developer.apple.com/documentation/passkit/pkpaymentrequestpaymentmethodupdate>
@available(iOS 11, *)
open class PKPaymentRequestPaymentMethodUpdate: PKPaymentRequestUpdate {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequestpaymentmethodupdate/init(paymentsummaryitems:)>
    @available(iOS 11, *)
    public override init(paymentSummaryItems: [PKPaymentSummaryItem]) { super.init(paymentSummaryItems: paymentSummaryItems) }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequestpaymentmethodupdate/init(errors:paymentsummaryitems:)>
    @available(iOS 15, *)
    public init(errors: [any Error]?, paymentSummaryItems: [PKPaymentSummaryItem]) {
        super.init(paymentSummaryItems: paymentSummaryItems)
    }
}

/// <https://developer.apple.com/documentation/passkit/pkpaymentrequestshippingcontactupdate>
@available(iOS 11, *)
open class PKPaymentRequestShippingContactUpdate: PKPaymentRequestUpdate {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequestshippingcontactupdate/init(errors:paymentsummaryitems:shippingmethods:)>
    @available(iOS 11, *)
    public init(
        errors: [any Error]?, paymentSummaryItems: [PKPaymentSummaryItem], shippingMethods: [PKShippingMethod]
    ) { super.init(paymentSummaryItems: paymentSummaryItems) }
}

/// <https://developer.apple.com/documentation/passkit/pkpaymentrequestshippingmethodupdate>
@available(iOS 11, *)
open class PKPaymentRequestShippingMethodUpdate: PKPaymentRequestUpdate {}

/// <https://developer.apple.com/documentation/passkit/pkpaymentrequestcouponcodeupdate>
@available(iOS 15, *)
open class PKPaymentRequestCouponCodeUpdate: PKPaymentRequestUpdate {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentrequestcouponcodeupdate/init(errors:paymentsummaryitems:shippingmethods:)>
    @available(iOS 15, *)
    public init(
        errors: [any Error]?, paymentSummaryItems: [PKPaymentSummaryItem], shippingMethods: [PKShippingMethod]
    ) { super.init(paymentSummaryItems: paymentSummaryItems) }
}
