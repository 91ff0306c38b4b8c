import AlipayPlus
import AlipayPlusValues
import BillfoldJSON

/// The body of a call, or why it is none: whoever asks for an API that there is not is told so first.
typealias CallMessage = Result<JSONObject, AlipayPlusError>

/// What a call is answered: members in their order, and the result among them.
struct CallAnswer: Sendable {
    var body: [UInt8]
    var result: AlipayPlusResult
    /// What it is about, for the trace.
    var names: CallStory.Names

    init(_ answer: some AlipayPlusAnswer) {
        (body, result, names) = (answer.body, answer.result, .init(answer))
    }

    /// An answer that says nothing but its result.
    init(_ result: AlipayPlusResult) { self.init(PlainAnswer(result: result)) }

    /// The refusal of a signature, with the text and the key that it was checked against.
    init(_ result: AlipayPlusResult, verifiedText: String, key: String) {
        self.init(SignatureAnswer(result: result, verifiedText: verifiedText, verifiedKey: key))
    }
}

/// What only test mode says: which text the sender's signature has to cover, and by which key it was checked.
private struct SignatureAnswer: AlipayPlusAnswer {
    var result: AlipayPlusResult
    var verifiedText: String
    var verifiedKey: String

    init(result: AlipayPlusResult) { self.init(result: result, verifiedText: "", verifiedKey: "") }

    init(result: AlipayPlusResult, verifiedText: String, verifiedKey: String) {
        self.result = result
        self.verifiedText = verifiedText
        self.verifiedKey = verifiedKey
    }
}

/// One API of a side: reads the request's type, refuses it by the first rule that it breaks, and answers it.
struct PartyCall<Service: Sendable, Caller: Sendable>: Sendable {
    let run: @Sendable (Service, CallMessage, Caller) async throws -> CallAnswer

    init<Request: AlipayPlusRequest>(
        _ type: Request.Type, _ body: @escaping @Sendable (Service, Request, Caller) async throws -> Request.Answer
    ) {
        run = { service, message, caller in
            let (request, violations) = try Request.read(message.get())
            if let violation = violations.first { throw ResultRefusal(violation.result) }
            return CallAnswer(try await body(service, request, caller))
        }
    }
}

/// The APIs that acquirers call.
struct AcquirerAPI: Sendable {
    let service: AcquirerService

    static let calls: [String: PartyCall<AcquirerService, Acquirer>] = [
        ConsultPaymentRequest.api: PartyCall(ConsultPaymentRequest.self) { try await $0.options.consult($1, by: $2) },
        PayRequest.api: PartyCall(PayRequest.self) { try await $0.pay($1, by: $2) },
        InquiryPaymentRequest.api: PartyCall(InquiryPaymentRequest.self) { try await $0.inquire($1, by: $2) },
        CancelPaymentRequest.api: PartyCall(CancelPaymentRequest.self) { try await $0.cancel($1, by: $2) },
        RefundRequest.api: PartyCall(RefundRequest.self) { try await $0.refund($1, by: $2) },
        PrepareRequest.api: PartyCall(PrepareRequest.self) { try await $0.authorizations.prepare($1, by: $2) },
        ApplyTokenRequest.api: PartyCall(ApplyTokenRequest.self) { try await $0.authorizations.applyToken($1, by: $2) },
        CancelTokenRequest.api: PartyCall(CancelTokenRequest.self) { try await $0.authorizations.cancelToken($1, by: $2) },
    ]

    /// Documented, and not offered here.
    static let refused: Set<String> = ["customs/declare", "customs/inquireDeclarationRequests"]

    func answer(_ api: String, _ message: CallMessage, by acquirer: Acquirer) async throws -> CallAnswer {
        guard let call = Self.calls[api] else {
            if Self.refused.contains(api) { throw ResultRefusal(.businessNotSupport) }
            throw ResultRefusal(WalletAPI.calls[api] == nil ? .noInterfaceDef : .accessDenied)
        }
        return try await call.run(service, message, acquirer)
    }
}

/// The APIs that wallets call (paths [I]).
struct WalletAPI: Sendable {
    let service: WalletService

    static let calls: [String: PartyCall<WalletService, PartnerWallet>] = [
        GetPaymentCodeRequest.api: PartyCall(GetPaymentCodeRequest.self) { try await $0.codes.issue($1, to: $2) },
        InquiryCodeRulesRequest.api: PartyCall(InquiryCodeRulesRequest.self) { service, _, _ in service.codes.rules() },
        WalletUserInitiatedPayRequest.api: PartyCall(WalletUserInitiatedPayRequest.self) { try await $0.userInitiatedPay($1, by: $2) },
        WalletNotifyPaymentRequest.api: PartyCall(WalletNotifyPaymentRequest.self) { try await $0.notifyPayment($1, by: $2) },
        AuthNotifyRequest.api: PartyCall(AuthNotifyRequest.self) { try await $0.authorizations.notified($1, by: $2) },
        InquireQuoteRequest.api: PartyCall(InquireQuoteRequest.self) { service, request, _ in try await service.inquireQuote(request) },
    ]

    func answer(_ api: String, _ message: CallMessage, by wallet: PartnerWallet) async throws -> CallAnswer {
        guard let call = Self.calls[api] else {
            throw ResultRefusal(AcquirerAPI.calls[api] == nil ? .noInterfaceDef : .accessDenied)
        }
        return try await call.run(service, message, wallet)
    }
}
