public import AlipayPlusValues
public import Foundation

/// Which environment has which content network. The app overrides what it likes, so that a client can be pointed at any gateway.
public struct AlipayPlusHosts: Sendable, Hashable {
    private var origins: [AlipayPlusEnvironment: URL]

    /// - Parameter origins: Scheme, host and port; the path of a published option goes behind it.
    public init(_ origins: [AlipayPlusEnvironment: URL]) { self.origins = origins }

    /// The public hosts [D].
    public static let standard = Self(
        [.production: "https://resource.alipayplus.com", .sandbox: "https://developers.alipayplus.com"].compactMapValues(URL.init(string:)))

    public subscript(environment: AlipayPlusEnvironment) -> URL? {
        get { origins[environment] }
        set { origins[environment] = newValue }
    }

    /// The address of a published file; nil where the environment has no host.
    func address(of path: PublishedOptionPath) -> URL? {
        self[path.environment].flatMap { origin in
            let text = origin.absoluteString
            return URL(string: (text.hasSuffix("/") ? String(text.dropLast()) : text) + path.path)
        }
    }
}
