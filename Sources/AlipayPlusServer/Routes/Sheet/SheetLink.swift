/// Addresses that a page leads to, and that others named: no one of them may run in the page.
enum SheetLink {
    /// Schemes that a browser runs, or that show what is no merchant's and no wallet's.
    private static let refused: Set<String> = [
        "javascript", "vbscript", "data", "file", "blob", "about", "view-source", "filesystem", "chrome", "intent",
    ]

    /// An address, also one by an app's own scheme; nil where its scheme does something else than lead.
    static func any(_ url: String?) -> String? {
        guard let url, let scheme = scheme(of: url), !refused.contains(scheme) else { return nil }
        return url
    }

    /// A page's address.
    static func page(_ url: String?) -> String? {
        guard let url, let scheme = scheme(of: url), scheme == "https" || scheme == "http" else { return nil }
        return url
    }

    /// In small letters; RFC 3986, section 3.1.
    private static func scheme(of url: String) -> String? {
        guard let end = url.firstIndex(of: ":") else { return nil }
        let scheme = url[..<end].lowercased()
        guard let first = scheme.utf8.first, (0x61...0x7A).contains(first),
            scheme.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) })
        else { return nil }
        return scheme
    }
}
