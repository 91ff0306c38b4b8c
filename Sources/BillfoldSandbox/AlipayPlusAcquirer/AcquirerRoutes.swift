import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldTrace
import Foundation
import HTTPTypes
import Hummingbird

/// The acquirer's server over HTTP.
///
/// - `POST /acquirer/notify`: notifications, answered under the acquirer's signature
/// - `POST /acquirer/v1/orders` `{"offer"}` → 201 with the order; `GET …/{number}`; `POST …/payments` `{"way","code"?}`, `…/state`,
///   `…/refunds` `{"amount","number"?}`, `…/cancel`
/// - `POST /acquirer/v1/reports`: the check of fetched reports, see ``AcquirerReports``
/// - `GET /acquirer/v1/books`, and `/acquirer/v1/state` → `{"registered","disbelieved"}`
struct AcquirerRoutes: Sendable {
    static let notifyPath = "/acquirer/notify"

    let service: AlipayPlusAcquirerService
    let intake: AlipayPlusIntake

    func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let service = service
        router.group("acquirer").add(middleware: SandboxErrors()).post("notify") { request, _ in try await notified(request) }
        let api = router.group("acquirer/v1").add(middleware: SandboxErrors())
        api.get("books") { _, _ in try SandboxBody.json(AcquirerWire.Books(entries: try await service.books())) }
        api.get("state") { _, _ in
            let registration = service.line.registration
            return try SandboxBody.json(
                AcquirerWire.State(registered: await registration.isRegistered, disbelieved: await registration.disbelieved))
        }
        api.post("reports") { request, _ in try await AcquirerReports.answer(request, service) }
        let orders = api.group("orders")
        orders.post("") { request, _ in
            let asked = try await PartyRequest(request).decode(AcquirerWire.Placing.self)
            return try SandboxBody.json(AcquirerWire.Order(await service.place(asked.offer)), status: .created)
        }
        orders.get("{number}") { _, context in try SandboxBody.json(AcquirerWire.Order(await service.order(Self.number(context)))) }
        orders.post("{number}/payments") { request, context in
            let asked = try await PartyRequest(request).decode(AcquirerWire.Paying.self)
            let order = try await service.pay(Self.number(context), by: asked.way, code: asked.code)
            return try SandboxBody.json(AcquirerWire.Order(order, isForPayer: true), status: .created)
        }
        orders.post("{number}/state") { _, context in
            try SandboxBody.json(AcquirerWire.Order(await service.ask(Self.number(context))))
        }
        orders.post("{number}/cancel") { _, context in
            try SandboxBody.json(AcquirerWire.Order(await service.cancel(Self.number(context))))
        }
        orders.post("{number}/refunds") { request, context in
            let asked = try await PartyRequest(request).decode(AcquirerWire.Refunding.self)
            return try SandboxBody.json(
                AcquirerWire.Order(await service.refund(Self.number(context), asked.amount, name: asked.number)))
        }
    }

    static func number(_ context: some RequestContext) -> String { context.parameters.get("number") ?? "" }

    /// Whatever goes wrong here, Alipay+ tells it again: only a signed S ends it.
    private func notified(_ request: Request) async throws -> Response {
        let path = request.uri.path
        let reporter = service.surroundings.reporter
        let taken: AlipayPlusIntake.Taken
        do { taken = try await intake.take(request) } catch {
            let result = (error as? AlipayPlusError).map { AlipayPlusResult(refusing: $0) } ?? .unknownException
            reporter.report(.note, from: .acquirer, to: .acquirer, "notification not believed", correlation: [:], problem: "\(result)")
            return intake.refusal(result)
        }
        let result: AlipayPlusResult
        var about: [String: String] = [:]
        do {
            // A notification says by its members what it is about.
            if let consent: AuthNotifyRequest = try? taken.message.read() {
                result = try await service.notified(consent)
            } else {
                let payment: NotifyPaymentRequest = try taken.message.read()
                about = [AlipayPlusTrace.request: payment.paymentRequestId]
                about[AlipayPlusTrace.payment] = payment.paymentId
                if !taken.isReported {
                    reporter.report(
                        .notification, from: .alipayPlus, to: .acquirer, payment.paymentResult.resultCode, correlation: about)
                }
                result = try await service.notified(payment)
            }
        } catch let error as AlipayPlusError {
            result = AlipayPlusResult(refusing: error)
        }
        reporter.report(
            .note, from: .acquirer, to: .acquirer, result.isSuccess ? "notification booked" : "notification refused", correlation: about,
            problem: result.isSuccess ? nil : result.resultMessage)
        return try intake.answer(PlainAnswer(result: result).body, to: path)
    }
}

extension AlipayPlusAcquirerService {
    /// The books, by the numbers that all parties share.
    func books() async throws -> [AcquirerWire.Entry] {
        let orders = try await orders()
        let wallets = Dictionary(
            orders.flatMap(\.attempts).compactMap { attempt in attempt.number.map { ($0, attempt.walletNumber ?? "") } },
            uniquingKeysWith: { first, _ in first })
        return try AcquirerBooks.transactions(of: orders).map { AcquirerWire.Entry($0, walletNumber: wallets[$0.paymentId]) }
    }
}

/// The bodies of the acquirer's own interface, `/acquirer/v1`. Unknown members are refused.
enum AcquirerWire {
    struct State: Encodable, Sendable {
        var registered: Bool
        /// How many messages between the acquirer and the gateway one of them did not believe.
        var disbelieved: Int
    }

    struct Placing: Codable, StrictBody {
        static let members = ["offer"]
        var offer: String
    }

    struct Paying: Codable, StrictBody {
        static let members = ["way", "code"]
        var way: PaymentScenario
        var code: String?
    }

    struct Refunding: Codable, StrictBody {
        static let members = ["amount", "number"]
        var amount: String
        var number: String?
    }

    /// An order as the acquirer shows it. What a payer needs goes only to whoever asked for it.
    struct Order: Codable, Sendable {
        struct Refund: Codable, Sendable {
            var number: String
            var amount: Amount
            var state: AcquirerOrder.Refund.State
            var code: String?
        }
        struct Payment: Codable, Sendable {
            var request: String
            var way: PaymentScenario
            var state: AcquirerOrder.State
            var failure: String?
            var number: String?
            var wallet: String?
            var walletNumber: String?
            var settlement: Amount?
            var refunds: [Refund]
            var notifications: Int
            var paymentData: String?
            var page: String?
            var orderCode: String?
        }
        var number: String
        var subject: String
        var price: Amount
        /// `unpaid` before the first attempt.
        var state: String
        var payments: [Payment]

        init(_ order: AcquirerOrder, isForPayer: Bool = false) {
            (number, subject, price) = (order.id, order.subject, order.price)
            state = order.attempt?.state.rawValue ?? "unpaid"
            payments = order.attempts.map { attempt in
                Payment(
                    request: attempt.id, way: attempt.way, state: attempt.state, failure: attempt.failure, number: attempt.number,
                    wallet: attempt.wallet, walletNumber: attempt.walletNumber, settlement: attempt.settlement,
                    refunds: attempt.refunds.map { Refund(number: $0.id, amount: $0.amount, state: $0.state, code: $0.code) },
                    notifications: attempt.notifications, paymentData: isForPayer ? attempt.paymentData : nil,
                    page: isForPayer ? attempt.page : nil, orderCode: isForPayer ? attempt.orderCode : nil)
            }
        }
    }

    /// One line of the acquirer's books.
    struct Entry: Codable, Sendable, Hashable {
        var order: String
        var kind: String
        /// `paymentId`, or `refundId`.
        var number: String
        var payment: String
        /// `paymentRequestId`, or `refundRequestId`.
        var request: String
        /// The wallet's own number of the payment.
        var walletNumber: String?
        var psp: String
        var amount: Amount
        var settlement: Amount
        var fee: Amount
        /// Milliseconds since 1970.
        var at: Int64

        init(_ row: ReportTransaction, walletNumber: String?) {
            order = row.referenceOrderId
            kind = row.isRefund ? "refund" : "payment"
            number = row.transactionId
            payment = row.paymentId
            request = row.transactionRequestId
            self.walletNumber = walletNumber
            psp = row.counterParticipantId
            amount = row.transactionAmount
            settlement = row.settlementAmount
            fee = row.fee
            at = row.transactionTime.millisecondsSince1970
        }
    }

    struct Books: Codable, Sendable {
        var entries: [Entry]
    }
}
