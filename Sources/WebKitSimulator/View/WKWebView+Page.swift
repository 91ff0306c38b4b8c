public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// MARK: The page and the customer

/// What a page and the customer before it do; none of it is WebKit's.
extension WKWebView {
    /// The customer taps a link of the page.
    ///
    /// - Parameters:
    ///   - url: Where it leads.
    ///   - inNewWindow: Whether it wants a window of its own: then the app is asked for one.
    public func tapLink(_ url: URL, inNewWindow: Bool = false) {
        guard inNewWindow else {
            start(Step(request: URLRequest(url: url), type: .linkActivated))
            return
        }
        let action = WKNavigationAction(URLRequest(url: url), .linkActivated, from: mainFrame, into: nil)
        Task { @MainActor in
            guard await mayGo(action) else { return }
            let window = uiDelegate?.webView(self, createWebViewWith: configuration, for: action, windowFeatures: WKWindowFeatures())
            // The view that the app made is taken there; one that loads by itself already is left alone.
            if let window, window !== self, window.current == nil { window.load(action.request) }
        }
    }

    /// A script of the page leaves for another address, as a checkout does for a wallet's scheme.
    public func leavePage(for url: URL) { start(Step(request: URLRequest(url: url))) }

    /// A script of the page posts something to the app: `webkit.messageHandlers.NAME.postMessage(BODY)`.
    ///
    /// - Parameters:
    ///   - body: Of types that JSON has.
    ///   - name: The handler's.
    /// - Returns: What a handler with an answer gave, or nil; what it refused is thrown, as the page's promise is.
    @discardableResult
    public func post(_ body: Any, to name: String) async throws -> Any? {
        let message = WKScriptMessage(body, name: name, from: self, frame: mainFrame)
        let (isHeard, reply, refusal) = await configuration.userContentController.deliver(message)
        if !isHeard { record(.messageUnheard, name) }
        if let refusal { throw MessageRefusal(text: refusal) }
        return reply
    }

    /// The page says something, and goes on when the customer has read it. Without the method nobody reads it.
    public func sayInPage(_ message: String) async {
        guard let uiDelegate else { return }
        let isolated: any WKIsolatedUIDelegate = uiDelegate
        let frame = mainFrame
        let forms: [Question<Bool>] = [
            { done in
                let handler: @MainActor @Sendable () -> Void = { done(true) }
                isolated.webView(
                    self, runJavaScriptAlertPanelWithMessage: message, initiatedByFrame: frame, completionHandler: handler)
            },
            { done in
                let handler: @Sendable () -> Void = { done(true) }
                uiDelegate.webView(
                    self, runJavaScriptAlertPanelWithMessage: message, initiatedByFrame: frame, completionHandler: handler)
            },
        ]
        _ = await ask(forms, orElse: false)
    }

    /// The page asks yes or no. Without the method it is no.
    public func confirmInPage(_ message: String) async -> Bool {
        guard let uiDelegate else { return false }
        let isolated: any WKIsolatedUIDelegate = uiDelegate
        let frame = mainFrame
        let forms: [Question<Bool>] = [
            { answer in
                let handler: @MainActor @Sendable (Bool) -> Void = { answer($0) }
                isolated.webView(
                    self, runJavaScriptConfirmPanelWithMessage: message, initiatedByFrame: frame, completionHandler: handler)
            },
            { uiDelegate.webView(self, runJavaScriptConfirmPanelWithMessage: message, initiatedByFrame: frame, completionHandler: $0) },
        ]
        return await ask(forms, orElse: false) ?? false
    }

    /// The page asks for a text. Without the method there is none.
    public func promptInPage(_ prompt: String, defaultText: String? = nil) async -> String? {
        guard let uiDelegate else { return nil }
        let isolated: any WKIsolatedUIDelegate = uiDelegate
        let frame = mainFrame
        let forms: [Question<String?>] = [
            { answer in
                let handler: @MainActor @Sendable (String?) -> Void = { answer($0) }
                isolated.webView(
                    self, runJavaScriptTextInputPanelWithPrompt: prompt, defaultText: defaultText, initiatedByFrame: frame,
                    completionHandler: handler)
            },
            {
                uiDelegate.webView(
                    self, runJavaScriptTextInputPanelWithPrompt: prompt, defaultText: defaultText, initiatedByFrame: frame,
                    completionHandler: $0)
            },
        ]
        return await ask(forms, orElse: nil) ?? nil
    }

    /// The page closes its window.
    public func closeFromPage() { uiDelegate?.webViewDidClose(self) }

    /// The page's process ends, as the system ends it when memory is short: the page is gone, and the app hears it.
    public func endProcess() {
        stopLoading()
        forgetPage()
        navigationDelegate?.webViewWebContentProcessDidTerminate(self)
    }
}

/// What an app's handler answered a page's message with, where it refused it.
public struct MessageRefusal: Error, Sendable, Hashable {
    public var text: String
}
