import AsyncHTTPClient
import BillfoldSandbox
import Foundation

/// What the tour does at each step. Every step throws, with a code, when something is not as it must be.
struct TourSteps: Sendable {
    /// One order that a scripted customer pays.
    struct Purchase: Sendable {
        var name: String
        /// Which kind of token the wallet makes.
        var tokenVersion: String
        var script: ShopperScript
    }

    static let purchases = [
        Purchase(
            name: "delivered goods, EC token", tokenVersion: "EC_v1",
            script: ShopperScript(
                lines: [CartLine(product: "longjing", quantity: 1), CartLine(product: "celadon-cup", quantity: 2)], card: "unionpay-debit",
                contact: "office")),
        Purchase(
            name: "electronic goods, RSA token", tokenVersion: "RSA_v1",
            script: ShopperScript(lines: [CartLine(product: "field-guide", quantity: 1)], card: "unionpay-credit")),
    ]

    let addresses: TourParties.Addresses
    let apiKey: String

    // MARK: Paying

    func pay(_ purchase: Purchase) async throws -> MerchantPayment {
        let setting = try await TourClient.put("\(addresses.phone)/phone/wallet", ["version": purchase.tokenVersion])
        guard setting.status == 200 else {
            throw CommandFailure(.refused, code: "unexpected-answer", reason: "the wallet answered \(setting.status)")
        }
        let connection = HTTPMerchantConnection(origin: addresses.phone, client: .shared, limitSeconds: 60)
        let phone = try await RemotePhone(opening: purchase.script.model, lines: purchase.script.lines, over: connection)
        let result: ShopperScript.Result
        do { result = try await purchase.script.run(on: phone) } catch let refusal as SandboxRefusal {
            throw CommandFailure(.refused, code: refusal.code, reason: refusal.reason)
        }
        guard let outcome = result.screen.outcome, outcome.kind == "succeeded", let id = outcome.paymentID else {
            let why = result.screen.outcome?.code ?? result.screen.problem?.code ?? result.screen.outcome?.kind ?? "no outcome"
            throw CommandFailure(.refused, code: "payment-failed", reason: "the phone shows: \(why)")
        }
        guard result.screen.faults.isEmpty else {
            throw CommandFailure(.refused, code: "device-fault", reason: "the phone saw \(result.screen.faults.count) faults")
        }
        let payment = try await until("payment-unsettled", "the payment did not settle") {
            let payment = try await self.payment(id)
            return payment.state == "succeeded" ? payment : nil
        }
        guard payment.amount == result.authorizedTotal else {
            throw CommandFailure(
                .refused, code: "amount-differs",
                reason: "the customer authorised \(result.authorizedTotal ?? "nothing") and \(payment.amount) was paid")
        }
        return payment
    }

    private func payment(_ id: String) async throws -> MerchantPayment {
        try await TourClient.get("\(addresses.merchant)/v1/payments/\(id)", key: apiKey).read(MerchantPayment.self)
    }

    // MARK: Refunding

    private struct RefundWish: Encodable {
        var amount: String
        var reason: String
    }

    func refundInParts(_ payment: MerchantPayment) async throws -> String {
        let parts = ["10.00", "2.50"]
        for (index, amount) in parts.enumerated() {
            let refund = try await TourClient.post(
                "\(addresses.merchant)/v1/payments/\(payment.id)/refunds", key: apiKey,
                idempotencyKey: "tour-refund-\(payment.id)-\(index)",
                RefundWish(amount: amount, reason: "returned in part")
            ).read(MerchantPayment.Modification.self)
            _ = try await until("refund-unsettled", "a refund did not settle") {
                let now = try await TourClient.get("\(addresses.merchant)/v1/refunds/\(refund.id)", key: apiKey)
                    .read(MerchantPayment.Modification.self)
                guard now.state != "failed" else {
                    throw CommandFailure(.refused, code: "refund-failed", reason: "the refund of \(amount) failed")
                }
                return now.state == "succeeded" ? now : nil
            }
        }
        return "\(parts.joined(separator: " and ")) \(payment.currency) refunded"
    }

    // MARK: Settlement and books

    private struct SettlementWish: Encodable { var settleDate: String }

    func settle() async throws -> String {
        var lines = 0
        for day in try await settlementDays() {
            let result = try await TourClient.post("\(addresses.merchant)/v1/reconciliations", key: apiKey, SettlementWish(settleDate: day))
                .read(Reconciliation.self)
            let odd = result.classes.filter { $0.key != "matched" && $0.value > 0 }
            guard odd.isEmpty else {
                throw CommandFailure(
                    .refused, code: "settlement-differs", reason: odd.map { "\($0.value) \($0.key)" }.sorted().joined(separator: ", "))
            }
            lines += result.classes["matched"] ?? 0
        }
        guard lines > 0 else { throw CommandFailure(.refused, code: "settlement-empty", reason: "the settlement file holds nothing") }
        return "\(lines) lines of the acquirer's file matched"
    }

    func compareBooks() async throws -> String {
        var ours: [BookedTransaction] = []
        var theirs: [BookedTransaction] = []
        for day in try await settlementDays() {
            let acquirer = try await TourClient.get("\(addresses.unionPay)/unionpay/control/books?settleDate=\(day)").read(
                AcquirerBooks.self)
            theirs += acquirer.transactions
        }
        let merchant = try await books()
        guard merchant.balanced else {
            throw CommandFailure(.refused, code: "books-unbalanced", reason: "the merchant's ledger does not sum to zero")
        }
        ours = merchant.transactions
        let differences = BooksComparison.differences(merchant: ours, acquirer: theirs)
        guard differences.isEmpty, !ours.isEmpty else {
            throw CommandFailure(
                .refused, code: "books-differ", reason: differences.isEmpty ? "the books are empty" : differences.joined(separator: "; "))
        }
        return "\(ours.count) transactions, the same on both sides"
    }

    private func books() async throws -> MerchantBooks {
        try await TourClient.get("\(addresses.merchant)/v1/books", key: apiKey).read(MerchantBooks.self)
    }

    /// The days on which the tour's transactions settle: one, or two when it runs across midnight in Beijing.
    private func settlementDays() async throws -> [String] {
        let payments = try await books().payments
        let days = payments.flatMap { [$0.settlementDay] + $0.modifications.map(\.settlementDay) }.compactMap(\.self)
        guard !days.isEmpty else {
            throw CommandFailure(.refused, code: "settlement-day-missing", reason: "no transaction has a settlement day")
        }
        return Set(days).sorted()
    }

    // MARK: Trace

    private struct Stories: Decodable {
        struct Story: Decodable {
            var entries: Int
            var problems: Int
        }
        var stories: [Story]
    }

    /// The console has a story for each order, and no party reported that it refused anything.
    func readTrace(expecting orders: Int) async throws -> String {
        let stories = try await until("trace-incomplete", "the console does not have the orders' stories") {
            let found = try await TourClient.get("\(addresses.console)/api/stories?limit=500").read(Stories.self).stories
            return found.count { $0.entries > 4 } >= orders ? found : nil
        }
        // What one party refused and another mended by asking again is a failure here: nothing goes wrong on a sound tour.
        let problems = stories.reduce(0) { $0 + $1.problems }
        guard problems == 0 else {
            throw CommandFailure(.refused, code: "message-refused", reason: "\(problems) messages were refused on the way")
        }
        return "\(stories.reduce(0) { $0 + $1.entries }) messages in \(stories.count) stories"
    }

    /// Asks again until there is an answer, for a while.
    private func until<Value>(_ code: String, _ reason: String, _ body: () async throws -> Value?) async throws -> Value {
        let end = ContinuousClock.now.advanced(by: .seconds(45))
        while ContinuousClock.now < end {
            if let value = try await body() { return value }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw CommandFailure(.refused, code: code, reason: reason)
    }
}
