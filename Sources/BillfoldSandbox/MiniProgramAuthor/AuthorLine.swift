import AlipayPlusValues
import BillfoldJSON
import BillfoldStorage
import BillfoldTrace
import Foundation
import MiniPrograms
import PaymentCrypto

/// How the author calls the wallet: signed, and believing only what the wallet has signed.
struct AuthorLine: Sendable {
    let registration: AuthorRegistration
    let connection: any AlipayPlusConnection
    let surroundings: PartySurroundings
    /// How far the time of an answer may be from the clock; no tolerance is published [I].
    private static let toleranceSeconds: Int64 = 600

    /// What goes out.
    struct Call: Sendable {
        var path: String
        var body: [UInt8]
        var type = "application/json"

        init(_ path: String, _ body: [UInt8], type: String = "application/json") {
            self.path = path
            self.body = body
            self.type = type
        }

        /// As the wallet's own story names it.
        var title: String { path.split(separator: "/").last.map(String.init) ?? path }
    }

    /// Calls an API, and returns what was said under a signature. Throws `no-answer` where none came, or none whose signature fits: what
    /// became of the call is then unknown.
    ///
    /// - Parameters:
    ///   - call: What is asked.
    ///   - identity: Who asks.
    ///   - about: The ids that tie the call to a story.
    ///   - fields: What the trace shows of the question: masked, and no code.
    func ask(
        _ call: Call, as identity: AuthorIdentity, about: [String: String] = [:], fields: [TraceEntry.Field] = []
    ) async throws -> JSONObject {
        let keys = try await registration.walletKeys()
        let time = surroundings.clock.now().alipayPlusTime.description
        let signature = try OpenAPISignature(
            path: call.path, clientID: identity.id, time: time, body: call.body, by: identity.key, keyVersion: AuthorIdentity.keyVersion)
        let reporter = surroundings.reporter
        let shown = [TraceEntry.Field("Client-Id", identity.id)] + fields
        let exchange = reporter.report(.request, from: .author, to: .wallet, call.title, correlation: about, fields: shown)
        do {
            let reply = try await connection.post(
                call.path,
                headers: [
                    ("Content-Type", call.type), ("Client-Id", identity.id), ("Request-Time", time),
                    ("Signature", signature.description), (Exchange.headerName, exchange),
                ], body: call.body, within: .seconds(20))
            guard reply.status == 200 else {
                throw SandboxError(code: .noAnswer, reason: "the wallet answered \(reply.status) to \(call.title)")
            }
            let object = try verified(reply, of: call, for: identity, keys)
            let result = try OpenAPIResult(object)
            reporter.report(
                .response, from: .wallet, to: .author, call.title, correlation: about,
                fields: [.init("resultCode", result.resultCode), .init("resultStatus", result.resultStatus.rawValue)],
                problem: result.resultStatus == .success ? nil : result.resultMessage)
            return object
        } catch {
            if error is MiniProgramError { await registration.disbelieve() }
            let problem = (error as? MiniProgramError).map { "not believed: \($0.code)" } ?? "no answer"
            reporter.report(.note, from: .author, to: .author, "\(call.title): \(problem)", correlation: about, problem: problem)
            throw SandboxError(code: .noAnswer, reason: "\(call.title) was not answered under a signature")
        }
    }

    /// An answer is the wallet's, to this client, and of now.
    private func verified(
        _ reply: AlipayPlusReply, of call: Call, for identity: AuthorIdentity, _ keys: [Int: PublicKey]
    ) throws -> JSONObject {
        let time = reply.header("response-time") ?? ""
        let message = try UnverifiedOpenAPIMessage(
            path: call.path, clientID: reply.header("client-id") ?? "", time: time, body: reply.body,
            signature: OpenAPISignature(header: reply.header("signature") ?? "")
        ).verified(by: keys)
        guard ExactText.equal(message.clientID, identity.id) else {
            throw MiniProgramError(code: .signatureMismatch, reason: "the answer is for another client")
        }
        let now = surroundings.milliseconds / 1_000
        guard let at = try? AlipayPlusTime(time), abs(at.millisecondsSince1970 / 1_000 - now) <= Self.toleranceSeconds else {
            throw MiniProgramError(code: .signatureMismatch, reason: "the answer is not of now")
        }
        return message.object
    }
}
