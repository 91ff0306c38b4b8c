import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import Testing

@testable import AlipayPlusServer

/// Payments with faults at every side, from one printed seed: the books balance and agree with the wallets' own, and everything told was
/// settled or parked.
struct SeededRunTests {
    /// `BILLFOLD_ALIPAY_PLUS_PAYMENTS` makes it long.
    private static let payments = ProcessInfo.processInfo.environment["BILLFOLD_ALIPAY_PLUS_PAYMENTS"].flatMap { Int($0) } ?? 60

    @Test(arguments: StoreEngine.available) func theBooksBalance(_ engine: StoreEngine) async throws {
        let faults = FaultyDatabase.Faults(serializationFailures: 20, lostReplies: 20)
        try await PlusHarness.open(engine, faults: faults) { gateway async throws in
            var generator = SeededGenerator(seed: StoreEngine.seed, label: "payments")
            for number in 0..<Self.payments {
                try await pay(gateway, "s-\(number)", &generator)
                if number % 5 == 0 { try await gateway.pass(.seconds(20), step: .seconds(10)) }
            }
            gateway.outside.acknowledge(true)
            // Payments end, faults are used up, refunds and cancels get through, notifications are settled or parked.
            try await gateway.pass(.seconds(1_200), step: .seconds(60))
            try await gateway.pass(.seconds(30 * 3_600), step: .seconds(3_600))
            try await check(gateway)
        }
    }

    private func pay(_ gateway: PlusHarness, _ id: String, _ generator: inout SeededGenerator) async throws {
        let wallets = FakeWallet.all
        let (currency, unit) = [("SGD", 1), ("KRW", 1), ("HKD", 1), ("IDR", 100)].randomElement(using: &generator) ?? ("SGD", 1)
        let value = String(Int.random(in: 2_000...90_000, using: &generator) * unit)
        gateway.outside.acknowledge(Int.random(in: 0..<5, using: &generator) > 0)
        let faults = (0..<Int.random(in: 0...2, using: &generator)).compactMap { _ in
            PlusOutside.Fault.allCases.randomElement(using: &generator)
        }
        if Bool.random(using: &generator) {
            let wallet = wallets.randomElement(using: &generator) ?? .gcash
            gateway.outside.answerPay(of: id, Bool.random(using: &generator) ? .success : .userBalanceNotEnough)
            let codes = try await gateway.wallet(wallet, GetPaymentCodeRequest(customerId: id, env: WireEnv(terminalType: .app)))
            gateway.outside.fail(faults)
            let request = gateway.payRequest(id, value, currency, scenario: .paymentCode, code: codes.paymentCodes?.first?.paymentCode)
            for _ in 0...Int.random(in: 0...1, using: &generator) { _ = try await gateway.acquirer(request) }
        } else {
            _ = try await gateway.acquirer(gateway.payRequest(id, value, currency))
            let code = try await gateway.orderCode(id)
            gateway.outside.fail(faults)
            for wallet in wallets.shuffled(using: &generator).prefix(Int.random(in: 1...2, using: &generator)) {
                let scanned = try await gateway.scan(code, wallet, customer: id)
                if Bool.random(using: &generator) { try await gateway.work() }
                guard let request = scanned.paymentRequestId, Int.random(in: 0..<4, using: &generator) > 0 else { continue }
                // The customer confirms where the wallet was asked; its word may be lost.
                if gateway.outside.confirm(request) != nil, Bool.random(using: &generator) { _ = try await gateway.tell(wallet, request) }
            }
        }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: _ = try await gateway.acquirer(CancelPaymentRequest(paymentRequestId: id))
        case 1, 2:
            for part in 0..<2 {
                let units = String(Int.random(in: 1...30, using: &generator) * 100)
                _ = try await gateway.acquirer(
                    RefundRequest(
                        paymentRequestId: id, refundRequestId: "\(id)-r\(part)", refundAmount: WireAmount(currency: currency, value: units))
                )
            }
        default: break
        }
    }

    /// Every day's reports agree with the ledger, and together come to what the acquirer is owed.
    private func reconcile(_ gateway: PlusHarness, from start: Timestamp, _ balance: [String: String]) async throws {
        let (id, service) = (try MerchantID(PlusHarness.acquirerID), ReportService(database: gateway.store.database))
        try await gateway.pass(.seconds(34 * 3_600), step: .seconds(3_600))
        var nets: [Currency: Int64] = [:]
        var cycle = ClearingCycle(of: start.alipayPlusTime)
        while gateway.clock.now().alipayPlusTime >= cycle.filesReady {
            let files = try await service.files(of: id, in: cycle, at: gateway.clock.now(), isSandbox: true)
            #expect(try await service.differences(in: files.map { ($0.name.description, $0.bytes) }, of: id, in: cycle) == [])
            for row in try await service.transactions(of: id, in: cycle) {
                nets[row.settlementAmount.currency, default: 0] += try row.net().minorUnits
            }
            cycle = cycle.next
        }
        #expect(nets.values.contains { $0 != 0 }, "the run must have something to report")
        for (currency, net) in nets {
            let owed = Amount(minorUnits: -net, currency: currency)
            #expect(owed.isZero || balance["acquirer:\(id) \(currency)"] == owed.text, "\(currency)")
        }
    }

    private func check(_ gateway: PlusHarness) async throws {
        let balance = try await gateway.balance()
        #expect(balance.keys.allSatisfy { !$0.hasPrefix("clearing") }, "\(balance)")
        let acquirer = try MerchantID(PlusHarness.acquirerID)
        let payments = try await gateway.store.database.read { try AcquirerPaymentRecords.latest(acquirer, limit: 100_000, in: $0) }
        #expect(payments.allSatisfy { $0.state.isFinal })
        try await reconcile(gateway, from: payments.map(\.createdAt).min() ?? gateway.clock.now(), balance)
        #expect(Set(payments.map(\.state)).count == 3, "the run must see successes, failures and cancels")
        // What each wallet holds of its customers' money, by its own books and by ours.
        for wallet in FakeWallet.all {
            let held = gateway.outside.payments.values.filter { $0.wallet == wallet.type && $0.state == .paid }
                .reduce(0) { $0 + $1.units - $1.refunded }
            let currency = try Currency(wallet.currency)
            let books = try Amount(balance["wallet:\(wallet.type) \(wallet.currency)"] ?? Amount.zero(currency).text, currency: currency)
            #expect(books.minorUnits == held, "\(wallet.type)")
        }
        let rows = try await gateway.store.database.read { try NotificationRecords.latest(acquirer, limit: 100_000, in: $0) }
        #expect(!rows.isEmpty && rows.allSatisfy { $0.state != .waiting })
        #expect(try await gateway.alarms().isEmpty)
        for payment in payments where payment.state == .success {
            #expect(rows.filter { $0.payment == payment.id }.count == 1)
        }
    }
}
