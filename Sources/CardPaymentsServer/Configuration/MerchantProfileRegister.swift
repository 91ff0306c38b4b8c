import BillfoldPayments
import Synchronization

/// The merchants as they are now. Their keys are exchanged while the server runs; who they are is not.
final class MerchantProfileRegister: Sendable {
    private struct Held {
        var merchants: [MerchantProfile]
        /// Those who registered while the sandbox ran and are known to have a key.
        var own: Set<MerchantID> = []
    }

    private let held: Mutex<Held>
    /// Whether merchants may register while the server runs (``OwnMerchant``).
    private let takesOwn: Bool

    init(_ merchants: [MerchantProfile], takesOwn: Bool = false) {
        held = Mutex(Held(merchants: merchants))
        self.takesOwn = takesOwn
    }

    /// Those that are configured, and those that have a key of their own.
    var all: [MerchantProfile] {
        held.withLock { held in
            let first = held.merchants[0]
            let own = held.own.sorted { $0.description < $1.description }.compactMap { OwnMerchant.profile($0, under: first) }
            return held.merchants + own
        }
    }

    func find(_ id: MerchantID) -> MerchantProfile? {
        held.withLock { held in
            held.merchants.first { $0.id == id } ?? (takesOwn ? OwnMerchant.profile(id, under: held.merchants[0]) : nil)
        }
    }

    func find(acquirerID: AcquirerMerchantID) -> MerchantProfile? {
        let configured = held.withLock { held in held.merchants.first { $0.acquirerID == acquirerID } }
        return configured ?? OwnMerchant.id(of: acquirerID).flatMap { find($0) }
    }

    /// Has a merchant who holds a key stand in the list.
    func know(_ id: MerchantID) {
        guard takesOwn, OwnMerchant.acquirerID(of: id) != nil else { return }
        held.withLock { _ = $0.own.insert(id) }
    }

    func replace(_ profile: MerchantProfile) throws(CardPaymentsError) {
        let isKnown = held.withLock { held in
            guard
                let index = held.merchants.firstIndex(where: {
                    $0.id == profile.id && $0.applePayIdentifier == profile.applePayIdentifier && $0.acquirerID == profile.acquirerID
                })
            else { return false }
            held.merchants[index] = profile
            return true
        }
        guard isKnown else {
            throw CardPaymentsError(code: .configurationInvalid, reason: "a merchant cannot become another one while the server runs")
        }
    }
}
