import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Testing
import WalletServer

@testable import AlipayServer

/// Payments between the real gateway and the real wallet with faults at every side, from one printed seed: on the wire in both
/// directions, in both stores, at the merchant's door, and by merchants who close, cancel and refund at any moment.
@Suite(.serialized) struct BothSidesSeededTests {
    @Test(arguments: StoreEngine.available) func bothBooksSayTheSame(_ engine: StoreEngine) async throws {
        let faults = FaultyDatabase.Faults(serializationFailures: 20, lostReplies: 20)
        try await BothSides.open(engine, faults: faults) { sides in
            var run = SeededRun(sides: sides)
            // More than everything costs: that a balance can be too small is for other tests.
            let money = Int64(SeededRunTests.payments) * 10_000
            try await sides.wallet.bringIn(money)
            for number in 0..<SeededRunTests.payments { try await run.purchase(number) }
            try await run.settle(broughtIn: money)
        }
    }
}

/// One run, and what its customer and merchants were told.
private struct SeededRun {
    let sides: BothSides
    private var generator = SeededGenerator(seed: StoreEngine.seed, label: "both sides")
    private var checkouts: [(token: String, trade: String)] = []

    init(sides: BothSides) {
        self.sides = sides
        sides.toGateway.roll(150, seed: StoreEngine.seed, label: "to the gateway")
        sides.toWallet.roll(300, seed: StoreEngine.seed, label: "to the wallet")
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private var gateway: OrderGatewayHarness { sides.gateway }

    mutating func purchase(_ number: Int) async throws {
        let isForeign = number % 3 == 0
        let amount = "\(Int.random(in: 1...99, using: &generator)).\(Int.random(in: 10...99, using: &generator))"
        let order =
            isForeign
            ? try await gateway.legacyOrder("B_\(number)", partner: OrderGatewayHarness.crossBorder, with: [("total_fee", amount)])
            : try await gateway.modernOrder("B_\(number)", amount: amount)
        // Where the gateway does not answer, nothing was begun, and the customer goes away.
        if let begun = try? await sides.wallet.begin(order) {
            if chance(10) { try await close(begun.trade, isForeign) }
            // An answer that is lost in the store is looked for by the page that is loaded again.
            do { try await sides.wallet.confirm(begun.token) } catch is StorageError {}
            checkouts.append(begun)
            if chance(10) { try await close(begun.trade, isForeign) }
            if chance(50) { try await refund(number, begun.trade, amount, isForeign) }
        }
        gateway.outside.reply(chance(20) ? 500 : 200, chance(20) ? "success " : "success")
        gateway.outside.beUnreachable(chance(5))
        if number % 5 == 0 {
            _ = await sides.wallet.work()
            try await gateway.work()
        }
        if chance(10) { try await sides.toGateway.arrive() }
        if chance(10) { try await sides.toWallet.arrive() }
        gateway.clock.advance(by: .seconds(20))
    }

    /// Closes or cancels. What was paid meanwhile is given back by the second, and stays by the first.
    private mutating func close(_ trade: String, _ isForeign: Bool) async throws {
        guard !isForeign else { return }
        let method = chance(50) ? "alipay.trade.close" : "alipay.trade.cancel"
        _ = try await gateway.modern(method, #"{"trade_no":"\#(trade)"}"#)
    }

    private mutating func refund(_ number: Int, _ trade: String, _ amount: String, _ isForeign: Bool) async throws {
        let total = try Amount(amount, currency: .cny).minorUnits
        for step in 0..<Int.random(in: 1...3, using: &generator) {
            let part = Amount(minorUnits: Int64.random(in: 1...total, using: &generator), currency: .cny).text
            if isForeign {
                _ = try await gateway.legacy(
                    "forex_refund", partner: OrderGatewayHarness.crossBorder,
                    [
                        ("out_return_no", "b-\(step)"), ("out_trade_no", "B_\(number)"), ("currency", "HKD"), ("return_amount", part),
                        ("gmt_return", "20261121040000"), ("reason", "seeded"), ("is_sync", step % 2 == 0 ? "Y" : "N"),
                    ])
            } else {
                _ = try await sides.refund(trade, part, "b-\(step)")
            }
        }
    }

    /// Everything works again: both sides come to rest and to the same books, and what is still on its way changes nothing.
    func settle(broughtIn money: Int64) async throws {
        sides.toGateway.heal()
        sides.toWallet.heal()
        gateway.outside.reply(200, "success")
        gateway.outside.beUnreachable(false)
        try await sides.pass(40, of: .seconds(3_600))
        try await sides.toGateway.arrive()
        try await sides.toWallet.arrive()
        try await sides.pass(40, of: .seconds(3_600))
        let books = try await sides.expectEqualBooks(
            merchants: [OrderGatewayHarness.domestic, OrderGatewayHarness.crossBorder], broughtIn: money)
        let paid = Set(books.filter { $0.kind == "payment" }.map(\.tradeNo))
        #expect(!paid.isEmpty && books.count > paid.count)
        #expect(try await sides.wallet.alarms().isEmpty)
        for checkout in checkouts {
            let status = try await sides.wallet.status(checkout.token)
            #expect(paid.contains(checkout.trade) == (status == "9000"), "\(checkout.trade): \(status)")
        }
        for merchant in [OrderGatewayHarness.domestic, OrderGatewayHarness.crossBorder] {
            let id = try MerchantID(merchant)
            let rows = try await gateway.store.database.read { try NotificationRecords.latest(id, limit: 100_000, in: $0) }
            #expect(!rows.isEmpty && rows.allSatisfy { $0.state != .waiting })
        }
    }
}
