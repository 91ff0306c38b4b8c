import BillfoldServer
import BillfoldServerTestSupport
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

/// Whose word is taken for where a request comes from.
@Suite struct ForwardedTests {
    private static let networks = ["10.0.0.0/8", "192.0.2.7", "2001:db8:1::/48"]

    @Test(
        arguments: [
            // From anybody else the header is what a stranger wrote.
            ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"), ("11.0.0.1", ["198.51.100.1"], "11.0.0.1"),
            ("192.0.2.8", ["198.51.100.1"], "192.0.2.8"), ("2001:db8:2::1", ["198.51.100.1"], "2001:db8:2::1"),
            // Of a trusted program's, the first one from the end that is no trusted program.
            ("10.1.2.3", ["198.51.100.1"], "198.51.100.1"), ("192.0.2.7", ["198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", ["203.0.113.66, 198.51.100.1"], "198.51.100.1"), ("10.1.2.3", ["203.0.113.66", "198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", ["203.0.113.66, 198.51.100.1, 10.9.9.9"], "198.51.100.1"),
            ("10.1.2.3", [" 198.51.100.1\t,10.9.9.9 "], "198.51.100.1"), ("10.1.2.3", ["198.51.100.1:4711"], "198.51.100.1"),
            ("::ffff:10.1.2.3", ["198.51.100.1"], "198.51.100.1"), ("10.1.2.3", ["::ffff:198.51.100.1"], "198.51.100.1"),
            ("2001:db8:1::5", ["2001:db8:2::9"], "2001:db8:2::9"), ("10.1.2.3", ["[2001:db8:2::9]:443"], "2001:db8:2::9"),
            // A proxy that names nobody asks for itself, and so does one whose client is another proxy.
            ("10.1.2.3", [], "10.1.2.3"), ("10.1.2.3", [""], "10.1.2.3"), ("10.1.2.3", ["10.9.9.9"], "10.9.9.9"),
            // What is no address ends the search at whoever wrote it.
            ("10.1.2.3", ["198.51.100.1, unknown"], "10.1.2.3"), ("10.1.2.3", ["198.51.100.1, evil, 10.9.9.9"], "10.9.9.9"),
            ("10.1.2.3", ["198.51.100.1, 999.1.1.1"], "10.1.2.3"), ("10.1.2.3", ["198.51.100.1,"], "10.1.2.3"),
        ] as [(String, [String], String)])
    func xForwardedForIsReadFromTheEnd(peer: String, fields: [String], client: String) throws {
        let proxies = try TrustedProxies(Self.networks)
        var headers: HTTPFields = [:]
        for value in fields { headers.append(HTTPField(name: try #require(HTTPField.Name("X-Forwarded-For")), value: value)) }
        // The other header is not read, whoever sends it.
        headers.append(HTTPField(name: try #require(HTTPField.Name("Forwarded")), value: "for=233.252.0.1"))
        let found = proxies.client(of: try SocketAddress(ipAddress: peer, port: 1), headers)
        #expect(found?.ipAddress == client)
    }

    @Test(
        arguments: [
            ("for=198.51.100.1", "198.51.100.1"), ("For=\"198.51.100.1:80\";proto=https;by=10.1.2.3", "198.51.100.1"),
            ("for=203.0.113.66, proto=http; for=198.51.100.1, for=10.9.9.9", "198.51.100.1"),
            ("for=\"[2001:db8:2::9]:4711\"", "2001:db8:2::9"), ("for=\"_hidden\"", "10.1.2.3"), ("for=unknown", "10.1.2.3"),
            ("for=198.51.100.1, proto=https", "10.1.2.3"), ("", "10.1.2.3"),
            // A comma within quotes parts nothing.
            ("for=198.51.100.1;host=\"a, for=203.0.113.66\"", "198.51.100.1"),
            ("for=198.51.100.1;host=\"a\\\", for=203.0.113.66\"", "198.51.100.1"),
            // A client's quotation that does not end would swallow what the proxy appended.
            ("for=203.0.113.66;x=\", for=198.51.100.1", "10.1.2.3"), ("for=203.0.113.66;x=\"\\, for=198.51.100.1", "10.1.2.3"),
            ("for=203.0.113.66;x=\", for=\"[2001:db8:2::9]\"", "10.1.2.3"),
        ] as [(String, String)])
    func forwardedIsReadFromTheEnd(value: String, client: String) throws {
        let proxies = try TrustedProxies(Self.networks, header: .forwarded)
        var headers: HTTPFields = [try #require(HTTPField.Name("Forwarded")): value]
        headers.append(HTTPField(name: try #require(HTTPField.Name("X-Forwarded-For")), value: "233.252.0.1"))
        #expect(proxies.client(of: try SocketAddress(ipAddress: "10.1.2.3", port: 1), headers)?.ipAddress == client)
    }

    @Test(arguments: ["", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0/8", "2001:db8::/129", "10.0.0.0/8/8", "proxy.example", "10.0.0.0/"])
    func whatIsNoNetworkIsSaidSo(text: String) {
        let error = #expect(throws: ServerError.self) { try TrustedProxies([text]) }
        #expect(error?.code == .configurationInvalid)
    }

    @Test(
        arguments: [
            // Everybody could name any address.
            ("0.0.0.0/0", "'0.0.0.0/0' is everybody"), ("::/0", "'::/0' is everybody"), ("10.0.0.1/0", "'10.0.0.1/0' is everybody"),
            // Did whoever wrote it mean the address or the network?
            ("10.0.0.1/8", "write 10.0.0.0/8, or 10.0.0.1 alone"), ("10.1.255.0/17", "write 10.1.128.0/17,"),
            ("192.0.2.1/31", "write 192.0.2.0/31,"), ("2001:db8::1/64", "write 2001:db8::/64,"),
            ("2001:db8:ffff::/33", "write 2001:db8:8000::/33,"),
        ] as [(String, String)])
    func aNetworkThatIsWiderThanItLooksIsRefused(text: String, reason: String) {
        let error = #expect(throws: ServerError.self) { try TrustedProxies(["192.0.2.7", text]) }
        #expect(error?.code == .configurationInvalid)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    /// An address of version 4 has a mapped one of version 6, which begins with zeros.
    @Test func aNetworkOfVersion6HasNoneOfVersion4() throws {
        let proxies = try TrustedProxies(["::/64", "192.0.2.7/32", "10.128.0.0/9"])
        #expect(proxies.contains(try SocketAddress(ipAddress: "::1", port: 1)))
        #expect(proxies.contains(try SocketAddress(ipAddress: "192.0.2.7", port: 1)))
        #expect(proxies.contains(try SocketAddress(ipAddress: "10.200.0.1", port: 1)))
        for stranger in ["203.0.113.9", "::ffff:203.0.113.9", "10.1.2.3", "0:0:0:1::1"] {
            #expect(!proxies.contains(try SocketAddress(ipAddress: stranger, port: 1)), "\(stranger)")
        }
    }

    /// Whom the limits count: the client behind a proxy, and never whom a stranger names.
    @Test(arguments: [true, false]) func theLimitIsTheClients(isTrusted: Bool) async throws {
        let surroundings = RunningServer.surroundings()
        let configuration = ListenerConfiguration(
            name: "public", address: ListenAddress(port: 0), limits: ServerLimits(rate: RateLimit(perSecond: 1, burst: 2)),
            trustedProxies: try TrustedProxies([isTrusted ? "127.0.0.1" : "127.0.0.9"]))
        let router = surroundings.router(for: configuration)
        router.get("/who") { _, context in CallerName.of(context.remoteAddress) }
        try await RunningServer.with(
            [Listener(configuration, router: router, logger: surroundings.logger)], surroundings: surroundings
        ) { (server: RunningServer) async throws in
            func ask(_ client: String) async throws -> Answer {
                try await Answer.get(server.url("public", "/who"), headers: [("X-Forwarded-For", client)])
            }
            #expect(try await ask("198.51.100.1").body == (isTrusted ? "198.51.100.1" : "127.0.0.1"))
            _ = try await ask("198.51.100.1")
            #expect(try await ask("198.51.100.1").status == 429)
            #expect(try await ask("198.51.100.2").status == (isTrusted ? 200 : 429))
        }
    }
}
