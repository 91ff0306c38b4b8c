import AsyncHTTPClient
import BillfoldServer
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Synchronization

/// Stands between two parties, passes every message on as it is, and changes one byte of the first that it is told to change.
struct TamperingProxy: HTTPResponder {
    typealias Context = ServerRequestContext

    /// Where messages go, without a trailing slash.
    let target: String
    let flip: Flip?
    let tally: Tally
    /// What leads elsewhere leads the caller there, not the proxy.
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))

    /// How many messages were changed, which is one at most: a flip that met no message proves nothing.
    final class Tally: Sendable {
        private let counted = Mutex(0)
        var count: Int { counted.withLock { $0 } }
        /// Whether nothing was changed before.
        func claim() -> Bool {
            counted.withLock { count in
                defer { count = 1 }
                return count == 0
            }
        }
    }

    func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
        var body = try await Array(request.body.collect(upTo: 8 * 1_048_576).readableBytesView)
        let message = ProxiedMessage(method: request.method.rawValue, path: request.uri.string, requestBody: body)
        let meant = flip.flatMap { $0.matches(message) ? $0 : nil }
        var path = request.uri.string
        if let meant, meant.side == .request {
            body = claimed(body, meant.changed(body:))
            path = claimed(path, meant.changed(target:))
        }

        var outgoing = HTTPClientRequest(url: target + path)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers where !Self.hopByHop.contains(field.name.canonicalName) {
            outgoing.headers.add(name: field.name.rawName, value: field.value)
        }
        if !body.isEmpty || request.method == .post || request.method == .put { outgoing.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await Self.client.execute(outgoing, timeout: .seconds(60))
        var answer = try await Array(response.body.collect(upTo: 32 * 1_048_576).readableBytesView)
        var status = Int(response.status.code)
        if let meant, meant.side == .answer {
            answer = claimed(answer, meant.changed(body:))
            status = claimed(status, meant.changed(status:))
        }

        var headers = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name), !Self.hopByHop.contains(name.canonicalName) else { continue }
            headers.append(HTTPField(name: name, value: value))
        }
        // A connection that its caller keeps would keep the proxy from ending.
        headers[.connection] = "close"
        return Response(
            status: HTTPResponse.Status(code: status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer)))
    }

    /// The value as the change leaves it, where it changes anything and nothing was changed before.
    private func claimed<Value: Equatable>(_ value: Value, _ change: (Value) -> Value) -> Value {
        let changed = change(value)
        return changed != value && tally.claim() ? changed : value
    }

    /// What belongs to one connection and not to the message.
    private static let hopByHop: Set<String> = [
        "connection", "content-length", "transfer-encoding", "host", "keep-alive", "te", "upgrade", "date",
    ]
}
