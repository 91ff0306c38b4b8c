import UIKit
import WebKit

// A newer app: async decisions, a message handler that answers.

@MainActor
final class ModernCheckout: NSObject {
    enum Ending: Equatable {
        case left(for: String)
        case finished(URL)
        case failed(code: Int)
    }

    let webView: WKWebView
    private(set) var endings: [Ending] = []
    private let returnHost: String

    init(returnHost: String) {
        self.returnHost = returnHost
        webView = WKWebView(frame: .zero, configuration: WKWebViewConfiguration())
        super.init()
        webView.navigationDelegate = self
        webView.configuration.defaultWebpagePreferences.allowsContentJavaScript = true
        webView.configuration.userContentController.addScriptMessageHandler(self, contentWorld: .page, name: "wallet")
    }

    func open(_ html: String) { webView.loadHTMLString(html, baseURL: URL(string: "https://shop.example/")) }

    func pageTitle() async throws -> String? { try await webView.evaluateJavaScript("document.title") as? String }

    func back() { if webView.canGoBack { webView.goBack() } else { webView.reload() } }
}

extension ModernCheckout: WKNavigationDelegate {
    func webView(_ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction) async -> WKNavigationActionPolicy {
        guard let url = navigationAction.request.url else { return .cancel }
        switch url.scheme {
        case "http", "https", "about":
            guard url.host == returnHost else { return .allow }
            endings.append(.finished(url))
            return .cancel
        default:
            let opened = await UIApplication.shared.open(url)
            endings.append(.left(for: opened ? url.scheme ?? "" : "nowhere"))
            return .cancel
        }
    }

    func webView(_ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error) {
        endings.append(.failed(code: (error as NSError).code))
    }
}

extension ModernCheckout: WKScriptMessageHandlerWithReply {
    func userContentController(
        _ userContentController: WKUserContentController, didReceive message: WKScriptMessage
    ) async -> (Any?, String?) {
        guard let scheme = message.body as? String, let link = URL(string: scheme + "://") else { return (nil, "no scheme") }
        return (UIApplication.shared.canOpenURL(link), nil)
    }
}

/// A screen that only shows pages, and lets the system do the rest.
final class HelpViewController: UIViewController {
    let webView = WKWebView()

    override func loadView() { view = webView }

    func show(_ address: String) {
        guard let url = URL(string: address) else { return }
        webView.load(URLRequest(url: url))
    }
}

/// As today's header spells the handler.
final class StrictCheckout: NSObject, WKNavigationDelegate {
    var answers = 1
    var held: [() -> Void] = []

    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction, preferences: WKWebpagePreferences,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy, WKWebpagePreferences) -> Void
    ) {
        preferences.allowsContentJavaScript = false
        for _ in 0..<answers { decisionHandler(.allow, preferences) }
    }
}
