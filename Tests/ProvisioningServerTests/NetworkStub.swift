import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldServer
import BillfoldTestSupport
import BillfoldTrace
import Foundation
import HTTPTypes
import PaymentCrypto
import Synchronization

@testable import ProvisioningServer

/// A card network in the same process: it keeps tokens and does what the issuer asks, each request once.
final class NetworkStub: HTTPSender {
    static let credential = "the issuer's credential at the network"

    struct Token: Sendable, Hashable {
        var account: String
        var snapshot: TokenSnapshot
        var suffix = "4321"
    }

    struct Script: Sendable {
        /// How many requests fail before anything gets through.
        var unreachable = 0
        /// How many requests are done and not answered.
        var losesReplies = 0
        /// Says no to everything.
        var refuses = false
        /// Answers with what nobody can read.
        var mumbles = false
    }

    private struct State {
        var script = Script()
        var tokens: [String: Token] = [:]
        var done: [String: [UInt8]] = [:]
        var requests: [String] = []
        var numbers: [String] = []
    }

    let accountKey: P256PrivateKey
    private let state = Mutex(State())

    init(accountKey: P256PrivateKey) { self.accountKey = accountKey }

    func script(_ change: (inout Script) -> Void) { state.withLock { change(&$0.script) } }
    func keep(_ reference: String, _ token: Token) { state.withLock { $0.tokens[reference] = token } }
    func change(_ reference: String, _ body: (inout TokenSnapshot) -> Void) {
        state.withLock { state in
            guard var token = state.tokens[reference] else { return }
            token.snapshot.sequence += 1
            body(&token.snapshot)
            state.tokens[reference] = token
        }
    }

    /// What was asked and done, each once: `suspend token-1 L`.
    var requests: [String] { state.withLock { $0.requests } }
    /// The new numbers that were handed over.
    var numbers: [String] { state.withLock { $0.numbers } }
    var tokens: [String: Token] { state.withLock { $0.tokens } }

    func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
        let outcome: Result<OutgoingAnswer, SendFailure> = state.withLock { state in
            guard request.headers[.authorization] == "Bearer \(Self.credential)" else { return .success(Self.answer(.unauthorized, [])) }
            if state.script.unreachable > 0 {
                state.script.unreachable -= 1
                return .failure(SendFailure(code: .notConnected, reason: "down", mayHaveArrived: false))
            }
            if state.script.refuses {
                return .success(Self.answer(.conflict, Array(#"{"error":{"code":"token-busy","reason":"no"}}"#.utf8)))
            }
            let answer = self.serve(request, &state)
            if state.script.losesReplies > 0, request.method == .post {
                state.script.losesReplies -= 1
                return .failure(SendFailure(code: .timedOut, reason: "lost", mayHaveArrived: true))
            }
            return .success(state.script.mumbles ? Self.answer(.ok, Array("{}".utf8)) : answer)
        }
        return try outcome.get()
    }

    private func serve(_ request: OutgoingRequest, _ state: inout State) -> OutgoingAnswer {
        let path = request.url.split(separator: "/issuer/v1/").last.map(String.init) ?? ""
        let parts = path.split(separator: "/").map(String.init)
        let body = (try? JSONReader.readObject(request.body, maximumBytes: 65_536)) ?? JSONObject()
        let id = body["requestId"]?.string ?? ""
        if let done = state.done[id] { return Self.answer(.ok, done) }
        switch (request.method, parts.first, parts.last) {
        case (.get, "keys", _):
            return Self.answer(
                .ok, Array(#"{"accountKey":"\#(StrictBase64.encode(accountKey.publicKey.subjectPublicKeyInfo))"}"#.utf8))
        case (.get, "tokens", _):
            let list = state.tokens.sorted { $0.key < $1.key }.map { Self.json($0.key, $0.value) }
            return Self.answer(.ok, Array("{\"tokens\":[\(list.joined(separator: ","))]}".utf8))
        case (.post, "tokens", "actions"):
            guard let action = body["action"]?.string.flatMap(ProvisioningAction.init(rawValue:)), let reason = body["reason"]?.string,
                var token = state.tokens[parts[1]]
            else { return Self.answer(.notFound, Array(#"{"error":{"code":"token-unknown","reason":"no"}}"#.utf8)) }
            token.snapshot = action.applied(to: token.snapshot)
            token.snapshot.sequence += 1
            state.tokens[parts[1]] = token
            state.requests.append("\(action.rawValue) \(parts[1]) \(reason)")
            let answer = Array(Self.json(parts[1], token, isShort: true).utf8)
            state.done[id] = answer
            return Self.answer(.ok, answer)
        case (.post, "accounts", "replacement"):
            guard let account = try? NetworkAccount(sealed: body["encryptedAccount"]?.string ?? "", keys: [accountKey]) else {
                return Self.answer(.unprocessableContent, [])
            }
            state.numbers.append(account.number.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } + " " + account.expiration)
            state.requests.append("replace \(parts[1])")
            for (reference, token) in state.tokens where token.account == parts[1] && token.snapshot.state != .deleted {
                state.tokens[reference]?.snapshot.sequence += 1
            }
            let moved = state.tokens.filter { $0.value.account == parts[1] }.sorted { $0.key < $1.key }.map { Self.json($0.key, $0.value) }
            let answer = Array("{\"tokens\":[\(moved.joined(separator: ","))]}".utf8)
            state.done[id] = answer
            return Self.answer(.ok, answer)
        default: return Self.answer(.notFound, [])
        }
    }

    private static func json(_ reference: String, _ token: Token, isShort: Bool = false) -> String {
        let by = token.snapshot.suspendedBy.sorted().map { "\"\($0)\"" }.joined(separator: ",")
        let more = isShort ? "" : #","primaryAccountIdentifier":"\#(token.account)","deviceAccountSuffix":"\#(token.suffix)""#
        return #"{"tokenReference":"\#(reference)","state":"\#(token.snapshot.state.rawValue)","suspendedBy":[\#(by)],"#
            + #""sequence":\#(token.snapshot.sequence)\#(more)}"#
    }

    private static func answer(_ status: HTTPResponse.Status, _ body: [UInt8]) -> OutgoingAnswer {
        OutgoingAnswer(status: status, headers: [:], body: body)
    }
}

/// A processor's messages in the same process, each id delivered once.
final class InboxStub: CustomerMessenger {
    struct Message: Sendable, Hashable {
        var id: String
        var customer: String
        var contact: String
        var text: String
    }

    private let held = Mutex<(messages: [Message], failures: [MessageFailure])>(([], []))
    private let reported = Mutex<[String?]>([])

    /// The exchange that each send belonged to.
    var exchanges: [String?] { reported.withLock { $0 } }

    /// What the next sends fail with; a failure that may have arrived has arrived.
    func fail(_ failures: MessageFailure...) { held.withLock { $0.failures = failures } }
    var messages: [Message] { held.withLock { $0.messages } }

    func send(_ message: CustomerMessage) async throws(MessageFailure) {
        reported.withLock { $0.append(Exchange.reported) }
        let failure: MessageFailure? = held.withLock { held in
            let failure = held.failures.isEmpty ? nil : held.failures.removeFirst()
            if failure?.mayHaveArrived ?? true, !held.messages.contains(where: { $0.id == message.id }) {
                held.messages.append(
                    Message(id: message.id, customer: message.customer, contact: message.contact, text: message.text.reveal()))
            }
            return failure
        }
        if let failure { throw failure }
    }
}
