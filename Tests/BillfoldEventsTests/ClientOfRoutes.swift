import BillfoldEvents
import BillfoldPayments
import BillfoldServer
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

/// A back end of the owner's that calls the routes, by the owner's name as its key.
struct ClientOfRoutes: Sendable {
    struct Endpoint: Decodable, Sendable {
        struct Key: Decodable, Sendable {
            var id: String
            var until: String?
        }
        var id: String
        var url: String
        var events: [String]
        var enabled: Bool
        var stopped: String?
        var keys: [Key]
        var secret: String?
    }

    struct Delivery: Decodable, Sendable {
        struct Attempt: Decodable, Sendable {
            var number: Int
            var status: Int?
            var milliseconds: Int?
            var reason: String?
            var reply: String?
        }
        var id: String
        var endpoint: String
        var state: String
        var nextAttempt: String?
        var behind: String?
        var attempts: [Attempt]
    }

    private struct Deliveries: Decodable { var deliveries: [Delivery] }

    struct Answer: Sendable {
        var status: Int
        var body: [UInt8]
        var code: String? {
            struct Refused: Decodable {
                struct Content: Decodable { var code: String }
                var error: Content
            }
            return (try? JSONDecoder().decode(Refused.self, from: Data(body)))?.error.code
        }
        func read<Value: Decodable>(_ type: Value.Type) throws -> Value { try JSONDecoder().decode(type, from: Data(body)) }
    }

    let client: any TestClientProtocol

    /// - Parameter keys: The keys that are taken, asked at each use of one.
    static func open(
        _ part: EventPart, keys: @Sendable @escaping () -> [String] = { ["shop", "bakery"] },
        _ body: @Sendable @escaping (ClientOfRoutes) async throws -> Void
    ) async throws {
        let surroundings = ServerSurroundings(
            logger: Fixture.logger, clock: HandClock(), uptime: { .zero }, errors: ErrorMapping().withEvents())
        var limits = ServerLimits()
        limits.rate = nil
        let router = surroundings.router(
            for: ListenerConfiguration(name: "public", address: ListenAddress(port: 0), limits: limits, hosts: ["localhost"]))
        part.addRoutes(to: router) { request in
            guard let name = request.headers[.authorization]?.dropFirst("Bearer ".count), keys().contains(String(name)) else {
                throw ServerError(Refusal(status: .unauthorized, code: "unauthorized", reason: "no such key"))
            }
            return try MerchantID(String(name))
        }
        try await Application(responder: router.buildResponder()).test(.router) { try await body(ClientOfRoutes(client: $0)) }
    }

    func send(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, as owner: String? = "shop") async throws -> Answer {
        var headers: HTTPFields = [:]
        headers[.authorization] = owner.map { "Bearer \($0)" }
        if body != nil { headers[.contentType] = "application/json" }
        return try await client.execute(uri: "/v1/\(path)", method: method, headers: headers, body: body.map { ByteBuffer(string: $0) }) {
            Answer(status: Int($0.status.code), body: Array($0.body.readableBytesView))
        }
    }

    @discardableResult
    func addEndpoint(_ url: String = Fixture.url, events: [String] = []) async throws -> Endpoint {
        let names = events.map { "\"\($0)\"" }.joined(separator: ",")
        let answer = try await send(.post, "webhook-endpoints", #"{"url":"\#(url)","events":[\#(names)]}"#)
        #expect(answer.status == 201, "\(String(decoding: answer.body, as: UTF8.self))")
        return try answer.read(Endpoint.self)
    }

    func endpoint(_ id: String) async throws -> Endpoint { try await send(.get, "webhook-endpoints/\(id)").read(Endpoint.self) }

    func change(_ id: String, _ body: String) async throws -> Endpoint {
        try await send(.patch, "webhook-endpoints/\(id)", body).read(Endpoint.self)
    }

    func delete(_ id: String) async throws { #expect(try await send(.delete, "webhook-endpoints/\(id)").status == 204) }

    func deliveries(of event: Event) async throws -> [Delivery] {
        try await send(.get, "events/\(event.name)/deliveries").read(Deliveries.self).deliveries
    }

    func resend(_ event: Event, to endpoint: String? = nil) async throws -> [Delivery] {
        let answer = try await send(.post, "events/\(event.name)/resend", endpoint.map { #"{"endpoint":"\#($0)"}"# })
        #expect(answer.status == 202, "\(String(decoding: answer.body, as: UTF8.self))")
        return try answer.read(Deliveries.self).deliveries
    }
}
