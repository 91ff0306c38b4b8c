import AlipayPlus
import AlipayPlusValues
import BillfoldStorage
import BillfoldTrace
import Foundation

/// How a party calls the gateway: signed, and believing only what the gateway has signed.
struct AlipayPlusLine: Sendable {
    let party: Party
    let identity: AlipayPlusIdentity
    let registration: AlipayPlusRegistration
    let connection: any AlipayPlusConnection
    let surroundings: PartySurroundings
    /// The calls that may take eight seconds; all others have five (alipay-plus.md#time-outs [D]).
    private static let long: Set<String> = [
        "payments/pay", "payments/refund", "payments/cancelPayment", "payments/userInitiatedPay",
    ]

    /// What the gateway answers where it does not believe us.
    private static let disbelief: Set<String> = [
        AlipayPlusResult.invalidSignature.resultCode, AlipayPlusResult.invalidClient.resultCode, AlipayPlusResult.keyNotFound.resultCode,
    ]

    /// Calls an API. Throws `no-answer` where none came, or none whose signature fits: what became of it is then unknown.
    ///
    /// - Parameters:
    ///   - request: The body.
    ///   - about: The ids that tie the call to a story.
    ///   - damaged: Whether one letter of the signature is changed on the way, by a fault plan.
    func call<Call: AlipayPlusRequest>(_ request: Call, about: [String: String], damaged: Bool = false) async throws -> Call.Answer {
        let keys = try await registration.gatewayKeys()
        let signed = try SignedAlipayPlusMessage(
            .request, target: Call.path, clientID: identity.clientID, time: surroundings.clock.now().alipayPlusTime, body: request.body,
            by: identity.key, keyVersion: AlipayPlusIdentity.keyVersion)
        let reporter = surroundings.reporter
        let exchange = reporter.report(.request, from: party, to: .alipayPlus, Call.api, correlation: about)
        do {
            var headers = damaged ? AlipayPlusDamage.signature(in: signed.headers) : signed.headers
            headers.append((Exchange.headerName, exchange))
            let limit = Self.long.contains(Call.api) ? AlipayPlusSchedule.longTimeout : AlipayPlusSchedule.shortTimeout
            let reply = try await connection.post(Call.path, headers: headers, body: signed.body, within: .seconds(limit))
            guard reply.status == 200 else {
                throw SandboxError(code: .noAnswer, reason: "the gateway answered \(reply.status) to \(Call.api)")
            }
            if reply.header(AlipayPlusHeaders.signature) == nil, let refused = try? PlainAnswer(body: reply.body) {
                reporter.report(
                    .note, from: party, to: party, "\(Call.api): refused unsigned", correlation: about, problem: refused.result.resultCode)
            }
            let unverified = try UnverifiedAlipayPlusMessage(.answer, target: Call.path, body: reply.body) { reply.header($0) }
            let answer: Call.Answer = try unverified.verified(by: keys).read()
            if Self.disbelief.contains(answer.result.resultCode) { await registration.disbelieve() }
            reporter.report(
                .response, from: .alipayPlus, to: party, Call.api, correlation: about,
                fields: [.init("resultCode", answer.result.resultCode), .init("resultStatus", answer.result.resultStatus.rawValue)],
                problem: answer.result.isFailure ? answer.result.resultCode : nil)
            return answer
        } catch {
            if error is AlipayPlusError { await registration.disbelieve() }
            let problem = (error as? AlipayPlusError).map { "not believed: \($0.code)" } ?? "no answer"
            reporter.report(.note, from: party, to: party, "\(Call.api): \(problem)", correlation: about, problem: problem)
            throw SandboxError(code: .noAnswer, reason: "\(Call.api) was not answered under a signature")
        }
    }
}

/// What a fault plan does to a message.
enum AlipayPlusDamage {
    /// The same headers, with one letter of the signature changed.
    static func signature(in headers: [(name: String, value: String)]) -> [(name: String, value: String)] {
        headers.map { header in
            guard header.name == AlipayPlusHeaders.signature, let start = header.value.range(of: "signature=")?.upperBound else {
                return header
            }
            var letters = Array(header.value.utf8)
            let first = header.value.utf8.distance(from: header.value.startIndex, to: start)
            // Some way in: what the value begins with may be an escape.
            guard let index = letters.indices.dropFirst(first + 20).first(where: { (0x67...0x7A).contains(letters[$0]) }) else {
                return header
            }
            letters[index] = letters[index] == 0x67 ? 0x68 : 0x67
            return (header.name, String(decoding: letters, as: UTF8.self))
        }
    }
}
