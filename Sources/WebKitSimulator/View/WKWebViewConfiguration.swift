public import Foundation

/// What a web view is made with. A view takes the object as it is then.
@MainActor
@preconcurrency
open class WKWebViewConfiguration: NSObject {
    open var userContentController = WKUserContentController()
    open var preferences = WKPreferences()
    open var defaultWebpagePreferences: WKWebpagePreferences! = WKWebpagePreferences()
    open var processPool = WKProcessPool()
    open var websiteDataStore = WKWebsiteDataStore.default()
    open var applicationNameForUserAgent: String?
    open var allowsInlineMediaPlayback = false
    open var suppressesIncrementalRendering = false

    public override init() { super.init() }
}

/// Wishes about a web view's pages. They are kept; no page is drawn.
@MainActor
@preconcurrency
open class WKPreferences: NSObject {
    open var minimumFontSize: CGFloat = 0
    /// Deprecated since iOS 14: ask ``WKWebpagePreferences/allowsContentJavaScript``.
    open var javaScriptEnabled = true
    open var javaScriptCanOpenWindowsAutomatically = false

    public override init() { super.init() }
}

/// Wishes about one page.
@MainActor
@preconcurrency
open class WKWebpagePreferences: NSObject {
    open var allowsContentJavaScript = true

    public override init() { super.init() }
}

/// Which web views share a process. There are none here.
@MainActor
@preconcurrency
open class WKProcessPool: NSObject {
    public override init() { super.init() }
}

/// What pages store. Nothing is stored here: the object says whether it would be.
@MainActor
@preconcurrency
open class WKWebsiteDataStore: NSObject {
    public let isPersistent: Bool

    init(isPersistent: Bool) { self.isPersistent = isPersistent }

    private static let shared = WKWebsiteDataStore(isPersistent: true)

    /// The app's own.
    open class func `default`() -> WKWebsiteDataStore { shared }
    /// One that forgets.
    open class func nonPersistent() -> WKWebsiteDataStore { WKWebsiteDataStore(isPersistent: false) }
}

/// What a page wishes for a window of its own. It says nothing here.
@MainActor
@preconcurrency
open class WKWindowFeatures: NSObject {}

/// When a script of the app's is run in a page.
public enum WKUserScriptInjectionTime: Int, Sendable {
    case atDocumentStart = 0
    case atDocumentEnd
}

/// Parts an app's scripts from a page's own.
@MainActor
@preconcurrency
open class WKContentWorld: NSObject {
    public let name: String?

    init(name: String?) { self.name = name }

    /// The page's own scripts'.
    public static let page = WKContentWorld(name: nil)
    /// The app's.
    public static let defaultClient = WKContentWorld(name: nil)

    /// Another one of the app's.
    open class func world(name: String) -> WKContentWorld { WKContentWorld(name: name) }
}

/// A script that the app adds to each page. It is kept, and no engine runs it.
@MainActor
@preconcurrency
open class WKUserScript: NSObject {
    public let source: String
    public let injectionTime: WKUserScriptInjectionTime
    public let isForMainFrameOnly: Bool

    public init(source: String, injectionTime: WKUserScriptInjectionTime, forMainFrameOnly: Bool) {
        (self.source, self.injectionTime, isForMainFrameOnly) = (source, injectionTime, forMainFrameOnly)
    }
}

/// The way of a page's scripts to the app.
@MainActor
@preconcurrency
open class WKUserContentController: NSObject {
    open private(set) var userScripts: [WKUserScript] = []
    // Held, as on a device: a handler that holds its web view keeps both alive.
    private var handlers: [String: any WKScriptMessageHandler] = [:]
    private var replying: [String: any WKScriptMessageHandlerWithReply] = [:]

    public override init() { super.init() }

    /// Adds a script to the pages that come.
    open func addUserScript(_ userScript: WKUserScript) { userScripts.append(userScript) }
    /// Takes the scripts away.
    open func removeAllUserScripts() { userScripts = [] }

    /// Hears what pages post under a name. A second handler of one name is refused: the app crashes on a device, here the first stays.
    open func add(_ scriptMessageHandler: any WKScriptMessageHandler, name: String) {
        guard handlers[name] == nil, replying[name] == nil else { return }
        handlers[name] = scriptMessageHandler
    }

    /// As ``add(_:name:)``. There is one world here.
    open func add(_ scriptMessageHandler: any WKScriptMessageHandler, contentWorld world: WKContentWorld, name: String) {
        add(scriptMessageHandler, name: name)
    }

    /// Hears and answers what pages post under a name.
    open func addScriptMessageHandler(
        _ scriptMessageHandlerWithReply: any WKScriptMessageHandlerWithReply, contentWorld: WKContentWorld, name: String
    ) {
        guard handlers[name] == nil, replying[name] == nil else { return }
        replying[name] = scriptMessageHandlerWithReply
    }

    /// Hears a name no more.
    open func removeScriptMessageHandler(forName name: String) {
        handlers[name] = nil
        replying[name] = nil
    }

    /// Hears nothing more.
    open func removeAllScriptMessageHandlers() {
        handlers = [:]
        replying = [:]
    }

    func deliver(_ message: WKScriptMessage) async -> (heard: Bool, reply: Any?, refusal: String?) {
        if let handler = handlers[message.name] {
            handler.userContentController(self, didReceive: message)
            return (true, nil, nil)
        }
        guard let handler = replying[message.name] else { return (false, nil, nil) }
        let (reply, refusal) = await handler.userContentController(self, didReceive: message)
        return (true, reply, refusal)
    }
}

/// What a page posted.
@MainActor
@preconcurrency
open class WKScriptMessage: NSObject {
    /// Of types that JSON has.
    public let body: Any
    public let name: String
    open private(set) weak var webView: WKWebView?
    public let frameInfo: WKFrameInfo
    public let world = WKContentWorld.page

    init(_ body: Any, name: String, from webView: WKWebView, frame: WKFrameInfo) {
        (self.body, self.name, self.webView, frameInfo) = (body, name, webView, frame)
    }
}

/// Hears what pages post.
@MainActor
@preconcurrency
public protocol WKScriptMessageHandler: NSObjectProtocol {
    /// A page posted something.
    func userContentController(_ userContentController: WKUserContentController, didReceive message: WKScriptMessage)
}

/// Hears and answers what pages post.
@MainActor
@preconcurrency
public protocol WKScriptMessageHandlerWithReply: NSObjectProtocol {
    /// A page posted something and waits: the answer, or the text of a refusal.
    func userContentController(
        _ userContentController: WKUserContentController, didReceive message: WKScriptMessage
    ) async -> (Any?, String?)
}
