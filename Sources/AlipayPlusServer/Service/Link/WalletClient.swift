import AlipayPlus
import BillfoldDiagnosis
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import HTTPTypes

/// Asks wallets, signed, and believes only what they have signed.
struct WalletClient: Sendable {
    let context: AlipayPlusServerContext

    /// Of an answer so many bytes are read.
    private static let answerLimit = 65_536

    enum Outcome<Answer: AlipayPlusAnswer>: Sendable {
        case answered(Answer, bytes: [UInt8])
        /// What happened is not known.
        case unanswered(String)
    }

    /// Sends one request. The body is sent as it is, so that every attempt is the same.
    func call<Call: AlipayPlusRequest>(
        _ type: Call.Type, body: [UInt8], to walletType: String, about: [String: String]
    ) async -> Outcome<Call.Answer> {
        do {
            guard let (wallet, keys) = try await context.parties.wallet(walletType) else {
                return .unanswered("no such wallet is registered")
            }
            let clock = context.clock.everybodysNow.alipayPlusTime
            // What is signed is the path that is called, with what the wallet has its API below.
            let target = wallet.origin + Call.path
            let signed = try SignedAlipayPlusMessage(
                .request, target: target, clientID: wallet.clientID, time: clock, body: body,
                by: context.configuration.keys.walletSide, keyVersion: context.configuration.keys.keyVersion)
            let exchange = context.trace.record(
                Call.api, .request, from: AcquiringGatewayTrace.gateway, to: AcquiringGatewayTrace.wallet(walletType), about: about)
            var headers = context.trace.naming(exchange)
            for field in signed.headers { headers[wire: field.name] = field.value }
            let answer = try await context.http.send(
                OutgoingRequest(
                    method: .post, url: target, headers: headers, body: body, destination: .configured,
                    timeout: context.configuration.walletTimeout, maximumAnswerBytes: Self.answerLimit))
            let read = try Self.read(Call.self, from: answer, to: target, by: keys)
            context.trace.record(
                Call.api, .response, from: AcquiringGatewayTrace.wallet(walletType), to: AcquiringGatewayTrace.gateway,
                fields: AcquiringGatewayTrace.fields(read.result), about: about,
                problem: Self.problem(read.result, of: Call.api))
            context.metrics.errand(Call.api, read.result.resultCode)
            return .answered(read, bytes: answer.body)
        } catch {
            let note = (error as? any CodedError)?.code.description ?? "\(error)"
            context.metrics.errand(Call.api, "unanswered")
            context.trace.note("\(Call.api) unanswered", about: about, problem: note)
            return .unanswered(note)
        }
    }

    /// What a story calls a problem. That a wallet has no such payment is the answer to a question, and each wallet may be asked.
    private static func problem(_ result: AlipayPlusResult, of api: String) -> String? {
        guard result.isFailure, api != WalletInquiryRequest.api || result.resultCode != AlipayPlusResult.orderNotExist.resultCode else {
            return nil
        }
        return result.resultCode
    }

    /// An answer without a fitting signature is none: anybody could have written it.
    private static func read<Call: AlipayPlusRequest>(
        _ type: Call.Type, from answer: OutgoingAnswer, to target: String, by keys: AlipayPlusKeyVersions
    ) throws -> Call.Answer {
        let unverified = try UnverifiedAlipayPlusMessage(.answer, target: target, body: answer.body) { answer.headers[wire: $0] }
        return try unverified.verified(by: keys).read()
    }
}
