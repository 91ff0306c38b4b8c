/// The scheme of an app, as an address begins with it.
enum AppScheme {
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
