import Alipay

/// What the merchant's app sent the customer here with.
struct AppSwitch: Sendable, Hashable {
    /// The whole order string, as the merchant made it.
    var order: String
    /// The scheme of the merchant's app.
    var scheme: String

    /// Reads the query of `alipay://alipayclient/?<percent-encoded JSON>` ; `nil` for anything else.
    init?(query: String) {
        guard let url = try? AppSwitchURL("alipay://alipayclient/?" + query), let scheme = url.returnScheme, Self.isScheme(scheme) else {
            return nil
        }
        order = url.order
        self.scheme = scheme
    }

    /// A letter, then letters, digits, `+`, `-` and `.` (RFC 3986, section 3.1), and none that a browser gives a meaning of its own.
    static func isScheme(_ text: String) -> Bool {
        guard (2...64).contains(text.utf8.count), let first = text.first, first.isASCII, first.isLetter,
            text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return false }
        return ![
            "http", "https", "javascript", "data", "file", "blob", "about", "vbscript", "ftp", "ws", "wss", "mailto", "tel", "sms",
            "view-source", "filesystem",
        ].contains(text.lowercased())
    }
}
