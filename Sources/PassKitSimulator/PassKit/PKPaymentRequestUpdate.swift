public import Foundation

/// The app's answer to a change in the sheet. Its items replace all that the sheet shows: an empty list shows a zero total [O].
open class PKPaymentRequestUpdate: NSObject {
    open var status = PKPaymentAuthorizationStatus.success
    open var paymentSummaryItems: [PKPaymentSummaryItem]
    open var shippingMethods: [PKShippingMethod] = []
    open var multiTokenContexts: [PKPaymentTokenContext] = []
    open var recurringPaymentRequest: PKRecurringPaymentRequest?
    open var automaticReloadPaymentRequest: PKAutomaticReloadPaymentRequest?
    open var deferredPaymentRequest: PKDeferredPaymentRequest?

    /// Set by the delegate protocols' default implementations: the delegate has no such method, nothing changes.
    var isUnimplemented = false
    var givenErrors: [any Error] { [] }
    var reportedErrors: [any Error] { givenErrors.isEmpty ? status.contactErrors : givenErrors }
    /// Whether the list of shipping methods was given rather than left alone.
    var replacesShippingMethods: Bool { !shippingMethods.isEmpty }

    public init(paymentSummaryItems: [PKPaymentSummaryItem]) {
        self.paymentSummaryItems = paymentSummaryItems
    }

    /// An answer without items, to be filled. As it is, the sheet shows a zero total.
    public override convenience init() { self.init(paymentSummaryItems: []) }

    /// This answer, marked as one that the delegate did not give.
    fileprivate func marked() -> Self {
        isUnimplemented = true
        return self
    }
}

/// The answer to another card.
open class PKPaymentRequestPaymentMethodUpdate: PKPaymentRequestUpdate {
    open var errors: [any Error]?

    public init(errors: [any Error]?, paymentSummaryItems: [PKPaymentSummaryItem]) {
        self.errors = errors
        super.init(paymentSummaryItems: paymentSummaryItems)
    }

    public override init(paymentSummaryItems: [PKPaymentSummaryItem]) {
        super.init(paymentSummaryItems: paymentSummaryItems)
    }

    override var givenErrors: [any Error] { errors ?? [] }

    /// The answer of a delegate that has no such method.
    static var unimplemented: PKPaymentRequestPaymentMethodUpdate { PKPaymentRequestPaymentMethodUpdate(paymentSummaryItems: []).marked() }
}

/// The answer to another shipping contact. Its shipping methods replace those that the sheet offers, even when there are none.
open class PKPaymentRequestShippingContactUpdate: PKPaymentRequestUpdate {
    open var errors: [any Error]?

    public init(errors: [any Error]?, paymentSummaryItems: [PKPaymentSummaryItem], shippingMethods: [PKShippingMethod]) {
        self.errors = errors
        super.init(paymentSummaryItems: paymentSummaryItems)
        self.shippingMethods = shippingMethods
    }

    public override init(paymentSummaryItems: [PKPaymentSummaryItem]) {
        super.init(paymentSummaryItems: paymentSummaryItems)
    }

    /// An answer in the form before iOS 11.
    convenience init(
        status: PKPaymentAuthorizationStatus, paymentSummaryItems: [PKPaymentSummaryItem], shippingMethods: [PKShippingMethod]
    ) {
        self.init(errors: nil, paymentSummaryItems: paymentSummaryItems, shippingMethods: shippingMethods)
        self.status = status
    }

    override var givenErrors: [any Error] { errors ?? [] }
    override var replacesShippingMethods: Bool { true }

    /// The answer of a delegate that has no such method.
    static var unimplemented: PKPaymentRequestShippingContactUpdate {
        PKPaymentRequestShippingContactUpdate(paymentSummaryItems: []).marked()
    }
}

/// The answer to another shipping method. It takes no errors.
open class PKPaymentRequestShippingMethodUpdate: PKPaymentRequestUpdate {
    public override init(paymentSummaryItems: [PKPaymentSummaryItem]) {
        super.init(paymentSummaryItems: paymentSummaryItems)
    }

    /// An answer in the form before iOS 11.
    convenience init(status: PKPaymentAuthorizationStatus, paymentSummaryItems: [PKPaymentSummaryItem]) {
        self.init(paymentSummaryItems: paymentSummaryItems)
        self.status = status
    }

    /// The answer of a delegate that has no such method.
    static var unimplemented: PKPaymentRequestShippingMethodUpdate {
        PKPaymentRequestShippingMethodUpdate(paymentSummaryItems: []).marked()
    }
}

/// The answer to a coupon code. Its shipping methods replace those that the sheet offers, even when there are none.
open class PKPaymentRequestCouponCodeUpdate: PKPaymentRequestUpdate {
    open var errors: [any Error]?

    public init(errors: [any Error]?, paymentSummaryItems: [PKPaymentSummaryItem], shippingMethods: [PKShippingMethod]) {
        self.errors = errors
        super.init(paymentSummaryItems: paymentSummaryItems)
        self.shippingMethods = shippingMethods
    }

    public override init(paymentSummaryItems: [PKPaymentSummaryItem]) {
        super.init(paymentSummaryItems: paymentSummaryItems)
    }

    override var givenErrors: [any Error] { errors ?? [] }
    override var replacesShippingMethods: Bool { true }

    /// The answer of a delegate that has no such method.
    static var unimplemented: PKPaymentRequestCouponCodeUpdate { PKPaymentRequestCouponCodeUpdate(paymentSummaryItems: []).marked() }
}

/// The web session that a Mac asks for again. Opaque: made by the platform, handed on by the merchant's server.
open class PKPaymentMerchantSession: NSObject {
    public let dictionary: [AnyHashable: Any]
    public init(dictionary: [AnyHashable: Any]) { self.dictionary = dictionary }
}

/// The answer to the question for a web session.
open class PKPaymentRequestMerchantSessionUpdate: NSObject {
    open var status: PKPaymentAuthorizationStatus
    open var session: PKPaymentMerchantSession?

    public init(status: PKPaymentAuthorizationStatus, merchantSession session: PKPaymentMerchantSession?) {
        self.status = status
        self.session = session
    }

    /// Set by the delegate protocols' default implementations: the delegate has no such method.
    var isUnimplemented = false

    /// The answer of a delegate that has no such method: there is no session.
    static var unimplemented: PKPaymentRequestMerchantSessionUpdate {
        let update = PKPaymentRequestMerchantSessionUpdate(status: .failure, merchantSession: nil)
        update.isUnimplemented = true
        return update
    }
}
