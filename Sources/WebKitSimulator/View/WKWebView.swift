import BillfoldConcurrency
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A web view without a page: it goes where its delegate lets it, tells how that went, and keeps address, title and history.
///
/// Who answers its requests is ``SimulatedWeb``. What the customer and the page do is played by the methods under "The page
/// and the customer".
@MainActor
@preconcurrency
open class WKWebView: UIView {
    public let configuration: WKWebViewConfiguration
    /// What the page scrolls in. It keeps what the app sets, and holds what the app puts in it; a page has no size here.
    public let scrollView: UIScrollView
    open weak var navigationDelegate: (any WKNavigationDelegate)?
    open weak var uiDelegate: (any WKUIDelegate)?
    open private(set) var backForwardList = WKBackForwardList()
    open private(set) var title: String? = ""
    open private(set) var isLoading = false
    /// 0.1 on the way, 1 when the page is there: it is told at the beginning, at the end and where a navigation fails, and not in between.
    open private(set) var estimatedProgress = 0.0
    open var customUserAgent: String?
    open var allowsBackForwardNavigationGestures = false
    open var allowsLinkPreview = true
    open var isInspectable = false
    /// What the app did wrong with this view, in order.
    public private(set) var faults: [WebViewFault] = []
    /// The scripts that the app ran, in order.
    public private(set) var evaluatedScripts: [String] = []

    let web: SimulatedWeb
    /// Set by the delegates' default implementations: the delegate has no such method.
    var isDefaultReached = false
    private(set) var current: WKNavigation?
    private(set) var hasStarted = false
    private var pendingURL: URL?
    private var committedURL: URL?
    private var running = 0
    private var settling: [CheckedContinuation<Void, Never>] = []

    public init(frame: CGRect, configuration: WKWebViewConfiguration) {
        self.configuration = configuration
        web = SimulatedWeb.current
        scrollView = UIScrollView(frame: CGRect(origin: .zero, size: frame.size))
        super.init(frame: frame)
        addSubview(scrollView)
        observers.know([
            "estimatedProgress": { [weak self] in self?.estimatedProgress }, "title": { [weak self] in self?.title },
            "URL": { [weak self] in self?.url }, "loading": { [weak self] in self?.isLoading },
            "canGoBack": { [weak self] in self?.canGoBack }, "canGoForward": { [weak self] in self?.canGoForward },
            "hasOnlySecureContent": { [weak self] in self?.hasOnlySecureContent },
        ])
    }

    public override convenience init(frame: CGRect) { self.init(frame: frame, configuration: WKWebViewConfiguration()) }

    public convenience init() { self.init(frame: .zero) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// What the app asked for, until that fails; then the page that is shown.
    open var url: URL? { pendingURL ?? committedURL }

    /// Whether the page came by `https`.
    open var hasOnlySecureContent: Bool { committedURL?.scheme == "https" }

    open var canGoBack: Bool { backForwardList.backItem != nil }
    open var canGoForward: Bool { backForwardList.forwardItem != nil }

    // MARK: Going somewhere

    /// Goes to an address.
    @discardableResult
    open func load(_ request: URLRequest) -> WKNavigation? { start(Step(request: request), isOfTheApp: true) }

    /// Shows a text as a page.
    @discardableResult
    open func loadHTMLString(_ string: String, baseURL: URL?) -> WKNavigation? {
        let request = URLRequest(url: baseURL ?? URL(string: "about:blank")!)
        return start(Step(request: request, content: SimulatedPage(string)), isOfTheApp: true)
    }

    /// Shows bytes as a page, read as UTF-8.
    @discardableResult
    open func load(_ data: Data, mimeType MIMEType: String, characterEncodingName: String, baseURL: URL) -> WKNavigation? {
        let page = SimulatedPage(String(decoding: data, as: UTF8.self), mimeType: MIMEType)
        return start(Step(request: URLRequest(url: baseURL), content: page), isOfTheApp: true)
    }

    /// Shows a file. The web is asked for its address.
    @discardableResult
    open func loadFileURL(_ URL: URL, allowingReadAccessTo readAccessURL: URL) -> WKNavigation? { load(URLRequest(url: URL)) }

    /// Loads the page again; nil without one.
    @discardableResult
    open func reload() -> WKNavigation? {
        committedURL.flatMap { start(Step(request: URLRequest(url: $0), type: .reload, place: backForwardList.place)) }
    }

    /// As ``reload()``: nothing is cached here.
    @discardableResult
    open func reloadFromOrigin() -> WKNavigation? { reload() }

    /// Goes to the page before; nil without one.
    @discardableResult
    open func goBack() -> WKNavigation? { backForwardList.backItem.flatMap(go(to:)) }

    /// Goes to the page after; nil without one.
    @discardableResult
    open func goForward() -> WKNavigation? { backForwardList.forwardItem.flatMap(go(to:)) }

    /// Goes to a page of the history; nil for one that is not in it.
    @discardableResult
    open func go(to item: WKBackForwardListItem) -> WKNavigation? {
        guard let place = backForwardList.items.firstIndex(where: { $0 === item }) else { return nil }
        return start(Step(request: URLRequest(url: item.url), type: .backForward, place: place))
    }

    /// Ends what is on its way.
    open func stopLoading() { supersede() }

    // MARK: Scripts

    /// Runs a script in the page, by ``SimulatedWeb/script``.
    open func evaluateJavaScript(
        _ javaScriptString: String, completionHandler: (@MainActor @Sendable (Any?, (any Error)?) -> Void)? = nil
    ) {
        let result = Result { try run(javaScriptString) }
        let value = HandedOver(result)
        Task { @MainActor in
            switch value.value {
            case .success(let given): completionHandler?(given, nil)
            case .failure(let error): completionHandler?(nil, error)
            }
        }
    }

    /// As ``evaluateJavaScript(_:completionHandler:)``. What the script throws is thrown.
    @discardableResult
    open func evaluateJavaScript(_ javaScriptString: String) async throws -> Any? { try run(javaScriptString) }

    private func run(_ source: String) throws -> Any? {
        evaluatedScripts.append(source)
        if let script = web.script { return try script(source, committedURL) }
        switch source.trimmingCharacters(in: CharacterSet(charactersIn: "; \n")) {
        case "document.title": return title
        case "document.URL", "location.href", "window.location.href", "document.location.href": return committedURL?.absoluteString
        case "document.readyState": return isLoading ? "loading" : "complete"
        default: throw WKError(.javaScriptExceptionOccurred)
        }
    }

    // MARK: For the navigations

    func begin(_ navigation: WKNavigation, asking url: URL?) {
        supersede()
        (current, hasStarted, pendingURL) = (navigation, false, url)
        (isLoading, estimatedProgress) = (true, 0.1)
        running += 1
        observers.tell()
    }

    func started() { hasStarted = true }

    /// Shows a page that the history has already.
    func commit(_ url: URL, title: String) {
        (committedURL, pendingURL, self.title) = (url, nil, title)
        observers.tell()
    }

    func end(_ navigation: WKNavigation) {
        guard current === navigation else { return }
        (current, pendingURL, isLoading, hasStarted) = (nil, nil, false, false)
        if estimatedProgress < 1 { estimatedProgress = 0 }
        observers.tell()
    }

    func arrived() { estimatedProgress = 1 }

    /// Another navigation, or the app, ends the one that is on its way.
    private func supersede() {
        guard let old = current else { return }
        let wasStarted = hasStarted
        end(old)
        guard wasStarted else { return }
        navigationDelegate?.webView(
            self, didFailProvisionalNavigation: old, withError: NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled))
    }

    func done() {
        running -= 1
        guard running == 0 else { return }
        let waiting = settling
        settling = []
        for continuation in waiting { continuation.resume() }
    }

    func record(_ code: WebViewFault.Code, _ reason: String) { faults.append(WebViewFault(code: code, reason: reason)) }

    func forgetPage() {
        (committedURL, title, estimatedProgress) = (nil, "", 0)
        observers.tell()
    }

    /// Returns when no navigation is on its way.
    public func settle() async {
        guard running > 0 else { return }
        await withCheckedContinuation { settling.append($0) }
    }
}

/// Something an app did with a web view that goes wrong on a device.
public struct WebViewFault: Sendable, Hashable, Codable {
    /// A stable code.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(stringLiteral value: String) { rawValue = value }

        /// A handler was let go without an answer: the app crashes on a device. Here the answer is no.
        public static let unanswered: Self = "decision-unanswered"
        /// A handler was called a second time: the app crashes on a device. Here the first answer counts.
        public static let answeredTwice: Self = "decision-answered-twice"
        /// A page posted to a name that nobody hears.
        public static let messageUnheard: Self = "message-unheard"
    }

    public var code: Code
    public var reason: String
}

public let WKErrorDomain = "WKErrorDomain"

/// What goes wrong with a web view, apart from the network.
public struct WKError: Error, Sendable, Hashable {
    /// The numbers in ``WKErrorDomain``.
    public enum Code: Int, Sendable {
        case unknown = 1
        case webContentProcessTerminated, webViewInvalidated, javaScriptExceptionOccurred, javaScriptResultTypeIsUnsupported
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }

    public static let javaScriptExceptionOccurred = Code.javaScriptExceptionOccurred
}

extension WKError: CustomNSError {
    public static var errorDomain: String { WKErrorDomain }
    public var errorCode: Int { code.rawValue }
}
