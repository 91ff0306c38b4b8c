import Foundation

// The factories are the only safe way to blame a field: an error of another domain crashes the app on a device [O].
extension PKPaymentRequest {
    /// Blames one part of a contact. At selection time only postal parts can be shown; see ``PKPaymentError``.
    public class func paymentContactInvalidError(
        withContactField field: PKContactField, localizedDescription: String?
    ) -> any Error {
        error(.shippingContactInvalidError, field: field, key: nil, localizedDescription)
    }

    /// `postalAddressKey` is one of the `CNPostalAddress…Key` constants.
    public class func paymentShippingAddressInvalidError(
        withKey postalAddressKey: String, localizedDescription: String?
    ) -> any Error {
        error(.shippingContactInvalidError, field: .postalAddress, key: postalAddressKey, localizedDescription)
    }

    /// As ``paymentShippingAddressInvalidError(withKey:localizedDescription:)``, of the billing address.
    public class func paymentBillingAddressInvalidError(
        withKey postalAddressKey: String, localizedDescription: String?
    ) -> any Error {
        error(.billingContactInvalidError, field: .postalAddress, key: postalAddressKey, localizedDescription)
    }

    /// The address is good, and the merchant does not deliver there.
    public class func paymentShippingAddressUnserviceableError(withLocalizedDescription localizedDescription: String?) -> any Error {
        error(.shippingAddressUnserviceableError, field: nil, key: nil, localizedDescription)
    }

    /// There is no such code, or it does not fit the order.
    public class func paymentCouponCodeInvalidError(localizedDescription: String?) -> any Error {
        error(.couponCodeInvalidError, field: nil, key: nil, localizedDescription)
    }

    /// The code was good once.
    public class func paymentCouponCodeExpiredError(localizedDescription: String?) -> any Error {
        error(.couponCodeExpiredError, field: nil, key: nil, localizedDescription)
    }

    fileprivate class func error(
        _ code: PKPaymentError.Code, field: PKContactField?, key: String?, _ description: String?
    ) -> NSError {
        var info: [String: Any] = [:]
        info[PKPaymentErrorKey.contactFieldUserInfoKey.rawValue] = field?.rawValue
        info[PKPaymentErrorKey.postalAddressUserInfoKey.rawValue] = key
        info[NSLocalizedDescriptionKey] = description
        return NSError(domain: PKPaymentErrorDomain, code: code.rawValue, userInfo: info)
    }
}

extension PKPaymentAuthorizationStatus {
    /// What the three older statuses about contacts blame, as the errors that replace them say it (apple-pay.md#authorisation [D]).
    var contactErrors: [any Error] {
        switch self {
        case .invalidBillingPostalAddress:
            [PKPaymentRequest.error(.billingContactInvalidError, field: .postalAddress, key: nil, nil)]
        case .invalidShippingPostalAddress:
            [PKPaymentRequest.error(.shippingContactInvalidError, field: .postalAddress, key: nil, nil)]
        case .invalidShippingContact: [PKPaymentRequest.error(.shippingContactInvalidError, field: nil, key: nil, nil)]
        case .success, .failure, .pinRequired, .pinIncorrect, .pinLockout: []
        }
    }
}
