public import Foundation

/// <https://developer.apple.com/documentation/uikit/uiview>
@available(iOS 2, *)
open class UIView: UIResponder {
    /// <https://developer.apple.com/documentation/uikit/uiview/init(frame:)>
    @available(iOS 2, *)
    public init(frame: CGRect) { super.init() }
    public convenience override init() { self.init(frame: .zero) }
    /// <https://developer.apple.com/documentation/uikit/uiview/isopaque>
    @available(iOS 2, *)
    open var isOpaque = true
}

/// <https://developer.apple.com/documentation/uikit/uiwindow>
@available(iOS 2, *)
open class UIWindow: UIView {
    /// <https://developer.apple.com/documentation/uikit/uiwindow/rootviewcontroller>
    @available(iOS 4, *)
    open var rootViewController: UIViewController?
}

/// <https://developer.apple.com/documentation/uikit/uicontrol>
@available(iOS 2, *)
open class UIControl: UIView {
    /// <https://developer.apple.com/documentation/uikit/uicontrol/event>
    @available(iOS 2, *)
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// <https://developer.apple.com/documentation/uikit/uicontrol/event/primaryactiontriggered>
        @available(iOS 9, *)
        public static let primaryActionTriggered = Self(rawValue: 1 << 13)
    }

    /// <https://developer.apple.com/documentation/uikit/uicontrol/addaction(_:for:)>
    @available(iOS 14, *)
    open func addAction(_ action: UIAction, for controlEvents: UIControl.Event) {}
}

/// <https://developer.apple.com/documentation/uikit/uibutton>
@available(iOS 2, *)
open class UIButton: UIControl {}
