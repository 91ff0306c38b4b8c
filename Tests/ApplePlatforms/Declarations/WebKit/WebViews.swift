public import Foundation
public import FoundationNetworking
public import UIKit

/// <https://developer.apple.com/documentation/webkit/wkwebviewconfiguration>
@MainActor
@available(iOS 8, *)
open class WKWebViewConfiguration: NSObject {
    /// <https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/usercontentcontroller>
    @available(iOS 8, *)
    open var userContentController = WKUserContentController()
}

/// <https://developer.apple.com/documentation/webkit/wknavigation>
@MainActor
@available(iOS 8, *)
open class WKNavigation: NSObject {}

/// <https://developer.apple.com/documentation/webkit/wkwebview>
@available(iOS 8, *)
open class WKWebView: UIView {
    /// <https://developer.apple.com/documentation/webkit/wkwebview/init(frame:configuration:)>
    @available(iOS 8, *)
    public init(frame: CGRect, configuration: WKWebViewConfiguration) { super.init(frame: frame) }
    public convenience init() { self.init(frame: .zero, configuration: WKWebViewConfiguration()) }
    /// <https://developer.apple.com/documentation/webkit/wkwebview/configuration>
    @available(iOS 8, *)
    open var configuration: WKWebViewConfiguration { WKWebViewConfiguration() }
    /// <https://developer.apple.com/documentation/webkit/wkwebview/navigationdelegate>
    @available(iOS 8, *)
    open weak var navigationDelegate: (any WKNavigationDelegate)?
    /// <https://developer.apple.com/documentation/webkit/wkwebview/url>
    @available(iOS 8, *)
    open var url: URL? { nil }
    /// <https://developer.apple.com/documentation/webkit/wkwebview/load(_:)>
    @discardableResult
    @available(iOS 8, *)
    open func load(_ request: URLRequest) -> WKNavigation? { nil }
    /// <https://developer.apple.com/documentation/webkit/wkwebview/isinspectable>
    @available(iOS 16.4, *)
    open var isInspectable: Bool {
        get { false }
        set {}
    }
}
