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

    let context: TokenContext

    func post(
        _ path: String, _ body: some Encodable, to network: CardScheme, title: String, about: [String: String]
    ) async throws -> Answer {
        await exchange(.post, path, body: try JSONDocument.encode(body), with: network, title: title, about: about)
    }

    func get(_ path: String, from network: CardScheme, title: String) async -> Answer {
        await exchange(.get, path, body: [], with: network, title: title, about: [:])
    }

    private func exchange(
        _ method: HTTPRequest.Method, _ path: String, body: [UInt8], with network: CardScheme, title: String, about: [String: String]
    ) async -> Answer {
        guard let connection = context.configuration.networks[network] else { return .silent("no connection to \(network) is configured") }
        let trace = context.host.trace
        let exchange = trace.record(title, .request, from: ProvisioningTrace.issuer, to: ProvisioningTrace.network, about: about)
        var headers = trace.naming(exchange)
        headers[.authorization] = "Bearer \(connection.credential.reveal())"
        if method == .post { headers[.contentType] = "application/json" }
        let answer: Answer
        do throws(SendFailure) {
            let heard = try await context.host.http.send(
                OutgoingRequest(
                    method: method, url: "\(connection.origin)/issuer/v1/\(path)", headers: headers, body: body, destination: .configured,
                    timeout: context.configuration.answerTimeout, maximumAnswerBytes: 16_777_216))
            answer = Self.meaning(of: heard)
        } catch {
            answer = .silent("no answer: \(error.code)")
        }
        let problem: String? =
            switch answer {
            case .accepted: nil
            case .refused(let reason), .silent(let reason): reason
            }
        trace.record(title, .response, from: ProvisioningTrace.network, to: ProvisioningTrace.issuer, about: about, problem: problem)
        return answer
    }

    private static func meaning(of answer: OutgoingAnswer) -> Answer {
        switch answer.status.kind {
        case .successful: return .accepted(answer.body)
        // Of a credential or a pace that is not accepted now, the next attempt may hear otherwise.
        case .clientError where ![.requestTimeout, .tooManyRequests, .unauthorized, .forbidden].contains(answer.status):
            return .refused(code(in: answer.body) ?? "the network answered \(answer.status.code)")
        default: return .silent("the network answered \(answer.status.code)")
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
