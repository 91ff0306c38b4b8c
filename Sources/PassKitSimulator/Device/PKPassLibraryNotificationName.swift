public import Foundation

/// What the library posts, with itself as the object, on the main actor.
public struct PKPassLibraryNotificationName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let PKPassLibraryDidChange = Self(rawValue: "PKPassLibraryDidChangeNotification")
    public static let PKPassLibraryRemotePaymentPassesDidChange = Self(
        rawValue: "PKPassLibraryRemotePaymentPassesDidChangeNotification")
}

/// Keys of a change's `userInfo`. Removed passes are dictionaries with the last two keys.
public struct PKPassLibraryNotificationKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let addedPassesUserInfoKey = Self(rawValue: "PKPassLibraryAddedPassesUserInfo")
    public static let replacementPassesUserInfoKey = Self(rawValue: "PKPassLibraryReplacementPassesUserInfo")
    public static let removedPassInfosUserInfoKey = Self(rawValue: "PKPassLibraryRemovedPassInfosUserInfo")
    public static let passTypeIdentifierUserInfoKey = Self(rawValue: "PKPassLibraryPassTypeIdentifierUserInfo")
    /// Of passes that came back after the device was restored; nothing here sends it.
    public static let recoveredPassesUserInfoKey = Self(rawValue: "PKPassLibraryRecoveredPassesUserInfo")
    public static let serialNumberUserInfoKey = Self(rawValue: "PKPassLibrarySerialNumberUserInfo")
}

extension PKPassLibraryNotificationKey: _HasCustomAnyHashableRepresentation {
    /// A key equals its text among a notification's keys, as on a device: `userInfo[PKPassLibraryNotificationKey.addedPassesUserInfoKey]`.
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(rawValue) }
}

extension Notification.Name {
    /// The passes of this device changed. The same name as ``PKPassLibraryNotificationName/PKPassLibraryDidChange``; apps write both.
    public static let PKPassLibraryDidChange = Self(PKPassLibraryNotificationName.PKPassLibraryDidChange.rawValue)
    /// The watch's passes changed, as far as the phone has heard.
    public static let PKPassLibraryRemotePaymentPassesDidChange = Self(
        PKPassLibraryNotificationName.PKPassLibraryRemotePaymentPassesDidChange.rawValue)
}
