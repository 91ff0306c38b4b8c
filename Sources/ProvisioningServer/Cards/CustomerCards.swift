import BillfoldStorage

/// What a customer's app learns about the customer's cards.
struct CustomerCards: Sendable {
    let context: ProvisioningContext

    struct CardView: Encodable {
        var id: String
        var network: CardScheme
        var suffix: String
        var displayName: String
        var cardholderName: String
        /// Empty before the card's first token.
        var primaryAccountIdentifier: String
        var status: String
    }

    struct CardList: Encodable {
        var cards: [CardView]
    }

    /// Whether a card can be added now, and if not, why in words for the customer.
    struct Eligibility: Encodable {
        var enabled: Bool
        var code: String?
        var reason: String?
    }

    /// What `PKAddPaymentPassRequestConfiguration` is filled with (provisioning.md#request-configuration).
    struct RequestConfiguration: Encodable {
        struct Detail: Encodable {
            var label: String
            var value: String
        }

        var encryptionScheme: String
        var cardholderName: String
        var primaryAccountSuffix: String
        var localizedDescription: String
        var primaryAccountIdentifier: String
        var paymentNetwork: String
        var style = "payment"
        var cardDetails: [Detail]
        var requiresFelicaSecureElement: Bool
        var productIdentifiers: [String]
    }

    func list(_ session: AppSession) async throws -> CardList {
        let cards = try await context.database.lookup { tx in try CardRecords.find(customer: session.customer, in: tx) }
        return CardList(
            cards: cards.map { card in
                CardView(
                    id: card.id, network: card.network, suffix: card.suffix, displayName: card.displayName,
                    cardholderName: card.cardholderName, primaryAccountIdentifier: card.primaryAccountIdentifier ?? "",
                    status: card.status.rawValue)
            })
    }

    func eligibility(_ id: String, _ session: AppSession) async throws -> Eligibility {
        guard let refusal = try await find(id, session).refusal else { return Eligibility(enabled: true) }
        return Eligibility(enabled: false, code: refusal.code.description, reason: refusal.reason)
    }

    func configuration(_ id: String, _ session: AppSession) async throws -> RequestConfiguration {
        let (card, refusal) = try await find(id, session)
        if let refusal { throw refusal }
        let programme = try context.programme(of: card)
        return RequestConfiguration(
            encryptionScheme: programme.encryptionScheme, cardholderName: card.cardholderName, primaryAccountSuffix: card.suffix,
            localizedDescription: card.displayName, primaryAccountIdentifier: card.primaryAccountIdentifier ?? "",
            paymentNetwork: card.network.passKitName, cardDetails: [.init(label: "Card", value: "•••• \(card.suffix)")],
            requiresFelicaSecureElement: programme.requiresFelicaSecureElement, productIdentifiers: programme.productIdentifiers)
    }

    /// A customer's card, and why it cannot be added now.
    typealias Found = (card: StoredCard, refusal: ProvisioningError?)

    private func find(_ id: String, _ session: AppSession) async throws -> Found {
        guard let found = try await context.database.lookup({ try Self.find(id, session, in: $0) }) else { throw Self.notFound }
        return found
    }

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
