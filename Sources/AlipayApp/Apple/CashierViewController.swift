#if canImport(UIKit) && canImport(WebKit) && !os(watchOS)
    import Alipay
    import UIKit
    import WebKit

    /// The web cashier with a button to close it. Ends once: with the page's return URL, or with what the cashier says on closing.
    final class CashierViewController: UIViewController, WKNavigationDelegate {
        private let request: CashierRequest
        private var end: ((PaymentResult?) -> Void)?
        private let page = WKWebView()

        init(_ request: CashierRequest, end: @escaping (PaymentResult?) -> Void) {
            (self.request, self.end) = (request, end)
            super.init(nibName: nil, bundle: nil)
        }

        required init?(coder: NSCoder) { nil }

        override func loadView() {
            page.navigationDelegate = self
            view = page
            navigationItem.leftBarButtonItem = UIBarButtonItem(
                systemItem: .close, primaryAction: UIAction { [weak self] _ in Task { await self?.close() } })
            page.load(request.urlRequest)
        }

        func webView(_ webView: WKWebView, decidePolicyFor action: WKNavigationAction) async -> WKNavigationActionPolicy {
            guard let url = action.request.url, url.host == "safepay" else { return .allow }
            finish((try? SafepayURL(url.absoluteString))?.result)
            return .cancel
        }

        private func close() async {
            guard let closing = page.url.flatMap(request.closing) else { return finish(nil) }
            var question = URLRequest(url: closing)
            question.httpMethod = "POST"
            let answer = try? await URLSession.shared.data(for: question)
            finish(answer.flatMap { try? PaymentResult(text: String(decoding: $0.0, as: UTF8.self)) })
        }

        private func finish(_ reply: PaymentResult?) {
            dismiss(animated: true)
            end?(reply)
            end = nil
        }
    }
#endif
