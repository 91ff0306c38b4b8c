import AlipayPlus
package import AsyncHTTPClient
import BillfoldMoney
import Foundation
import NIOCore
import NIOHTTP1

/// Carries a signed body to the gateway, and its answer's headers back with the bytes. Throws when no answer came.
package protocol AlipayPlusConnection: Sendable {
    func post(
        _ path: String, headers: [(name: String, value: String)], body: [UInt8], within limit: Duration
    ) async throws -> AlipayPlusReply

    /// Fetches a file.
    func get(_ path: String) async throws -> AlipayPlusReply
}

/// What came over HTTP, not verified.
package struct AlipayPlusReply: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
}

/// The gateway at an origin, over HTTP. Give it a client that does not follow redirects.
package struct HTTPAlipayPlusConnection: AlipayPlusConnection {
    private let origin: String
    private let client: HTTPClient
    private static let answerLimit = 4 * 1_048_576

    package init(origin: String, client: HTTPClient) {
        self.origin = origin
        self.client = client
    }

    package func post(
        _ path: String, headers: [(name: String, value: String)], body: [UInt8], within limit: Duration
    ) async throws -> AlipayPlusReply {
        var request = HTTPClientRequest(url: origin + path)
        request.method = .POST
        for header in headers { request.headers.add(name: header.name, value: header.value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        return try await reply(to: request, within: TimeAmount(limit))
    }

    package func get(_ path: String) async throws -> AlipayPlusReply {
        try await reply(to: HTTPClientRequest(url: origin + path), within: .seconds(AlipayPlusSchedule.shortTimeout))
    }

    private func reply(to request: HTTPClientRequest, within limit: TimeAmount) async throws -> AlipayPlusReply {
        let response = try await client.execute(request, timeout: limit)
        let body = try await response.body.collect(upTo: Self.answerLimit)
        return AlipayPlusReply(
            status: Int(response.status.code), headers: response.headers.map { (name: $0.name, value: $0.value) },
            body: Array(body.readableBytesView))
    }
}
