import AsyncHTTPClient
import BillfoldJSON
import Foundation
import NIOCore
import NIOHTTP1

/// How commands call the servers that run beside them.
enum LocalClient {
    struct Answer: Sendable {
        var status: Int
        var headers: HTTPHeaders
        var body: [UInt8]

        /// The body as an object, or the refusal that it says.
        func object() throws -> JSONObject {
            let object = try? JSONReader.readObject(body)
            guard (200..<300).contains(status), let object else {
                let error = object?["error"]?.object
                throw CommandFailure(
                    .refused, code: error?["code"]?.string ?? "unexpected-answer",
                    reason: error?["reason"]?.string ?? "the server answered \(status)")
            }
            return object
        }
    }

    static let answerLimit = 16 << 20

    /// Refuses with `server-unreachable` where nobody answers.
    ///
    /// - Parameters:
    ///   - key: A bearer that is shown.
    ///   - headers: More of them.
    static func send(
        _ method: HTTPMethod, _ url: String, key: String? = nil, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
        timeout: TimeAmount = .seconds(60)
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = method
        request.headers = headers
        if let key { request.headers.replaceOrAdd(name: "Authorization", value: "Bearer \(key)") }
        if let body {
            if !request.headers.contains(name: "Content-Type") { request.headers.add(name: "Content-Type", value: "application/json") }
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        do {
            let response = try await HTTPClient.shared.execute(request, timeout: timeout)
            let bytes = try await response.body.collect(upTo: answerLimit)
            return Answer(status: Int(response.status.code), headers: response.headers, body: Array(bytes.readableBytesView))
        } catch let error as CancellationError {
            throw error
        } catch {
            throw CommandFailure(.refused, code: "server-unreachable", reason: "\(origin(of: url)) does not answer: is the server running?")
        }
    }

    static func send(_ method: HTTPMethod, _ url: String, key: String? = nil, headers: HTTPHeaders = [:], object: JSONObject) async throws
        -> JSONObject
    {
        try await send(method, url, key: key, headers: headers, body: JSONWriter.write(object)).object()
    }

    /// Without path and query, which may hold what is nobody else's.
    private static func origin(of url: String) -> String { url.split(separator: "/", maxSplits: 3).prefix(2).joined(separator: "//") }
}
