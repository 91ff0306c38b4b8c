package import AsyncHTTPClient
import BillfoldTrace
import NIOCore
import NIOHTTP1

/// What another party answered to a form.
package struct PostReply: Sendable, Hashable {
    package var status: Int
    /// The first bytes of its body.
    package var body: [UInt8]

    package init(status: Int, body: [UInt8] = []) {
        self.status = status
        self.body = body
    }
}

/// Posts a form to another party. A protocol, so that tests can take the network's place.
package protocol OutgoingPost: Sendable {
    /// The answer; throws when there is none within `timeout`. Redirects are not followed.
    ///
    /// - Parameter exchange: The name under which the caller has reported the exchange, for `Billfold-Exchange`.
    func post(form body: String, to url: String, exchange: String, timeout: Duration) async throws -> PostReply
}

/// Posts through AsyncHTTPClient. Give it a client that does not follow redirects.
package struct HTTPClientPost: OutgoingPost {
    private let client: HTTPClient
    private static let kept = 256

    package init(_ client: HTTPClient) { self.client = client }

    package func post(form body: String, to url: String, exchange: String, timeout: Duration) async throws -> PostReply {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded;charset=UTF-8")
        request.headers.add(name: Exchange.headerName, value: exchange)
        request.body = .bytes(ByteBuffer(string: body))
        let response = try await client.execute(request, timeout: TimeAmount(timeout))
        // The connection can be used again only once the body was read; what it says does not count, and its beginning is shown.
        var reply = PostReply(status: Int(response.status.code))
        for try await part in response.body {
            reply.body += part.readableBytesView.prefix(max(0, Self.kept - reply.body.count))
        }
        return reply
    }
}
