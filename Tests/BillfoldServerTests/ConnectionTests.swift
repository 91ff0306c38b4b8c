import BillfoldServer
import BillfoldServerTestSupport
import Foundation
import Hummingbird
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// Who keeps a connection when there are too many, and how long one may say nothing.
@Suite(.serialized) struct ConnectionTests {
    private func nothing(_: Router<ServerRequestContext>) {}

    private func taking(_ router: Router<ServerRequestContext>) {
        router.post("/take") { request, _ in
            _ = try await request.body.collect(upTo: 1_000)
            return "taken"
        }
    }

    private func port(_ server: RunningServer) throws -> Int { try #require(server.ports["public"]) }

    /// As many idle connections as the listener takes and thousands more, all of one address.
    @Test(arguments: ["127.0.0.1", "127.0.0.2"])
    func aGoodClientIsAnsweredBesideThousandsOfIdleConnections(of address: String) async throws {
        try #require(DescriptorLimit.raise() > 8_000, "this machine lets a process open few files")
        try await RunningServer.with(limits: ServerLimits(maximumConnections: 1_000), routes: nothing) {
            (server: RunningServer) async throws in
            let idle = try IdleSockets(0, to: port(server))
            for _ in 0..<30 {
                try idle.open(100, to: port(server), from: address)
                try await Task.sleep(for: .milliseconds(5))
            }
            let start = ContinuousClock.now
            let answer = try await RawConnection.exchange(
                port: port(server), pieces: ["GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"])
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            // Much less than a second where nothing else runs; without budgets three quarters of a minute.
            #expect(ContinuousClock.now - start < .seconds(30))
            #expect(idle.ended.count >= 1_000)
        }
    }

    /// A server whose work is cancelled drops the connections that arrive just then. Whatever was made of them by then must have an end.
    @Test(.timeLimit(.minutes(5))) func aServerIsCancelledWhileConnectionsArrive() async throws {
        struct Cancelled: Error {}
        for _ in 0..<20 {
            let callers = Mutex<[Task<Void, Never>]>([])
            await #expect(throws: Cancelled.self) {
                try await RunningServer.with(routes: nothing) { (server: RunningServer) async throws in
                    let port = try port(server)
                    let calling = (0..<8).map { _ in
                        Task {
                            while !Task.isCancelled {
                                let connection = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                                    .connect(host: "127.0.0.1", port: port).get()
                                try? await connection?.close()
                            }
                        }
                    }
                    callers.withLock { $0 = calling }
                    try await Task.sleep(for: .milliseconds(20))
                    throw Cancelled()
                }
            }
            for caller in callers.withLock({ $0 }) {
                caller.cancel()
                await caller.value
            }
        }
    }

    @Test func theGreediestAddressLosesWhatIsIdleLongest() async throws {
        let limits = ServerLimits(maximumConnections: 40, maximumConnectionsPerCaller: 40)
        try await RunningServer.with(limits: limits, routes: nothing) { (server: RunningServer) async throws in
            let greedy = try IdleSockets(0, to: port(server))
            try await greedy.openFirst(8, to: port(server), from: "127.0.0.2")
            try await greedy.openFirst(22, to: port(server), from: "127.0.0.2")
            let modest = try IdleSockets(8, to: port(server), from: "127.0.0.3")
            let newcomer = try IdleSockets(10, to: port(server), from: "127.0.0.4")
            #expect(try await greedy.haveEnded(Array(0..<8)))
            #expect(modest.ended.isEmpty && newcomer.ended.isEmpty)
        }
    }

    /// Half a request is idle, whether it is its header or its body that does not come.
    @Test(arguments: ["GET /healthz HTTP/1.1\r\nHo", "POST /take HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx"])
    func anAddressHasABudgetOfItsOwn(half: String) async throws {
        let limits = ServerLimits(maximumConnections: 1_000, maximumConnectionsPerCaller: 10)
        try await RunningServer.with(limits: limits, routes: taking) { (server: RunningServer) async throws in
            let other = try IdleSockets(10, to: port(server), from: "127.0.0.3")
            let greedy = try IdleSockets(0, to: port(server))
            try await greedy.openFirst(5, to: port(server), from: "127.0.0.2", saying: half)
            try greedy.open(10, to: port(server), from: "127.0.0.2", saying: half)
            #expect(try await greedy.haveEnded(Array(0..<5)))
            #expect(other.ended.isEmpty)
        }
    }

    @Test func aTrustedProxyHasAsManyAsThereAre() async throws {
        let limits = ServerLimits(maximumConnections: 30, maximumConnectionsPerCaller: 5)
        let surroundings = RunningServer.surroundings()
        let configuration = ListenerConfiguration(
            name: "public", address: ListenAddress(port: 0), limits: limits, trustedProxies: try TrustedProxies(["127.0.0.2"]))
        let listener = Listener(configuration, router: surroundings.router(for: configuration), logger: surroundings.logger)
        try await RunningServer.with([listener], surroundings: surroundings) { (server: RunningServer) async throws in
            let (proxy, strangers) = (try IdleSockets(0, to: port(server)), try IdleSockets(0, to: port(server)))
            try await proxy.openFirst(25, to: port(server), from: "127.0.0.2")
            try await strangers.openFirst(2, to: port(server), from: "127.0.0.3")
            try await strangers.openFirst(2, to: port(server), from: "127.0.0.3")
            let last = try IdleSockets(3, to: port(server), from: "127.0.0.4")
            // Strangers make room for each other before a proxy does.
            #expect(try await strangers.haveEnded([0, 1]))
            #expect(proxy.ended.isEmpty && last.ended.isEmpty)
        }
    }

    @Test func aRequestInFlightIsNotEnded() async throws {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let (release, releasing) = AsyncStream.makeStream(of: Void.self)
        func slow(_ router: Router<ServerRequestContext>) {
            router.get("/slow") { _, _ in
                beginning.yield()
                for await _ in release { break }
                return "done"
            }
        }
        let limits = ServerLimits(maximumConnections: 100, maximumConnectionsPerCaller: 3)
        try await RunningServer.with(limits: limits, routes: slow) { (server: RunningServer) async throws in
            let port = try port(server)
            let request = "GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            async let first = RawConnection.exchange(port: port, pieces: [request])
            async let second = RawConnection.exchange(port: port, pieces: [request])
            var starts = begun.makeAsyncIterator()
            for _ in 0..<2 { _ = await starts.next(isolation: nil) }
            let idle = try IdleSockets(4, to: port)
            #expect(try await idle.haveEnded(3))
            let third = try IdleSockets(1, to: port, saying: request)
            _ = await starts.next(isolation: nil)
            // All three are busy now, so that whoever comes has to go.
            let fourth = try IdleSockets(2, to: port)
            #expect(try await fourth.haveEnded([0, 1]))
            #expect(third.ended.isEmpty)
            #expect(try IdleSockets(1, to: port, from: "127.0.0.5").ended.isEmpty)
            releasing.finish()
            #expect(try await first.hasSuffix("done"))
            #expect(try await second.hasSuffix("done"))
        }
    }

    @Test func aHeaderThatTricklesInIsCutOff() async throws {
        let limits = ServerLimits(idleTimeout: .seconds(60), headerTimeout: .milliseconds(300))
        try await RunningServer.with(limits: limits, routes: nothing) { (server: RunningServer) async throws in
            let slow = ["GET /healthz HTTP/1.1\r\nHost: localhost\r\n"] + Array(repeating: "X: y\r\n", count: 200)
            let answer = try await RawConnection.exchange(port: port(server), pieces: slow, pause: .milliseconds(50))
            #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.contains("request-timeout"))
            // A later header on the same connection has no more time.
            let second = ["GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"] + slow
            let answers = try await RawConnection.exchange(port: port(server), pieces: second, pause: .milliseconds(50))
            #expect(answers.hasPrefix("HTTP/1.1 200 ") && answers.contains("HTTP/1.1 408 "))
            #expect(try await RawConnection.exchange(port: port(server), pieces: []).isEmpty)
        }
    }

    /// Between two requests a connection may rest longer than a header may take.
    @Test func aConnectionRestsBetweenRequests() async throws {
        let limits = ServerLimits(idleTimeout: .seconds(60), headerTimeout: .milliseconds(200))
        try await RunningServer.with(limits: limits, routes: nothing) { (server: RunningServer) async throws in
            let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
            let answers = try await RawConnection.exchange(
                port: port(server), pieces: [request + "\r\n", request + "Connection: close\r\n\r\n"], pause: .milliseconds(600))
            #expect(answers.ranges(of: "HTTP/1.1 200 ").count == 2)
        }
    }

    @Test func aConnectionThatRestsTooLongIsEnded() async throws {
        let limits = ServerLimits(idleTimeout: .seconds(2), headerTimeout: .seconds(60))
        try await RunningServer.with(limits: limits, routes: nothing) { (server: RunningServer) async throws in
            let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let start = ContinuousClock.now
            let answers = try await RawConnection.exchange(port: port(server), pieces: [request, request], pause: .milliseconds(200))
            #expect(answers.ranges(of: "HTTP/1.1 200 ").count == 2)
            // The rest is counted from the last answer.
            #expect(ContinuousClock.now - start >= .milliseconds(2_200))
        }
    }

    /// What is answered before its body has come is over, and its connection idle when the body has come.
    @Test func aBodyBehindItsAnswerKeepsNoConnectionBusy() async throws {
        let limits = ServerLimits(maximumConnections: 100, maximumConnectionsPerCaller: 3)
        try await RunningServer.with(limits: limits, routes: nothing) { (server: RunningServer) async throws in
            let early = try IdleSockets(0, to: port(server))
            let head = "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n"
            try await early.openFirst(3, to: port(server), from: "127.0.0.2", saying: head)
            #expect(try await early.haveHeard())
            try early.say("x")
            try await Task.sleep(for: .milliseconds(300))
            let last = try IdleSockets(3, to: port(server), from: "127.0.0.2")
            #expect(try await early.haveEnded([0, 1, 2]))
            #expect(last.ended.isEmpty)
        }
    }

    @Test func aBodyThatDoesNotComeBehindItsAnswerGetsNoSecondOne() async throws {
        let limits = ServerLimits(bodyTimeout: .milliseconds(300))
        try await RunningServer.with(limits: limits, routes: nothing) { (server: RunningServer) async throws in
            let head = "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n"
            let answer = try await RawConnection.exchange(port: port(server), pieces: [head])
            #expect(answer.hasPrefix("HTTP/1.1 404 "))
            #expect(answer.ranges(of: "HTTP/1.1 ").count == 1, "\(answer)")
        }
    }

    /// A connection that had its request just as another one was taken in for it ends once that is answered: the budget holds again.
    @Test func whoeverIsSparedForARequestEndsBehindIt() async throws {
        let limits = ServerLimits(maximumConnections: 100, maximumConnectionsPerCaller: 3)
        try await RunningServer.with(limits: limits, routes: nothing) { (server: RunningServer) async throws in
            let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
            var all = [try IdleSockets(3, to: port(server))]
            for _ in 0..<100 {
                // The requests of the longest idle ones, and the connections that they have to end for, come at one time.
                try? all.last?.say(request)
                all.append(try IdleSockets(3, to: port(server)))
            }
            let end = ContinuousClock.now + .seconds(30)
            func ended() -> Int { all.map(\.ended.count).reduce(0, +) }
            while ended() < 300, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(50)) }
            #expect(ended() == 300, "\(303 - ended()) connections of an address that may have 3")
        }
    }

    /// An answer that nobody takes keeps no connection busy, and so nobody else out.
    @Test func anAnswerThatIsNotReadKeepsNoConnectionBusy() async throws {
        // Made once: it takes seconds in a debug build on a busy machine.
        let answer = String(repeating: "x", count: 32 << 20)
        func large(_ router: Router<ServerRequestContext>) { router.get("/large") { _, _ in answer } }
        var limits = RunningServer.patient
        (limits.maximumConnections, limits.maximumConnectionsPerCaller) = (100, 3)
        try await RunningServer.with(limits: limits, routes: large) { (server: RunningServer) async throws in
            let unread = try IdleSockets(3, to: port(server), saying: "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await unread.haveHeard())
            let port = try port(server)
            try await eventually(within: .seconds(20)) {
                let next = try? IdleSockets(1, to: port, saying: "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return (try? await next?.haveHeard(within: .seconds(1))) ?? false
            }
        }
    }

    /// Whoever has sent all and reads slowly gets the whole answer.
    @Test func anAnswerIsWholeForWhomSendsNoMore() async throws {
        let size = 32 << 20
        let answer = String(repeating: "x", count: size)
        func large(_ router: Router<ServerRequestContext>) { router.get("/large") { _, _ in answer } }
        try await RunningServer.with(routes: large) { (server: RunningServer) async throws in
            let slow = try IdleSockets(1, to: port(server), saying: "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
            slow.finish()
            #expect(try await slow.haveHeard())
            try await Task.sleep(for: .milliseconds(500))
            #expect(try await slow.countUntilEnd(of: 0) ?? 0 > size)
        }
    }

    /// The parser stops for good behind such a request: nothing that follows can be answered.
    @Test func aRequestToLeaveHTTPIsTheLastOfItsConnection() async throws {
        try await RunningServer.with(routes: nothing) { (server: RunningServer) async throws in
            let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
            let start = ContinuousClock.now
            let answers = try await RawConnection.exchange(
                port: port(server), pieces: [request + "Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n", request + "\r\n"],
                pause: .milliseconds(200))
            #expect(answers.hasPrefix("HTTP/1.1 200 ") && answers.ranges(of: "HTTP/1.1 ").count == 1, "\(answers)")
            #expect(ContinuousClock.now - start < .seconds(30))
        }
    }

    #if os(Linux)
        @Test func whatFollowsARequestToLeaveHTTPIsNotKept() async throws {
            let (release, releasing) = AsyncStream.makeStream(of: Void.self)
            func slow(_ router: Router<ServerRequestContext>) {
                router.get("/slow") { _, _ in
                    for await _ in release { break }
                    return "done"
                }
            }
            try await RunningServer.with(routes: slow) { (server: RunningServer) async throws in
                let head = "GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
                let socket = try IdleSockets(1, to: port(server), saying: head)
                let before = try Self.residentMegabytes()
                let megabyte = String(repeating: "x", count: 1 << 20)
                for _ in 0..<512 { try socket.say(megabyte) }
                // Tests beside this one hash passwords in memory of the same process.
                #expect(try Self.residentMegabytes() - before < 384)
                releasing.finish()
            }
        }

        private static func residentMegabytes() throws -> Int {
            let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
            return try #require(Int(pages)) * Int(sysconf(CInt(_SC_PAGESIZE))) / 1_048_576
        }
    #endif

    @Test func aSilentHandshakeIsCutOff() async throws {
        let identity = try TestIdentity()
        let limits = ServerLimits(idleTimeout: .seconds(60), handshakeTimeout: .milliseconds(300), headerTimeout: .seconds(60))
        try await RunningServer.with(limits: limits, tls: identity.tls, routes: nothing) { (server: RunningServer) async throws in
            let silent = try IdleSockets(2, to: port(server))
            try silent.open(2, to: port(server), saying: "\u{16}\u{3}\u{1}")
            #expect(try await silent.haveEnded([0, 1, 2, 3]))
        }
    }

    @Test func whatFollowsAnUnansweredRequestIsNotItsAnswer() async throws {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let (release, releasing) = AsyncStream.makeStream(of: Void.self)
        func pay(_ router: Router<ServerRequestContext>) {
            router.get("/pay") { _, _ in
                beginning.yield()
                for await _ in release { break }
                return "paid"
            }
        }
        try await RunningServer.with(routes: pay) { (server: RunningServer) async throws in
            async let told = RawConnection.exchange(
                port: port(server), pieces: ["GET /pay HTTP/1.1\r\nHost: localhost\r\n\r\n", "no request\r\n\r\n"],
                pause: .milliseconds(200))
            var starts = begun.makeAsyncIterator()
            _ = await starts.next(isolation: nil)
            // What cannot be read has come meanwhile.
            try await Task.sleep(for: .milliseconds(600))
            releasing.finish()
            let answer = try await told
            let refusal = try #require(answer.range(of: "HTTP/1.1 400"), "\(answer)")
            #expect(answer.hasPrefix("HTTP/1.1 200"), "a payment that goes on was told as refused: \(answer)")
            #expect(answer[..<refusal.lowerBound].contains("paid"))
        }
    }

    @Test(arguments: [(1_024, 256), (4_096, 1_024), (65_536, 16_384), (100, 16), (3, 1)])
    func connectionsLeaveDescriptorsForTheRest(limit: Int, each: Int) {
        #expect(DescriptorLimit.connections(of: limit, listeners: 3) == each)
    }

    @Test func theDescriptorLimitIsRaised() {
        var limit = rlimit()
        let raised = DescriptorLimit.raise()
        #if canImport(Glibc)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            #expect(raised == Int(min(limit.rlim_cur, rlim_t(Int32.max))) && limit.rlim_cur >= min(limit.rlim_max, 65_536))
        #endif
    }
}
