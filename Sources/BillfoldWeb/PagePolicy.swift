/// What listeners that serve pages should send with them. The pages carry no inline script or style and name no other origin.
package enum PagePolicy {
    /// The `Content-Security-Policy` of a page without frames.
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
}
