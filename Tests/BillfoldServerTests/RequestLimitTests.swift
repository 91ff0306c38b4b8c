import BillfoldServer
import BillfoldServerTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle
import Synchronization
import Testing

@Suite(.serialized) struct RequestLimitTests {
    private func echo(_ router: Router<ServerRequestContext>) {
        router.post("/form.do") { request, _ in try await "\(request.head(upTo: 1_000).isWhole)" }
        router.post("/echo") { request, _ in try await String(buffer: request.body.collect(upTo: 1_000_000)) }
    }

    @Test func aBodyAtTheLimitIsTakenAndOneByteMoreIsNot() async throws {
        try await RunningServer.with(limits: ServerLimits(maximumBodyBytes: 1_000), routes: echo) { server in
            let fits = String(repeating: "x", count: 1_000)
            #expect(try await Answer.send("POST", server.url("public", "/echo"), body: fits).body == fits)
            let answer = try await Answer.send("POST", server.url("public", "/echo"), body: fits + "x")
            #expect(answer.status == 413)
            #expect(answer.errorCode == "body-too-large")
            #expect(answer.headers["connection"] == "close")
        }
    }

    @Test func anOperationTakesLessThanTheListener() async throws {
        try await RunningServer.with(limits: ServerLimits(maximumBodyBytes: 2_000_000), routes: echo) { server in
            let flood = String(repeating: "x", count: 1_000_001)
            let answer = try await Answer.send("POST", server.url("public", "/echo"), body: flood)
            #expect(answer.status == 413)
            #expect(answer.errorCode == "body-too-large")
        }
    }

    @Test func aChunkedBodyIsCounted() async throws {
        try await RunningServer.with(limits: ServerLimits(maximumBodyBytes: 100), routes: echo) { server in
            let chunk = "40\r\n" + String(repeating: "x", count: 64) + "\r\n"
            let answer = try await RawConnection.exchange(
                port: try #require(server.ports["public"]),
                pieces: ["POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", chunk, chunk, chunk, chunk])
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
            #expect(answer.contains("body-too-large"))
        }
    }

    /// A route that reads on answers in a form of its own, and only at its own path.
    @Test func aRouteThatDrainsItsBodyAnswersItself() async throws {
        let limits = ServerLimits(maximumBodyBytes: 1_000_000, drainedBodies: ["/form.do": 12_000_000])
        func routes(_ router: Router<ServerRequestContext>) {
            router.post("/form.do") { request, _ in
                let (bytes, isWhole) = try await request.head(upTo: 1_000)
                return "\(bytes.count) \(isWhole)"
            }
        }
        try await RunningServer.with(limits: limits, routes: routes) { server in
            let flood = String(repeating: "x", count: 10_000_000)
            let answer = try await Answer.send("POST", server.url("public", "/form.do?a=b"), body: flood)
            #expect(answer.status == 200 && answer.body == "1000 false")
            #expect(try await Answer.send("POST", server.url("public", "/form.do"), body: "abc").body == "3 true")
        }
    }

    /// The limit of a path is told from its request line alone, in either form; waiting for the body means that it may come.
    @Test(arguments: [
        ("/form.do", 2_000, "408"), ("/form.do?a=b", 2_000, "408"), ("http://localhost/form.do?a=/b", 2_000, "408"),
        ("/form.do", 2_001, "413"), ("/echo", 2_000, "413"), ("/echo?/form.do", 2_000, "413"), ("http://localhost/echo", 2_000, "413"),
    ]) func aPathsOwnLimitIsItsOwn(target: String, length: Int, status: String) async throws {
        let limits = ServerLimits(maximumBodyBytes: 1_000, bodyTimeout: .milliseconds(300), drainedBodies: ["/form.do": 2_000])
        try await RunningServer.with(limits: limits, routes: echo) { server in
            let answer = try await RawConnection.exchange(
                port: try #require(server.ports["public"]),
                pieces: ["POST \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\r\nx"])
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(200))")
        }
    }

    @Test func anAddressMayBeAsLongAsTheLimit() async throws {
        func routes(_ router: Router<ServerRequestContext>) { router.get("/pay") { _, _ in "paid" } }
        try await RunningServer.with(limits: ServerLimits(maximumHeaderBytes: 70_000), routes: routes) { server in
            let path = "/pay?" + String(repeating: "a", count: 60_000)
            let answer = try await Answer.send("GET", server.url("public", path))
            #expect(answer.body == "paid")
        }
    }

    @Test func aBodyThatTricklesInIsCutOff() async throws {
        let reached = Mutex(0)
        let limits = ServerLimits(bodyTimeout: .milliseconds(300), requestTimeout: .seconds(20))
        try await RunningServer.with(
            limits: limits,
            routes: { router in
                router.post("/pay") { request, _ in
                    let body = try await request.body.collect(upTo: 10_000)
                    reached.withLock { $0 += 1 }
                    return String(buffer: body)
                }
            },
            body: { server in
                let pieces = ["POST /pay HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"] + Array(repeating: "x", count: 200)
                let answer = try await RawConnection.exchange(
                    port: try #require(server.ports["public"]), pieces: pieces, pause: .milliseconds(50))
                #expect(answer.hasPrefix("HTTP/1.1 408 "))
                #expect(answer.contains("request-timeout"))
                // Others are not affected, and half a body never reaches a route.
                #expect(try await Answer.get(server.url("public", "/healthz")).status == 200)
            })
        #expect(reached.withLock { $0 } == 0)
    }

    @Test(.timeLimit(.minutes(5))) func aRequestThatTakesTooLongIsAnsweredForAndGoesOn() async throws {
        let (finished, continuation) = AsyncStream.makeStream(of: Bool.self)
        try await RunningServer.with(
            limits: ServerLimits(requestTimeout: .seconds(1)),
            routes: { router in
                router.post("/pay") { _, _ in
                    // What a payment does meanwhile must not be cancelled by the deadline.
                    await withCheckedContinuation { resume in
                        Task.detached {
                            try? await Task.sleep(for: .seconds(2))
                            resume.resume()
                        }
                    }
                    continuation.yield(Task.isCancelled)
                    return "late"
                }
            },
            body: { server in
                let answer = try await Answer.send("POST", server.url("public", "/pay"), body: "{}")
                #expect(answer.status == 503)
                #expect(answer.errorCode == "deadline-exceeded")
                var outcomes = finished.makeAsyncIterator()
                #expect(await outcomes.next() != nil)
            })
    }

    /// The limit leaves a busy machine time to begin the answer: a request that ends before has no writer that could say so.
    @Test(.timeLimit(.minutes(5))) func aReaderThatDoesNotReadIsDropped() async throws {
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        try await RunningServer.with(
            limits: ServerLimits(requestTimeout: .seconds(4)),
            routes: { router in
                router.get("/big") { _, _ in
                    Response(
                        status: .ok,
                        body: ResponseBody { writer in
                            defer { continuation.yield() }
                            let piece = ByteBuffer(repeating: 0x78, count: 1 << 20)
                            for _ in 0..<512 { try await writer.write(piece) }
                            try await writer.finish(nil)
                        })
                }
            },
            body: { server in
                let connection = try await RawConnection.open(port: try #require(server.ports["public"]))
                try await connection.channel.executeThenClose { _, outbound in
                    try await outbound.write(ByteBuffer(string: "GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                    var ends = ended.makeAsyncIterator()
                    #expect(await ends.next() != nil)
                }
            })
    }

    @Test func headersBeyondTheLimitAreRefused() async throws {
        try await RunningServer.with(limits: ServerLimits(maximumHeaderBytes: 2_000), routes: echo) { server in
            let answer = try await RawConnection.exchange(
                port: try #require(server.ports["public"]),
                pieces: ["GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: \(String(repeating: "a", count: 4_000))\r\n\r\n"])
            #expect(answer.hasPrefix("HTTP/1.1 4") || answer.isEmpty)
            #expect(!answer.contains(" 200 "))
        }
    }

    // MARK: Sent ahead

    /// What a client sends ahead is answered in its order (RFC 9112 section 9.3.2).
    @Test(.timeLimit(.minutes(5)), arguments: [2, 17, 40, 64]) func requestsSentAheadAreAnsweredInOrder(count: Int) async throws {
        let sent = (1..<count).map { SentAhead.ask($0) } + [SentAhead.ask(count, closing: true)]
        let (answer, begun) = try await SentAhead().exchange(sent.joined())
        #expect(SentAhead.numbers(answer) == Array(1...count))
        #expect(begun == Array(1...count))
    }

    /// Nothing is lost without a word: what was begun is answered, and the last answer says that nothing behind it was (section 9.6).
    @Test(.timeLimit(.minutes(5)), arguments: [500, 3_000]) func ofTooManySentAheadTheFirstAreAnswered(count: Int) async throws {
        let (answer, begun) = try await SentAhead().exchange((1...count).map { SentAhead.ask($0) }.joined())
        let numbers = SentAhead.numbers(answer)
        // What comes bit by bit is answered meanwhile, so that it may be more than are held at once.
        #expect((64..<count).contains(numbers.count) && numbers == Array(1...max(1, numbers.count)))
        #expect(begun == numbers)
        let heads = answer.components(separatedBy: "HTTP/1.1 200 ").dropFirst().map { $0.lowercased().contains("connection: close") }
        #expect(heads.last == true && !heads.dropLast().contains(true))
    }

    /// A refusal comes behind the answers to what was sent before it, and ends the connection.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            ("no request\r\n\r\n", "400"),
            ("GET /number/4 HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", "400"),
            ("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000000\r\n\r\n", "413"),
            ("POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "400"),
            ("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nx", "408"),
        ]) func aRefusalWaitsForTheAnswersBeforeIt(last: String, status: String) async throws
    {
        let behind = status == "408" ? "" : SentAhead.ask(9)
        let sent = (1...3).map { SentAhead.ask($0) }.joined() + last + behind
        let ahead = SentAhead(limits: ServerLimits(bodyTimeout: .milliseconds(200)), pause: .milliseconds(150))
        let (answer, begun) = try await ahead.exchange(sent)
        #expect(SentAhead.numbers(answer) == [1, 2, 3] && begun == [1, 2, 3])
        let refusal = try #require(answer.components(separatedBy: "HTTP/1.1 ").last)
        #expect(refusal.hasPrefix("\(status) "), "\(answer)")
        #expect(refusal.lowercased().contains("connection: close"))
    }

    @Test(.timeLimit(.minutes(5))) func theLastAnswerBeforeAStopSaysSo() async throws {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let (release, releasing) = AsyncStream.makeStream(of: Void.self)
        func wait(_ router: Router<ServerRequestContext>) {
            router.get("/wait") { _, _ in
                beginning.yield()
                for await _ in release { break }
                return "done"
            }
        }
        try await RunningServer.with(limits: RunningServer.patient, routes: wait) { server in
            let port = try #require(server.ports["public"])
            async let answer = RawConnection.exchange(port: port, pieces: ["GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n"])
            for await _ in begun { break }
            await server.group.triggerGracefulShutdown()
            let asking = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            try await eventually { (try? await RawConnection.exchange(port: port, pieces: [asking]))?.isEmpty ?? true }
            try await Task.sleep(for: .milliseconds(300))
            releasing.yield()
            let text = try await answer
            #expect(text.hasSuffix("done") && text.lowercased().contains("connection: close"), "\(text)")
        }
    }
}

/// Requests that a client sends before it has the answers to the earlier ones, to a server that is slow or not.
private struct SentAhead: Sendable {
    var limits = RunningServer.patient
    /// How long each answer takes.
    var pause = Duration.zero

    static func ask(_ number: Int, closing: Bool = false) -> String {
        "GET /number/\(number) HTTP/1.1\r\nHost: localhost\r\n" + (closing ? "Connection: close\r\n" : "") + "\r\n"
    }

    /// Which requests were answered, in the order of the answers.
    static func numbers(_ answer: String) -> [Int] { answer.matches(of: /number (\d+);/).compactMap { Int($0.output.1) } }

    /// What the server said until it ended the connection, and which requests it began.
    func exchange(_ sent: String) async throws -> (answer: String, begun: [Int]) {
        let begun = Mutex<[Int]>([])
        func routes(_ router: Router<ServerRequestContext>) {
            router.get("/number/:number") { [pause] _, context in
                let number = context.parameters.get("number", as: Int.self) ?? 0
                begun.withLock { $0.append(number) }
                try await Task.sleep(for: pause)
                return "number \(number);"
            }
            router.post("/echo") { request, _ in try await String(buffer: request.body.collect(upTo: 1_000_000)) }
        }
        let answer = Mutex("")
        try await RunningServer.with(limits: limits, routes: routes) { server in
            let said = try await RawConnection.exchange(port: try #require(server.ports["public"]), pieces: [sent])
            answer.withLock { $0 = said }
        }
        return (answer.withLock(\.self), begun.withLock(\.self))
    }
}
