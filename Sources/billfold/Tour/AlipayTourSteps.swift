import AsyncHTTPClient
import BillfoldSandbox
import BillfoldServer
import Foundation
import Synchronization

/// What the journey "pay an express order" does at each step.
final class AlipayTourSteps: Sendable {
    typealias Step = (name: String, work: @Sendable () async throws -> String)

    /// One purchase of the tour.
    struct Purchase: Sendable {
        var name: String
        var offer: String
        var generation: String
        var model: ExpressPhoneModel
        var fault: ExpressFault?
    }

    private static let purchases = [
        Purchase(name: "app switch, modern", offer: "longjing", generation: "modern", model: .withWallet),
        Purchase(name: "web cashier, modern", offer: "celadon-cup", generation: "modern", model: .withoutWallet),
        Purchase(name: "app switch, legacy", offer: "longjing", generation: "legacy", model: .withWallet),
        Purchase(name: "web cashier, legacy", offer: "celadon-cup", generation: "legacy", model: .withoutWallet),
        Purchase(name: "app switch, cross-border in dollars", offer: "tea-tasting", generation: "legacy", model: .withWallet),
        Purchase(name: "web cashier, cross-border in yuan", offer: "harbour-tray", generation: "legacy", model: .withoutWallet),
        Purchase(
            name: "the wallet says 8000", offer: "longjing", generation: "modern", model: .withWallet, fault: .processingFirst),
        Purchase(
            name: "every notification is lost", offer: "longjing", generation: "modern", model: .withWallet, fault: .notificationLost),
    ]

    private let addresses: AlipayTourParties.Addresses
    private let folder: DataFolder
    private let client: HTTPClient
    /// Numbers of paid orders by the purchase's name.
    private let paid = Mutex<[String: String]>([:])

    init(addresses: AlipayTourParties.Addresses, folder: DataFolder) {
        self.addresses = addresses
        self.folder = folder
        client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))
    }

    func end() async throws { try await client.shutdown() }

    var all: [Step] {
        var steps: [Step] = []
        for purchase in Self.purchases { steps.append((purchase.name, { try await self.pay(purchase) })) }
        for (name, parts) in Self.refunds {
            steps.append(("refund in two parts: \(name)", { try await self.refund(name, parts) }))
        }
        steps.append(("books", { try await self.compareBooks() }))
        steps.append(("trace", { try await self.readTrace() }))
        return steps
    }

    /// Purchases that go back, each in two parts that make up its price.
    private static let refunds = [
        ("app switch, modern", ["28.00", "100.00"]), ("app switch, legacy", ["28.00", "100.00"]),
        ("app switch, cross-border in dollars", ["120.00", "200.00"]),
    ]

    // MARK: Paying

    private struct Screen: Decodable {
        struct Order: Decodable {
            var number: String
            var price: String
        }
        struct Outcome: Decodable {
            var kind: String
            var status: String
        }
        struct Problem: Decodable {
            var code: String
            var reason: String
        }
        var revision: Int
        var session: String
        var place: String
        var order: Order?
        var away: String?
        var outcome: Outcome?
        var problem: Problem?
        var faults: [String]
    }

    private func pay(_ purchase: Purchase) async throws -> String {
        let phones = "\(addresses.shop)/alipay-shop/phones"
        var screen = try await TourClient.post(phones, ["model": purchase.model.rawValue]).read(Screen.self)
        let phone = "\(phones)/\(screen.session)"
        var tap = ["do": "buy", "value": purchase.offer, "generation": purchase.generation]
        tap["fault"] = purchase.fault?.rawValue
        screen = try await TourClient.post("\(phone)/taps", tap).read(Screen.self)
        screen = try await until(phone, from: screen) { $0.away != nil || $0.outcome != nil || $0.problem != nil }
        if let problem = screen.problem { throw refused("order-refused", "\(problem.code): \(problem.reason)") }
        guard let away = screen.away, let order = screen.order else {
            throw refused("not-begun", "the app never came to the wallet; its block said \(screen.outcome?.status ?? "nothing")")
        }
        let expected = purchase.model == .withWallet ? "wallet" : "cashier"
        guard screen.place == expected else { throw refused("value-differs", "the phone shows \(screen.place), not the \(expected)") }
        let back = try await AlipayTourPayer(wallet: addresses.wallet, client: client).pay(from: away)
        guard let url = URLComponents(string: back)?.queryItems?.first(where: { $0.name == "url" })?.value else {
            throw refused("page-differs", "the way back leads to no app")
        }
        screen = try await TourClient.post("\(phone)/open", ["url": url]).read(Screen.self)
        screen = try await until(phone, from: screen) { $0.outcome != nil }
        guard let outcome = screen.outcome, outcome.kind == "paid", outcome.status == "9000" else {
            throw refused("not-paid", "the app was told \(screen.outcome?.status ?? "nothing")")
        }
        // Both delegate methods of an app bring the address; anything else that the client noticed was damage.
        guard Set(screen.faults).subtracting(["return-repeated"]).isEmpty else {
            throw refused("result-damaged", "the app noticed \(screen.faults.joined(separator: ", "))")
        }
        let isNotified = purchase.fault != .notificationLost
        try await until(order.number) { $0.state == "paid" && (!isNotified || $0.notifications > 0) }
        paid.withLock { $0[purchase.name] = order.number }
        return "\(order.price) paid, \(order.number)"
    }

    private func until(_ phone: String, from first: Screen, _ isReached: (Screen) -> Bool) async throws -> Screen {
        var screen = first
        for _ in 0..<30 where !isReached(screen) {
            screen = try await TourClient.get("\(phone)?after=\(screen.revision)&wait=5").read(Screen.self)
        }
        guard isReached(screen) else { throw refused("screen-missing", "the phone stayed at \(screen.place)") }
        return screen
    }

    private func refused(_ code: String, _ reason: String) -> CommandFailure { CommandFailure(.refused, code: code, reason: reason) }

    // MARK: The merchant's server

    private struct Order: Decodable {
        struct Refund: Decodable {
            var number: String
            var amount: AlipayBooks.Money
            var state: String
        }
        var number: String
        var state: String
        var tradeNo: String?
        var price: AlipayBooks.Money
        var refunds: [Refund]
        /// How many notifications were taken.
        var notifications: Int
    }

    private func orderURL(_ number: String) -> String { "\(addresses.shop)/alipay-merchant/v1/orders/\(number)" }

    @discardableResult
    private func until(_ number: String, _ isReached: (Order) -> Bool) async throws -> Order {
        let end = ContinuousClock.now.advanced(by: .seconds(20))
        while true {
            let order = try await TourClient.get(orderURL(number)).read(Order.self)
            if isReached(order) { return order }
            guard ContinuousClock.now < end else {
                throw refused("value-differs", "the merchant's server has the order as \(order.state), with \(order.refunds.count) refunds")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func refund(_ name: String, _ parts: [String]) async throws -> String {
        guard let number = paid.withLock({ $0[name] }) else { throw refused("order-missing", "there is no such order") }
        for (index, part) in parts.enumerated() {
            let order = try await TourClient.post("\(orderURL(number))/refunds", ["amount": part]).read(Order.self)
            guard order.refunds.count == index + 1, order.refunds.last?.amount.value == part else {
                throw refused("value-differs", "the merchant's server has another refund")
            }
            try await until(number) { $0.refunds.count == index + 1 && $0.refunds.allSatisfy { $0.state == "done" } }
            // Refunds of one trade keep three seconds between them.
            _ = try await TourClient.put("\(addresses.shop)/clock", ["advanceSeconds": 5]).read([String: AlipayBooks.Anything].self)
        }
        try await until(number) { $0.state == "refunded" }
        return "\(parts.joined(separator: " and ")) went back"
    }

    // MARK: Books

    private func compareBooks() async throws -> String {
        let merchant = try await TourClient.get("\(addresses.shop)/alipay-merchant/v1/books").read(AlipayBooks.Merchant.self)
        let orders = Set(paid.withLock { $0.values })
        guard Set(merchant.entries.map(\.order)) == orders, merchant.entries.count == orders.count + 6 else {
            throw refused("books-differ", "the merchant has \(merchant.entries.count) entries, the tour made \(orders.count + 6)")
        }
        var (gateway, wallet): ([AlipayBooks.Entry], [AlipayBooks.Entry]) = ([], [])
        for day in AlipayBooks.days(of: merchant) {
            gateway += try await AlipayBooks.read("\(addresses.gatewayLink)/link/v1/books?day=\(day)", in: folder, key: "wallet-link.key")
            wallet += try await AlipayBooks.read(
                "\(addresses.walletLink)/wallet/link/v1/books?day=\(day)", in: folder, key: "gateway-link.key")
        }
        var differences = AlipayBooks.differences(gateway: gateway, wallet: wallet)
        differences += AlipayBooks.differences(merchant: merchant.entries, gateway: gateway)
        for number in orders.sorted() {
            struct Comparison: Decodable {
                struct Trade: Decodable {
                    var tradeNo: String
                    var total: String
                }
                var merchant: Order
                var gateway: Trade?
            }
            let both = try await TourClient.post("\(orderURL(number))/comparison", [String: String]()).read(Comparison.self)
            if both.gateway?.tradeNo != both.merchant.tradeNo || both.gateway?.total != both.merchant.price.value {
                differences.append("the gateway says another price or trade of \(number) under its signature")
            }
        }
        guard differences.isEmpty else { throw refused("books-differ", differences.joined(separator: "; ")) }
        return "\(merchant.entries.count) entries agree between merchant, wallet and gateway"
    }

    // MARK: Stories

    private func readTrace() async throws -> String {
        let numbers = paid.withLock { Array($0.values) }
        for number in numbers {
            let end = ContinuousClock.now.advanced(by: .seconds(20))
            while true {
                let page = try await TourClient.get("\(addresses.console)/stories/alipay.order:\(number)")
                let text = String(decoding: page.body, as: UTF8.self)
                // A cross-border trade is finished as soon as it is paid.
                let awaited = [["make an order"], ["TRADE_SUCCESS", "TRADE_FINISHED"], ["block called"]]
                let missing = awaited.filter { !$0.contains(where: text.contains) }.map { $0.joined(separator: " or ") }
                if page.status == 200, missing.isEmpty { break }
                guard ContinuousClock.now < end else {
                    throw refused("story-incomplete", "the story of \(number) lacks \(missing.joined(separator: ", "))")
                }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
        return "\(numbers.count) stories tell of order, trade and result"
    }
}
