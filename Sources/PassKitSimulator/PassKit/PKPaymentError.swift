public import Foundation

public let PKPaymentErrorDomain = "PKPaymentErrorDomain"

/// The errors that a sheet understands. Anything outside their domain crashes the app on a device.
public struct PKPaymentError: Error, Sendable {
    /// The numbers in ``PKPaymentErrorDomain``.
    public enum Code: Int, Sendable {
        case unknownError = -1
        case shippingContactInvalidError = 1
        case billingContactInvalidError
        case shippingAddressUnserviceableError
        case couponCodeInvalidError
        case couponCodeExpiredError
    }

    public let code: Code
    public let localizedDescription: String

    public init(_ code: Code, localizedDescription: String = "") {
        self.code = code
        self.localizedDescription = localizedDescription
    }
}

extension PKPaymentError: CustomNSError {
    public static var errorDomain: String { PKPaymentErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: localizedDescription] }
}

/// Keys of the `userInfo` of an error made by the factories of `PKPaymentRequest`.
public struct PKPaymentErrorKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let contactFieldUserInfoKey = Self(rawValue: "PKPaymentErrorContactField")
    public static let postalAddressUserInfoKey = Self(rawValue: "PKPaymentErrorPostalAddress")
}
