#if canImport(PassKit) && canImport(UIKit)
    public import PassKit
#else
    public import PassKitSimulator
#endif

/// The names of contact fields as the server writes them.
public enum ContactFieldName: String, Sendable, Hashable, Codable, CaseIterable {
    case postalAddress, name, phoneticName, phoneNumber, emailAddress

    /// Also takes the web's short spellings `phone` and `email`; refuses others (`unknown-contact-field`).
    public init(exactly text: String) throws(ApplePayAppError) {
        switch text {
        case "phone": self = .phoneNumber
        case "email": self = .emailAddress
        default:
            guard let known = ContactFieldName(rawValue: text) else {
                throw ApplePayAppError(code: .unknownContactField, reason: "no contact field is named \(text.prefix(40))")
            }
            self = known
        }
    }

    public var field: PKContactField {
        switch self {
        case .postalAddress: .postalAddress
        case .name: .name
        case .phoneticName: .phoneticName
        case .phoneNumber: .phoneNumber
        case .emailAddress: .emailAddress
        }
    }
}
