import BillfoldDiagnosis
import BillfoldMoney
import Foundation
import Synchronization
import Testing

@testable import ApplePayApp
@testable import PassKitSimulator

enum Fixture {
    static let unionPayCard = WalletCard(
        id: "card-cup", issuer: "Bank of Examples", suffix: "1234", network: .chinaUnionPay, type: .debit,
        pinRule: .init(currencyCode: "CNY", limit: 1000))
    static let visaCard = WalletCard(id: "card-visa", issuer: "Example Bank", suffix: "4242", network: .visa, type: .credit)
    static let shanghai = SimulatedContact(
        id: "home", givenName: "Li", familyName: "Wei", emailAddress: "li.wei@example.com", phoneNumber: "+86 21 5550 0100",
        street: "100 Century Avenue", subLocality: "Pudong", city: "Shanghai", state: "Shanghai", postalCode: "200120",
        country: "China", countryCode: "CN")
    static let lisbon = SimulatedContact(
        id: "away", givenName: "Li", familyName: "Wei", emailAddress: "li.wei@example.com", phoneNumber: "+351 210 000 000",
        street: "Rua de Exemplo 1", city: "Lisboa", state: "Lisboa", postalCode: "1000-001", country: "Portugal", countryCode: "PT")
    static let access = OrderAccess(orderID: "0198c0de", clientSecret: Secret("client-secret"))

    static func orderJSON(
        goods: String = "delivered", items: String? = nil, total: String = "43.00", networks: String = #"["chinaUnionPay"]"#,
        capabilities: String = #"["threeDSecure","emv"]"#, payments: String = "[]"
    ) -> Data {
        let lines = items ?? #"[{"label":"Tea","amount":"33.00","type":"final"},{"label":"Standard","amount":"10.00","type":"final"}]"#
        let fields = goods == "delivered" ? #"["postalAddress","name","phoneNumber","emailAddress"]"# : #"["emailAddress"]"#
        let methods =
            goods == "delivered"
            ? #"[{"identifier":"standard","label":"Standard","detail":"3 days","amount":"10.00"},{"identifier":"express","label":"Express","detail":"1 day","amount":"25.00"}]"#
            : "[]"
        return Data(
            """
            {"id":"0198c0de","reference":"R-1","state":"open","goods":"\(goods)","currency":"CNY","country":"CN","merchantName":"Tea House",
            "merchantIdentifier":"merchant.example.tea","supportedNetworks":\(networks),"merchantCapabilities":\(capabilities),
            "applicationData":"b3JkZXI=","requiredShippingContactFields":\(fields),"items":\(lines),"total":"\(total)",
            "shippingMethods":\(methods),"payments":\(payments)}
            """.utf8)
    }

    static func order(goods: String = "delivered") throws -> CheckoutOrder {
        goods == "delivered"
            ? try CheckoutOrder(json: orderJSON())
            : try CheckoutOrder(
                json: orderJSON(goods: goods, items: #"[{"label":"Song","amount":"8.00","type":"final"}]"#, total: "8.00"))
    }

    @MainActor
    static func device(
        cards: [WalletCard] = [unionPayCard], wallet: (any PaymentTokenSource)? = FakeWallet(), timer: ManualTimer = ManualTimer(),
        isXcodeSimulator: Bool = false
    ) -> SimulatedDevice {
        SimulatedDevice(
            .init(isXcodeSimulator: isXcodeSimulator, cards: cards, contacts: [shanghai, lisbon]), tokenSource: wallet,
            timer: timer.device)
    }

    static func cny(_ text: String) throws -> Amount { try Amount(text, currency: .cny) }
}

/// Makes recognisable bytes and remembers what was authorised.
final class FakeWallet: PaymentTokenSource {
    private let seen = Mutex<[AuthorizedPayment]>([])
    /// Not UTF-8, and with whitespace that a re-serialisation would lose.
    static let bytes = Data([0x7B, 0x20, 0xFF, 0x00, 0x0A, 0x7D])
    var authorized: [AuthorizedPayment] { seen.withLock { $0 } }

    func token(for payment: AuthorizedPayment) async throws -> IssuedToken {
        seen.withLock { $0.append(payment) }
        return IssuedToken(paymentData: Self.bytes, transactionIdentifier: "ABCDEF")
    }
}

/// A merchant's server whose answers a test writes.
final class FakeServer: MerchantServer {
    typealias Pay = @Sendable (_ attempt: Int) async throws(ApplePayAppError) -> PaymentAnswer
    typealias Quote = @Sendable (QuoteRequest) async throws(ApplePayAppError) -> CheckoutQuote?

    private struct Log {
        var submissions: [PaymentSubmission] = []
        var keys: [IdempotencyKey] = []
        var quotes: [QuoteRequest] = []
        var orderReads = 0
    }

    private let log = Mutex(Log())
    private let answerPay: Pay
    private let answerQuote: Quote
    private let answerOrder: @Sendable (Int) -> [CheckoutPayment]?

    var submissions: [PaymentSubmission] { log.withLock { $0.submissions } }
    var keys: [IdempotencyKey] { log.withLock { $0.keys } }
    var quotes: [QuoteRequest] { log.withLock { $0.quotes } }
    var orderReads: Int { log.withLock { $0.orderReads } }

    init(
        pay: @escaping Pay = { _ in PaymentAnswer(payment: CheckoutPayment(id: "p1", state: "succeeded"), sheet: .success) },
        quote: @escaping Quote = { _ in nil }, payments: @escaping @Sendable (Int) -> [CheckoutPayment]? = { _ in [] }
    ) {
        answerPay = pay
        answerQuote = quote
        answerOrder = payments
    }

    func order(_ access: OrderAccess) async throws(ApplePayAppError) -> CheckoutOrder {
        let count = log.withLock { log in
            log.orderReads += 1
            return log.orderReads
        }
        guard let payments = answerOrder(count) else { throw ApplePayAppError(code: .serverUnanswered, reason: "no answer") }
        var order = try CheckoutOrder(json: Fixture.orderJSON())
        order.payments = payments
        return order
    }

    func quote(_ request: QuoteRequest, for order: CheckoutOrder, access: OrderAccess) async throws(ApplePayAppError) -> CheckoutQuote {
        log.withLock { $0.quotes.append(request) }
        if let quote = try await answerQuote(request) { return quote }
        guard order.goods == .delivered else { return CheckoutQuote(items: order.items, total: order.total, shippingMethods: []) }
        let express = request.shippingMethod == "express"
        let body = """
            {"items":[{"label":"Tea","amount":"33.00"},{"label":"Shipping","amount":"\(express ? "25.00" : "10.00")"}],
            "total":"\(express ? "58.00" : "43.00")","shippingMethods":[
            {"identifier":"standard","label":"Standard","detail":"3 days","amount":"10.00"},
            {"identifier":"express","label":"Express","detail":"1 day","amount":"25.00"}]}
            """
        return try CheckoutQuote(json: Data(body.utf8), for: order)
    }

    func pay(_ submission: PaymentSubmission, key: IdempotencyKey, access: OrderAccess) async throws(ApplePayAppError) -> PaymentAnswer {
        let count = log.withLock { log in
            log.submissions.append(submission)
            log.keys.append(key)
            return log.keys.count
        }
        return try await answerPay(count)
    }
}

/// One checkout on one simulated phone, begun and ready for the customer's actions.
@MainActor
struct Checkout {
    let device: SimulatedDevice
    let session: CheckoutSession
    let sheet: PaymentSheet
    let outcome: Task<CheckoutOutcome, any Error>
    let memory: VolatileCheckoutMemory

    init(
        _ server: FakeServer, order: CheckoutOrder? = nil, device: SimulatedDevice? = nil, timer: ManualTimer = ManualTimer(),
        memory: VolatileCheckoutMemory = VolatileCheckoutMemory(), adjust: (inout CheckoutConfiguration) -> Void = { _ in }
    ) async throws {
        let device = device ?? Fixture.device(timer: timer)
        var configuration = CheckoutConfiguration { try await timer.sleep($0) }
        adjust(&configuration)
        var keys = 0
        let session = CheckoutSession(
            order: try order ?? Fixture.order(), access: Fixture.access, server: server, memory: memory, configuration: configuration
        ) {
            keys += 1
            return IdempotencyKey(rawValue: "key-\(keys)")
        }
        self.device = device
        self.session = session
        self.memory = memory
        outcome = SimulatedDevice.$current.withValue(device) { Task { try await session.start() } }
        while session.controller?.sheet == nil { await Task.yield() }
        sheet = try #require(session.controller?.sheet)
        await sheet.settle()
    }
}
