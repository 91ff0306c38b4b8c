import BillfoldDiagnosis
import MiniPrograms
import PaymentCrypto

/// A page for a web view or of an HTML5 mini program: whether it brings the script without which it has no `my`
/// (mini-programs.md#web-view).
struct WebPageExamination {
    let name: String
    /// The interfaces that the page calls.
    let calls: [String]
    private let hasScript: Bool

    /// Nil where the file is no page, or calls nothing of `my`.
    init?(_ name: String, _ bytes: [UInt8]) {
        guard bytes.count <= 1 << 20, let text = String(utf8: bytes) else { return nil }
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(64).lowercased()
        guard start.hasPrefix("<!doctype html") || start.hasPrefix("<html") else { return nil }
        let known = Set(
            JSAPICatalogue.standard.interfaces.values.filter { $0.surfaces.contains(.webPage) }.map(\.name))
        var calls: [String] = []
        for hit in text.matches(of: /\bmy\.([A-Za-z]+)\s*\(/) where known.contains(String(hit.1)) && !calls.contains(String(hit.1)) {
            calls.append(String(hit.1))
        }
        guard !calls.isEmpty else { return nil }
        self.name = name
        self.calls = calls
        hasScript = text.contains(#/<script[^>]*\ssrc\s*=\s*["']?[^"'>]*(appx/web-view|hylid-bridge)/#) || text.contains("AlipayJSBridge")
    }

    func findings() -> [Finding] {
        guard !hasScript else { return [] }
        return [
            Finding(
                code: "mini-program.web-page-script", subject: name,
                cause: "The page calls my and does not load the bridge's script: my is not defined there.",
                evidence: [.init("calls", calls.prefix(8).joined(separator: ", "))],
                mend: "Load https://appx/web-view.min.js before the page's own scripts.")
        ]
    }
}
