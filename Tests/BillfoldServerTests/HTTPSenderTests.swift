import BillfoldServer
import BillfoldServerTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Synchronization
import Testing

@Suite(.serialized) struct HTTPSenderTests {
    /// Answers each lookup with the next of a list, and the last for ever.
    private final class ScriptedResolver: NameResolver {
        private let answers: Mutex<[[ResolvedAddress]]>
        let lookups = Mutex(0)

        init(_ answers: [[ResolvedAddress]]) { self.answers = Mutex(answers) }

        func addresses(of host: String) -> [ResolvedAddress] {
            lookups.withLock { $0 += 1 }
            return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
    }

    private func withSender(
        mode: ServerMode = .test, ports: Set<Int> = [443], origins: Set<String> = [], resolver: any NameResolver = SystemNameResolver(),
        body: (AsyncHTTPSender) async throws -> Void
    ) async throws {
        let sender = AsyncHTTPSender(
            policy: try AddressPolicy(mode: mode, ports: ports, privateOrigins: origins), resolver: resolver,
            connectTimeout: .seconds(20))
        do { try await body(sender) } catch {
            try? await sender.shutdown()
            throw error
        }
        try await sender.shutdown()
    }

    /// Who is refused learns which part of the address it is.
    @Test(arguments: [
        (
            "http://127.0.0.1:3001/hook",
            "http://127.0.0.1:3001 is none of the registered origins (http://127.0.0.1:3000), and not public: the scheme"
        ),
        ("https://shop.example:9443/hook", "the port is 9443: only 443 or 8443"), ("https://2130706433/x", "the host is a number"),
        ("https://10.0.0.1/x", "not a public address"), ("https://localhost/x", "it names this machine"),
        ("shop.example/hook", "the address is not an http or https URL"),
    ])
    func aRefusedAddressSaysWhatIsWrongWithIt(url: String, expected: String) throws {
        let policy = try AddressPolicy(mode: .test)
        let problem = policy.problem(with: url, registered: ["http://127.0.0.1:3000"]) ?? "taken"
        #expect(problem.contains(expected), "\(problem)")
        #expect(policy.problem(with: url)?.contains("3000") == false, "without registered origins none are named")
        #expect(policy.problem(with: "http://127.0.0.1:3000/hook", registered: ["http://127.0.0.1:3000"]) == nil)
    }

    private func failure(_ sender: AsyncHTTPSender, _ request: OutgoingRequest) async -> SendFailure? {
        do throws(SendFailure) {
            _ = try await sender.send(request)
            return nil
        } catch { return error }
    }

    @Test func aRequestArrivesAsItWasWritten() async throws {
        try await RunningServer.with(
            routes: { router in
                router.post("/notify") { request, _ in
                    let body = try await String(buffer: request.body.collect(upTo: 100))
                    return "\(request.headers[.contentType] ?? "-") \(body)"
                }
            },
            body: { server in
                try await withSender { sender in
                    let answer = try await sender.send(
                        OutgoingRequest(
                            method: .post, url: server.url("public", "/notify"), headers: [.contentType: "text/x"], body: Array("hi".utf8),
                            destination: .configured))
                    #expect(answer.status == .ok)
                    #expect(String(decoding: answer.body, as: UTF8.self) == "text/x hi")
                }
            })
    }

    @Test func aRedirectIsAnAnswerAndIsNotFollowed() async throws {
        try await RunningServer.with(
            routes: { router in
                router.get("/from") { _, _ in Response(status: .found, headers: [.location: "/to"]) }
                router.get("/to") { _, _ in "followed" }
            },
            body: { server in
                try await withSender { sender in
                    let answer = try await sender.send(
                        OutgoingRequest(method: .get, url: server.url("public", "/from"), destination: .configured))
                    #expect(answer.status == .found)
                    #expect(answer.body.isEmpty)
                }
            })
    }

    @Test func anAnswerBeyondItsLimitsIsRefusedAndTheOutcomeIsUnknown() async throws {
        try await RunningServer.with(
            routes: { router in
                router.get("/big") { _, _ in String(repeating: "x", count: 10_000) }
                router.get("/slow") { _, _ in
                    try await Task.sleep(for: .milliseconds(800))
                    return "late"
                }
            },
            body: { server in
                try await withSender { sender in
                    let big = await failure(
                        sender,
                        OutgoingRequest(
                            method: .get, url: server.url("public", "/big"), destination: .configured, maximumAnswerBytes: 9_999))
                    #expect(big?.code == .answerTooLarge)
                    #expect(big?.mayHaveArrived == true)
                    let slow = await failure(
                        sender,
                        OutgoingRequest(
                            method: .get, url: server.url("public", "/slow"), destination: .configured, timeout: .milliseconds(200)))
                    #expect(slow?.code == .timedOut)
                    #expect(slow?.mayHaveArrived == true)
                }
            })
    }

    @Test func whoeverDoesNotListenCertainlyGotNothing() async throws {
        var port = 0
        try await RunningServer.with(routes: { _ in }) { port = $0.ports["public"] ?? 0 }
        try await withSender { sender in
            let failure = await failure(
                sender, OutgoingRequest(method: .post, url: "http://127.0.0.1:\(port)/", destination: .configured))
            #expect(failure?.code == .notConnected)
            #expect(failure?.mayHaveArrived == false)
        }
    }

    @Test(arguments: [
        "https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://10.1.2.3/",
        "https://192.168.0.1/",
        "https://172.16.0.1/", "https://169.254.169.254/latest/meta-data", "https://100.64.0.1/", "https://0.0.0.0/", "https://[fe80::1]/",
        "https://[fd00::1]/", "https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/", "https://2130706433/", "https://0x7f000001/",
        "https://0177.0.0.1/", "https://127.1/", "https://127.0.0.1./", "https://224.0.0.1/", "https://255.255.255.255/", "http://8.8.8.8/",
        "https://8.8.8.8:22/", "https://8.8.8.8:8080/",
    ])
    func anAddressACounterpartyNamesMustBePublic(url: String) async throws {
        try await withSender { sender in
            let failure = await failure(sender, OutgoingRequest(method: .post, url: url, destination: .namedByCounterparty))
            #expect(failure?.code == .addressRefused)
            #expect(failure?.mayHaveArrived == false)
        }
    }

    @Test(arguments: [
        "https://user@example.com/", "https://user:pass@example.com/", "ftp://example.com/", "file:///etc/passwd", "https://",
        "//example.com/",
        "https://exam ple.com/", "https://example.com\\@127.0.0.1/", "https://example.com/\r\nHost: x", "javascript:alert(1)", "",
    ])
    func whatIsNoPlainURLIsRefused(url: String) async throws {
        try await withSender { sender in
            let failure = await failure(sender, OutgoingRequest(method: .post, url: url, destination: .namedByCounterparty))
            #expect(failure?.code == .malformedAddress)
        }
    }

    @Test func oneAddressOfManyThatIsNotPublicIsEnoughToRefuse() async throws {
        let resolver = ScriptedResolver([[ResolvedAddress(octets: [93, 184, 215, 14]), ResolvedAddress(octets: [10, 0, 0, 1])]])
        try await withSender(resolver: resolver) { sender in
            let failure = await failure(
                sender, OutgoingRequest(method: .post, url: "https://pay.example/", destination: .namedByCounterparty))
            #expect(failure?.code == .addressRefused)
        }
    }

    /// The name leads to a public address when it is checked and to this machine afterwards. The connection goes to the
    /// address that was checked: a documentation-like one that nobody answers on, and never to this machine.
    @Test func aNameIsLookedUpOnceAndTheCheckedAddressIsUsed() async throws {
        let arrived = Mutex(0)
        try await RunningServer.with(
            routes: { router in
                router.post("/") { _, _ in
                    arrived.withLock { $0 += 1 }
                    return "arrived"
                }
            },
            body: { _ in
                let resolver = ScriptedResolver([[ResolvedAddress(octets: [192, 0, 1, 1])], [ResolvedAddress(octets: [127, 0, 0, 1])]])
                try await withSender(resolver: resolver) { sender in
                    let failure = await failure(
                        sender,
                        OutgoingRequest(method: .post, url: "https://localhost/", destination: .namedByCounterparty, timeout: .seconds(1)))
                    #expect(failure != nil)
                    #expect(resolver.lookups.withLock { $0 } == 1)
                }
            })
        #expect(arrived.withLock { $0 } == 0)
    }

    @Test func anotherSpellingOfTheHostDoesNotUndoTheCheck() async throws {
        let connections = Mutex(0)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                connections.withLock { $0 += 1 }
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        // What was checked is a public address; the name itself leads to this machine.
        let resolver = ScriptedResolver([[ResolvedAddress(octets: [192, 0, 1, 1])]])
        try await withSender(ports: [port], resolver: resolver) { sender in
            let failure = await failure(
                sender,
                OutgoingRequest(
                    method: .post, url: "https://LOCALHOST:\(port)/", destination: .namedByCounterparty, timeout: .seconds(1)))
            #expect(failure != nil)
            #expect(resolver.lookups.withLock { $0 } == 1)
        }
        try await listener.close()
        #expect(connections.withLock { $0 } == 0)
    }

    @Test func aRegisteredOriginIsReachedInTestModeExactly() async throws {
        try await RunningServer.with(routes: { $0.post("/notify") { _, _ in "taken" } }) { server in
            let origin = "http://127.0.0.1:\(server.ports["public"] ?? 0)"
            try await withSender(origins: [origin]) { sender in
                let answer = try await sender.send(
                    OutgoingRequest(method: .post, url: origin + "/notify", destination: .namedByCounterparty))
                #expect(String(decoding: answer.body, as: UTF8.self) == "taken")
                let other = await failure(
                    sender, OutgoingRequest(method: .post, url: "http://127.0.0.1:1/notify", destination: .namedByCounterparty))
                #expect(other?.code == .addressRefused)
            }
        }
        #expect(throws: ServerError.self) { try AddressPolicy(mode: .production, privateOrigins: ["http://127.0.0.1:1"]) }
    }
}
