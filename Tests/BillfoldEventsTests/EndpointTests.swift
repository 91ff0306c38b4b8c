import BillfoldEvents
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Crypto
import Foundation
import HTTPTypes
import Testing

/// Endpoints as their owners set them, and how messages to them are signed.
@Suite struct EndpointTests {
    private func open(
        _ mode: ServerMode = .test, change: @Sendable @escaping (inout EventConfiguration) -> Void = { _ in },
        _ body: @Sendable @escaping (Fixture, ClientOfRoutes) async throws -> Void
    ) async throws {
        try await StoreEngine.sqlite.withDatabase { database in
            let fixture = try await Fixture(database, mode: mode, change: change)
            try await ClientOfRoutes.open(fixture.part) { try await body(fixture, $0) }
        }
    }

    /// What a receiver does, by the specification: HMAC-SHA256 of id, time and body under the secret's bytes.
    private static func signature(of call: BackEnd.Call, by secret: String) throws -> String {
        let key = try #require(Data(base64Encoded: String(secret.dropFirst("whsec_".count))))
        let content = Data("\(call.event).\(call.header("webhook-timestamp") ?? "").".utf8) + Data(call.body)
        return "v1," + Data(HMAC<SHA256>.authenticationCode(for: content, using: SymmetricKey(data: key))).base64EncodedString()
    }

    @Test func messageIsSignedAsStandardWebhooksDoes() async throws {
        try await open { fixture, client in
            let endpoint = try await client.addEndpoint()
            let secret = try #require(endpoint.secret)
            #expect(Data(base64Encoded: String(secret.dropFirst(6)))?.count == 32 && secret.hasPrefix("whsec_"))
            #expect(try await client.endpoint(endpoint.id).secret == nil, "it is told once")
            let event = try await fixture.happen(to: "a")
            try await fixture.deliver()
            let call = try #require(fixture.backEnd.received.first)
            #expect(try call.event == event.name && call.body == event.document)
            #expect(call.header("webhook-timestamp") == String(fixture.clock.now().microseconds / 1_000_000))
            #expect(try call.header("webhook-signature") == Self.signature(of: call, by: secret))
            #expect(call.header("webhook-key-id") == endpoint.keys.first?.id)
            #expect(call.header("content-type") == "application/json")
        }
    }

    @Test func bothKeysSignWhileARotationLasts() async throws {
        try await open { fixture, client in
            let endpoint = try await client.addEndpoint()
            let old = try #require(endpoint.secret)
            let rotated = try await client.send(.post, "webhook-endpoints/\(endpoint.id)/rotation", #"{"overlap":600}"#)
                .read(ClientOfRoutes.Endpoint.self)
            let new = try #require(rotated.secret)
            #expect(new != old && rotated.keys.count == 2 && rotated.keys[1].id == endpoint.keys[0].id)
            try await fixture.happen(to: "a")
            try await fixture.deliver()
            let both = try #require(fixture.backEnd.received.last)
            #expect(
                both.header("webhook-signature") == (try [new, old].map { try Self.signature(of: both, by: $0) }.joined(separator: " ")))
            #expect(both.header("webhook-key-id") == rotated.keys.map(\.id).joined(separator: " "))
            fixture.clock.advance(by: .seconds(600))
            try await fixture.happen(to: "b")
            try await fixture.deliver()
            let one = try #require(fixture.backEnd.received.last)
            #expect(try one.header("webhook-signature") == Self.signature(of: one, by: new))
            #expect(try await client.endpoint(endpoint.id).keys.map(\.id) == [rotated.keys[0].id])
            // Without an overlap the old key signs nothing more.
            let last = try await client.send(.post, "webhook-endpoints/\(endpoint.id)/rotation", #"{"overlap":0}"#)
                .read(ClientOfRoutes.Endpoint.self)
            #expect(last.keys.count == 1 && last.keys[0].id != rotated.keys[0].id)
        }
    }

    /// A receiver has the older secret still: another rotation does not end it, unless its owner wants no overlap.
    @Test func secondRotationWithinAnOverlapIsRefused() async throws {
        try await open { fixture, client in
            let endpoint = try await client.addEndpoint()
            let path = "webhook-endpoints/\(endpoint.id)/rotation"
            let rotated = try await client.send(.post, path, #"{"overlap":600}"#).read(ClientOfRoutes.Endpoint.self)
            fixture.clock.advance(by: .seconds(599))
            for body in [#"{"overlap":600}"#, #"{"overlap":1}"#, ""] {
                let refused = try await client.send(.post, path, body)
                #expect(refused.status == 409 && refused.code == "rotation-running", "\(body)")
            }
            #expect(try await client.endpoint(endpoint.id).keys.map(\.id) == rotated.keys.map(\.id))
            try await fixture.happen(to: "a")
            try await fixture.deliver()
            let call = try #require(fixture.backEnd.received.last)
            let signatures = try #require(call.header("webhook-signature")).split(separator: " ").map(String.init)
            #expect(try signatures.contains(Self.signature(of: call, by: #require(endpoint.secret))) && signatures.count == 2)
            // A secret that has leaked is not waited for.
            let alone = try await client.send(.post, path, #"{"overlap":0}"#).read(ClientOfRoutes.Endpoint.self)
            #expect(alone.keys.count == 1 && !rotated.keys.map(\.id).contains(alone.keys[0].id))
            // Nothing overlaps any more: the next one is done.
            #expect(try await client.send(.post, path, #"{"overlap":600}"#).status == 200)
            fixture.clock.advance(by: .seconds(600))
            #expect(try await client.send(.post, path, #"{"overlap":600}"#).status == 200)
        }
    }

    @Test func twoEndpointsHaveTwoSecrets() async throws {
        try await open { _, client in
            let first = try await client.addEndpoint("https://a.example.com/")
            let second = try await client.addEndpoint("https://b.example.com/")
            #expect(first.secret != second.secret)
        }
    }

    @Test(arguments: [
        "http://shop.example.com/hooks", "https://127.0.0.1/hooks", "http://localhost:3000/hooks", "https://10.0.0.1/", "https://[::1]/",
        "https://shop.example.com:22/", "https://0x7f.1/", "ftp://shop.example.com/", "https://user@shop.example.com/", "hooks",
    ])
    func addressThatIsNotPublicIsRefusedInProduction(url: String) async throws {
        try await open(.production) { _, client in
            let answer = try await client.send(.post, "webhook-endpoints", #"{"url":"\#(url)"}"#)
            #expect(answer.status == 422 && answer.code == "address-refused")
            #expect(try await client.addEndpoint("https://shop.example.com:8443/hooks").enabled)
        }
    }

    @Test(arguments: ["http://10.0.0.1/", "http://shop.example.com/", "https://169.254.169.254/"])
    func testModeAddsThisMachineAlone(url: String) async throws {
        try await open { fixture, client in
            #expect(try await client.send(.post, "webhook-endpoints", #"{"url":"\#(url)"}"#).code == "address-refused")
            try await client.addEndpoint("http://localhost:3000/hook")
            try await fixture.happen(to: "a")
            try await fixture.deliver()
            #expect(fixture.backEnd.received.map(\.destination) == [.configured])
        }
    }

    @Test func ownerHasAFewEndpointsAndEachAddressOnce() async throws {
        try await open(change: { $0.mostEndpoints = 2 }) { _, client in
            let first = try await client.addEndpoint("https://a.example.com/")
            #expect(try await client.send(.post, "webhook-endpoints", #"{"url":"https://a.example.com/"}"#).code == "endpoint-exists")
            try await client.addEndpoint("https://b.example.com/")
            #expect(try await client.send(.post, "webhook-endpoints", #"{"url":"https://c.example.com/"}"#).code == "endpoint-limit")
            // Another owner's count for themselves.
            #expect(try await client.send(.post, "webhook-endpoints", #"{"url":"https://a.example.com/"}"#, as: "bakery").status == 201)
            try await client.delete(first.id)
            try await client.addEndpoint("https://c.example.com/")
        }
    }

    @Test func nobodySeesAnothersEventsAndEndpoints() async throws {
        try await open { fixture, client in
            let endpoint = try await client.addEndpoint()
            let event = try await fixture.happen(to: "a")
            try await fixture.deliver()
            for (method, path) in [
                (.get, "events/\(event.name)"), (.get, "events/\(event.name)/deliveries"), (.post, "events/\(event.name)/resend"),
                (.get, "webhook-endpoints/\(endpoint.id)"), (.delete, "webhook-endpoints/\(endpoint.id)"),
                (.post, "webhook-endpoints/\(endpoint.id)/rotation"),
            ] as [(HTTPRequest.Method, String)] {
                #expect(try await client.send(method, path, as: "bakery").status == 404, "\(method) \(path)")
                #expect(try await client.send(method, path, as: nil).status == 401, "\(method) \(path)")
                #expect(try await client.send(method, path, as: "burglar").status == 401, "\(method) \(path)")
            }
            #expect(try await client.endpoint(endpoint.id).enabled)
            let theirs = String(decoding: try await client.send(.get, "events", as: "bakery").body, as: UTF8.self)
            #expect(theirs == #"{"events":[],"hasMore":false,"next":"evc_0"}"#)
        }
    }

    @Test func feedIsReadByItsCursor() async throws {
        struct Page: Decodable {
            struct Item: Decodable {
                var id: String
                var type: String
                var sequence: Int
            }
            var events: [Item]
            var hasMore: Bool
            var next: String
        }
        try await open { fixture, client in
            let names = [try await fixture.happen(to: "a").name, try await fixture.happen(.paymentFailed, to: "a").name]
            try await fixture.part.dispatcher.runOnce()
            let first = try await client.send(.get, "events?limit=1").read(Page.self)
            #expect(first.events.map(\.id) == [names[0]] && first.hasMore)
            let second = try await client.send(.get, "events?limit=1&after=\(first.next)").read(Page.self)
            #expect(second.events.map(\.id) == [names[1]] && !second.hasMore && second.events[0].sequence == 2)
            #expect(try await client.send(.get, "events?type=payment.failed,refund.failed").read(Page.self).events.map(\.id) == [names[1]])
            #expect(try await client.send(.get, "events?object=a").read(Page.self).events.count == 2)
            for query in ["limit=0", "limit=201", "limit=x", "type=payment.eaten", "after=evc_g", "after=evc_00", "object=", "other=1"] {
                #expect(try await client.send(.get, "events?\(query)").code == "malformed-request", "\(query)")
            }
            let told = String(decoding: try await client.send(.get, "events?type=payment.eaten").body, as: UTF8.self)
            #expect(told.contains("there are payment.succeeded, ") && !told.contains("token."), "\(told)")
            let beyond = try await client.send(.get, "events?after=evc_ff")
            #expect(beyond.status == 410 && beyond.code == "cursor-unknown")
            #expect(try await client.send(.get, "events/stream?after=evc_ff").status == 410)
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"url":1}"#, #"{"url":"https://a.example.com/","events":["payment.eaten"]}"#,
        #"{"url":"https://a.example.com/","secret":"x"}"#, #"{"url":"https://a.example.com/","enabled":"yes"}"#, "[]", "",
    ])
    func endpointThatCannotBeReadIsRefused(body: String) async throws {
        try await open { _, client in
            let answer = try await client.send(.post, "webhook-endpoints", body)
            #expect(answer.status == 400 && answer.code == "malformed-request")
            #expect(String(decoding: try await client.send(.get, "webhook-endpoints").body, as: UTF8.self) == #"{"endpoints":[]}"#)
        }
    }

    @Test(arguments: [#"{"overlap":-1}"#, #"{"overlap":604801}"#, #"{"overlap":"day"}"#, #"{"until":1}"#])
    func overlapHasBounds(body: String) async throws {
        try await open { _, client in
            let endpoint = try await client.addEndpoint()
            #expect(try await client.send(.post, "webhook-endpoints/\(endpoint.id)/rotation", body).code == "malformed-request")
            #expect(try await client.endpoint(endpoint.id).keys.map(\.id) == endpoint.keys.map(\.id))
        }
    }
}
