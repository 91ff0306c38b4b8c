import Foundation

#if canImport(PassKit) && canImport(UIKit)
    public import PassKit
#else
    public import PassKitSimulator
#endif

/// What the app sends to pay: the token's bytes as they are, in base64, and what the customer disclosed.
public struct PaymentSubmission: Sendable, Hashable, Encodable {
    /// The payment token, with what PassKit says beside it.
    public struct Token: Sendable, Hashable, Encodable {
        /// The card, in PassKit's words.
        public struct Method: Sendable, Hashable, Encodable {
            public var displayName: String?
            public var network: String?
            public var type: String
        }

        /// `PKPaymentToken.paymentData`, never decoded or re-serialised here: that would break its signature.
        public var paymentData: String
        /// Not covered by the signature: for display only.
        public var paymentMethod: Method
        public var transactionIdentifier: String
    }

    public var token: Token
    public var shippingMethod: String?
    public var shippingContact: ContactDetails?
    public var billingContact: ContactDetails?
    public var couponCode: String?

    public init(_ payment: PKPayment, couponCode: String?) {
        token = Token(
            paymentData: payment.token.paymentData.base64EncodedString(),
            paymentMethod: .init(
                displayName: payment.token.paymentMethod.displayName, network: payment.token.paymentMethod.network?.rawValue,
                type: payment.token.paymentMethod.type.name),
            transactionIdentifier: payment.token.transactionIdentifier)
        shippingMethod = payment.shippingMethod?.identifier
        shippingContact = payment.shippingContact.map { ContactDetails($0) }
        billingContact = payment.billingContact.map { ContactDetails($0) }
        self.couponCode = couponCode
    }
}

/// The server's answer to a payment.
public struct PaymentAnswer: Sendable, Hashable, Decodable {
    /// What the sheet is to show.
    public enum Sheet: String, Sendable, Hashable, Decodable {
        case success, failure
        /// Nobody knows yet: the sheet goes as ``CheckoutConfiguration/undecidedSheet`` says, and the order is asked about afterwards.
        case pending
    }

    public var payment: CheckoutPayment
    public var sheet: Sheet
    /// What the customer can correct in the sheet.
    public var errors: [FieldError]?

    public init(payment: CheckoutPayment, sheet: Sheet, errors: [FieldError]? = nil) {
        self.payment = payment
        self.sheet = sheet
        self.errors = errors
    }
}

extension PKPaymentMethodType {
    /// The web's word for it.
    var name: String {
        switch self {
        case .debit: "debit"
        case .credit: "credit"
        case .prepaid: "prepaid"
        case .store: "store"
        case .eMoney: "eMoney"
        default: "unknown"
        }
    }
}
