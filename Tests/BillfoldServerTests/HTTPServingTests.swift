import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldServerTestSupport
import BillfoldStorage
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@Suite(.serialized) struct HTTPServingTests {
    private struct Unforeseen: Error, CustomStringConvertible { var description: String { "password=hunter2-hunter2" } }

    @Test func aRequestIdIsMadeWhereTheCallerSendsNone() async throws {
        try await RunningServer.with(routes: { $0.get("/x") { _, _ in "ok" } }) { server in
            let first = try await Answer.get(server.url("public", "/x"))
            let second = try await Answer.get(server.url("public", "/x"))
            #expect(first.status == 200)
            #expect(first.headers["x-request-id"]?.isEmpty == false)
            #expect(first.headers["x-request-id"] != second.headers["x-request-id"])
        }
    }

    @Test(arguments: [("abc-DEF_1.2", true), ("short", false), ("with space x", false), (String(repeating: "a", count: 65), false)])
    func aCallersRequestIdIsKeptWhereItIsWellFormed(id: String, isKept: Bool) async throws {
        try await RunningServer.with(routes: { $0.get("/x") { _, context in context.id } }) { server in
            let answer = try await Answer.get(server.url("public", "/x"), headers: [("X-Request-Id", id)])
            #expect((answer.headers["x-request-id"] == id) == isKept)
            #expect((answer.body == id) == isKept)
        }
    }

    @Test func aLoggerThatKeepsNothingDoesNotEndTheProcess() async throws {
        var surroundings = RunningServer.surroundings()
        surroundings.logger = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
        try await RunningServer.with(surroundings: surroundings, routes: { $0.get("/x") { _, _ -> String in throw Unforeseen() } }) {
            server in
            let answer = try await Answer.get(server.url("public", "/x"))
            #expect(answer.status == 500)
            #expect(answer.headers["x-request-id"] != nil)
        }
    }

    @Test func browsersAreToldWhatAPageMayDo() async throws {
        try await RunningServer.with(routes: { $0.get("/x") { _, _ in "ok" } }) { server in
            let headers = try await Answer.get(server.url("public", "/x")).headers
            #expect(headers["content-security-policy"]?.contains("default-src 'self'") == true)
            #expect(headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
            #expect(headers["x-content-type-options"] == "nosniff")
            #expect(headers["referrer-policy"] == "same-origin")
            #expect(headers["cache-control"] == "no-store")
        }
    }

    @Test(arguments: ["PUT", "DELETE", "PATCH", "OPTIONS", "QUERY"])
    func aMethodThatARouteDoesNotHaveIsRefusedWithTheOnesItHas(_ method: String) async throws {
        try await RunningServer.with(routes: { routes in
            routes.get("/x") { _, _ in "ok" }
            routes.post("/x") { _, _ in "ok" }
        }) { server in
            let answer = try await Answer.send(method, server.url("public", "/x"))
            #expect(answer.status == 405)
            #expect(answer.errorCode == "method-not-allowed")
            #expect(answer.headers["allow"] == "GET, HEAD, POST")
        }
    }

    @Test(arguments: [
        ("application/json", true), ("Application/JSON; charset=UTF-8", true), ("application/json;charset=\"utf-8\"", true),
        ("application/json; charset=gbk", false), ("text/plain", false), ("application/jsonx", false), ("", false),
    ])
    func aBodyOfAnotherTypeIsRefused(type: String, isTaken: Bool) async throws {
        try await RunningServer.with(routes: { routes in
            routes.post("/x") { request, _ -> String in
                try request.requireMediaType("application/json")
                return "ok"
            }
        }) { server in
            let answer = try await Answer.send("POST", server.url("public", "/x"), headers: [("Content-Type", type)], body: "{}")
            #expect(answer.status == (isTaken ? 200 : 415))
            #expect(isTaken || answer.errorCode == "unsupported-media-type")
        }
    }

    @Test(arguments: [("a=1&b=2", true), ("", true), ("a=1&a=2", false), ("c=1", false), ("a=1&a", false)])
    func aQueryHoldsOnlyWhatTheOperationTakesAndOnce(query: String, isTaken: Bool) async throws {
        try await RunningServer.with(routes: { routes in
            routes.get("/x") { request, _ -> String in try request.query(allowing: ["a", "b"]).keys.sorted().joined() }
        }) { server in
            let answer = try await Answer.get(server.url("public", "/x?\(query)"))
            #expect(answer.status == (isTaken ? 200 : 400))
        }
    }

    @Test(arguments: [
        ("FOO /x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400, "malformed-request"), ("\u{16}\u{3}\u{1}\r\n\r\n", 400, "malformed-request"),
        ("GET /x HTTP/1.1\r\nHost: 127.0.0.1\r\nA: \(String(repeating: "a", count: 40_000))\r\n\r\n", 431, "headers-too-large"),
        ("POST /x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: x\r\n\r\n", 400, "malformed-request"),
    ])
    func whatIsNoRequestIsAnsweredWithACode(bytes: String, status: Int, code: String) async throws {
        try await RunningServer.with(routes: { $0.get("/x") { _, _ in "ok" } }) { server in
            let answer = try await RawConnection.exchange(port: try #require(server.ports["public"]), pieces: [bytes])
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(300))")
            #expect(answer.contains("{\"error\":{\"code\":\"\(code)\""))
        }
    }

    /// The books stand behind every server, whichever others are in its process.
    @Test func whatTheBooksRefuseIsNoFaultOfOurs() {
        let contended = ErrorMapping().refusal(for: PaymentsError(code: .contended, reason: "two at once"))
        #expect(contended?.status == .serviceUnavailable && contended?.code == "unavailable" && contended?.headers[.retryAfter] == "1")
        let malformed = ErrorMapping().refusal(for: PaymentsError(code: .malformedIdentifier, reason: "no id"))
        #expect(malformed?.status == .badRequest && malformed?.code == "malformed-request")
    }

    @Test func anErrorWithACodeReachesTheCaller() async throws {
        let refusal = ServerError(code: .conflict, reason: "was here before", status: .conflict)
        try await RunningServer.with(routes: { $0.get("/x") { _, _ -> String in throw refusal } }) { server in
            let answer = try await Answer.get(server.url("public", "/x"))
            #expect(answer.status == 409)
            #expect(answer.body == #"{"error":{"code":"conflict","reason":"was here before"}}"#)
        }
    }

    @Test func aRegisteredRuleMapsAServersOwnError() async throws {
        let mapping = ErrorMapping([
            { $0 is Unforeseen ? Refusal(status: .unprocessableContent, code: "token-refused", reason: "refused") : nil }
        ])
        let surroundings = RunningServer.surroundings(errors: mapping)
        try await RunningServer.with(surroundings: surroundings, routes: { $0.get("/x") { _, _ -> String in throw Unforeseen() } }) {
            server in
            let answer = try await Answer.get(server.url("public", "/x"))
            #expect(answer.status == 422)
            #expect(answer.errorCode == "token-refused")
        }
    }

    @Test func anUnforeseenErrorIsInternalAndKeepsItsContentsToItself() async throws {
        let log = MemoryLog()
        let surroundings = RunningServer.surroundings(log: log)
        try await RunningServer.with(surroundings: surroundings, routes: { $0.get("/x") { _, _ -> String in throw Unforeseen() } }) {
            server in
            let answer = try await Answer.get(server.url("public", "/x"), headers: [("X-Request-Id", "request-42")])
            #expect(answer.status == 500)
            #expect(answer.errorCode == "internal")
            #expect(answer.body.contains("request-42"))
            #expect(!answer.body.contains("hunter2"))
        }
        #expect(log.lines.contains { $0.contains(#""level":"error""#) && $0.contains("request-42") && $0.contains("Unforeseen") })
        #expect(!log.lines.contains { $0.contains("hunter2") })
    }

    @Test func anUnknownPathIsNotFoundInJSON() async throws {
        try await RunningServer.with(routes: { _ in }) { server in
            let answer = try await Answer.get(server.url("public", "/nowhere"))
            #expect(answer.status == 404)
            #expect(answer.errorCode == "not-found")
        }
    }

    @Test(
        arguments: [
            ("evil.example", nil, nil, 403, "foreign-host"), ("127.0.0.1.evil.example", nil, nil, 403, "foreign-host"),
            ("localhost", nil, nil, 200, nil), ("127.0.0.1:99", nil, nil, 200, nil), ("[::1]:8080", nil, nil, 200, nil),
            ("localhost", "http://evil.example", nil, 403, "foreign-origin"), ("localhost", "null", nil, 403, "foreign-origin"),
            ("localhost:7", "http://localhost:8", nil, 403, "foreign-origin"), ("localhost:7", "http://localhost:7", nil, 200, nil),
            ("localhost", nil, "cross-site", 403, "foreign-origin"), ("localhost", nil, "same-origin", 200, nil),
        ] as [(String, String?, String?, Int, String?)])
    func foreignHostsAndOriginsAreRefusedOnLoopback(host: String, origin: String?, site: String?, status: Int, code: String?) async throws {
        try await RunningServer.with(routes: { $0.post("/x") { _, _ in "ok" } }) { server in
            var headers = [("Host", host)]
            if let origin { headers.append(("Origin", origin)) }
            if let site { headers.append(("Sec-Fetch-Site", site)) }
            let answer = try await Answer.send("POST", server.url("public", "/x"), headers: headers, body: "")
            #expect(answer.status == status)
            #expect(answer.errorCode == code)
        }
    }

    @Test func formsOfAnyPageAreTakenWhereThePathSaysSo() async throws {
        let surroundings = RunningServer.surroundings()
        var configuration = ListenerConfiguration(name: "public", address: ListenAddress(port: 0))
        configuration.foreignForms = ["/x"]
        let router = surroundings.router(for: configuration)
        for path in ["/x", "/x/y"] as [RouterPath] {
            router.post(path) { _, _ in "ok" }
            router.put(path) { _, _ in "ok" }
        }
        let listener = Listener(configuration, router: router, logger: surroundings.logger)
        try await RunningServer.with([listener], surroundings: surroundings) { server in
            for (method, path, host, status) in [
                ("POST", "/x", "localhost", 200), ("POST", "/x/y", "localhost", 403), ("PUT", "/x", "localhost", 403),
                ("POST", "/x", "evil.example", 403),
            ] {
                let answer = try await Answer.send(
                    method, server.url("public", path), headers: [("Host", host), ("Origin", "https://shop.example")], body: "")
                #expect(answer.status == status, "\(method) \(path) at \(host)")
            }
        }
    }

    @Test func aRequestWithoutAHostIsRefused() async throws {
        try await RunningServer.with(routes: { $0.get("/x") { _, _ in "ok" } }) { server in
            let answer = try await RawConnection.exchange(
                port: try #require(server.ports["public"]), pieces: ["GET /x HTTP/1.0\r\nConnection: close\r\n\r\n"])
            #expect(answer.hasPrefix("HTTP/1.") && answer.contains(" 403 "))
        }
    }

    @Test func aCallerWhoAsksTooOftenWaits() async throws {
        let uptime = StandingUptime()
        let limits = ServerLimits(rate: RateLimit(perSecond: 2, burst: 3))
        let surroundings = RunningServer.surroundings(uptime: uptime)
        try await RunningServer.with(limits: limits, surroundings: surroundings, routes: { $0.get("/x") { _, _ in "ok" } }) { server in
            for _ in 0..<3 { #expect(try await Answer.get(server.url("public", "/x")).status == 200) }
            let refused = try await Answer.get(server.url("public", "/x"))
            #expect(refused.status == 429)
            #expect(refused.errorCode == "rate-limited")
            #expect(refused.headers["retry-after"] == "1")
            uptime.advance(by: .milliseconds(500))
            #expect(try await Answer.get(server.url("public", "/x")).status == 200)
            #expect(try await Answer.get(server.url("public", "/x")).status == 429)
        }
    }

    @Test func healthAndReadinessAreToldApart() async throws {
        struct Down: Error {}
        let isUp = Mutex(false)
        let check = ReadinessCheck("database") { if !isUp.withLock({ $0 }) { throw Down() } }
        try await RunningServer.with(surroundings: RunningServer.surroundings(checks: [check]), routes: { _ in }) { server in
            #expect(try await Answer.get(server.url("public", "/healthz")).status == 200)
            let failing = try await Answer.get(server.url("public", "/readyz"))
            #expect(failing.status == 503)
            #expect(failing.body == #"{"database":"failing","serving":"ok","status":"not-ready"}"#)
            isUp.withLock { $0 = true }
            #expect(try await Answer.get(server.url("public", "/readyz")).status == 200)
        }
    }

    @Test func aCheckThatHangsHoldsUpNobody() async throws {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let runs = Mutex(0)
        // Heeds no cancellation, as a call into a library does not.
        let check = ReadinessCheck("database") {
            runs.withLock { $0 += 1 }
            await Task { for await _ in gate {} }.value
        }
        let readiness = Readiness(checks: [check], limit: .milliseconds(20))
        for _ in 0..<3 { #expect(await readiness.states() == ["serving": true, "database": false]) }
        #expect(runs.withLock { $0 } == 1)
        opening.finish()
    }

    /// A server's own error: its status and headers go along, and another party's code stands in the place of its own.
    @Test(arguments: [nil, "ACQ.TRADE_HAS_CLOSE"])
    func anErrorIsAnsweredAsItSays(foreign: String?) {
        struct Closed: ServedError {
            let code = "closed"
            let reason = "come back tomorrow"
            let status = HTTPResponse.Status.conflict
            let headers: HTTPFields = [.retryAfter: "7"]
            var foreign: String?
            var answeredCode: String { foreign ?? code }
        }
        let error = Closed(foreign: foreign)
        #expect(ErrorMapping().refusal(for: error) == nil)
        let refusal = ErrorMapping().adding(Closed.self).refusal(for: error)
        #expect(
            refusal == Refusal(status: .conflict, code: foreign ?? "closed", reason: "come back tomorrow", headers: [.retryAfter: "7"]))
    }

    @Test func aPortThatIsTakenIsSaidSo() async throws {
        try await RunningServer.with(routes: { _ in }) { server in
            let port = try #require(server.ports["public"])
            let surroundings = RunningServer.surroundings()
            let configuration = ListenerConfiguration(name: "second", address: ListenAddress(port: port))
            let listener = Listener(configuration, router: surroundings.router(for: configuration), logger: surroundings.logger)
            let group = ServerGroup(listeners: [listener], surroundings: surroundings, handlesSignals: false)
            let error = await #expect(throws: ServerError.self) { try await group.run() }
            #expect(error?.code == .portTaken)
            #expect(error?.reason.contains(String(port)) == true)
        }
    }

    /// A request on one listener keeps no other listener open: whoever is to stop takes no new work meanwhile.
    @Test(.timeLimit(.minutes(5)), arguments: ["public", "console"]) func aStopReachesEachListenerAtOnce(busy: String) async throws {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let (release, releasing) = AsyncStream.makeStream(of: Void.self)
        let surroundings = RunningServer.surroundings()
        let names = ["public", "console"]
        let listeners = names.map { name in
            let configuration = ListenerConfiguration(name: name, address: ListenAddress(port: 0))
            let router = surroundings.router(for: configuration)
            router.get("/slow") { _, _ in
                beginning.yield()
                for await _ in release { break }
                return "done"
            }
            return Listener(configuration, router: router, logger: surroundings.logger)
        }
        try await RunningServer.with(listeners, surroundings: surroundings) { server in
            let answer = Task { try await Answer.get(server.url(busy, "/slow")) }
            for await _ in begun { break }
            await server.group.triggerGracefulShutdown()
            let asking = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            for name in names {
                let port = try #require(server.ports[name])
                try await eventually { (try? await RawConnection.exchange(port: port, pieces: [asking]))?.isEmpty ?? true }
            }
            releasing.yield()
            #expect(try await answer.value.body == "done")
        }
    }

    @Test func aStopWaitsForNoBodyThatDoesNotCome() async throws {
        var limits = RunningServer.patient
        limits.shutdownGrace = .seconds(40)
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        func take(_ router: Router<ServerRequestContext>) {
            router.post("/take") { request, _ in
                beginning.yield()
                return try await String(buffer: request.body.collect(upTo: 5))
            }
        }
        try await RunningServer.with(limits: limits, routes: take) { server in
            let port = try #require(server.ports["public"])
            let head = "POST /take HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nx"
            async let answer = RawConnection.exchange(port: port, pieces: [head])
            for await _ in begun { break }
            await server.group.triggerGracefulShutdown()
            let start = ContinuousClock.now
            #expect(try await answer.hasPrefix("HTTP/1.1 503 "))
            // A quarter of the grace, and not what a body may take otherwise.
            #expect(ContinuousClock.now - start < .seconds(35))
        }
    }

    /// What is written is sent, and the rest of a pipeline is not begun.
    @Test func aStopSendsWholeAnswersAndBeginsNothingMore() async throws {
        let size = 32 << 20
        let begun = Atomic(0)
        let (written, writing) = AsyncStream.makeStream(of: Void.self)
        func large(_ router: Router<ServerRequestContext>) {
            router.get("/large") { _, _ in
                begun.add(1, ordering: .relaxed)
                defer { writing.yield() }
                return String(repeating: "x", count: size)
            }
        }
        try await RunningServer.with(limits: RunningServer.patient, routes: large) { server in
            let request = "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let client = try IdleSockets(1, to: try #require(server.ports["public"]), saying: request)
            for await _ in written { break }
            #expect(try await client.haveHeard())
            await server.group.triggerGracefulShutdown()
            try await Task.sleep(for: .milliseconds(300))
            try client.say(request)
            let count = try #require(try await client.countUntilEnd(of: 0))
            #expect((size..<(2 * size)).contains(count))
            let beginnings = begun.load(ordering: .relaxed)
            #expect(beginnings == 1)
        }
    }

    @Test func aFailureWhileStoppingIsTold() async throws {
        struct Broken: Error {}
        struct Breaking: Service {
            func run() async throws {
                try? await gracefulShutdown()
                throw Broken()
            }
        }
        let failed = Atomic(false)
        let surroundings = RunningServer.surroundings()
        let configuration = ListenerConfiguration(
            name: "public", address: ListenAddress(port: 0), limits: ServerLimits(shutdownGrace: .seconds(60)))
        let listener = Listener(configuration, router: surroundings.router(for: configuration), logger: surroundings.logger)
        let (up, isUp) = AsyncStream.makeStream(of: Void.self)
        let group = ServerGroup(
            listeners: [listener], workers: [Breaking()], surroundings: surroundings, handlesSignals: false,
            onListening: { _, _ in isUp.yield() }, onFailure: { failed.store(true, ordering: .relaxed) })
        let services = ServiceGroup(configuration: ServiceGroupConfiguration(services: [group], logger: surroundings.logger))
        let run = Task { try await services.run() }
        for await _ in up { break }
        await services.triggerGracefulShutdown()
        await #expect(throws: Broken.self) { try await run.value }
        let wasTold = failed.load(ordering: .relaxed)
        #expect(wasTold)
    }

    @Test func whatIsCancelledAfterTheGraceIsNoFailure() async throws {
        struct Stubborn: Service {
            func run() async throws { try await Task.sleep(for: .seconds(600)) }
        }
        let log = MemoryLog()
        try await RunningServer.with(
            limits: ServerLimits(shutdownGrace: .milliseconds(200)), surroundings: RunningServer.surroundings(log: log),
            workers: [Stubborn()], routes: { _ in }
        ) { _ in }
        #expect(log.lines.contains { $0.contains("the grace was over") })
    }

    @Test func aStopLetsTheRequestInFlightFinishAndThenTheWorkers() async throws {
        let events = Mutex<[String]>([])
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        let (release, releasing) = AsyncStream.makeStream(of: Void.self)
        struct Worker: Service {
            let stopped: @Sendable () -> Void
            func run() async throws {
                try? await gracefulShutdown()
                stopped()
            }
        }
        let worker = Worker { events.withLock { $0.append("worker stopped") } }
        let answered: Answer = try await withThrowingTaskGroup(of: Answer?.self) { group in
            let answers = Mutex<Answer?>(nil)
            try await RunningServer.with(
                workers: [worker],
                routes: { router in
                    router.get("/slow") { _, _ in
                        continuation.yield()
                        for await _ in release { break }
                        events.withLock { $0.append("request finished") }
                        return "done"
                    }
                },
                body: { server in
                    group.addTask { try await Answer.get(server.url("public", "/slow")) }
                    for await _ in begun { break }
                    await server.group.triggerGracefulShutdown()
                    releasing.yield()
                    let answer = try await group.next() ?? nil
                    answers.withLock { $0 = answer }
                })
            return try #require(answers.withLock { $0 })
        }
        #expect(answered.status == 200)
        #expect(answered.body == "done")
        #expect(events.withLock { $0 } == ["request finished", "worker stopped"])
    }
}
