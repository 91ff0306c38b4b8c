import BillfoldServer
import BillfoldTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Synchronization

/// The wire from one server to another in this process: it loses, doubles, delays and answers what a test says, message by message, or
/// by the roll of seeded dice.
final class LossyLink: HTTPSender {
    enum Fault: Sendable, Hashable {
        /// It never arrives, and the sender cannot know.
        case requestLost
        /// It arrives, and its answer does not.
        case answerLost
        /// It arrives twice at once.
        case doubled
        /// It arrives when ``LossyLink/arrive()`` is called; the sender has given up by then.
        case late
        /// It certainly did not leave.
        case notSent
        /// Something else answers, and it does not arrive.
        case answered(Int, String?)
    }

    private struct State {
        var target: (any TestClientProtocol)?
        var script: [String: [Fault]] = [:]
        var standing: [String: Fault] = [:]
        var delayed: [OutgoingRequest] = []
        var generator: SeededGenerator?
        /// Of a thousand messages so many meet a fault.
        var rate = 0
        var counts: [String: Int] = [:]
    }
    private let state = Mutex(State())

    func connect(_ target: any TestClientProtocol) { state.withLock { $0.target = target } }

    /// The next messages of a kind (`POST payments`) meet these faults, one each.
    func next(_ kind: String, _ faults: Fault...) { state.withLock { $0.script[kind] = faults } }
    /// All messages of a kind meet a fault, until it is `nil`.
    func all(_ kind: String, _ fault: Fault?) { state.withLock { $0.standing[kind] = fault } }
    func roll(_ rate: Int, seed: UInt64, label: String) {
        state.withLock {
            $0.rate = rate
            $0.generator = SeededGenerator(seed: seed, label: label)
        }
    }
    func heal() {
        state.withLock {
            $0.rate = 0
            $0.script = [:]
            $0.standing = [:]
        }
    }
    /// How many messages of a kind were sent, whatever became of them.
    func count(_ kind: String) -> Int { state.withLock { $0.counts[kind] ?? 0 } }

    /// Brings what is still on its way, the last first. Returns how many messages that were.
    @discardableResult
    func arrive() async throws -> Int {
        let delayed = state.withLock { state in
            defer { state.delayed = [] }
            return Array(state.delayed.reversed())
        }
        for request in delayed { _ = try await bring(request) }
        return delayed.count
    }

    func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
        let lost = SendFailure(code: .timedOut, reason: "lost", mayHaveArrived: true)
        switch fault(for: request) {
        case .requestLost: throw lost
        case .late:
            state.withLock { $0.delayed.append(request) }
            throw lost
        case .notSent: throw SendFailure(code: .notConnected, reason: "not sent", mayHaveArrived: false)
        case .answered(let status, let code):
            let body = code.map { #"{"error":{"code":"\#($0)","reason":"between"}}"# } ?? "<html>"
            return OutgoingAnswer(status: .init(code: status), headers: [:], body: Array(body.utf8))
        case .answerLost:
            _ = try await brought(request)
            throw lost
        case .doubled:
            async let copy = brought(request)
            let answer = try await brought(request)
            do { _ = try await copy } catch { throw lost }
            return answer
        case nil: return try await brought(request)
        }
    }

    private func fault(for request: OutgoingRequest) -> Fault? {
        let kind = Self.kind(request)
        return state.withLock { state in
            state.counts[kind, default: 0] += 1
            if var script = state.script[kind], !script.isEmpty {
                let next = script.removeFirst()
                state.script[kind] = script
                return next
            }
            if let standing = state.standing[kind] { return standing }
            guard state.rate > 0, var generator = state.generator else { return nil }
            defer { state.generator = generator }
            guard Int.random(in: 0..<1_000, using: &generator) < state.rate else { return nil }
            let faults: [Fault] = [
                .requestLost, .answerLost, .doubled, .late, .notSent, .answered(503, "unavailable"), .answered(502, nil),
            ]
            return faults.randomElement(using: &generator)
        }
    }

    /// `POST payments` for `POST http://gateway.test/link/v1/payments`, `GET payments` for a question about one.
    private static func kind(_ request: OutgoingRequest) -> String {
        let path = URLComponents(string: request.url)?.path.components(separatedBy: "/link/v1/").last ?? ""
        return "\(request.method.rawValue) \(path.split(separator: "/").first ?? "")"
    }

    private func brought(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
        do { return try await bring(request) } catch {
            throw SendFailure(code: .connectionLost, reason: "\(error)", mayHaveArrived: true)
        }
    }

    private func bring(_ request: OutgoingRequest) async throws -> OutgoingAnswer {
        guard let target = state.withLock({ $0.target }), let url = URLComponents(string: request.url) else {
            throw SendFailure(code: .notConnected, reason: "nobody listens", mayHaveArrived: false)
        }
        let body = request.body.isEmpty ? nil : ByteBuffer(bytes: request.body)
        return try await target.execute(
            uri: url.percentEncodedPath + (url.percentEncodedQuery.map { "?\($0)" } ?? ""), method: request.method,
            headers: request.headers, body: body
        ) { OutgoingAnswer(status: $0.status, headers: $0.headers, body: Array($0.body.readableBytesView)) }
    }
}
