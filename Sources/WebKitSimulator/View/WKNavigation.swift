public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// One way of a web view from page to page.
@MainActor
@preconcurrency
open class WKNavigation: NSObject {}

/// Why a web view goes to another page.
public enum WKNavigationType: Int, Sendable {
    case linkActivated = 0
    case formSubmitted, backForward, reload, formResubmitted
    case other = -1
}

/// Whether it may.
public enum WKNavigationActionPolicy: Int, Sendable {
    case cancel = 0
    case allow
    /// Downloads what is there: here the navigation ends, and nothing is stored.
    case download
}

/// Whether it may show what was answered.
public enum WKNavigationResponsePolicy: Int, Sendable {
    case cancel = 0
    case allow
    /// As ``WKNavigationActionPolicy/download``.
    case download
}

/// Where a page comes from.
@MainActor
@preconcurrency
open class WKSecurityOrigin: NSObject {
    public let `protocol`: String
    public let host: String
    /// 0 where the address names none.
    public let port: Int

    init(_ url: URL?) {
        self.protocol = url?.scheme ?? ""
        host = url?.host ?? ""
        port = url?.port ?? 0
    }
}

/// A frame of a page. Pages have no other than the main one here.
@MainActor
@preconcurrency
open class WKFrameInfo: NSObject {
    public let isMainFrame = true
    public let request: URLRequest
    public let securityOrigin: WKSecurityOrigin
    open private(set) weak var webView: WKWebView?

    init(_ request: URLRequest, in webView: WKWebView) {
        self.request = request
        self.webView = webView
        securityOrigin = WKSecurityOrigin(request.url)
    }
}

/// What a web view is about to do.
@MainActor
@preconcurrency
open class WKNavigationAction: NSObject {
    public let request: URLRequest
    public let navigationType: WKNavigationType
    public let sourceFrame: WKFrameInfo
    /// Nil for a link that wants a window of its own.
    public let targetFrame: WKFrameInfo?
    /// Whether the page asks for a download; none does here.
    public let shouldPerformDownload = false

    init(_ request: URLRequest, _ type: WKNavigationType, from source: WKFrameInfo, into target: WKFrameInfo?) {
        (self.request, navigationType, sourceFrame, targetFrame) = (request, type, source, target)
    }
}

/// What the server answered.
@MainActor
@preconcurrency
open class WKNavigationResponse: NSObject {
    public let response: URLResponse
    public let isForMainFrame = true
    /// Whether a web view shows such a thing: texts and images here.
    public let canShowMIMEType: Bool

    init(_ response: URLResponse) {
        self.response = response
        let type = response.mimeType ?? ""
        canShowMIMEType = ["text/", "image/"].contains { type.hasPrefix($0) } || ["application/json", "application/pdf"].contains(type)
    }
}

/// A page in the history.
@MainActor
@preconcurrency
open class WKBackForwardListItem: NSObject {
    public let url: URL
    public let initialURL: URL
    open internal(set) var title: String?

    init(_ url: URL, initialURL: URL, title: String) {
        (self.url, self.initialURL, self.title) = (url, initialURL, title)
    }
}

/// The pages that a web view showed.
@MainActor
@preconcurrency
open class WKBackForwardList: NSObject {
    var items: [WKBackForwardListItem] = []
    var place = -1

    open var currentItem: WKBackForwardListItem? { item(at: 0) }
    open var backItem: WKBackForwardListItem? { item(at: -1) }
    open var forwardItem: WKBackForwardListItem? { item(at: 1) }
    open var backList: [WKBackForwardListItem] { Array(items.prefix(max(place, 0))) }
    open var forwardList: [WKBackForwardListItem] { Array(items.dropFirst(place + 1)) }

    /// The page so many places on from the one that is shown.
    open func item(at index: Int) -> WKBackForwardListItem? { items.indices.contains(place + index) ? items[place + index] : nil }

    func add(_ item: WKBackForwardListItem) {
        items.removeSubrange(min(place + 1, items.count)...)
        items.append(item)
        place = items.count - 1
    }
}
