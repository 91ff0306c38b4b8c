package import AppContainer
package import AsyncHTTPClient
import BillfoldTrace
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// The phone's way into the network: one request to an address. Redirects are answers, and no cookies are kept.
package protocol PhoneNetwork: Sendable {
    /// Throws `RequestingHost.NoAnswer` where none came.
    func send(_ request: RequestingHost.Request) async throws -> RequestingHost.Response
}

/// The network over HTTP. Give it a client that does not follow redirects.
package struct HTTPPhoneNetwork: PhoneNetwork {
    private let client: HTTPClient
    /// Of one answer: a package has eight megabytes at most.
    private static let answerLimit = 16 << 20

    package init(client: HTTPClient) { self.client = client }

    package func send(_ request: RequestingHost.Request) async throws -> RequestingHost.Response {
        var question = HTTPClientRequest(url: request.address.absoluteString)
        question.method = .init(rawValue: request.method)
        for (name, value) in request.headers { question.headers.add(name: name, value: value) }
        if let exchange = Exchange.reported { question.headers.add(name: Exchange.headerName, value: exchange) }
        if !request.body.isEmpty { question.body = .bytes(ByteBuffer(bytes: request.body)) }
        do {
            let response = try await client.execute(question, timeout: TimeAmount(request.timeout))
            let body = try await response.body.collect(upTo: Self.answerLimit)
            return RequestingHost.Response(
                status: Int(response.status.code), headers: response.headers.map { (name: $0.name.lowercased(), value: $0.value) },
                body: Array(body.readableBytesView))
        } catch {
            let isLate = error as? HTTPClientError == .deadlineExceeded || error as? HTTPClientError == .readTimeout
            throw isLate ? RequestingHost.NoAnswer.timedOut : .network
        }
    }
}

/// One phone's network, which its owner can turn off.
final class SwitchedNetwork: PhoneNetwork {
    private let network: any PhoneNetwork
    private let state = Mutex(true)

    init(_ network: any PhoneNetwork) { self.network = network }

    var isOn: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func send(_ request: RequestingHost.Request) async throws -> RequestingHost.Response {
        guard isOn else { throw RequestingHost.NoAnswer.network }
        return try await network.send(request)
    }
}
