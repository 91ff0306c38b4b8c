import UIKit
import WebKit

/// A page with a bar that shows how far it is, observed by key paths.
final class ProgressPage: UIViewController {
    let webView = WKWebView(frame: .zero, configuration: WKWebViewConfiguration())
    let bar = UIProgressView(progressViewStyle: .bar)
    private var observations: [NSKeyValueObservation] = []
    private(set) var log: [String] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(webView)
        view.addSubview(bar)
        observations = [
            webView.observe(\.estimatedProgress, options: [.new]) { [weak self] _, change in
                MainActor.assumeIsolated {
                    self?.bar.progress = Float(change.newValue ?? 0)
                    self?.bar.isHidden = change.newValue == 1
                }
            },
            webView.observe(\.title) { [weak self] webView, _ in
                MainActor.assumeIsolated { self?.title = webView.title }
            },
            webView.observe(\.url, options: [.old, .new]) { [weak self] _, change in
                let (old, new) = (change.oldValue??.path ?? "none", change.newValue??.path ?? "none")
                MainActor.assumeIsolated { self?.log.append("\(old) > \(new)") }
            },
            webView.observe(\.isLoading) { [weak self] webView, _ in
                MainActor.assumeIsolated { self?.log.append(webView.isLoading ? "loading" : "idle") }
            },
            webView.observe(\.canGoBack, options: .initial) { [weak self] webView, _ in
                MainActor.assumeIsolated { self?.log.append(webView.canGoBack ? "back" : "no way back") }
            },
            webView.observe(\.canGoForward) { [weak self] _, _ in MainActor.assumeIsolated { self?.log.append("forward") } },
        ]
    }

    func stopWatching() {
        for observation in observations { observation.invalidate() }
        observations = []
    }
}

/// As apps of before closures do it.
class OldProgressPage: UIViewController {
    let webView = WKWebView(frame: .zero, configuration: WKWebViewConfiguration())
    private(set) var log: [String] = []
    private var isWatching = false

    override func viewDidLoad() {
        super.viewDidLoad()
        webView.addObserver(self, forKeyPath: #keyPath(WKWebView.estimatedProgress), options: .new, context: nil)
        webView.addObserver(self, forKeyPath: "title", options: [.new, .old], context: nil)
        webView.addObserver(self, forKeyPath: #keyPath(WKWebView.isLoading), options: [], context: nil)
        isWatching = true
    }

    func stopWatching() {
        guard isWatching else { return }
        isWatching = false
        webView.removeObserver(self, forKeyPath: #keyPath(WKWebView.estimatedProgress))
        webView.removeObserver(self, forKeyPath: "title")
        webView.removeObserver(self, forKeyPath: #keyPath(WKWebView.isLoading), context: nil)
    }

    override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
    ) {
        if keyPath == #keyPath(WKWebView.estimatedProgress) {
            log.append("\(change?[.newKey] as? Double ?? -1)")
        } else if keyPath == "title" {
            title = change?[.newKey] as? String
        } else if keyPath == #keyPath(WKWebView.isLoading), let page = object as? WKWebView {
            log.append(page.isLoading ? "loading" : "idle")
        } else {
            super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
        }
    }
}
