import BillfoldSandbox
import BillfoldTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AlipayPlusServer

/// Payments of the sandbox's acquirer with the sandbox's wallets, from one printed seed that also draws what goes wrong: every payment ends,
/// and all books agree.
struct BothSidesSeededTests {
    /// `BILLFOLD_ALIPAY_PLUS_PAYMENTS` makes it long.
    private static let payments = ProcessInfo.processInfo.environment["BILLFOLD_ALIPAY_PLUS_PAYMENTS"].flatMap { Int($0) } ?? 40

    @Test func theBooksOfAllPartiesAgree() async throws {
        try await BothSides.open { sides async throws in
            var generator = SeededGenerator(seed: StoreEngine.seed, label: "both sides")
            for type in MobileWallet.types {
                let slug = try #require(MobileWallet.slug(type))
                let status = try await sides.outside.execute(
                    uri: "/wallets/\(slug)/control/faults/seed", method: .put, headers: [:],
                    body: .init(string: #"{"seed":\#(UInt32.random(in: 0 ... .max, using: &generator))}"#)
                ) { $0.status.code }
                #expect(status == 204)
            }
            var orders: [String] = []
            for number in 0..<Self.payments {
                orders.append(try await pay(sides, &generator))
                if number % 3 == 0 { try await sides.pass(.seconds(20), step: .seconds(5)) }
            }
            // Payments end, late successes come, refunds and cancels get through, and what was not told is asked for.
            try await sides.pass(.seconds(1_200), step: .seconds(20))
            try await sides.pass(.seconds(4 * 3_600), step: .seconds(900))
            for order in orders { _ = try await sides.shop(.post, "/acquirer/v1/orders/\(order)/state", "{}") }
            var states: [String: Int] = [:]
            for order in orders { states[try await sides.state(order) ?? "", default: 0] += 1 }
            #expect(states["in-process"] == nil && (states["paid"] ?? 0) > 0, "\(states)")
            try await sides.compareBooks()
        }
    }

    /// One order, paid in one of three ways, or not; some are cancelled, some given back in parts.
    private func pay(_ sides: BothSides, _ generator: inout SeededGenerator) async throws -> String {
        let offer = ["kaya-box", "harbour-print", "night-tea", "cup"].randomElement(using: &generator) ?? "cup"
        let order = try await sides.place(offer)
        let wallet = MobileWallet.types.filter { $0 != "DANA" }.randomElement(using: &generator) ?? "GCASH"
        let guest = try await sides.logIn(wallet, Int.random(in: 0..<6, using: &generator) == 0 ? 1 : 0)
        // Money runs out in a long run.
        if Int.random(in: 0..<8, using: &generator) == 0 { try await guest.post("deposit") }
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
            if let code = try await guest.shownCode() { try await sides.begin(order, "paymentCode", code: code) }
        case 1:
            let (payment, _) = try await sides.begin(order, "cashier")
            try await visit(guest, try sides.code(in: payment, for: wallet), sides, &generator)
        default:
            let (payment, _) = try await sides.begin(order, "orderCode")
            try await visit(guest, try #require(payment?["orderCode"] as? String), sides, &generator)
        }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: _ = try await sides.shop(.post, "/acquirer/v1/orders/\(order)/cancel", "{}")
        case 1, 2:
            for part in 0..<2 {
                let amount =
                    offer == "cup" ? "\(Int.random(in: 1...900, using: &generator))" : "\(Int.random(in: 1...15, using: &generator)).50"
                _ = try await sides.shop(
                    .post, "/acquirer/v1/orders/\(order)/refunds", #"{"amount":"\#(amount)","number":"\#(order)-\#(part)"}"#)
            }
        default: break
        }
        return order
    }

    private func visit(_ guest: BothSides.Guest, _ code: String, _ sides: BothSides, _ generator: inout SeededGenerator) async throws {
        guard Int.random(in: 0..<8, using: &generator) > 0, let place = try await guest.scan(code) else { return }
        try await sides.work()
        if Bool.random(using: &generator) { try await sides.pass(.seconds(6), step: .seconds(3)) }
        try await guest.post(Int.random(in: 0..<8, using: &generator) > 0 ? "\(place)/confirm" : "\(place)/decline")
        if Bool.random(using: &generator) { try await sides.work() }
    }
}
