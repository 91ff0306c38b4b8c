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
    private let error: NSError

    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        error = NSError(domain: PKPaymentErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// An error with a text for the customer alone.
    public init(_ code: Code, localizedDescription: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: localizedDescription])
    }

    /// The text for the customer; empty where none was given.
    public var localizedDescription: String { error.userInfo[NSLocalizedDescriptionKey] as? String ?? "" }

    public static let unknownError = Code.unknownError
    public static let shippingContactInvalidError = Code.shippingContactInvalidError
    public static let billingContactInvalidError = Code.billingContactInvalidError
    public static let shippingAddressUnserviceableError = Code.shippingAddressUnserviceableError
    public static let couponCodeInvalidError = Code.couponCodeInvalidError
    public static let couponCodeExpiredError = Code.couponCodeExpiredError
}

extension PKPaymentError: CustomNSError {
    public static var errorDomain: String { PKPaymentErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { error.userInfo }
}

extension PKPaymentError.Code {
    /// Lets a `catch` name a code.
    public static func ~= (code: Self, error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == PKPaymentErrorDomain && error.code == code.rawValue
    }
}

/// Keys of the `userInfo` of an error made by the factories of `PKPaymentRequest`.
public struct PKPaymentErrorKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let contactFieldUserInfoKey = Self(rawValue: "PKPaymentErrorContactField")
    public static let postalAddressUserInfoKey = Self(rawValue: "PKPaymentErrorPostalAddress")
}
