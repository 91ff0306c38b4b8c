import AlipaySDK
import UIKit
import WebKit

/// A shop's checkout page in a web view. Links of wallets leave it; the page tells by a message how it ended.
class CashierViewController: UIViewController, WKNavigationDelegate, WKUIDelegate, WKScriptMessageHandler {
    static let walletSchemes = ["alipay", "alipays", "weixin", "upwrp", "uppaywallet"]

    private(set) var webView: WKWebView!
    private(set) var log: [String] = []
    private(set) var orderState: String?
    private(set) var resultCode: String?
    var address: URL?

    override func viewDidLoad() {
        super.viewDidLoad()
        let configuration = WKWebViewConfiguration()
        let contentController = WKUserContentController()
        let script = WKUserScript(source: "window.isApp = true", injectionTime: .atDocumentStart, forMainFrameOnly: true)
        contentController.addUserScript(script)
        contentController.add(self, name: "cashier")
        configuration.userContentController = contentController
        configuration.preferences.javaScriptCanOpenWindowsAutomatically = true
        configuration.websiteDataStore = WKWebsiteDataStore.nonPersistent()
        webView = WKWebView(frame: view.bounds, configuration: configuration)
        webView.navigationDelegate = self
        webView.uiDelegate = self
        webView.allowsBackForwardNavigationGestures = true
        view.addSubview(webView)
        if let address = address { webView.load(URLRequest(url: address)) }
    }

    func close() {
        webView.stopLoading()
        webView.configuration.userContentController.removeScriptMessageHandler(forName: "cashier")
    }

    // MARK: WKNavigationDelegate

    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping (WKNavigationActionPolicy) -> Void
    ) {
        guard let url = navigationAction.request.url, let scheme = url.scheme?.lowercased() else {
            decisionHandler(.allow)
            return
        }
        if AlipaySDK.defaultService().payInterceptor(
            withUrl: url.absoluteString, fromScheme: "leafweb",
            callback: { [weak self] result in
                self?.resultCode = result?["resultCode"] as? String
            })
        {
            decisionHandler(.cancel)
            return
        }
        if CashierViewController.walletSchemes.contains(scheme) {
            UIApplication.shared.open(url, options: [:]) { opened in
                if !opened { self.log.append("no app for \(scheme)") }
            }
            decisionHandler(.cancel)
            return
        }
        if navigationAction.navigationType == .linkActivated, navigationAction.targetFrame == nil {
            webView.load(navigationAction.request)
        }
        decisionHandler(.allow)
    }

    func webView(
        _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse,
        decisionHandler: @escaping (WKNavigationResponsePolicy) -> Void
    ) {
        if let response = navigationResponse.response as? HTTPURLResponse, response.statusCode >= 400 {
            log.append("status \(response.statusCode)")
            decisionHandler(.cancel)
            return
        }
        decisionHandler(navigationResponse.canShowMIMEType ? .allow : .cancel)
    }

    func webView(_ webView: WKWebView, didStartProvisionalNavigation navigation: WKNavigation!) {
        log.append("started \(webView.isLoading)")
    }

    func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!) { log.append("committed") }

    func webView(_ webView: WKWebView, didReceiveServerRedirectForProvisionalNavigation navigation: WKNavigation!) {
        log.append("redirected")
    }

    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {
        title = webView.title
        log.append("finished \(webView.estimatedProgress)")
        webView.evaluateJavaScript("document.title") { value, error in
            self.log.append("title \(value as? String ?? "none") \(error == nil)")
        }
    }

    func webView(_ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: Error) {
        let error = error as NSError
        log.append("failed \(error.domain) \(error.code)")
    }

    func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: Error) { log.append("broke off") }

    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
        log.append("process ended")
        if let address = address { webView.load(URLRequest(url: address)) }
    }

    // MARK: WKUIDelegate

    func webView(
        _ webView: WKWebView, createWebViewWith configuration: WKWebViewConfiguration, for navigationAction: WKNavigationAction,
        windowFeatures: WKWindowFeatures
    ) -> WKWebView? {
        nil
    }

    func webView(
        _ webView: WKWebView, runJavaScriptAlertPanelWithMessage message: String, initiatedByFrame frame: WKFrameInfo,
        completionHandler: @escaping () -> Void
    ) {
        let alert = UIAlertController(title: nil, message: message, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "OK", style: .default, handler: { _ in completionHandler() }))
        present(alert, animated: true, completion: nil)
    }

    func webView(
        _ webView: WKWebView, runJavaScriptConfirmPanelWithMessage message: String, initiatedByFrame frame: WKFrameInfo,
        completionHandler: @escaping (Bool) -> Void
    ) {
        let alert = UIAlertController(title: frame.securityOrigin.host, message: message, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "Yes", style: .default, handler: { _ in completionHandler(true) }))
        alert.addAction(UIAlertAction(title: "No", style: .cancel, handler: { _ in completionHandler(false) }))
        present(alert, animated: true, completion: nil)
    }

    // MARK: WKScriptMessageHandler

    func userContentController(_ userContentController: WKUserContentController, didReceive message: WKScriptMessage) {
        guard message.name == "cashier", let body = message.body as? [String: Any] else { return }
        orderState = body["state"] as? String
    }
}
