package import Foundation

/// Which addresses a client opens. They come from a page and from a server, so that none is trusted for its place alone.
package enum OpenableAddress {
    /// A page: https, or http on this machine in the sandbox.
    package static func isPage(_ url: URL, in environment: AlipayPlusEnvironment) -> Bool {
        guard let host = url.host?.lowercased(), !host.isEmpty, url.user == nil, url.password == nil else { return false }
        switch url.scheme?.lowercased() {
        case "https": return true
        case "http": return environment == .sandbox && ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host)
        default: return false
        }
    }

    /// A link into an app by a scheme of its own: none of a browser, and none of the system's that act without an app of a wallet.
    package static func isCustomScheme(_ url: URL) -> Bool { url.scheme.map { !systemSchemes.contains($0.lowercased()) } ?? false }

    private static let systemSchemes: Set<String> = [
        "http", "https", "file", "data", "javascript", "about", "blob", "ws", "wss", "ftp", "tel", "telprompt", "sms", "mailto", "facetime",
        "facetime-audio", "app-settings", "prefs", "itms", "itms-apps", "itms-appss", "itms-services", "shortcuts",
        "x-apple-data-detectors",
    ]
}
