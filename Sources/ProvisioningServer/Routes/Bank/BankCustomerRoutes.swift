import BillfoldJSON
import BillfoldMoney
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import CustomerLanguages
import HTTPTypes
import Hummingbird

/// In which language and of what a bank's customers want to be told, and what was paid with their cards: `GET` and `PUT
/// /bank/v1/customers/{customer}/preferences`, `POST /bank/v1/card-transactions`.
struct BankCustomerRoutes: Sendable {
    let context: TokenContext

    private var requests: BankRequests { BankRequests(context: context) }
    private var service: CustomerService { CustomerService(context: context) }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/bank/v1/customers/:customer/preferences") { request, context in
            let customer = try BankRequests.name(in: context, "customer")
            try await requests.authorize(request)
            return try BankRequests.fresh(Preferences(customer, try await service.preferences(of: customer)))
        }
        router.put("/bank/v1/customers/:customer/preferences") { request, context in
            let customer = try BankRequests.name(in: context, "customer")
            try await requests.authorize(request)
            let body = try RequestReader(try await request.json(), allowing: ["language", "cardMessages", "transactionMessages"])
            guard let language = CustomerLanguage(tag: try body.text("language", maximum: 35)) else {
                throw RequestReader.malformed("language", "is none of \(CustomerLanguage.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            let preferences = CustomerPreferences(
                language: language, wantsCardMessages: try body.bool("cardMessages"),
                wantsTransactionMessages: try body.bool("transactionMessages"))
            try await service.set(preferences, of: customer)
            return try BankRequests.fresh(Preferences(customer, preferences))
        }
        router.post("/bank/v1/card-transactions") { request, _ in
            try await requests.authorize(request)
            let transaction = try CustomerService.CardTransaction(RequestReader(try await request.json(), allowing: Self.members))
            return try await context.host.trace.exchange(
                request, from: ProvisioningTrace.bank, title: "card transaction", asked: [.init("transactionId", transaction.id)],
                about: ["provisioning.card": transaction.card]
            ) { (BankRequests.stored(try await service.tell(transaction), status: .accepted), []) }
        }
    }

    private static let members = ["transactionId", "card", "merchant", "amount", "occurredAt"]

    private struct Preferences: Encodable {
        var customer: String
        var language: CustomerLanguage
        var cardMessages: Bool
        var transactionMessages: Bool

        init(_ customer: String, _ preferences: CustomerPreferences) {
            self.customer = customer
            language = preferences.language
            cardMessages = preferences.wantsCardMessages
            transactionMessages = preferences.wantsTransactionMessages
        }
    }
}

extension CustomerService.CardTransaction {
    fileprivate init(_ body: RequestReader) throws(ProvisioningError) {
        id = try body.identifier("transactionId")
        card = try body.card("card")
        merchant = try body.text("merchant", maximum: 100)
        guard let amount = try body.object("amount", allowing: ["value", "currency"]) else {
            throw RequestReader.malformed("amount", "is missing")
        }
        let (code, value) = (try amount.text("currency", maximum: 3), try amount.text("value", maximum: 20))
        guard let currency = try? Currency(code), let read = try? Amount(value, currency: currency), read.isPositive else {
            throw RequestReader.malformed("amount", "is no amount of a currency, with its digits, such as 12.30 of CNY in a text")
        }
        self.amount = read
        occurredAt = try body.instant("occurredAt")
    }
}
