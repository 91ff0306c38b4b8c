public import Foundation

/// The request that opens the web cashier with an order, for an app without a wallet beside it.
public struct CashierRequest: Sendable, Hashable {
    /// Taken with POST, `application/x-www-form-urlencoded`; the answer leads to the session's first page.
    public var address: URL
    public var order: String
    /// Where the cashier's last page sends its result, as the wallet would.
    public var scheme: String

    public init(address: URL, order: String, scheme: String) {
        self.address = address
        self.order = order
        self.scheme = scheme
    }

    public static let contentType = "application/x-www-form-urlencoded"

    /// The form: `order` and `scheme`, every byte but the unreserved ones escaped, so that no `+` is taken for a space.
    public var body: Data { Data("order=\(Self.escape(order))&scheme=\(Self.escape(scheme))".utf8) }

    /// Where the cashier is told, with POST and an empty body, that its page was closed: `/cashier/{session}/closing`. Nil when
    /// `page` is not one of this cashier's pages. The answer is JSON that `PaymentResult` reads.
    public func closing(_ page: URL) -> URL? {
        let names = page.pathComponents.dropFirst(address.pathComponents.count)
        guard page.scheme == address.scheme, page.host == address.host, page.port == address.port, let session = names.first,
            page.pathComponents.starts(with: address.pathComponents)
        else { return nil }
        return address.appendingPathComponent(session).appendingPathComponent("closing")
    }

    private static func escape(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? ""
    }
}

extension CharacterSet {
    /// RFC 3986's unreserved characters: what no receiver reads in another way.
    static let unreserved = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
}
