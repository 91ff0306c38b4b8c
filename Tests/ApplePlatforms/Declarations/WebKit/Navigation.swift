public import Foundation
public import FoundationNetworking

/// <https://developer.apple.com/documentation/webkit/wknavigationaction>
@MainActor
@available(iOS 8, *)
open class WKNavigationAction: NSObject {
    /// <https://developer.apple.com/documentation/webkit/wknavigationaction/request>
    @available(iOS 8, *)
    open var request: URLRequest { URLRequest(url: URL(fileURLWithPath: "")) }
}

/// <https://developer.apple.com/documentation/webkit/wknavigationactionpolicy>
@available(iOS 8, *)
public enum WKNavigationActionPolicy: Int, Sendable {
    /// <https://developer.apple.com/documentation/webkit/wknavigationactionpolicy/cancel>
    @available(iOS 8, *)
    case cancel
    /// <https://developer.apple.com/documentation/webkit/wknavigationactionpolicy/allow>
    @available(iOS 8, *)
    case allow
}

/// <https://developer.apple.com/documentation/webkit/wknavigationdelegate>
@MainActor
@available(iOS 8, *)
public protocol WKNavigationDelegate: NSObjectProtocol {
    /// <https://developer.apple.com/documentation/webkit/wknavigationdelegate/webview(_:decidepolicyfor:)>
    @available(iOS 8, *)
    func webView(_ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction) async -> WKNavigationActionPolicy
    /// <https://developer.apple.com/documentation/webkit/wknavigationdelegate/webview(_:didfailprovisionalnavigation:witherror:)>
    @available(iOS 8, *)
    func webView(
        _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error)
}

// Optional in the header.
extension WKNavigationDelegate {
    public func webView(_ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction) async -> WKNavigationActionPolicy {
        .allow
    }
    public func webView(
        _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error
    ) {}
}
