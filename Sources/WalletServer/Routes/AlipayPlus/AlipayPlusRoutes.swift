import AlipayPlus
import AlipayPlusValues
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PaymentCrypto

/// The wallet's side of Alipay+: the signed API at `POST /wallet/alipay-plus/aps/api/v1/<group>/<api>`, and the pages on which customers
/// confirm.
///
/// - `GET open?codeValue=…`: what the links of a payment sheet lead to; `POST login` for whoever is not logged in
/// - `GET payments/{id}`, `POST payments/{id}/confirm` and `…/decline`
struct AlipayPlusRoutes: Sendable {
    let service: WalletPageService
    let context: WalletContext
    let side: WalletConfiguration.AlipayPlus
    let trust: AlipayPlusTrust
    let collections: AlipayPlusCollections
    let visits: AlipayPlusVisits

    private static let root = WalletConfiguration.AlipayPlus.path
    /// What the forms of these pages are made for.
    private static let scope = "alipay-plus"
    private static let bodyLimit = 65_536
    /// How far a time may be from the clock; no tolerance is published [I].
    private static let toleranceSeconds: Int64 = 600

    func add<Context: CallerContext>(to router: some RouterMethods<Context>) {
        router.post(RouterPath("\(Self.root)\(AlipayPlusPath.base)**")) { request, _ in try await answer(request) }
        router.get("\(Self.root)/open") { request, _ in
            try await service.page(request, retry: nil) { visitor in
                let code = try Self.code(request)
                guard let customer = visitor.customer else { return service.html(try logIn(visitor, code), visitor) }
                return service.redirect("\(Self.root)/payments/\(try await visits.scan(code, by: customer))")
            }
        }
        router.post("\(Self.root)/login") { request, context in
            let address = CallerName.of(context.remoteAddress)
            return try await service.page(request, retry: nil) { visitor in
                let code = try Self.code(request)
                let form = try await service.form(request, visitor, scope: Self.scope)
                return try await service.logIn(form, visitor, from: address, to: "\(Self.root)/open?\(Self.query(code))") { name, problem in
                    try logIn(visitor, code, name: name, problem: problem)
                }
            }
        }
        router.get("\(Self.root)/payments/:id") { request, context in
            try await payment(request, id: context.parameters.require("id")) { visitor, customer, id in
                try show(try await visits.payment(id, of: customer), visitor)
            }
        }
        router.post("\(Self.root)/payments/:id/confirm") { request, context in
            try await payment(request, id: context.parameters.require("id")) { visitor, customer, id in
                try await confirm(request, visitor: visitor, customer: customer, id: id)
            }
        }
        router.post("\(Self.root)/payments/:id/decline") { request, context in
            try await payment(request, id: context.parameters.require("id")) { visitor, customer, id in
                _ = try await service.form(request, visitor, scope: Self.scope)
                try await visits.decline(id, by: customer)
                return service.redirect("\(Self.root)/payments/\(id)")
            }
        }
    }

    // MARK: The signed API

    /// Whatever goes wrong, the status is 200, and the answer to a verified call is signed (alipay-plus.md#envelope [D]). What only we know
    /// of is U: the caller asks. To a call that is not verified nothing is signed: errors about signature or client may be unsigned [O],
    /// and strangers would have us sign what they like.
    private func answer(_ request: Request) async throws -> Response {
        let path = request.uri.path
        let message: VerifiedAlipayPlusMessage
        do { message = try await verified(request, path) } catch {
            return Self.response(refusal(error), [])
        }
        let body: [UInt8]
        do { body = try await answered(message, of: request, path: path) } catch { body = refusal(error) }
        let signed = try SignedAlipayPlusMessage(
            .answer, target: path, clientID: side.clientID, time: context.now().alipayPlusTime, body: body, by: side.key,
            keyVersion: side.keyVersion)
        return Self.response(body, signed.headers)
    }

    private static func response(_ body: [UInt8], _ headers: [(name: String, value: String)]) -> Response {
        var fields: HTTPFields = [.contentType: AlipayPlusHeaders.contentType, .cacheControl: "no-store"]
        for header in headers {
            if let name = HTTPField.Name(header.name) { fields[name] = header.value }
        }
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    private func refusal(_ error: any Error) -> [UInt8] {
        if let error = error as? AlipayPlusError {
            context.trace.note("refused at the envelope", about: [:], problem: "\(error.code)")
            return PlainAnswer(result: AlipayPlusResult(refusing: error)).body
        }
        context.logger.error("a call of Alipay+ could not be answered", metadata: ["error": "\(ErrorMapping.logDescription(of: error))"])
        return PlainAnswer(result: .unknownException).body
    }

    private func verified(_ request: Request, _ path: String) async throws -> VerifiedAlipayPlusMessage {
        let bytes: [UInt8]
        do { bytes = Array(try await request.body.collect(upTo: Self.bodyLimit).readableBytesView) } catch is NIOTooManyBytesError {
            throw AlipayPlusError(code: .tooLarge, reason: "the body has more than \(Self.bodyLimit) bytes")
        }
        let unverified = try UnverifiedAlipayPlusMessage(.request, target: path, body: bytes) { name in
            HTTPField.Name(name).flatMap { request.headers[$0] }
        }
        guard ExactText.equal(unverified.clientID, side.clientID) else {
            throw AlipayPlusError(code: .signatureMismatch, reason: "the message is for another client")
        }
        // Without keys nobody can be told from anybody: what became of the call is not known.
        guard let keys = trust.keys else { throw AlipayPlusError(code: .unusableKey, reason: "no key of Alipay+ is here yet") }
        return try unverified.verified(by: keys)
    }

    private func answered(_ message: VerifiedAlipayPlusMessage, of request: Request, path: String) async throws -> [UInt8] {
        try message.requireFresh(at: context.now().alipayPlusTime, toleranceSeconds: Self.toleranceSeconds)
        let about = Self.about(message)
        if !context.trace.isReportedByCaller(request.headers) {
            context.trace.record(path, .request, from: AlipayPlusLine.party, to: WalletTrace.wallet, about: about)
        }
        switch path.dropFirst(Self.root.count + AlipayPlusPath.base.count) {
        case Substring(WalletPayRequest.api): return try await collections.pay(message.read()).body
        case Substring(WalletInquiryRequest.api): return try await collections.inquire(message.read()).body
        case Substring(WalletCancelRequest.api): return try await collections.cancel(message.read()).body
        case Substring(WalletRefundRequest.api): return try await collections.refund(message.read()).body
        default: return PlainAnswer(result: .noInterfaceDef).body
        }
    }

    private static func about(_ message: VerifiedAlipayPlusMessage) -> [String: String] {
        struct Named: WireMessage {
            var paymentRequestId: String?
        }
        guard let named: Named = try? message.read(), let id = named.paymentRequestId else { return [:] }
        return AlipayPlusLine.about(id)
    }

    // MARK: Pages

    private static func code(_ request: Request) throws -> String {
        let query = try request.query(allowing: ["codeValue", "way"])
        guard let code = query["codeValue"], !code.isEmpty, code.utf8.count <= AlipayPlusVisits.codeLimit else {
            throw WalletError(code: .malformedRequest, reason: "the address holds no code")
        }
        return code
    }

    private static func query(_ code: String) -> String { "codeValue=\(PercentEncoding.encode(code.utf8))" }

    private func reader(_ visitor: Visitor, _ path: String) -> WalletPages.Reader {
        service.reader(visitor, path: Self.root + path, scope: Self.scope)
    }

    private func logIn(_ visitor: Visitor, _ code: String, name: String = "", problem: String? = nil) throws -> String {
        try service.pages.login(
            token: nil, name: name, problem: problem, action: "\(Self.root)/login?\(Self.query(code))", reader(visitor, "/open"))
    }

    /// Runs a step with a payment for whoever is logged in.
    private func payment(
        _ request: Request, id: String, _ body: (Visitor, WalletAccount, TimeOrderedID) async throws -> Response
    ) async throws -> Response {
        try await service.page(request, retry: "/wallet") { visitor in
            guard let customer = visitor.customer else { return service.redirect("/wallet/login") }
            guard let id = try? TimeOrderedID(text: id) else {
                throw WalletError(code: .paymentNotFound, reason: "there is no such payment")
            }
            return try await body(visitor, customer, id)
        }
    }

    /// A payment that Alipay+ has not asked for yet is looked at again soon.
    private func show(
        _ payment: AlipayPlusPayment, _ visitor: Visitor, problem: String? = nil, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let page = try service.pages.alipayPlus(payment, problem: problem, reader(visitor, "/payments/\(payment.id)"))
        let isEarly = payment.state == .waiting && !payment.facts.isAsked
        return service.html(page, status: status, visitor, refreshing: isEarly ? 1 : nil)
    }

    private func confirm(_ request: Request, visitor: Visitor, customer: WalletAccount, id: TimeOrderedID) async throws -> Response {
        let form = try await service.form(request, visitor, scope: Self.scope)
        let texts = visitor.texts
        func again(_ problem: String) async throws -> Response {
            try show(try await visits.payment(id, of: customer), visitor, problem: problem, status: .unprocessableContent)
        }
        guard let password = form["password"], WalletAccount.isPaymentPassword(password) else {
            return try await again(texts[.passwordShape])
        }
        do {
            switch try await visits.confirm(id, by: customer, password: Secret(password), shown: form["amount"] ?? "") {
            case .submitted: return service.redirect("\(Self.root)/payments/\(id)")
            case .wrongPassword(let left): return try await again(texts(.passwordWrong, ["count": String(left)]))
            case .locked(let until): return try await again(texts(.passwordLocked, ["time": BookDay.minute(of: until)]))
            }
        } catch let error as WalletError where error.code == .insufficientBalance || error.code == .termsChanged {
            return try await again(WalletPages.sentence(for: error, texts))
        }
    }
}

extension WalletPages {
    /// A payment of Alipay+: to confirm, or what became of it.
    func alipayPlus(_ payment: AlipayPlusPayment, problem: String? = nil, _ reader: Reader) throws -> String {
        let texts = reader.texts
        let (facts, amount) = (payment.facts, payment.amount)
        var page = AlipayPlusPage(
            path: "\(WalletConfiguration.AlipayPlus.path)/payments/\(payment.id)", payee: facts.payee, subject: facts.subject,
            payable: amount.description, price: facts.price.currency == amount.currency ? nil : facts.price.description,
            amount: amount.text, payButton: texts(.payButton, ["amount": amount.description]), outcome: payment.state.rawValue,
            isPaid: payment.state == .paid, isBad: payment.state == .refused || payment.state == .cancelled, problem: problem)
        let title: WalletText
        switch payment.state {
        case .waiting where payment.facts.isAsked:
            title = .passwordTitle
            page.asks = true
        case .waiting: title = .processingTitle
        case .paid: title = .paidTitle
        case .refused: title = .failedTitle
        case .cancelled: title = .cancelledTitle
        }
        page.heading = texts[title]
        if payment.state != .waiting {
            page.wayBack = WayBack(openers: [:]).address(scheme: nil, returnURL: facts.redirect, .failed(texts))
            page.backLabel = texts(.backToMerchant, ["payee": facts.payee])
        }
        return try draw("alipay-plus", title: texts[title], for: reader, page: page)
    }

    private struct AlipayPlusPage {
        var path: String
        var heading = ""
        var asks = false
        var payee: String
        var subject: String
        var payable: String
        var price: String?
        var amount: String
        var payButton: String
        var outcome: String
        var isPaid: Bool
        var isBad: Bool
        var problem: String?
        var wayBack: String?
        var backLabel: String?
    }
}
