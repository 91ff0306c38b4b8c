import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Sends with AsyncHTTPClient.
///
/// For an address that a counterparty named, every address of the host is checked and the connection goes to one that was
/// checked, whatever the name leads to a moment later. Such a delivery has a client of its own, because a client resolves
/// names by itself; addresses from the configuration share one and its connections.
public struct AsyncHTTPSender: HTTPSender {
    private let shared: HTTPClient
    private let policy: AddressPolicy
    private let resolver: any NameResolver
    private let connectTimeout: Duration
    private let tls: OutgoingTLS

    public init(policy: AddressPolicy, connectTimeout: Duration = .seconds(5), tls: OutgoingTLS = .standard) {
        self.init(policy: policy, resolver: SystemNameResolver(), connectTimeout: connectTimeout, tls: tls)
    }

    package init(
        policy: AddressPolicy, resolver: any NameResolver, connectTimeout: Duration = .seconds(5), tls: OutgoingTLS = .standard
    ) {
        self.tls = tls
        self.policy = policy
        self.resolver = resolver
        self.connectTimeout = connectTimeout
        shared = HTTPClient(eventLoopGroupProvider: .singleton, configuration: Self.configuration(connectTimeout, tls, pinning: [:]))
    }

    /// Closes the connections. Call it when the server has stopped.
    public func shutdown() async throws { try await shared.shutdown() }

    public func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
        let destination = try Destination(request.url)
        guard !Task.isCancelled else { throw Self.notBegun }
        guard request.destination == .namedByCounterparty, !policy.isRegistered(destination) else {
            return try await send(request, to: destination, with: shared)
        }
        try policy.checkBeforeLookup(destination)
        let addresses: [ResolvedAddress]
        do {
            addresses = try await resolver.addresses(of: destination.host)
        } catch let failure as SendFailure {
            throw failure
        } catch is CancellationError {
            throw Self.notBegun
        } catch {
            throw SendFailure(code: .nameUnknown, reason: "the name \(destination.host) leads nowhere", mayHaveArrived: false)
        }
        try policy.check(addresses)
        guard let pinned = addresses.first else {
            throw SendFailure(code: .nameUnknown, reason: "the name \(destination.host) leads nowhere", mayHaveArrived: false)
        }
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: Self.configuration(connectTimeout, tls, pinning: [destination.host: pinned.text]))
        do {
            let answer = try await send(request, to: destination, with: client)
            try? await client.shutdown()
            return answer
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    private func send(_ request: OutgoingRequest, to destination: Destination, with client: HTTPClient) async throws(SendFailure)
        -> OutgoingAnswer
    {
        var outgoing = HTTPClientRequest(url: destination.url)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers { outgoing.headers.add(name: field.name.rawName, value: field.value) }
        if !request.body.isEmpty || request.method == .post || request.method == .put {
            outgoing.body = .bytes(ByteBuffer(bytes: request.body))
        }
        do {
            let response = try await client.execute(outgoing, timeout: TimeAmount(request.timeout))
            let body: ByteBuffer
            do {
                body = try await response.body.collect(upTo: request.maximumAnswerBytes)
            } catch is NIOTooManyBytesError {
                throw SendFailure(
                    code: .answerTooLarge, reason: "\(destination.host) answered with more than \(request.maximumAnswerBytes) bytes",
                    mayHaveArrived: true)
            }
            var headers = HTTPFields()
            for (name, value) in response.headers {
                if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
            }
            return OutgoingAnswer(
                status: HTTPResponse.Status(code: Int(response.status.code)), headers: headers, body: Array(body.readableBytesView))
        } catch let failure as SendFailure {
            throw failure
        } catch {
            throw Self.failure(of: error, host: destination.host)
        }
    }

    private static let notBegun = SendFailure(code: .notBegun, reason: "stopped before anything was sent", mayHaveArrived: false)

    /// What an error of AsyncHTTPClient is called. Only errors from before the request's first byte are certain not to have arrived.
    package static func failure(of error: any Error, host: String) -> SendFailure {
        let notConnected = SendFailure(code: .notConnected, reason: "\(host) did not take a connection", mayHaveArrived: false)
        if error is NIOConnectionError || error is NIOSSLExtraError { return notConnected }
        // Only connecting ends with one of these.
        if let error = error as? IOError, [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL].contains(error.errnoCode) {
            return notConnected
        }
        if case .handshakeFailed? = error as? NIOSSLError { return notConnected }
        switch error as? HTTPClientError {
        case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout: return notConnected
        case .deadlineExceeded, .readTimeout, .writeTimeout:
            return SendFailure(code: .timedOut, reason: "\(host) did not answer in time", mayHaveArrived: true)
        default:
            return SendFailure(code: .connectionLost, reason: "the connection to \(host) ended before the answer", mayHaveArrived: true)
        }
    }

    private static func configuration(_ connectTimeout: Duration, _ tls: OutgoingTLS, pinning: [String: String]) -> HTTPClient.Configuration
    {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = TimeAmount(connectTimeout)
        configuration.timeout.read = .seconds(60)
        configuration.dnsOverride = pinning
        configuration.httpVersion = .http1Only
        configuration.decompression = .disabled
        // A request goes out once: whether to try again is the caller's business, for only it knows whether that is safe.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.tlsConfiguration = tls.configuration
        return configuration
    }
}
