import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// How the tour itself speaks to the parties.
enum TourClient {
    /// `{"error":{"code",…}}` as every party writes it.
    private struct ForeignRefusal: Decodable {
        struct Detail: Decodable { var code: String }
        var error: Detail
    }

    /// An operator's stay at the console.
    struct Session: Sendable {
        var cookie: String
        var csrfToken: String
    }

    struct Answer: Sendable {
        var status: Int
        var body: [UInt8]
        /// What the party wants to see again, without its attributes.
        var cookie: String?

        /// The party's own code of a refusal; nil where there is none.
        var code: String? { (try? JSONDecoder().decode(ForeignRefusal.self, from: Data(body)))?.error.code }

        /// Reads the body, or refuses with `unexpected-answer` and the party's own code.
        func read<Value: Decodable>(_ type: Value.Type, expecting expected: Set<Int> = [200, 201, 202]) throws -> Value {
            guard expected.contains(status) else {
                throw CommandFailure(.refused, code: "unexpected-answer", reason: "the answer was \(status), \(code ?? "no code")")
            }
            do { return try JSONDecoder().decode(type, from: Data(body)) } catch {
                throw CommandFailure(.refused, code: "unexpected-answer", reason: "the answer cannot be read")
            }
        }
    }

    static func get(_ url: String, key: String? = nil, as session: Session? = nil) async throws -> Answer {
        try await send(.GET, url, key: key, session: session)
    }

    static func post(
        _ url: String, key: String? = nil, idempotencyKey: String? = nil, as session: Session? = nil, _ body: some Encodable
    ) async throws -> Answer {
        try await send(.POST, url, key: key, idempotencyKey: idempotencyKey, session: session, body: JSONEncoder().encode(body))
    }

    static func put(_ url: String, _ body: some Encodable) async throws -> Answer {
        try await send(.PUT, url, key: nil, body: JSONEncoder().encode(body))
    }

    /// Brings what this process reports to a console.
    static func report(_ batch: [UInt8], to url: String) async throws {
        let answer = try await send(.POST, url, key: nil, body: Data(batch))
        guard answer.status == 202 else {
            throw CommandFailure(.refused, code: "unexpected-answer", reason: "the console answered \(answer.status)")
        }
    }

    private static func send(
        _ method: HTTPMethod, _ url: String, key: String?, idempotencyKey: String? = nil, session: Session? = nil, body: Data? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = method
        if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
        if let idempotencyKey { request.headers.add(name: "Idempotency-Key", value: idempotencyKey) }
        if let session {
            request.headers.add(name: "Cookie", value: session.cookie)
            if method != .GET { request.headers.add(name: "X-CSRF-Token", value: session.csrfToken) }
        }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 32 * 1_048_576)
        let cookie = response.headers.first(name: "Set-Cookie")?.split(separator: ";").first.map(String.init)
        return Answer(status: Int(response.status.code), body: Array(bytes.readableBytesView), cookie: cookie)
    }
}
