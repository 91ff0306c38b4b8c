/// One file that pages load: a style sheet, a script or a picture.
package struct WebAsset: Sendable, Hashable {
    /// For the `Content-Type` header, with its charset where it is text.
    package let contentType: String
    package let bytes: [UInt8]

    /// A strong entity tag in its quotes: 64-bit FNV-1a over the bytes, and their number. It tells versions of our own
    /// files apart and protects nothing.
    package let entityTag: String

    /// - Parameter path: Its ending tells the content's type. `nil` for a path of no known ending, which is nothing that pages load.
    init?(path: String, bytes: [UInt8]) {
        guard let ending = path.split(separator: ".").last, let contentType = Self.contentTypes[String(ending)] else { return nil }
        self.init(contentType: contentType, bytes: bytes)
    }

    package init(contentType: String, bytes: [UInt8]) {
        self.contentType = contentType
        self.bytes = bytes
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        entityTag = "\"\(String(hash, radix: 36))-\(bytes.count)\""
    }

    private static let contentTypes = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
        "json": "application/json", "webmanifest": "application/manifest+json",
    ]
}
