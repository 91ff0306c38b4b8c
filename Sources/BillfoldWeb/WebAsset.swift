/// One file that pages load: a style sheet, a script or a picture.
package struct WebAsset: Sendable, Hashable {
    /// For the `Content-Type` header, with its charset where it is text.
    package let contentType: String
    package let bytes: [UInt8]

    /// A strong entity tag in its quotes: 64-bit FNV-1a over the bytes, and their number. It tells versions of our own
    /// files apart and protects nothing.
    package let entityTag: String

    init(contentType: String, bytes: [UInt8]) {
        self.contentType = contentType
        self.bytes = bytes
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        entityTag = "\"\(String(hash, radix: 36))-\(bytes.count)\""
    }
}

/// Everything pages load, to be served under `/assets/` of the page's own origin.
///
/// The pages carry no inline script or style and name no other origin, so they work under
/// ``contentSecurityPolicy``; those with frames under ``framingPolicy(_:)``.
package enum WebAssets {
    /// What a listener that serves these pages should send.
    package static let contentSecurityPolicy =
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"

    /// The same for a page that shows pages of other origins in frames. Nobody may frame that page itself.
    ///
    /// - Parameter origins: What frames may show, such as `http://127.0.0.1:8082`. What is no plain origin is left out, so that no
    ///   directive can be slipped in.
    package static func framingPolicy(_ origins: [String]) -> String {
        let allowed = Set(origins.filter(isOrigin)).sorted()
        return contentSecurityPolicy + "; frame-src \(allowed.isEmpty ? "'none'" : allowed.joined(separator: " "))"
    }

    /// The value of a `Permissions-Policy` header: the page may ask for the camera, and no frame in it may.
    package static let cameraPermissions = "camera=(self), microphone=(), geolocation=()"

    private static func isOrigin(_ text: String) -> Bool {
        text.wholeMatch(of: /https?:\/\/(\[[0-9a-fA-F:.]+\]|[0-9A-Za-z.\-]+)(:[0-9]{1,5})?/) != nil
    }

    /// The path below `/assets/`, for example `billfold.css` or `console/story.js`, to the file.
    package static func all() throws(WebError) -> [String: WebAsset] {
        var assets: [String: WebAsset] = [:]
        for (path, bytes) in try WebResources.files.get() {
            guard let ending = path.split(separator: ".").last, let type = contentTypes[String(ending)] else { continue }
            assets[path] = WebAsset(contentType: type, bytes: bytes)
        }
        return assets
    }

    private static let contentTypes = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
        "json": "application/json", "webmanifest": "application/manifest+json",
    ]
}
