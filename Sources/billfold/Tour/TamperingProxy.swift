import AsyncHTTPClient
import BillfoldServer
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Synchronization

/// Stands between two parties, passes every message on as it is, and changes one byte of the one it is told to.
struct TamperingProxy: HTTPResponder {
    typealias Context = ServerRequestContext

    /// Where messages go, without a trailing slash.
    let target: String
    let flip: Flip?
    let tally: Tally

    /// How many messages were changed: a flip that met no message proves nothing.
    final class Tally: Sendable {
        private let counted = Mutex(0)
        var count: Int { counted.withLock { $0 } }
        func add() { counted.withLock { $0 += 1 } }
    }

    func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
        var body = try await Array(request.body.collect(upTo: 8 * 1_048_576).readableBytesView)
        let message = ProxiedMessage(method: request.method.rawValue, path: request.uri.string, requestBody: body)
        let isMeant = flip?.matches(message) ?? false
        if let flip, isMeant, flip.side == .request { body = changed(body, by: flip) }

        var outgoing = HTTPClientRequest(url: target + request.uri.string)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers where !Self.hopByHop.contains(field.name.canonicalName) {
            outgoing.headers.add(name: field.name.rawName, value: field.value)
        }
        if !body.isEmpty || request.method == .post || request.method == .put { outgoing.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await HTTPClient.shared.execute(outgoing, timeout: .seconds(60))
        var answer = try await Array(response.body.collect(upTo: 32 * 1_048_576).readableBytesView)
        if let flip, isMeant, flip.side == .answer { answer = changed(answer, by: flip) }

        var headers = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name), !Self.hopByHop.contains(name.canonicalName) else { continue }
            headers.append(HTTPField(name: name, value: value))
        }
        return Response(
            status: HTTPResponse.Status(code: Int(response.status.code)), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer)))
    }

    private func changed(_ bytes: [UInt8], by flip: Flip) -> [UInt8] {
        let changed = flip.changed(bytes)
        if changed != bytes { tally.add() }
        return changed
    }

    /// What belongs to one connection and not to the message.
    private static let hopByHop: Set<String> = [
        "connection", "content-length", "transfer-encoding", "host", "keep-alive", "te", "upgrade", "date",
    ]
}
