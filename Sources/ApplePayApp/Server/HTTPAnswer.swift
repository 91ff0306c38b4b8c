public import Foundation

/// A request of the app to its server. The app's own HTTP client carries it.
public struct HTTPQuestion: Sendable {
    public var method: String
    /// From the origin on, such as `/v1/orders/…`.
    public var path: String
    /// Holds the client secret in `Authorization`: not for logs.
    public var headers: [(name: String, value: String)]
    public var body: Data?

    public init(method: String, path: String, headers: [(name: String, value: String)], body: Data? = nil) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }
}

/// What the server answered, whatever its status.
public struct HTTPAnswer: Sendable {
    public var status: Int
    public var body: Data

    public init(status: Int, body: Data) {
        self.status = status
        self.body = body
    }
}
