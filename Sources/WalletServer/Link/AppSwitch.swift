import Alipay

/// What the merchant's app, or the super app's container, sent the customer here with.
struct AppSwitch: Sendable {
    var order: GatewayLink.OrderName
    /// The scheme of the merchant's app.
    var scheme: String

    /// Reads the query of `alipay://alipayclient/?<percent-encoded JSON>`, or the container's own `tradeNO=…&scheme=…` for a trade that the
    /// merchant has made; `nil` for anything else.
    init?(query: String) {
        if let (number, scheme) = Self.trade(query) {
            (order, self.scheme) = (.trade(number), scheme)
            return
        }
        guard let url = try? AppSwitchURL("alipay://alipayclient/?" + query), let scheme = url.returnScheme, Self.isScheme(scheme) else {
            return nil
        }
        order = .text(url.order)
        self.scheme = scheme
    }

    /// Letters and digits alone, so that nothing of it is escaped.
    private static func trade(_ query: String) -> (number: String, scheme: String)? {
        let pairs = query.split(separator: "&", omittingEmptySubsequences: false).map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        }
        guard pairs.count == 2, pairs.allSatisfy({ $0.count == 2 }), pairs[0][0] == "tradeNO", pairs[1][0] == "scheme",
            (1...64).contains(pairs[0][1].utf8.count), pairs[0][1].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }),
            isScheme(String(pairs[1][1]))
        else { return nil }
        return (String(pairs[0][1]), String(pairs[1][1]))
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
