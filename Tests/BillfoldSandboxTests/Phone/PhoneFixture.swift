import ApplePayApp
import BillfoldDiagnosis
import BillfoldSandbox
import BillfoldTrace
import Foundation
import PassKitSimulator
import Synchronization

/// Keeps what was reported.
final class RecordedTrace: TraceSink {
    private let all = Mutex<[TraceEntry]>([])
    var entries: [TraceEntry] { all.withLock { $0 } }
    func record(_ entry: TraceEntry) { all.withLock { $0.append(entry) } }
}

/// Makes bytes that stand for a token.
final class StandInWallet: PaymentTokenSource {
    private let seen = Mutex<[AuthorizedPayment]>([])
    var authorized: [AuthorizedPayment] { seen.withLock { $0 } }

    func token(for payment: AuthorizedPayment) async throws -> IssuedToken {
        seen.withLock { $0.append(payment) }
        return IssuedToken(paymentData: Data("token".utf8), transactionIdentifier: "ABCD01")
    }
}

/// A shop, a merchant and a wallet around phones, with counted names and a still clock.
@MainActor
struct PhoneFixture {
    let merchant: StandInMerchant
    let wallet = StandInWallet()
    let trace = RecordedTrace()
    let shop: Shop
    let directory: PhoneDirectory

    init(_ behaviour: StandInMerchant.Behaviour = .succeeds, limit: Int = 10) {
        let merchant = StandInMerchant(behaviour)
        self.merchant = merchant
        let names = Names()
        let reporter = PartyReporter(sink: trace, now: { 1_790_000_000_000_000 }, makeName: { names.next() })
        shop = Shop(merchant: merchant, apiKey: Secret("api-key"), reporter: reporter)
        var surroundings = PhoneSurroundings(
            shop: shop, merchant: HTTPMerchantServer { try await merchant.send($0) }, wallet: wallet, reporter: reporter)
        surroundings.story = { "http://127.0.0.1:8081/orders/\($0)" }
        // The limits never pass; the questions after an undecided payment come at once.
        surroundings.timer = DeviceTimer { _ in try await Task.sleep(for: .seconds(3600)) }
        surroundings.checkout = CheckoutConfiguration { limit in
            if limit >= .seconds(12) { try await Task.sleep(for: .seconds(3600)) }
        }
        surroundings.checkout.followUpPauses = [.seconds(1)]
        directory = PhoneDirectory(surroundings: surroundings, limit: limit)
    }

    private final class Names: Sendable {
        private let count = Atomic(0)
        func next() -> String {
            "name-0000-0000-\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
        }
    }
}
