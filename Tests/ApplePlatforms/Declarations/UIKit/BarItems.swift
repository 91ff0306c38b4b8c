public import Foundation

/// <https://developer.apple.com/documentation/uikit/uinavigationitem>
@MainActor
@available(iOS 2, *)
open class UINavigationItem: NSObject {
    /// <https://developer.apple.com/documentation/uikit/uinavigationitem/leftbarbuttonitem>
    @available(iOS 2, *)
    open var leftBarButtonItem: UIBarButtonItem?
}

/// <https://developer.apple.com/documentation/uikit/uibaritem>
@MainActor
@available(iOS 2, *)
open class UIBarItem: NSObject {}

/// <https://developer.apple.com/documentation/uikit/uibarbuttonitem>
@available(iOS 2, *)
open class UIBarButtonItem: UIBarItem {
    /// <https://developer.apple.com/documentation/uikit/uibarbuttonitem/systemitem>
    @available(iOS 2, *)
    public enum SystemItem: Int, Sendable {
        /// <https://developer.apple.com/documentation/uikit/uibarbuttonitem/systemitem/close>
        @available(iOS 13, *)
        case close = 24
    }

    /// <https://developer.apple.com/documentation/uikit/uibarbuttonitem/init(systemitem:primaryaction:menu:)>
    @available(iOS 14, *)
    public convenience init(systemItem: SystemItem, primaryAction: UIAction? = nil, menu: UIMenu? = nil) { self.init() }
}

/// <https://developer.apple.com/documentation/uikit/uiimage>
@MainActor
@available(iOS 2, *)
open class UIImage: NSObject {}

/// <https://developer.apple.com/documentation/uikit/uimenuelement>
@MainActor
@available(iOS 13, *)
open class UIMenuElement: NSObject {
    /// <https://developer.apple.com/documentation/uikit/uimenuelement/attributes>
    @available(iOS 13, *)
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// <https://developer.apple.com/documentation/uikit/uimenuelement/state>
    @available(iOS 13, *)
    public enum State: Int, Sendable {
        /// <https://developer.apple.com/documentation/uikit/uimenuelement/state/off>
        @available(iOS 13, *)
        case off
    }
}

/// <https://developer.apple.com/documentation/uikit/uimenu>
@available(iOS 13, *)
open class UIMenu: UIMenuElement {}

/// <https://developer.apple.com/documentation/uikit/uiactionhandler>
@available(iOS 13, *)
public typealias UIActionHandler = (UIAction) -> Void

/// <https://developer.apple.com/documentation/uikit/uiaction>
@available(iOS 13, *)
open class UIAction: UIMenuElement {
    /// <https://developer.apple.com/documentation/uikit/uiaction/identifier>
    @available(iOS 13, *)
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// <https://developer.apple.com/documentation/uikit/uiaction/init(title:image:identifier:discoverabilitytitle:attributes:state:handler:)>
    @available(iOS 13, *)
    public convenience init(
        title: String = "", image: UIImage? = nil, identifier: UIAction.Identifier? = nil, discoverabilityTitle: String? = nil,
        attributes: UIMenuElement.Attributes = [], state: UIMenuElement.State = .off, handler: @escaping UIActionHandler
    ) { self.init() }
}
