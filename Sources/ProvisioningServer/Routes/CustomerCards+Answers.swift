import BillfoldStorage

extension CustomerCards {
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

    /// By which scheme the card's pass data are encrypted, whether or not it can be added now. Nil where the customer has no such card.
    func encryptionScheme(_ id: String, _ session: AppSession) async throws -> String? {
        try await context.database.lookup({ try Self.find(id, session, in: $0) }).map { try context.programme(of: $0.card).encryptionScheme }
    }

    private func find(_ id: String, _ session: AppSession) async throws -> Found {
        guard let found = try await context.database.lookup({ try Self.find(id, session, in: $0) }) else { throw Self.notFound }
        return found
    }
}
