import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldStorage
import ServiceLifecycle

/// Registers the wallet, collects what is due, and tells Alipay+ of final payments until it acknowledges them.
package struct MobileWalletWorker: Service {
    /// Waits on the wallet's clock before each further notification; the last repeats.
    static let waits: [Duration] = [.seconds(2), .seconds(5), .seconds(15), .seconds(60), .seconds(300)]
    static let maximumSends = 100

    let service: MobileWalletService
    var interval = Duration.milliseconds(100)

    package func run() async throws {
        await PartyWork.run(every: interval, logger: service.surroundings.logger, failure: "a wallet's work could not be done") {
            _ = try await service.line.registration.gatewayKeys()
            return try await runOnce()
        }
    }

    /// Does what is due now, each once, and returns how much that was.
    @discardableResult
    package func runOnce() async throws -> Int { try await service.collectLate() + notify() }

    private func notify() async throws -> Int {
        let now = service.surroundings.clock.now()
        let claimed = try await service.database.write { tx in
            try PartyRecords.due(MobileNotice.self, at: now, limit: 16, in: tx).map { notice in
                var notice = notice
                notice.sends += 1
                // Should this process end now, it is due again by itself.
                let wait = Self.waits[min(notice.sends, Self.waits.count) - 1]
                try PartyRecords.put(notice, due: notice.sends < Self.maximumSends ? now.advanced(by: wait) : nil, in: tx)
                return notice
            }
        }
        for notice in claimed {
            // Without an answer it is due again by itself.
            if (try? await deliver(notice)) ?? false {
                try await service.database.write { try PartyRecords.remove(MobileNotice.self, notice.id, in: $0) }
            }
        }
        return claimed.count
    }

    /// Whether Alipay+ acknowledged it.
    private func deliver(_ notice: MobileNotice) async throws -> Bool {
        guard let payment = try await service.payment(notice.id), payment.state.isFinal else { return true }
        let isPaid = payment.state == .paid
        let request = WalletNotifyPaymentRequest(
            paymentResult: payment.result, paymentRequestId: payment.id, paymentId: isPaid ? payment.number : nil,
            paymentAmount: WireAmount(payment.price), payToAmount: WireAmount(payment.payable),
            paymentTime: payment.paidAt.map { AlipayPlusTime(millisecondsSince1970: $0) }, customerId: payment.customer)
        let about = [AlipayPlusTrace.walletRequest: payment.id]
        let isDamaged = payment.fault == .notificationCorrupt && notice.sends == 1
        if payment.fault == .notificationDoubled { _ = try? await service.line.call(request, about: about) }
        return try await service.line.call(request, about: about, damaged: isDamaged).result.isSuccess
    }
}
