/// A part of a contact that a request may require and an error may blame.
public struct PKContactField: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let postalAddress = Self(rawValue: "post")
    public static let emailAddress = Self(rawValue: "email")
    public static let phoneNumber = Self(rawValue: "phone")
    public static let name = Self(rawValue: "name")
    public static let phoneticName = Self(rawValue: "phoneticName")
}
