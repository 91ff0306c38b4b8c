import BillfoldStorage

/// What a customer's app learns about the customer's cards.
struct CustomerCards: Sendable {
    let context: ProvisioningContext

    /// A customer's card, and why it cannot be added now.
    typealias Found = (card: StoredCard, refusal: ProvisioningError?)

    /// Another customer's card is as unknown as one that does not exist.
    static func find(_ id: String, _ session: AppSession, in tx: any Transaction) throws -> Found? {
        guard let card = try CardRecords.find(id, in: tx), card.customer == session.customer else { return nil }
        return (card, try refusal(of: card, in: tx))
    }

    static var notFound: ProvisioningError { ProvisioningError(code: .cardNotFound, reason: "we do not know this card") }

    /// Why a card cannot be added now: its programme's switch, then its own, then its status. ``CardRecords/mayBeAdded(_:in:)`` asks the same
    /// of the store.
    static func refusal(of card: StoredCard, in tx: any Transaction) throws -> ProvisioningError? {
        if try ProgrammeRecords.find(card.programme, in: tx)?.isOn == false {
            return ProvisioningError(code: .switchedOff, reason: "adding cards is not available at the moment, please try again later")
        }
        guard card.isEnabled else {
            return ProvisioningError(code: .switchedOff, reason: "this card cannot be added at the moment, please call us")
        }
        switch card.status {
        case .active: return nil
        case .blocked: return ProvisioningError(code: .cardBlocked, reason: "this card is blocked, please call us")
        case .closed: return ProvisioningError(code: .cardClosed, reason: "this card is closed")
        }
    }
}
