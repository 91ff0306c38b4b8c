import Foundation
import Testing
import WebKitSimulator

struct WebKitSimulatorExample {
    // Example
    /// The shop's code, as it is on a phone: a wallet's link leaves the page for the wallet.
    final class CheckoutPage: NSObject, WKNavigationDelegate {
        let webView = WKWebView(frame: .zero, configuration: WKWebViewConfiguration())

        func open(_ address: URL) {
            webView.navigationDelegate = self
            webView.load(URLRequest(url: address))
        }

        func webView(
            _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
            decisionHandler: @escaping (WKNavigationActionPolicy) -> Void
        ) {
            guard let url = navigationAction.request.url, url.scheme == "weixin" else { return decisionHandler(.allow) }
            UIApplication.shared.open(url, options: [:], completionHandler: nil)
            decisionHandler(.cancel)
        }
    }

    /// A customer checks out on a phone with a wallet. Returns the links by which the app was left.
    @MainActor
    func checkOut() async -> [URL] {
        let phone = SimulatedScreen()
        phone.install(schemes: ["weixin"])
        let web = SimulatedWeb { _ in SimulatedPage("<title>Checkout</title>") }
        return await SimulatedScreen.$bound.withValue(phone) {
            let page = SimulatedWeb.$current.withValue(web) { CheckoutPage() }
            page.open(URL(string: "https://shop.example/checkout")!)
            await page.webView.settle()
            guard page.webView.title == "Checkout" else { return [] }
            page.webView.leavePage(for: URL(string: "weixin://wap/pay?prepayid=1")!)
            await page.webView.settle()
            return phone.openedLinks
        }
    }
    // End

    @MainActor @Test func example() async {
        #expect(await checkOut().map(\.absoluteString) == ["weixin://wap/pay?prepayid=1"])
    }
}
