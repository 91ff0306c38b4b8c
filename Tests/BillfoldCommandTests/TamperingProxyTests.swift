import AsyncHTTPClient
import BillfoldServer
import BillfoldStorage
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Synchronization
import Testing

@testable import billfold

@Suite struct TamperingProxyTests {
    private static let form =
        "encoding=UTF-8&merId=777290058110048&orderId=20260225000001&signature=" + String(repeating: "Qm9keQ", count: 40) + "&txnType=01"

    /// Serves an echo and a proxy in front of it, and says what came back through the proxy and what the echo saw.
    private func exchange(_ flip: Flip?, path: String, body: String) async throws -> (answer: String, seen: String, flips: Int) {
        struct Standing: WallClock {
            func now() -> Timestamp { Timestamp(secondsSince1970: 0) }
        }
        let surroundings = ServerSurroundings(
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: Standing(), uptime: { .zero })
        let seen = Mutex("")
        let echo = ListenerConfiguration(name: "echo", address: ListenAddress(port: 0))
        let router = surroundings.router(for: echo)
        router.post("/**") { request, _ in
            let text = try await String(buffer: request.body.collect(upTo: 100_000))
            seen.withLock { $0 = text }
            return text
        }
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let echoes = ServiceGroup(
            configuration: .init(
                services: [
                    ServerGroup(
                        listeners: [Listener(echo, router: router, logger: surroundings.logger)], surroundings: surroundings,
                        handlesSignals: false, onListening: { _, port in continuation.yield(port) })
                ], logger: surroundings.logger))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await echoes.run() }
            var iterator = ports.makeAsyncIterator()
            let target = try #require(await iterator.next())
            let tally = TamperingProxy.Tally()
            let proxy = Listener(
                ListenerConfiguration(name: "proxy", address: ListenAddress(port: 0)),
                responder: TamperingProxy(target: "http://127.0.0.1:\(target)", flip: flip, tally: tally), logger: surroundings.logger)
            let proxies = ServiceGroup(
                configuration: .init(
                    services: [
                        ServerGroup(
                            listeners: [proxy], surroundings: surroundings, handlesSignals: false,
                            onListening: { _, port in continuation.yield(port) })
                    ], logger: surroundings.logger))
            group.addTask { try await proxies.run() }
            let port = try #require(await iterator.next())
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
            request.method = .POST
            request.body = .bytes(ByteBuffer(string: body))
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
            let answer = try await String(buffer: response.body.collect(upTo: 100_000))
            await proxies.triggerGracefulShutdown()
            await echoes.triggerGracefulShutdown()
            try await group.waitForAll()
            return (answer, seen.withLock { $0 }, tally.count)
        }
    }

    private func differences(_ left: String, _ right: String) -> Int {
        left.utf8.count == right.utf8.count ? zip(left.utf8, right.utf8).count { $0 != $1 } : -1
    }

    @Test func withoutAFlipNothingChanges() async throws {
        let (answer, seen, flips) = try await exchange(nil, path: "/gateway/api/backTransReq.do", body: Self.form)
        #expect(answer == Self.form)
        #expect(seen == Self.form)
        #expect(flips == 0)
    }

    @Test func oneByteOfTheRequestChangesAndItsLengthStays() async throws {
        let flip = try Flip("merchant:consume")
        let (_, seen, flips) = try await exchange(flip, path: "/gateway/api/backTransReq.do", body: Self.form)
        #expect(differences(seen, Self.form) == 1)
        #expect(flips == 1)
    }

    @Test func oneByteOfTheAnswerChangesAndTheRequestStays() async throws {
        let flip = try Flip("unionpay:consume")
        let (answer, seen, flips) = try await exchange(flip, path: "/gateway/api/backTransReq.do", body: Self.form)
        #expect(seen == Self.form)
        #expect(differences(answer, Self.form) == 1)
        #expect(flips == 1)
    }

    @Test(arguments: [("/gateway/api/queryTrans.do", "txnType=01"), ("/gateway/api/backTransReq.do", "txnType=04")])
    func otherMessagesPassUnchanged(path: String, type: String) async throws {
        let body = Self.form.replacing("txnType=01", with: type)
        let (answer, seen, flips) = try await exchange(try Flip("merchant:consume"), path: path, body: body)
        #expect(answer == body)
        #expect(seen == body)
        #expect(flips == 0)
    }

    @Test func aMessageThatDoesNotExistIsRefusedWithTheNearestOnes() {
        let error = #expect(throws: CommandFailure.self) { try Flip("merchant:consumes") }
        #expect(error?.code == "unknown-message")
        #expect(error?.reason.contains("merchant:consume,") == true, "\(error?.reason ?? "")")
        #expect(error?.reason.contains("--flip list") == true)
    }

    @Test(arguments: [
        ("shop:order", #"{"unitAmount":"128.00"}"#, #"{"unitAmount":"028.00"}"#),
        ("phone:checkout", #"{"price":9}"#, #"{"price":9}"#),
        ("phone:checkout", #"{"quantity":9}"#, #"{"quantity":8}"#),
        ("customer:tap", #"{"value":"Alipay"}"#, #"{"value":"Blipay"}"#),
        ("customer:tap", #"{"value":"zebra"}"#, #"{"value":"aebra"}"#),
        ("customer:tap", #"{"value":""}"#, #"{"value":""}"#),
    ])
    func aValueKeepsItsKindAndWhatIsNotThereIsNotChanged(name: String, body: String, changed: String) throws {
        #expect(String(decoding: try Flip(name).changed(body: Array(body.utf8)), as: UTF8.self) == changed)
    }

    @Test func aTargetAndAStatusChangeInOnePlaceOnly() throws {
        let request = try Flip("phone:order-request")
        #expect(request.changed(target: "/v1/orders/01ab?x=1") == "/v1/orders/11ab?x=1")
        #expect(request.changed(status: 200) == 200)
        let acknowledgement = try Flip("merchant:acknowledgement")
        #expect(acknowledgement.changed(status: 200) == 500)
        #expect(acknowledgement.changed(status: 204) == 504)
        #expect(acknowledgement.changed(body: Array("ok".utf8)) == Array("ok".utf8))
    }

    @Test(arguments: [
        ("phone:order-request", "GET", "/v1/orders/01ab", true), ("phone:order-request", "GET", "/v1/orders/01ab/quote", false),
        ("phone:order-request", "POST", "/v1/orders/01ab", false), ("operator:stories-request", "GET", "/api/stories?limit=5", true),
        ("operator:stories-request", "GET", "/api/stories/01ab", false), ("operator:story-request", "GET", "/api/stories/01ab", true),
    ])
    func aMessageIsKnownByItsMethodAndPath(name: String, method: String, path: String, matches: Bool) throws {
        #expect(try Flip(name).matches(ProxiedMessage(method: method, path: path, requestBody: [])) == matches)
    }

    @Test func onlyTheFirstMessageIsChanged() {
        let tally = TamperingProxy.Tally()
        #expect([tally.claim(), tally.claim(), tally.claim()] == [true, false, false])
        #expect(tally.count == 1)
    }

    @Test func everyMessageHasItsOwnName() { #expect(Set(Flip.all.map(\.name)).count == Flip.all.count) }
}
