public import Foundation

/// Makes tokens: the secure element and the wallet's servers, seen from the sheet.
public protocol PaymentTokenSource: Sendable {
    /// Makes one token for one authorisation. Throwing makes the sheet say that the payment was not completed.
    func token(for payment: AuthorizedPayment) async throws -> IssuedToken
}

/// What the customer authorised, as the secure element is told.
public struct AuthorizedPayment: Sendable, Hashable {
    /// Which of the request's four kinds of later charge, if any, applies.
    public enum Kind: String, Sendable, Hashable { case oneTime, recurring, automaticReload, deferred, multipleMerchants }

    public var card: WalletCard
    public var merchantIdentifier: String
    public var merchantCapabilities: PKMerchantCapability
    public var supportedNetworks: [PKPaymentNetwork]
    public var countryCode: String
    public var currencyCode: String
    /// The last summary item, in major units.
    public var amount: Decimal
    public var applicationData: Data?
    public var kind: Kind
    /// Present when the issuer asked for it.
    public var pin: EnteredPIN?
}

/// A PIN on its way into the token. Does not print itself.
public struct EnteredPIN: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    private let digits: String

    /// Nil unless there are exactly six ASCII digits.
    public init?(_ digits: String) {
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.digits = digits
    }

    /// Hands out the six digits: for the token's maker alone.
    public func reveal() -> String { digits }
    public var description: String { "‹pin›" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A token as the wallet hands it to the app.
public struct IssuedToken: Sendable, Hashable {
    /// The JSON bytes of `PKPaymentToken.paymentData`.
    public var paymentData: Data
    public var transactionIdentifier: String

    public init(paymentData: Data, transactionIdentifier: String) {
        self.paymentData = paymentData
        self.transactionIdentifier = transactionIdentifier
    }
}

/// The source of a device that was given none: it refuses.
struct NoTokenSource: PaymentTokenSource {
    struct Refusal: Error {}
    func token(for payment: AuthorizedPayment) async throws -> IssuedToken { throw Refusal() }
}
