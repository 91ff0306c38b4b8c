// The framework hands it on.
@_exported public import Foundation

/// <https://developer.apple.com/documentation/uikit/uiresponder>
@MainActor
@available(iOS 2, *)
open class UIResponder: NSObject {}

/// <https://developer.apple.com/documentation/uikit/uiapplication>
@available(iOS 2, *)
open class UIApplication: UIResponder {
    /// <https://developer.apple.com/documentation/uikit/uiapplication/openexternalurloptionskey>
    @available(iOS 10, *)
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// <https://developer.apple.com/documentation/uikit/uiapplication/openexternalurloptionskey/universallinksonly>
        @available(iOS 10, *)
        public static let universalLinksOnly = Self(rawValue: "")
    }

    /// <https://developer.apple.com/documentation/uikit/uiapplication/shared>
    @available(iOS 2, *)
    open class var shared: UIApplication { UIApplication() }
    /// <https://developer.apple.com/documentation/uikit/uiapplication/canopenurl(_:)>
    @available(iOS 3, *)
    open func canOpenURL(_ url: URL) -> Bool { false }
    /// <https://developer.apple.com/documentation/uikit/uiapplication/open(_:options:)>
    @available(iOS 10, *)
    open func open(_ url: URL, options: [UIApplication.OpenExternalURLOptionsKey: Any] = [:]) async -> Bool { false }
    /// <https://developer.apple.com/documentation/uikit/uiapplication/connectedscenes>
    @available(iOS 13, *)
    open var connectedScenes: Set<UIScene> { [] }
    /// <https://developer.apple.com/documentation/uikit/uiapplication/didbecomeactivenotification>
    @available(iOS 2, *)
    public nonisolated static let didBecomeActiveNotification = Notification.Name("")
    /// <https://developer.apple.com/documentation/uikit/uiapplication/willresignactivenotification>
    @available(iOS 2, *)
    public nonisolated static let willResignActiveNotification = Notification.Name("")
}

/// <https://developer.apple.com/documentation/uikit/uiscene>
@available(iOS 13, *)
open class UIScene: UIResponder {}

/// <https://developer.apple.com/documentation/uikit/uiwindowscene>
@available(iOS 13, *)
open class UIWindowScene: UIScene {
    /// <https://developer.apple.com/documentation/uikit/uiwindowscene/keywindow>
    @available(iOS 15, *)
    open var keyWindow: UIWindow? { nil }
}
