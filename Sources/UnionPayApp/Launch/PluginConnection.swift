public import Foundation

/// A request of the plug-in to UnionPay. The app's own HTTP client carries it.
public struct PluginQuestion: Sendable {
    public var method: String
    /// Behind the address of the pages, such as `/201603131105018491158/order?mode=01`.
    public var path: String
    /// Nil without a body.
    public var contentType: String?
    public var body: Data?

    public init(method: String = "GET", path: String, contentType: String? = nil, body: Data? = nil) {
        self.method = method
        self.path = path
        self.contentType = contentType
        self.body = body
    }
}

/// What UnionPay answered, whatever the status.
public struct PluginAnswer: Sendable {
    public var status: Int
    /// Where the answer leads: the HTTP client hands it over and does not go there.
    public var location: String?
    public var body: Data

    public init(status: Int, location: String? = nil, body: Data = Data()) {
        self.status = status
        self.location = location
        self.body = body
    }
}

/// Carries one request to UnionPay, whose address it knows, and throws when no answer came.
public typealias PluginConnection = @Sendable (PluginQuestion) async throws -> PluginAnswer

extension PluginOrder {
    /// The number as one part of a path, whatever characters it has.
    var segment: String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return number.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
