import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import Foundation
import HTTPTypes
import PaymentCrypto

/// Speaks to networks at `/issuer/v1`. Every request carries an id by which the network drops a second copy, so that sending again
/// is always safe.
struct NetworkConnection: Sendable {
    enum Answer: Sendable {
        /// The network did it.
        case accepted([UInt8])
        /// The network looked at it and said no.
        case refused(String)
        /// Nobody knows whether the network has it; ask again.
        case silent(String)
    }

    /// An answer as it came over the wire.
    struct Heard: Sendable {
        var answer: Answer
        /// Of HTTP; none where there was no answer.
        var status: Int64?
        /// The first bytes of what did not count. What did may tell of customers' devices.
        var reply: [UInt8] = []
        /// Why it did not count; none where it did.
        var reason: DeliveryRecords.Reason?
    }

    let context: TokenContext

    func post(
        _ path: String, _ body: some Encodable, to network: CardScheme, title: String, about: [String: String]
    ) async throws -> Heard {
        await exchange(.post, path, body: try JSONDocument.encode(body), with: network, title: title, about: about)
    }

    func get(_ path: String, from network: CardScheme, title: String) async -> Answer {
        await exchange(.get, path, body: [], with: network, title: title, about: [:]).answer
    }

    private func exchange(
        _ method: HTTPRequest.Method, _ path: String, body: [UInt8], with network: CardScheme, title: String, about: [String: String]
    ) async -> Heard {
        guard let connection = context.configuration.networks[network] else {
            return Heard(answer: .silent("no connection to \(network) is configured"), reason: .notSent)
        }
        let trace = context.host.trace
        let exchange = trace.record(title, .request, from: ProvisioningTrace.issuer, to: ProvisioningTrace.network, about: about)
        var headers = trace.naming(exchange)
        headers[.authorization] = "Bearer \(connection.credential.reveal())"
        if method == .post { headers[.contentType] = "application/json" }
        let heard: Heard
        do throws(SendFailure) {
            let answer = try await context.host.http.send(
                OutgoingRequest(
                    method: method, url: "\(connection.origin)/issuer/v1/\(path)", headers: headers, body: body, destination: .configured,
                    timeout: context.configuration.answerTimeout, maximumAnswerBytes: 16_777_216))
            heard = Self.meaning(of: answer)
        } catch {
            heard = Heard(answer: .silent("no answer: \(error.code)"), reason: .init(error))
        }
        let problem: String? =
            switch heard.answer {
            case .accepted: nil
            case .refused(let reason), .silent(let reason): reason
            }
        trace.record(title, .response, from: ProvisioningTrace.network, to: ProvisioningTrace.issuer, about: about, problem: problem)
        return heard
    }

    private static func meaning(of answer: OutgoingAnswer) -> Heard {
        let (status, reply) = (Int64(answer.status.code), Array(answer.body.prefix(DeliveryRecords.keptReply)))
        switch answer.status.kind {
        case .successful: return Heard(answer: .accepted(answer.body), status: status)
        // A pace passes. A stop is not lost for a credential that is not accepted now either (provisioning.md#pushes).
        case .clientError
        where !MessageAnswer.isTransient(answer.status) && ![.unauthorized, .forbidden].contains(answer.status):
            let reason = code(in: answer.body) ?? "the network answered \(answer.status.code)"
            return Heard(answer: .refused(reason), status: status, reply: reply, reason: .refused)
        default:
            return Heard(
                answer: .silent("the network answered \(answer.status.code)"), status: status, reply: reply, reason: .wrongStatus)
        }
    }

    /// The code of `{"error":{"code","reason"}}`, where it is one that can be shown.
    private static func code(in body: [UInt8]) -> String? {
        struct Refusal: Decodable {
            struct Inner: Decodable { var code: String }
            var error: Inner
        }
        guard let code = try? JSONDocument.decode(Refusal.self, JSONReader.read(body, maximumBytes: .max)).error.code, Exchange.isName(code)
        else { return nil }
        return code
    }

    /// The key that account numbers are sealed for.
    func accountKey(of network: CardScheme) async -> PublicKey? {
        struct Keys: Decodable { var accountKey: String }
        guard case .accepted(let body) = await get("keys", from: network, title: "keys"),
            let text = try? JSONDocument.decode(Keys.self, JSONReader.read(body, maximumBytes: .max)).accountKey,
            let der = try? StrictBase64.decode(text)
        else { return nil }
        return try? PublicKey(subjectPublicKeyInfo: der)
    }
}
