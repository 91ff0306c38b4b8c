import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import HTTPTypes
package import Hummingbird

/// The card-payments API on a public listener. Bodies are read whole and strictly; every answer is JSON.
package struct CardPaymentsRoutes: Sendable {
    private static let bodyLimit = 262_144
    /// Payments on one page of the books.
    private static let (usualPage, largestPage) = (200, 1_000)
    private static let phone: Party = "phone"
    private static let shop: Party = "shop"

    let service: CardPaymentsService

    package func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("/v1/orders") { request, context in try await createOrder(request, context) }
        router.get("/v1/orders/:id") { request, context in try await readOrder(request, context) }
        router.post("/v1/orders/:id/quote") { request, context in try await quote(request, context) }
        router.post("/v1/orders/:id/payments") { request, context in try await pay(request, context) }
        router.post("/v1/orders/:id/transaction-numbers") { request, context in try await askForNumber(request, context) }
        router.post("/v1/orders/:id/app-results") { request, context in try await takeResult(request, context) }
        router.get("/v1/payments/:id") { request, context in try await readPayment(request, context) }
        router.post("/v1/payments/:id/refunds") { request, context in try await refund(request, context) }
        router.post("/v1/payments/:id/cancellation") { request, context in try await cancel(request, context) }
        router.get("/v1/refunds/:id") { request, context in try await readRefund(request, context) }
        router.get("/v1/books") { request, context in try await books(request, context) }
        router.post("/v1/reconciliations") { request, context in try await reconcile(request, context) }
        router.post("/v1/apple-pay/sessions") { request, context in try await startSession(request, context) }
        for path in ["", ".txt"] {
            router.get("/.well-known/apple-developer-merchantid-domain-association\(path)") { request, _ in try association(request) }
        }
        ListRoutes(service: service).add(to: router)
        router.post("/unionpay/notify") { request, context in try await takeNotification(request, context) }
    }

    // MARK: Shop

    private func createOrder(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let merchant = try await service.merchant(bearer: request.bearer)
        let key = try idempotencyKey(request)
        let body = try await request.json(upTo: Self.bodyLimit)
        let wanted = Result { try OrderRequest(body) }
        // The merchant's own number leads to the story. It is one of that merchant's only.
        let about = (try? wanted.get()).map { ["order.reference.\(merchant.id)": $0.reference] } ?? [:]
        return try await traced(request, title: "create order", from: Self.shop, about: about) {
            let made = try await service.createOrder(wanted.get(), body: body, key: key, merchant: merchant) { order in
                try JSONDocument.encode(service.view(order, merchant, payments: [], for: .merchant))
            }
            return (
                try await JSONAnswer.verbatim(
                    service.answer(about: made, merchant), status: .created, headers: HTTPFields().replaying(made.isReplayed)),
                ["order": made.order.id.description]
            )
        }
    }

    private func readPayment(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let merchant = try await service.merchant(bearer: request.bearer)
        let payment = try await service.payment(context.parameters.require("id"), merchant: merchant)
        return try JSONAnswer.make(MerchantPaymentView(listed: await service.listed(payment)))
    }

    private func refund(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let merchant = try await service.merchant(bearer: request.bearer)
        let (id, key) = (try context.parameters.require("id"), try idempotencyKey(request))
        let body = try RefundRequestBody(await request.json(upTo: Self.bodyLimit))
        return try await traced(request, title: "refund", from: Self.shop, about: ["payment": id]) {
            try Self.answer(await service.refund(id, body, key: key, merchant: merchant), status: .created)
        }
    }

    private func cancel(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let merchant = try await service.merchant(bearer: request.bearer)
        let (id, key) = (try context.parameters.require("id"), try idempotencyKey(request))
        let bytes = try await request.bytes(upTo: Self.bodyLimit)
        if !bytes.isEmpty {
            try request.requireMediaType("application/json")
            _ = try RequestReader(bytes, allowing: [])
        }
        return try await traced(request, title: "cancellation", from: Self.shop, about: ["payment": id]) {
            try Self.answer(await service.cancel(id, key: key, merchant: merchant), status: .created)
        }
    }

    private func readRefund(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let merchant = try await service.merchant(bearer: request.bearer)
        return try JSONAnswer.make(await service.refund(context.parameters.require("id"), merchant: merchant))
    }

    private func books(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let merchant = try await service.merchant(bearer: request.bearer)
        let query = try request.query(allowing: ["settleDate", "cursor", "limit"])
        let cursor = try query["cursor"].map { text in
            guard let cursor = try? TimeOrderedID(text: text) else { throw RequestReader.malformed("cursor", "is none of ours") }
            return cursor
        }
        let limit = try query["limit"].map { text in
            guard let limit = Int(text), (1...Self.largestPage).contains(limit), String(limit) == text else {
                throw RequestReader.malformed("limit", "is not an integer from 1 to \(Self.largestPage)")
            }
            return limit
        }
        return try JSONAnswer.make(
            BooksView(
                await service.books(
                    settlementDay: query["settleDate"], after: cursor, limit: limit ?? Self.usualPage, merchant: merchant)))
    }

    private func reconcile(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let merchant = try await service.merchant(bearer: request.bearer)
        let body = try RequestReader(await request.json(upTo: Self.bodyLimit), allowing: ["settleDate"])
        let day = try body.text("settleDate", maximum: 8)
        return try await traced(request, title: "reconcile", from: Self.shop, about: ["settlement-day": day]) {
            (try JSONAnswer.make(ReconciliationView(await service.reconcile(day, merchant: merchant))), [:])
        }
    }

    private func startSession(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let merchant = try await service.merchant(bearer: request.bearer)
        let body = try RequestReader(await request.json(upTo: Self.bodyLimit), allowing: ["validationURL", "domain"])
        let (url, domain) = (try body.text("validationURL", maximum: 1_024), try body.text("domain"))
        return try await traced(request, title: "start session", from: Self.shop, about: [:]) {
            let session = try await service.walletSession(at: url, domain: domain, merchant: merchant)
            let headers: HTTPFields = [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"]
            return (Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: session))), [:])
        }
    }

    /// The proof of the domain that was asked, byte for byte, where Apple looks for it [D].
    private func association(_ request: Request) throws -> Response {
        let host = request.head.authority?.split(separator: ":").first.map { $0.lowercased() } ?? ""
        guard let bytes = service.domainAssociation(of: host) else {
            throw CardPaymentsError(code: .domainAssociationMissing, reason: "no proof is configured for this host")
        }
        return Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    // MARK: Phone

    private func readOrder(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (order, merchant) = try await service.order(context.parameters.require("id"), bearer: request.bearer)
        let payments = try await service.payments(of: order)
        let isPhone = request.bearer?.hasPrefix("cs_") ?? true
        return try JSONAnswer.make(service.view(order, merchant, payments: payments, for: isPhone ? .customer : .merchant))
    }

    private func quote(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (order, _) = try await service.order(context.parameters.require("id"), clientSecret: request.bearer)
        let body = try QuoteRequestBody(await request.json(upTo: Self.bodyLimit))
        return try await traced(request, title: "quote", from: Self.phone, about: ["order": order.id.description]) {
            (try JSONAnswer.make(service.quote(order, body.choice)), [:])
        }
    }

    private func pay(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (order, merchant) = try await service.order(context.parameters.require("id"), clientSecret: request.bearer)
        let key = try idempotencyKey(request)
        let bytes = try await request.json(upTo: Self.bodyLimit)
        return try await traced(request, title: "pay", from: Self.phone, about: ["order": order.id.description]) {
            let body = try PaymentRequestBody(bytes)
            return try Self.answer(await service.pay(order, body, key: key, merchant: merchant))
        }
    }

    private func askForNumber(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (order, merchant) = try await service.order(context.parameters.require("id"), clientSecret: request.bearer)
        let key = try idempotencyKey(request)
        let body = try NumberRequestBody(await request.json(upTo: Self.bodyLimit))
        return try await traced(request, title: "transaction number", from: Self.phone, about: ["order": order.id.description]) {
            try Self.answer(await service.number(of: order, body, key: key, merchant: merchant))
        }
    }

    private func takeResult(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (order, merchant) = try await service.order(context.parameters.require("id"), clientSecret: request.bearer)
        let body = try AppResultBody(await request.json(upTo: Self.bodyLimit))
        return try await traced(request, title: "app result", from: Self.phone, about: ["order": order.id.description]) {
            try await service.takeResult(body, of: order, merchant: merchant)
            let payments = try await service.payments(of: order)
            return (try JSONAnswer.make(service.view(order, merchant, payments: payments, for: .customer)), [:])
        }
    }

    // MARK: Acquirer

    private func takeNotification(_ request: Request, _ context: some RequestContext) async throws -> Response {
        // The body alone: a query string merged into the fields would break the signature (apple-pay.md#reply-signature).
        try request.requireMediaType("application/x-www-form-urlencoded", isOptional: true)
        try await service.takeNotification(
            request.bytes(upTo: Self.bodyLimit), isReported: service.context.trace.isReportedByCaller(request.headers))
        return Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"], body: ResponseBody(byteBuffer: ByteBuffer(string: "ok")))
    }

    // MARK: Reading requests

    private func idempotencyKey(_ request: Request) throws(CardPaymentsError) -> String {
        guard let name = HTTPField.Name("Idempotency-Key"), let key = request.headers[name] else {
            throw CardPaymentsError(code: .idempotencyKeyMissing, reason: "this operation needs an Idempotency-Key header")
        }
        return key
    }

    /// An answer that is kept under its key, and what the trace learns of it.
    private static func answer(_ given: GivenAnswer, status: HTTPResponse.Status = .ok) -> (Response, [String: String]) {
        (JSONAnswer.verbatim(given.body, status: status, headers: HTTPFields().replaying(given.isReplayed)), given.about)
    }

    /// Reports the exchange to the trace, refusals included, unless its caller does. Bodies are not shown: they hold tokens and
    /// contacts.
    private func traced(
        _ request: Request, title: String, from party: Party, about: [String: String],
        _ operation: () async throws -> (Response, [String: String])
    ) async throws -> Response {
        let trace = service.context.trace
        guard !trace.isReportedByCaller(request.headers) else { return try await operation().0 }
        trace.record(title, .request, from: party, to: MessageTrace.merchant, about: about)
        do {
            let (response, learned) = try await operation()
            trace.record(
                title, .response, from: MessageTrace.merchant, to: party, fields: [.init("status", String(response.status.code))],
                about: about.merging(learned) { _, new in new })
            return response
        } catch {
            // What the caller gets, where the books have their own word for it.
            let words =
                ErrorMapping().withCardPayments().refusal(for: error)?.words ?? (error as? any CodedError)?.code.description ?? "refused"
            trace.record(title, .response, from: MessageTrace.merchant, to: party, about: about, problem: words)
            throw ToldRefusal(error: error)
        }
    }
}
