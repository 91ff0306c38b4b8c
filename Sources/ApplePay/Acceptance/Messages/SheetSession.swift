/// A recorded run of the payment sheet: each callback and the answers the app gave.
///
/// The JSON form is Billfold's own: `{"kind":"apple-pay.sheet-session","events":[{"callback":"didSelectShippingContact",
/// "at":1200,"answers":[{"at":1320,"items":[…],"shippingMethods":[…],"errors":[{"domain","code","field"}],"status":"success"}],
/// "serverAnsweredAt":2500}]}`. Times are milliseconds since the sheet opened.
public struct SheetSession: Sendable {
    public static let kind = "apple-pay.sheet-session"

    /// The callbacks of apple-pay.md#callbacks by their native names.
    public enum Callback: String, Sendable, Hashable, CaseIterable {
        case didSelectPaymentMethod, didSelectShippingContact, didSelectShippingMethod, didChangeCouponCode
        case didRequestMerchantSessionUpdate, didAuthorizePayment, didFinish

        /// `didFinish` only tells; every other callback asks.
        public var needsAnswer: Bool { self != .didFinish }
        /// The reply carries summary items.
        public var answerHasItems: Bool {
            switch self {
            case .didSelectPaymentMethod, .didSelectShippingContact, .didSelectShippingMethod, .didChangeCouponCode: true
            case .didRequestMerchantSessionUpdate, .didAuthorizePayment, .didFinish: false
            }
        }
    }

    /// An error that the app gave back to the sheet.
    public struct ReportedError: Sendable, Hashable {
        public var domain: String
        public var code: String
        /// The contact field that is blamed.
        public var field: String?

        public init(domain: String, code: String, field: String? = nil) {
            self.domain = domain
            self.code = code
            self.field = field
        }
    }

    /// What the app called a completion handler with.
    public struct Answer: Sendable {
        /// Milliseconds since the sheet opened.
        public var at: Int64
        /// nil when the reply has no item list at all.
        public var items: [PaymentRequest.SummaryItem]?
        /// nil when the reply has no list of shipping methods.
        public var shippingMethods: [PaymentRequest.ShippingMethod]?
        public var errors: [ReportedError]
        /// The authorisation result: `success`, `failure`, `pinRequired`, `pinIncorrect` or `pinLockout`.
        public var status: String?

        public init(
            at: Int64, items: [PaymentRequest.SummaryItem]? = nil, shippingMethods: [PaymentRequest.ShippingMethod]? = nil,
            errors: [ReportedError] = [], status: String? = nil
        ) {
            self.at = at
            self.items = items
            self.shippingMethods = shippingMethods
            self.errors = errors
            self.status = status
        }
    }

    /// One callback of the sheet with every answer that the app gave to it. A sound session has one where an answer is needed.
    public struct Event: Sendable {
        public var callback: Callback
        public var at: Int64
        public var answers: [Answer]
        /// When the merchant's server answered the app, for `didAuthorizePayment`.
        public var serverAnsweredAt: Int64?

        public init(callback: Callback, at: Int64, answers: [Answer], serverAnsweredAt: Int64? = nil) {
            self.callback = callback
            self.at = at
            self.answers = answers
            self.serverAnsweredAt = serverAnsweredAt
        }
    }

    public var events: [Event]

    public init(events: [Event]) { self.events = events }
}
