#if canImport(UIKit) && canImport(WebKit) && !os(watchOS)
    import AlipayPlusValues
    import UIKit
    import WebKit

    /// The sheet's page. Its main frame stays at its own origin, and only that frame is heard.
    final class SheetViewController: UIViewController, WKNavigationDelegate, WKScriptMessageHandler {
        private let request: SheetRequest
        private let hear: @MainActor (SheetNews) -> Void
        private let page = WKWebView()

        init(_ request: SheetRequest, hear: @escaping @MainActor (SheetNews) -> Void) {
            (self.request, self.hear) = (request, hear)
            super.init(nibName: nil, bundle: nil)
        }

        required init?(coder: NSCoder) { nil }

        override func loadView() {
            page.configuration.userContentController.add(self, name: SheetMessage.handlerName)
            page.navigationDelegate = self
            page.isOpaque = false
            view = page
            page.load(URLRequest(url: request.address))
        }

        // The page holds its host until it is told not to.
        override func viewDidDisappear(_ animated: Bool) {
            super.viewDidDisappear(animated)
            page.configuration.userContentController.removeAllScriptMessageHandlers()
        }

        func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
            let origin = message.frameInfo.securityOrigin
            guard message.frameInfo.isMainFrame, let text = message.body as? String,
                request.isOfSheet(scheme: origin.protocol, host: origin.host, port: origin.port)
            else { return }
            hear(.message(text))
        }

        func webView(_ webView: WKWebView, decidePolicyFor action: WKNavigationAction) async -> WKNavigationActionPolicy {
            action.request.url.map(request.isOfSheet) ?? false ? .allow : .cancel
        }

        func webView(_ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation?, withError error: any Error) {
            hear(.unreachable("the sheet's page did not load"))
        }
    }
#endif
