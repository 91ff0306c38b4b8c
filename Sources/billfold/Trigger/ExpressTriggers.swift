import AsyncHTTPClient
import BillfoldJSON
import BillfoldSandbox
import BillfoldServer
import Foundation
import NIOHTTP1
import WalletServer

/// What can happen to an express order: the played customer buys in the tea house's app and goes to the wallet.
enum ExpressTriggers {
    /// What the customer does in the wallet.
    private enum Way: Sendable {
        case pay
        /// Pays, and the app is asked nothing afterwards: how it ends is seen at the merchant's server.
        case payAndLose
        case leave
    }

    private static func trigger(
        _ name: String, _ what: String, by way: Way = .pay, fault: ExpressFault? = nil, kinds: Set<String> = ["paid"],
        state: String? = "paid"
    ) -> Trigger {
        Trigger("express-order." + name, what) { place in
            let bought = try await buy(way, fault: fault, at: place)
            let kind = bought.outcome ?? "none"
            guard way == .payAndLose || kinds.contains(kind) else {
                throw CommandFailure(.refused, code: "not-reached", reason: "the app says \(kind), with \(bought.status ?? "no status")")
            }
            let held = try await place.until("the order's state") {
                let order = try await order(bought.number, at: place)
                return state == nil || order["state"]?.string == state ? order : nil
            }
            return told(bought.number, held, app: bought.status)
        }
    }

    static let all: [Trigger] = [
        trigger("paid", "an express order is paid (9000), and notified"),
        trigger("processing", "the wallet says 8000 first; the trade is paid", fault: .processingFirst, kinds: ["paid", "undecided"]),
        trigger("unknown", "the wallet says 6004; only a question tells", fault: .unknownResult, kinds: ["paid", "undecided"], state: nil),
        trigger("cancelled", "the customer leaves the wallet (6001)", by: .leave, kinds: ["cancelled"], state: nil),
        trigger("return-lost", "paid, and the way back to the app is lost", by: .payAndLose, fault: .lostReturn),
        trigger("notification-lost", "paid, and no notification arrives", fault: .notificationLost),
        trigger("notification-late", "paid, and the first delivery of the notification fails", fault: .notificationLate),
        trigger("notification-doubled", "paid, and every notification comes twice", fault: .notificationDoubled),
        Trigger("express-order.refunded", "an express order is paid, and all of it goes back") { place in
            let bought = try await buy(.pay, fault: nil, at: place)
            let paid = try await place.until("the order's payment") {
                let order = try await order(bought.number, at: place)
                return order["state"]?.string == "paid" ? order : nil
            }
            guard let amount = paid["price"]?.object?["value"]?.string else {
                throw CommandFailure(.refused, code: "unexpected-answer", reason: "the order has no price")
            }
            _ = try await LocalClient.send(
                .POST, try url(of: bought.number, at: place) + "/refunds", object: JSONObject([.init("amount", .string(amount))]))
            let held = try await place.until("the refund") {
                let order = try await order(bought.number, at: place)
                return order["state"]?.string == "refunded" ? order : nil
            }
            return told(bought.number, held, app: bought.status)
        },
        Trigger("express-order.closed", "an express order is closed before anybody paid") { place in
            guard let buyer = DemoCustomer.all.first else {
                throw CommandFailure(.ourFault, code: "internal", reason: "the sandbox's wallet has no customer")
            }
            let made = try await LocalClient.send(
                .POST, try place.addresses.origin(of: .alipayMerchant) + "/alipay-merchant/v1/trades",
                object: JSONObject([.init("offer", "longjing"), .init("buyer", .string(buyer.number))]))
            guard let number = made["number"]?.string else {
                throw CommandFailure(.refused, code: "unexpected-answer", reason: "the order has no number")
            }
            let closed = try await LocalClient.send(.POST, try url(of: number, at: place) + "/close", object: JSONObject())
            guard closed["state"]?.string == "closed" else {
                throw CommandFailure(.refused, code: "not-reached", reason: "the order is \(closed["state"]?.string ?? "nowhere")")
            }
            return told(number, closed, app: nil)
        },
    ]

    private static func told(_ number: String, _ order: JSONObject, app status: String?) -> Trigger.Outcome {
        let state = order["state"]?.string ?? "unknown"
        return .init(
            text: "order \(number) is \(state)" + (status.map { "; the app was told \($0)" } ?? ""),
            facts: [("order", number), ("state", state)] + (status.map { [("resultStatus", $0)] } ?? []))
    }

    private static func url(of number: String, at place: TriggerPlace) throws -> String {
        try place.addresses.origin(of: .alipayMerchant) + "/alipay-merchant/v1/orders/\(number)"
    }

    private static func order(_ number: String, at place: TriggerPlace) async throws -> JSONObject {
        try await LocalClient.send(.GET, try url(of: number, at: place)).object()
    }

    // MARK: Buying

    private struct Bought: Sendable {
        var number: String
        /// What the app shows at the end.
        var outcome: String?
        /// What its block was told.
        var status: String?
    }

    private static func buy(_ way: Way, fault: ExpressFault?, at place: TriggerPlace) async throws -> Bought {
        let phones = try place.addresses.origin(of: .alipayMerchant) + "/alipay-shop/phones"
        var screen = try await LocalClient.send(.POST, phones, object: JSONObject([.init("model", "with-wallet")]))
        let phone = "\(phones)/\(screen["session"]?.string ?? "")"
        var tap = JSONObject([.init("do", "buy"), .init("value", "longjing"), .init("generation", "modern")])
        tap["fault"] = fault.map { .string($0.rawValue) }
        screen = try await LocalClient.send(.POST, phone + "/taps", object: tap)
        screen = try await reach(phone, from: screen, at: place) { $0["away"]?.string != nil || $0["problem"]?.object != nil }
        guard let away = screen["away"]?.string, let number = screen["order"]?.object?["number"]?.string else {
            throw CommandFailure(.refused, code: "not-begun", reason: "the app never came to the wallet")
        }
        let wallet = try place.addresses.origin(of: .wallet)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .init(redirectConfiguration: .disallow))
        let back = await Result {
            let payer = AlipayTourPayer(wallet: wallet, client: client)
            return way == .leave ? try await payer.cancel(from: away) : try await payer.pay(from: away)
        }
        try? await client.shutdown()
        let address = try URLComponents(string: back.get())?.queryItems?.first { $0.name == "url" }?.value
        guard way != .payAndLose, let address else { return Bought(number: number) }
        screen = try await LocalClient.send(.POST, phone + "/open", object: JSONObject([.init("url", .string(address))]))
        screen = try await reach(phone, from: screen, at: place) { $0["outcome"]?.object != nil }
        let outcome = screen["outcome"]?.object
        return Bought(number: number, outcome: outcome?["kind"]?.string, status: outcome?["status"]?.string)
    }

    private static func reach(
        _ phone: String, from first: JSONObject, at place: TriggerPlace, _ isReached: (JSONObject) -> Bool
    ) async throws -> JSONObject {
        if isReached(first) { return first }
        return try await place.until("the next screen") {
            let screen = try await LocalClient.send(.GET, phone).object()
            return isReached(screen) ? screen : nil
        }
    }
}
