/// Decides where a web view goes, and hears how it went. Every decision is due, exactly once.
///
/// WebKit's optional methods are requirements with default implementations here; one that is left to its default is not called. Of the
/// forms of one decision the one with preferences goes before the one without, and the form with a handler before the one with `async`.
@MainActor
@preconcurrency
public protocol WKNavigationDelegate: WKIsolatedNavigationDelegate {
    /// May the web view go there?
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @Sendable (WKNavigationActionPolicy) -> Void)

    /// May the web view go there, and how is it to show the page?
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction, preferences: WKWebpagePreferences,
        decisionHandler: @escaping @Sendable (WKNavigationActionPolicy, WKWebpagePreferences) -> Void)

    /// May the web view go there?
    func webView(_ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction) async -> WKNavigationActionPolicy

    /// May it show what was answered?
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse,
        decisionHandler: @escaping @Sendable (WKNavigationResponsePolicy) -> Void)

    /// May it show what was answered?
    func webView(_ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse) async -> WKNavigationResponsePolicy

    /// The request is on its way.
    func webView(_ webView: WKWebView, didStartProvisionalNavigation navigation: WKNavigation!)
    /// The server sends the web view elsewhere.
    func webView(_ webView: WKWebView, didReceiveServerRedirectForProvisionalNavigation navigation: WKNavigation!)
    /// Nothing came of it; the page before is still there.
    func webView(_ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error)
    /// The page is there in part.
    func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!)
    /// The page is there.
    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!)
    /// The page broke off. Never called here: a page is answered whole.
    func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error)
    /// The page's process ended (``WKWebView/endProcess()``): load it again.
    func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
}

// What stands for WebKit's optional methods.
extension WKNavigationDelegate {
    public func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @Sendable (WKNavigationActionPolicy) -> Void
    ) {
        webView.isDefaultReached = true
    }

    public func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction, preferences: WKWebpagePreferences,
        decisionHandler: @escaping @Sendable (WKNavigationActionPolicy, WKWebpagePreferences) -> Void
    ) {
        webView.isDefaultReached = true
    }

    public func webView(_ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction) async -> WKNavigationActionPolicy {
        webView.isDefaultReached = true
        return .allow
    }

    public func webView(
        _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse,
        decisionHandler: @escaping @Sendable (WKNavigationResponsePolicy) -> Void
    ) {
        webView.isDefaultReached = true
    }

    public func webView(
        _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse
    ) async -> WKNavigationResponsePolicy {
        webView.isDefaultReached = true
        return .allow
    }

    public func webView(_ webView: WKWebView, didStartProvisionalNavigation navigation: WKNavigation!) {}
    public func webView(_ webView: WKWebView, didReceiveServerRedirectForProvisionalNavigation navigation: WKNavigation!) {}
    public func webView(_ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error) {}
    public func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!) {}
    public func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {}
    public func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error) {}
    public func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {}
}

/// Does for a page what only the app can: windows and questions. Every handler is due, exactly once. As in ``WKNavigationDelegate``, a
/// method that is left to its default is not called.
@MainActor
@preconcurrency
public protocol WKUIDelegate: WKIsolatedUIDelegate {
    /// A link wants a window of its own. Nil, as without the method: nothing opens.
    func webView(
        _ webView: WKWebView, createWebViewWith configuration: WKWebViewConfiguration, for navigationAction: WKNavigationAction,
        windowFeatures: WKWindowFeatures
    ) -> WKWebView?

    /// The page closed its window.
    func webViewDidClose(_ webView: WKWebView)

    /// The page says something. Without the method it is not shown.
    func webView(
        _ webView: WKWebView, runJavaScriptAlertPanelWithMessage message: String, initiatedByFrame frame: WKFrameInfo,
        completionHandler: @escaping @Sendable () -> Void)

    /// The page asks yes or no. Without the method it is no.
    func webView(
        _ webView: WKWebView, runJavaScriptConfirmPanelWithMessage message: String, initiatedByFrame frame: WKFrameInfo,
        completionHandler: @escaping @Sendable (Bool) -> Void)

    /// The page asks for a text. Without the method there is none.
    func webView(
        _ webView: WKWebView, runJavaScriptTextInputPanelWithPrompt prompt: String, defaultText: String?,
        initiatedByFrame frame: WKFrameInfo, completionHandler: @escaping @Sendable (String?) -> Void)
}

extension WKUIDelegate {
    public func webView(
        _ webView: WKWebView, createWebViewWith configuration: WKWebViewConfiguration, for navigationAction: WKNavigationAction,
        windowFeatures: WKWindowFeatures
    ) -> WKWebView? { nil }

    public func webViewDidClose(_ webView: WKWebView) {}

    public func webView(
        _ webView: WKWebView, runJavaScriptAlertPanelWithMessage message: String, initiatedByFrame frame: WKFrameInfo,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        webView.isDefaultReached = true
    }

    public func webView(
        _ webView: WKWebView, runJavaScriptConfirmPanelWithMessage message: String, initiatedByFrame frame: WKFrameInfo,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        webView.isDefaultReached = true
    }

    public func webView(
        _ webView: WKWebView, runJavaScriptTextInputPanelWithPrompt prompt: String, defaultText: String?,
        initiatedByFrame frame: WKFrameInfo, completionHandler: @escaping @Sendable (String?) -> Void
    ) {
        webView.isDefaultReached = true
    }
}
