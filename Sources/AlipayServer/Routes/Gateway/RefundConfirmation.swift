import Alipay
import BillfoldDiagnosis
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldWeb
import HTTPTypes

/// `refund_fastpay_by_platform_pwd`: a batch of refunds that a person of the merchant confirms with a password, on a page of the gateway
/// (alipay.md#batch-refunds); how the page looks is ours [I].
///
/// The signed call is the page's address, and its form sends the call back whole. So what is confirmed is what was signed, and nothing is
/// stored before the password is right. Confirming again changes nothing: the batch's number stands for one content.
struct RefundConfirmation: Sendable {
    static let service = "refund_fastpay_by_platform_pwd"

    let context: AlipayServerContext
    let legacy: LegacyGateway
    let passwords: RefundPasswords

    struct Answer: Sendable {
        var status: HTTPResponse.Status
        var page: String
    }

    /// What a signed call asks to have confirmed.
    private struct Asked {
        var call: LegacyGateway.Call
        var number: String
        var detail: RefundBatch.Detail
        var content: String
        var password: String
        /// The batch, where it was confirmed before.
        var known: RefundBatch?
    }

    /// The page that a call leads to.
    func show(_ request: LegacyServiceRequest) async throws -> Answer {
        try await answer(request) { asked in try page(asked, for: request, as: asked.known == nil ? .open : .taken) }
    }

    /// Accepts the batch of a call where the password is right, and shows what became of it.
    func confirm(_ request: LegacyServiceRequest, password: Secret<String>, from address: String) async throws -> Answer {
        try await answer(request) { asked in
            guard asked.known == nil else { return try page(asked, for: request, as: .taken) }
            guard
                try await passwords.confirms(password, asked.password, of: asked.call.partner.merchant.partner, from: address)
            else {
                context.metrics.called(Self.service, "password")
                return try page(asked, for: request, as: .refused)
            }
            try await legacy.batches.accept(asked.number, asked.detail, content: asked.content, of: asked.call.merchant)
            context.metrics.called(Self.service, "T")
            context.trace.note(Self.service, about: [:])
            return try page(asked, for: request, as: .taken)
        }
    }

    private func answer(_ request: LegacyServiceRequest, _ body: (Asked) async throws -> Answer) async throws -> Answer {
        do {
            return try await body(asked(request))
        } catch let error as ServerError {
            throw error
        } catch {
            let code = LegacyGateway.code(error, service: Self.service)
            if code == .systemError, !(error is LegacyRefusal) { throw error }
            context.metrics.called(Self.service, code.rawValue)
            context.trace.note(Self.service, about: [:], problem: code.rawValue)
            // The caller is a browser: whoever sent it here needs the text to compare with.
            let text = code == .illegalSign ? request.parameters.charset.display(request.signedBytes) : nil
            return Answer(
                status: code == .systemError ? .serviceUnavailable : .badRequest,
                page: try RefundProblemPage(code: code.rawValue, verifiedText: text).html())
        }
    }

    private func asked(_ request: LegacyServiceRequest) async throws -> Asked {
        let call = try await legacy.call(request)
        guard call.request.service == Self.service, let password = call.merchant.refundPassword else {
            throw LegacyRefusal(.hasNoPrivilege)
        }
        // Both name the seller, and either may be left out [O].
        guard [call["seller_email"], call["seller_user_id"]].allSatisfy({ $0.map(call.merchant.isSeller) ?? true }) else {
            throw LegacyRefusal(.illegalArgument)
        }
        var batch = try legacy.readBatch(call)
        batch.detail.route = .confirmedBatch
        let (number, merchant) = (batch.number, call.merchant.partner)
        let known = try await context.database.lookup { try BatchRecords.find(number, merchant: merchant, in: $0) }
        guard known.map({ $0.fingerprint == BatchRecords.fingerprint(batch.content) }) ?? true else {
            throw TradeRefusal(.refundDiscordant, "the batch number stands for other refunds")
        }
        return Asked(
            call: call, number: number, detail: batch.detail, content: batch.content, password: password, known: known)
    }

    private enum Standing {
        case open
        /// The password was wrong.
        case refused
        case taken
    }

    private func page(_ asked: Asked, for request: LegacyServiceRequest, as standing: Standing) throws -> Answer {
        let items = asked.known?.detail.items ?? asked.detail.items
        let total = try items.reduce(Amount.zero(.cny)) { try $0 + Amount($1.amount, currency: .cny) }
        let page = RefundBatchPage(
            merchant: asked.call.merchant.name, partner: asked.call.merchant.partner.description, number: asked.number,
            total: total.description,
            items: items.map { .init(tradeNo: $0.tradeNo, amount: $0.amount, reason: $0.reason, outcome: $0.outcome) },
            call: standing == .taken ? nil : request.text, isPasswordWrong: standing == .refused,
            isTest: context.configuration.mode == .test)
        return Answer(status: standing == .refused ? .unprocessableContent : .ok, page: try page.html())
    }
}
