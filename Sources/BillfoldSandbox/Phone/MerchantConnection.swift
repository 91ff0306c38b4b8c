package import ApplePayApp
package import AsyncHTTPClient
import BillfoldTrace
import Foundation
import NIOCore
import NIOHTTP1

/// Carries a request to the merchant's server. Throws when no answer came; every status is an answer.
package protocol MerchantConnection: Sendable {
    func send(_ question: HTTPQuestion) async throws -> HTTPAnswer
}

/// The merchant's server at an origin, over HTTP. Names the exchange where the caller has reported it.
package struct HTTPMerchantConnection: MerchantConnection {
    private let origin: String
    private let client: HTTPClient
    private let limit: TimeAmount

    /// - Parameter origin: For example `http://127.0.0.1:8080`, without a trailing slash.
    package init(origin: String, client: HTTPClient, limitSeconds: Int64 = 20) {
        self.origin = origin
        self.client = client
        limit = .seconds(limitSeconds)
    }

    package func send(_ question: HTTPQuestion) async throws -> HTTPAnswer {
        var request = HTTPClientRequest(url: origin + question.path)
        request.method = .init(rawValue: question.method)
        for header in question.headers { request.headers.add(name: header.name, value: header.value) }
        if let exchange = Exchange.reported { request.headers.add(name: Exchange.headerName, value: exchange) }
        if let body = question.body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await client.execute(request, timeout: limit)
        let body = try await response.body.collect(upTo: 1_048_576)
        return HTTPAnswer(status: Int(response.status.code), body: Data(body.readableBytesView))
    }
}
