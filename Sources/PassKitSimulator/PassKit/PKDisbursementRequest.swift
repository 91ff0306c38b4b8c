public import Foundation

/// Pays out to a card of the person who asks. No simulated device does: a controller of such a request shows nothing.
open class PKDisbursementRequest: NSObject {
    open var merchantIdentifier: String
    open var currency: Locale.Currency
    open var region: Locale.Region
    open var supportedNetworks: [PKPaymentNetwork]
    open var merchantCapabilities: PKMerchantCapability
    /// The last one is a ``PKDisbursementSummaryItem``.
    open var summaryItems: [PKPaymentSummaryItem]
    open var supportedRegions: [Locale.Region]?
    open var requiredRecipientContactFields: [PKContactField] = []
    open var recipientContact: PKContact?
    open var applicationData: Data?

    public init(
        merchantIdentifier: String, currency: Locale.Currency, region: Locale.Region, supportedNetworks: [PKPaymentNetwork],
        merchantCapabilities: PKMerchantCapability, summaryItems: [PKPaymentSummaryItem]
    ) {
        self.merchantIdentifier = merchantIdentifier
        self.currency = currency
        self.region = region
        self.supportedNetworks = supportedNetworks
        self.merchantCapabilities = merchantCapabilities
        self.summaryItems = summaryItems
    }

    /// The recipient's contact cannot be used as it is.
    public class func disbursementContactInvalidError(
        withContactField field: PKContactField, localizedDescription: String?
    ) -> any Error {
        NSError(
            domain: PKDisbursementErrorDomain, code: PKDisbursementError.Code.recipientContactInvalidError.rawValue,
            userInfo: [
                PKDisbursementErrorKey.contactFieldUserInfoKey.rawValue: field.rawValue,
                NSLocalizedDescriptionKey: localizedDescription ?? "",
            ])
    }

    /// Nothing can be paid out to the chosen card.
    public class func disbursementCardUnsupportedError() -> any Error {
        NSError(domain: PKDisbursementErrorDomain, code: PKDisbursementError.Code.unsupportedCardError.rawValue)
    }
}

public let PKDisbursementErrorDomain = "PKDisbursementErrorDomain"

/// The errors of a request that pays out.
public struct PKDisbursementError: Error, Sendable, Hashable {
    /// The numbers in ``PKDisbursementErrorDomain``.
    public enum Code: Int, Sendable {
        case unknownError = -1
        case unsupportedCardError = 1
        case recipientContactInvalidError
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }
}

extension PKDisbursementError: CustomNSError {
    public static var errorDomain: String { PKDisbursementErrorDomain }
    public var errorCode: Int { code.rawValue }
}

/// Keys of the `userInfo` of such an error.
public struct PKDisbursementErrorKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let contactFieldUserInfoKey = Self(rawValue: "PKDisbursementErrorContactField")
}
