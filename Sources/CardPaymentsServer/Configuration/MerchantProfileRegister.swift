import BillfoldPayments
import Synchronization

/// The merchants as they are now. Their keys are exchanged while the server runs; who they are is not.
final class MerchantProfileRegister: Sendable {
    private let held: Mutex<[MerchantProfile]>

    init(_ merchants: [MerchantProfile]) { held = Mutex(merchants) }

    var all: [MerchantProfile] { held.withLock { $0 } }

    func replace(_ profile: MerchantProfile) throws(CardPaymentsError) {
        let isKnown = held.withLock { merchants in
            guard
                let index = merchants.firstIndex(where: {
                    $0.id == profile.id && $0.applePayIdentifier == profile.applePayIdentifier && $0.acquirerID == profile.acquirerID
                })
            else { return false }
            merchants[index] = profile
            return true
        }
        guard isKnown else {
            throw CardPaymentsError(code: .configurationInvalid, reason: "a merchant cannot become another one while the server runs")
        }
    }
}
