import BillfoldConcurrency
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where a web view is to go, and why.
struct Step: Sendable {
    var request: URLRequest
    var type = WKNavigationType.other
    /// What is shown without asking the web.
    var content: SimulatedPage?
    /// The place in the history that is gone to.
    var place: Int?
}

extension WKWebView {
    /// The domain of what WebKit itself ends [O].
    private static let webKitDomain = "WebKitErrorDomain"
    /// "Frame load interrupted" [O].
    private static let interrupted = 102
    private static let redirectLimit = 20
    /// What a web view shows by itself.
    private static let ownSchemes: Set<String> = ["http", "https", "about", "data", "file", "blob"]

    @discardableResult
    func start(_ step: Step, isOfTheApp: Bool = false) -> WKNavigation? {
        let navigation = WKNavigation()
        begin(navigation, asking: isOfTheApp ? step.request.url : nil)
        Task { @MainActor in
            await go(step, navigation)
            end(navigation)
            done()
        }
        return navigation
    }

    /// The frame that a navigation begins in.
    var mainFrame: WKFrameInfo { WKFrameInfo(URLRequest(url: backForwardList.currentItem?.url ?? URL(string: "about:blank")!), in: self) }

    private func go(_ step: Step, _ navigation: WKNavigation) async {
        let action = WKNavigationAction(step.request, step.type, from: mainFrame, into: mainFrame)
        guard await mayGo(action), current === navigation else { return }
        var request = step.request
        started()
        navigationDelegate?.webView(self, didStartProvisionalNavigation: navigation)
        for _ in 0..<Self.redirectLimit {
            guard current === navigation else { return }
            guard let url = request.url, Self.ownSchemes.contains(url.scheme?.lowercased() ?? "") else {
                return fail(navigation, code: NSURLErrorUnsupportedURL, at: request.url)
            }
            let page: SimulatedPage
            do {
                page = try await answer(step, request)
            } catch {
                if current === navigation { fail(navigation, error as NSError) }
                return
            }
            guard current === navigation else { return }
            guard let target = page.redirect else { return await show(page, at: url, of: step, navigation) }
            request = URLRequest(url: target)
            guard await mayGo(WKNavigationAction(request, .other, from: mainFrame, into: mainFrame)) else {
                if current === navigation { fail(navigation, code: Self.interrupted, of: Self.webKitDomain, at: target) }
                return
            }
            guard current === navigation else { return }
            navigationDelegate?.webView(self, didReceiveServerRedirectForProvisionalNavigation: navigation)
        }
        fail(navigation, code: NSURLErrorHTTPTooManyRedirects, at: request.url)
    }

    private func answer(_ step: Step, _ request: URLRequest) async throws -> SimulatedPage {
        if let content = step.content { return content }
        if request.url?.scheme == "about" { return SimulatedPage("") }
        return try await web.answer(request)
    }

    private func show(_ page: SimulatedPage, at url: URL, of step: Step, _ navigation: WKNavigation) async {
        guard await mayShow(WKNavigationResponse(Self.response(page, at: url))) else {
            if current === navigation { fail(navigation, code: Self.interrupted, of: Self.webKitDomain, at: url) }
            return
        }
        guard current === navigation else { return }
        if let place = step.place {
            backForwardList.place = place
            backForwardList.currentItem?.title = page.title
        } else if step.content == nil {
            backForwardList.add(WKBackForwardListItem(url, initialURL: step.request.url ?? url, title: page.title))
        }
        commit(url, title: page.title)
        navigationDelegate?.webView(self, didCommit: navigation)
        guard current === navigation else { return }
        arrived()
        end(navigation)
        navigationDelegate?.webView(self, didFinish: navigation)
    }

    private static func response(_ page: SimulatedPage, at url: URL) -> URLResponse {
        if ["http", "https"].contains(url.scheme?.lowercased()),
            let response = HTTPURLResponse(
                url: url, statusCode: page.status, httpVersion: "HTTP/1.1", headerFields: ["Content-Type": page.mimeType])
        {
            return response
        }
        return URLResponse(url: url, mimeType: page.mimeType, expectedContentLength: page.html.utf8.count, textEncodingName: "utf-8")
    }

    private func fail(_ navigation: WKNavigation, code: Int, of domain: String = NSURLErrorDomain, at url: URL?) {
        var facts: [String: Any] = [:]
        facts[NSURLErrorFailingURLErrorKey] = url
        fail(navigation, NSError(domain: domain, code: code, userInfo: facts))
    }

    private func fail(_ navigation: WKNavigation, _ error: NSError) {
        end(navigation)
        navigationDelegate?.webView(self, didFailProvisionalNavigation: navigation, withError: error)
    }

    // MARK: Decisions

    /// Asks the delegate. Without one, or without the method, what the view cannot show itself is handed to another app.
    func mayGo(_ action: WKNavigationAction) async -> Bool {
        guard let policy = await policy(for: action) else {
            guard let url = action.request.url, !Self.ownSchemes.contains(url.scheme?.lowercased() ?? "") else { return true }
            _ = await UIApplication.shared.open(url)
            return false
        }
        return policy == .allow
    }

    private func policy(for action: WKNavigationAction) async -> WKNavigationActionPolicy? {
        guard let delegate = navigationDelegate else { return nil }
        let preferences = configuration.defaultWebpagePreferences ?? WKWebpagePreferences()
        let isolated: any WKIsolatedNavigationDelegate = delegate
        let forms: [Question<WKNavigationActionPolicy>] = [
            { reply in
                let handler: @MainActor @Sendable (WKNavigationActionPolicy, WKWebpagePreferences) -> Void = { policy, _ in reply(policy) }
                isolated.webView(self, decidePolicyFor: action, preferences: preferences, decisionHandler: handler)
            },
            { reply in
                let handler: @Sendable (WKNavigationActionPolicy, WKWebpagePreferences) -> Void = { policy, _ in reply(policy) }
                delegate.webView(self, decidePolicyFor: action, preferences: preferences, decisionHandler: handler)
            },
            { reply in
                let handler: @MainActor @Sendable (WKNavigationActionPolicy) -> Void = { reply($0) }
                isolated.webView(self, decidePolicyFor: action, decisionHandler: handler)
            },
            { delegate.webView(self, decidePolicyFor: action, decisionHandler: $0) },
        ]
        if let given = await ask(forms, orElse: .cancel) { return given }
        isDefaultReached = false
        let given = await delegate.webView(self, decidePolicyFor: action)
        return isDefaultReached ? nil : given
    }

    private func mayShow(_ response: WKNavigationResponse) async -> Bool {
        guard let delegate = navigationDelegate else { return response.canShowMIMEType }
        let isolated: any WKIsolatedNavigationDelegate = delegate
        let forms: [Question<WKNavigationResponsePolicy>] = [
            { reply in
                let handler: @MainActor @Sendable (WKNavigationResponsePolicy) -> Void = { reply($0) }
                isolated.webView(self, decidePolicyFor: response, decisionHandler: handler)
            },
            { delegate.webView(self, decidePolicyFor: response, decisionHandler: $0) },
        ]
        if let given = await ask(forms, orElse: .cancel) { return given == .allow }
        isDefaultReached = false
        let given = await delegate.webView(self, decidePolicyFor: response)
        return isDefaultReached ? response.canShowMIMEType : given == .allow
    }

    /// Calls a delegate's method with a handler.
    typealias Question<Answer> = (@escaping @Sendable (Answer) -> Void) -> Void

    /// Asks by the first form of a method that the delegate has, and waits for what its handler is given.
    ///
    /// - Parameters:
    ///   - forms: The newest first.
    ///   - refusal: What a question means that nobody answers.
    /// - Returns: Nil where the delegate has none of them.
    func ask<Answer: Sendable>(_ forms: [Question<Answer>], orElse refusal: Answer) async -> Answer? {
        for form in forms {
            isDefaultReached = false
            var isMissing = false
            let given: Answer? = await withCheckedContinuation { continuation in
                let reply = PolicyReply(continuation) { [weak self] fault in
                    MainThread.soon { self?.record(fault, "the handler of a delegate's method") }
                }
                form { reply.give($0) }
                guard isDefaultReached else { return }
                isMissing = true
                reply.abandon()
            }
            if !isMissing { return given ?? refusal }
        }
        return nil
    }
}

/// Takes the first answer to one question, from whatever thread it comes.
private final class PolicyReply<Policy: Sendable>: Sendable {
    private let waiting: Locked<CheckedContinuation<Policy?, Never>?>
    private let tell: @Sendable (WebViewFault.Code) -> Void

    init(_ continuation: CheckedContinuation<Policy?, Never>, tell: @escaping @Sendable (WebViewFault.Code) -> Void) {
        waiting = Locked(continuation)
        self.tell = tell
    }

    // Nobody can answer any more.
    deinit {
        guard let continuation = take() else { return }
        tell(.unanswered)
        continuation.resume(returning: nil)
    }

    private func take() -> CheckedContinuation<Policy?, Never>? {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
    }

    func give(_ policy: Policy) {
        guard let continuation = take() else { return tell(.answeredTwice) }
        continuation.resume(returning: policy)
    }

    func abandon() { take()?.resume(returning: nil) }
}
