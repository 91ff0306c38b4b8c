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
        /// The order's lines and what it comes to, tax and shipping included: the parties compute them, the tour knows them.
        var items: [String]
        var total: String
        /// Whether the gateway keeps its notification back, so that the merchant must ask.
        var isNotificationLost = false
    }

    static let purchases = [
        Purchase(
            name: "delivered goods, EC token", tokenVersion: "EC_v1",
            script: ShopperScript(
                lines: [CartLine(product: "longjing", quantity: 1), CartLine(product: "celadon-cup", quantity: 2)], card: "unionpay-debit",
                contact: "office"),
            items: ["Longjing, spring picking 128.00", "Celadon cup 176.00", "Tax 39.52", "Standard 12.00"], total: "355.52"),
        Purchase(
            name: "electronic goods, RSA token", tokenVersion: "RSA_v1",
            script: ShopperScript(lines: [CartLine(product: "field-guide", quantity: 1)], card: "unionpay-credit"),
            items: ["A field guide to tea 36.00", "Tax 3.24"], total: "39.24"),
        Purchase(
            name: "electronic goods, notification lost", tokenVersion: "EC_v1",
            script: ShopperScript(lines: [CartLine(product: "rain-on-slate", quantity: 1)], card: "unionpay-credit"),
            items: ["Rain on slate 48.00", "Tax 2.88"], total: "50.88", isNotificationLost: true),
    ]

    let addresses: TourParties.Addresses
    let apiKey: String

    // MARK: Paying

    func pay(_ purchase: Purchase) async throws -> MerchantPayment {
        if purchase.isNotificationLost {
            let plan = try await TourClient.put("\(addresses.unionPay)/unionpay/control/plans/next", ["notification": "never"])
            guard plan.status == 204 else {
                throw CommandFailure(.refused, code: "unexpected-answer", reason: "the gateway answered \(plan.status)")
            }
        }
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
        let payment = try await until("payment-unsettled", reason: "the payment did not settle") {
            let payment = try await self.payment(id)
            return payment.state == "succeeded" ? payment : nil
        }
        try Self.require(payment.id, is: id, "the payment's id")
        try Self.require(payment.order, is: result.screen.order?.id, "the payment's order")
        try Self.require(result.authorizedTotal, is: purchase.total, "what the customer authorised")
        try Self.require(payment.amount, is: purchase.total, "what was paid")
        try Self.require(payment.currency, is: "CNY", "the currency that was paid")
        try await compareOrder(payment.order, with: purchase, reference: result.screen.order?.reference)
        return payment
    }

    /// The order as the merchant has it is the one that the customer's goods make.
    func compareOrder(_ id: String, with purchase: Purchase, reference: String?) async throws {
        let order = try await TourClient.get("\(addresses.merchant)/v1/orders/\(id)", key: apiKey).read(MerchantOrder.self)
        let catalogue = Catalogue.teaHouse
        try Self.require(order.id, is: id, "the order's id")
        try Self.require(order.reference, is: reference, "the order's reference")
        try Self.require(order.state, is: "paid", "the order's state")
        try Self.require(order.currency, is: "CNY", "the order's currency")
        try Self.require(order.country, is: catalogue.country, "the order's country")
        try Self.require(order.merchantName, is: catalogue.merchantName, "the merchant's name")
        try Self.require(order.total, is: purchase.total, "the order's total")
        try Self.require(order.items.map { "\($0.label) \($0.amount)" }, is: purchase.items, "the order's lines")
    }

    static func require<Value: Equatable>(_ value: Value?, is expected: Value?, _ what: String) throws {
        guard value == expected, value != nil else {
            func text(_ value: Value?) -> String { value.map { "\($0)" } ?? "nothing" }
            throw CommandFailure(.refused, code: "value-differs", reason: "\(what) is \(text(value)), not \(text(expected))")
        }
    }

    func payment(_ id: String) async throws -> MerchantPayment {
        try await TourClient.get("\(addresses.merchant)/v1/payments/\(id)", key: apiKey).read(MerchantPayment.self)
    }

    // MARK: Refunding

    private struct RefundWish: Encodable {
        var amount: String
        var reason: String
    }

    private static let refundedParts = ["10.00", "2.50"]

    func refundInParts(_ payment: MerchantPayment) async throws -> String {
        for (index, amount) in Self.refundedParts.enumerated() {
            let refund = try await TourClient.post(
                "\(addresses.merchant)/v1/payments/\(payment.id)/refunds", key: apiKey,
                idempotencyKey: "tour-refund-\(payment.id)-\(index)",
                RefundWish(amount: amount, reason: "returned in part")
            ).read(MerchantPayment.Modification.self)
            try Self.require(refund.amount, is: amount, "the refund's amount")
            try Self.require(refund.payment, is: payment.id, "the refunded payment")
            _ = try await until("refund-unsettled", reason: "a refund did not settle") {
                let now = try await TourClient.get("\(addresses.merchant)/v1/refunds/\(refund.id)", key: apiKey)
                    .read(MerchantPayment.Modification.self)
                try Self.require(now.id, is: refund.id, "the refund's id")
                try Self.require(now.amount, is: amount, "what is refunded")
                guard now.state != "failed" else {
                    throw CommandFailure(.refused, code: "refund-failed", reason: "the refund of \(amount) failed")
                }
                return now.state == "succeeded" ? now : nil
            }
        }
        return "\(Self.refundedParts.joined(separator: " and ")) \(payment.currency) refunded"
    }

    // MARK: Notifications

    /// The gateway was heard the first time it said something, and said everything that its plan lets it say.
    func readNotifications(of paid: [MerchantPayment]) async throws -> String {
        let orders = try await until("notifications-waiting", reason: "the gateway still has notifications to send") {
            let orders = try await TourClient.get("\(addresses.unionPay)/unionpay/control/orders").read(AcquirerOrders.self).orders
            if orders.contains(where: { $0.notifications.contains { $0.attempts > 0 && $0.state == "waiting" } }) {
                throw CommandFailure(.refused, code: "notification-repeated", reason: "the gateway has to send a notification again")
            }
            return orders.allSatisfy { $0.notifications.allSatisfy { $0.state != "waiting" } } ? orders : nil
        }
        let sent = orders.flatMap(\.notifications)
        // One for each purchase and each refund but for the purchases whose notification is lost.
        let due = paid.count + Self.refundedParts.count - Self.purchases.count(where: \.isNotificationLost)
        try Self.require(sent.count, is: due, "the number of notifications")
        guard sent.allSatisfy({ $0.state == "acknowledged" && $0.attempts == 1 && $0.status == 200 }) else {
            throw CommandFailure(.refused, code: "notification-repeated", reason: "the gateway had to send a notification again")
        }
        return "\(sent.count) sent, each acknowledged at once"
    }

    // MARK: Settlement and books

    private struct SettlementWish: Encodable { var settleDate: String }

    func settle() async throws -> String {
        var lines = 0
        for day in try await settlementDays() {
            let result = try await TourClient.post("\(addresses.merchant)/v1/reconciliations", key: apiKey, SettlementWish(settleDate: day))
                .read(ReconciliationCounts.self)
            try Self.require(result.settlementDay, is: day, "the day that was reconciled")
            let odd = result.classes.filter { $0.key != "matched" && $0.value > 0 }
            guard odd.isEmpty else {
                throw CommandFailure(
                    .refused, code: "settlement-differs", reason: odd.map { "\($0.value) \($0.key)" }.sorted().joined(separator: ", "))
            }
            lines += result.classes["matched"] ?? 0
        }
        try Self.require(lines, is: try await books().transactions.count, "the number of matched lines")
        return "\(lines) lines of the acquirer's file matched"
    }

    func compareBooks(_ paid: [MerchantPayment]) async throws -> String {
        var ours: [ComparedTransaction] = []
        var theirs: [ComparedTransaction] = []
        for day in try await settlementDays() {
            let acquirer = try await TourClient.get("\(addresses.unionPay)/unionpay/control/books?settleDate=\(day)").read(
                UnionPayDayBooks.self)
            theirs += acquirer.transactions
        }
        let merchant = try await books()
        guard merchant.balanced == true else {
            throw CommandFailure(.refused, code: "books-unbalanced", reason: "the merchant's ledger does not sum to zero")
        }
        try Self.require(Set(merchant.payments.map(\.id)), is: Set(paid.map(\.id)), "the payments in the merchant's books")
        ours = merchant.transactions
        let differences = BooksComparison.differences(merchant: ours, acquirer: theirs)
        guard differences.isEmpty, !ours.isEmpty else {
            throw CommandFailure(
                .refused, code: "books-differ", reason: differences.isEmpty ? "the books are empty" : differences.joined(separator: "; "))
        }
        return "\(ours.count) transactions, the same on both sides"
    }

    private func books() async throws -> MerchantBooks {
        try await MerchantBooks.read(from: addresses.merchant, key: apiKey)
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

    /// The console has one whole story for each order, and no party reported anything that it refused or that nobody says.
    func readTrace(of paid: [MerchantPayment]) async throws -> String {
        let stories = try await until("trace-incomplete", reason: "the console does not have the orders' stories", within: .seconds(15)) {
            var stories: [TourStory] = []
            for summary in try await TourClient.get("\(addresses.console)/api/stories?limit=500").read(TourStories.self).stories {
                // What one party refused and another mended by asking again is a failure too: nothing goes wrong on a sound tour.
                guard summary.problems == 0 else {
                    throw CommandFailure(.refused, code: "message-refused", reason: "\(summary.problems) messages were refused on the way")
                }
                stories.append(try await TourClient.get("\(addresses.console)/api/stories/\(summary.id)").read(TourStory.self))
            }
            for story in stories {
                if let stranger = story.stranger {
                    throw CommandFailure(.refused, code: "message-unknown", reason: "a story has \(stranger), which nobody says")
                }
            }
            let isWhole = zip(Self.purchases + [Self.clientPurchase], paid).enumerated().allSatisfy { number, each in
                let found = stories.filter { $0.correlation["order"] == [each.1.order] }
                guard found.count == 1 else { return false }
                return number == Self.purchases.count
                    ? found[0].isOfClient : found[0].has(isNotified: !each.0.isNotificationLost, isRefunded: number == 0)
            }
            return isWhole ? stories : nil
        }
        return "\(stories.reduce(0) { $0 + $1.entries.count }) messages in \(stories.count) stories"
    }

    /// Asks again until there is an answer, for a while.
    func until<Value>(
        _ code: String, reason: String, within limit: Duration = .seconds(45), _ body: () async throws -> Value?
    ) async throws -> Value {
        let end = ContinuousClock.now.advanced(by: limit)
        while ContinuousClock.now < end {
            if let value = try await body() { return value }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw CommandFailure(.refused, code: code, reason: reason)
    }
}
