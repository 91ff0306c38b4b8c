import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// Verification in the bank's app: whoever is logged in confirms that the token is theirs (`POST cards/{id}/activations`).
struct AppVerification: Sendable {
    let context: TokenContext

    /// Has the network activate the token. Doing it again changes nothing. Returns whether the token is active already. What is asked of the
    /// network and not answered counts: a token that is being deleted is as deleted.
    ///
    /// Another customer's token is as unknown as one that does not exist.
    func activate(_ reference: String, card id: String, customer: String) async throws -> Bool {
        let now = context.now()
        return try await context.database.writeRepeatably { tx in
            guard let card = try CardRecords.find(id, in: tx), card.customer == customer,
                let decision = try DecisionRecords.find(token: reference, in: tx), decision.card == id
            else { throw ProvisioningError(code: .tokenNotFound, reason: "we do not know this card on that device") }
            try decision.requireVerifiable(card, in: tx)
            guard let token = try TokenRecords.find(reference, in: tx) else {
                throw ProvisioningError(code: .tokenNotFound, reason: "the card is not on the device yet; please try again in a moment")
            }
            guard token.network == decision.network, token.card ?? id == id else {
                throw ProvisioningError(code: .tokenNotFound, reason: "we do not know this card on that device")
            }
            let queue = ActionQueue(context: context)
            switch try queue.expected(of: reference, in: tx).state {
            case .active: return token.snapshot.state == .active
            case .deleted: throw ProvisioningError(code: .tokenDeleted, reason: "the card was removed from that device")
            case .suspended: throw ProvisioningError(code: .tokenSuspended, reason: "the card is suspended on that device; please call us")
            case .inactive: break
            }
            guard
                case .asked = try queue.ask(
                    .activate, on: ActionTarget(token), because: .other, by: "customer:\(customer)", at: now, in: tx)
            else { throw ProvisioningError(code: .reviewRequired, reason: "please call us to add this card") }
            try context.audit(
                "activate", on: "token \(reference)", by: "customer:\(customer)", because: "in the bank's app", at: now, in: tx)
            return false
        }
    }
}
