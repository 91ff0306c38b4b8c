import AlipayPlus
import BillfoldDiagnosis
import BillfoldServer
import BillfoldTrace
import HTTPTypes
import PaymentCrypto

/// How the wallet calls Alipay+: signed, and believing only what Alipay+ has signed.
struct AlipayPlusLine: Sendable {
    let context: WalletContext
    let side: WalletConfiguration.AlipayPlus
    let trust: AlipayPlusTrust

    static let party: Party = "alipay-plus"
    /// Of an answer so many bytes are read.
    private static let answerLimit = 65_536

    /// Calls an API. Throws `gateway-unavailable` where no answer came, or none whose signature fits: what became of it is not known.
    func call<Call: AlipayPlusRequest>(_ request: Call, about: [String: String]) async throws -> Call.Answer {
        guard let keys = trust.keys else {
            throw WalletError(code: .gatewayUnavailable, reason: "Alipay+ has not registered the wallet yet")
        }
        let now = context.now().alipayPlusTime
        let signed = try SignedAlipayPlusMessage(
            .request, target: Call.path, clientID: side.clientID, time: now, body: request.body, by: side.key, keyVersion: side.keyVersion)
        let trace = context.trace
        let exchange = trace.record(Call.api, .request, from: WalletTrace.wallet, to: Self.party, about: about)
        var headers = trace.naming(exchange)
        for field in signed.headers {
            if let name = HTTPField.Name(field.name) { headers[name] = field.value }
        }
        do {
            let answer = try await context.http.send(
                OutgoingRequest(
                    method: .post, url: side.gateway + Call.path, headers: headers, body: signed.body, destination: .configured,
                    timeout: context.configuration.answerTimeout, maximumAnswerBytes: Self.answerLimit))
            let unverified = try UnverifiedAlipayPlusMessage(.answer, target: Call.path, body: answer.body) { name in
                HTTPField.Name(name).flatMap { answer.headers[$0] }
            }
            let read: Call.Answer = try unverified.verified(by: keys).read()
            trace.record(
                Call.api, .response, from: Self.party, to: WalletTrace.wallet, fields: [.init("resultCode", read.result.resultCode)],
                about: about, problem: read.result.isFailure ? read.result.resultCode : nil)
            return read
        } catch {
            let problem = (error as? any CodedError)?.code.description ?? "no answer"
            trace.note("\(Call.api) unanswered", about: about, problem: problem)
            throw WalletError(code: .gatewayUnavailable, reason: "Alipay+ did not answer \(Call.api): \(problem)")
        }
    }

    /// What ties the messages of a payment together, as Alipay+ names it.
    static func about(_ requestID: String) -> [String: String] { ["alipay-plus.wallet-request": requestID] }
}
