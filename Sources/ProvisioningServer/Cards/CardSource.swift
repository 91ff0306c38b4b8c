import ApplePay
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldStorage
import Foundation
import Logging
import PaymentCrypto

/// A card as the bank's processor has it, with its number in clear for the moment of the import.
public struct SourceCard: Sendable {
    public var id: String
    public var customer: String
    public var network: CardScheme
    public var status: StoredCard.Status
    public var cardholderName: String
    public var secrets: CardSecrets

    /// Refuses with `processor-answer` what is no card: digits that are not 13 to 19 or fail Luhn's check, an expiry that is not `MM/YY`.
    public init(
        id: String, customer: String, network: CardScheme, status: StoredCard.Status, cardholderName: String, secrets: CardSecrets
    ) throws(ProvisioningError) {
        guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "/") }) else {
            throw ProvisioningError(code: .processorAnswer, reason: "a card's id is not 1 to 64 printable characters")
        }
        do throws(ApplePayError) {
            guard try CardNumber(secrets.primaryAccountNumber).passesLuhn else {
                throw ApplePayError(code: .cardNumberForm, reason: "the card number's check digit is wrong")
            }
            _ = try CardExpiration(slashed: secrets.expiration)
        } catch {
            throw ProvisioningError(code: .processorAnswer, reason: "card \(id): \(error.reason)")
        }
        self.id = id
        self.customer = customer
        self.network = network
        self.status = status
        self.cardholderName = cardholderName
        self.secrets = secrets
    }
}

/// Where the bank's cards come from: its processor.
public protocol CardSource: Sendable {
    /// All cards of a customer, closed ones included. Throws when the source did not answer or its answer cannot be read.
    func cards(of customer: String) async throws -> [SourceCard]
}

/// Hears of changes of a card in the transaction that stores them, to do what they ask for: suspend, move or delete its tokens.
protocol CardObserver: Sendable {
    /// - Parameter old: `nil` for a card that is new here.
    func cardChanged(from old: StoredCard?, to new: StoredCard, in tx: any Transaction) throws
}

/// Brings a customer's cards into the store.
struct CardImport: Sendable {
    let context: ProvisioningContext

    /// Stores what the source has. What it has no more stays: a closed card is reported as closed, never left out.
    func run(customer: String) async throws {
        let found = try await context.cardSource.cards(of: customer)
        guard found.allSatisfy({ $0.customer == customer }) else {
            throw ProvisioningError(code: .processorAnswer, reason: "the processor named cards of somebody else")
        }
        let now = context.clock.now()
        var generator = SourcedGenerator(source: context.identifiers)
        var drafts: [StoredCard] = []
        for card in found {
            let (hash, suffix, prefix) = card.secrets.primaryAccountNumber.withUnsafeBytes { digits in
                (
                    context.vault.hash(ofNumber: digits), String(decoding: digits.suffix(4), as: UTF8.self),
                    String(decoding: digits.prefix(8), as: UTF8.self)
                )
            }
            guard let programme = context.programme(network: card.network, numberPrefix: prefix) else {
                context.logger.warning("a card belongs to no programme", metadata: ["card": "\(card.id)"])
                continue
            }
            drafts.append(
                StoredCard(
                    id: card.id, customer: customer, network: card.network, programme: programme.id, status: card.status, isEnabled: true,
                    suffix: suffix, displayName: programme.displayName, cardholderName: card.cardholderName, numberVersion: 1,
                    sealed: try context.vault.seal(card.secrets, card: card.id, using: &generator), numberHash: hash.bytes, updatedAt: now))
        }
        let (cards, observers) = (drafts, context.cardObservers)
        try await context.database.writeRepeatably { tx in
            for draft in cards { try Self.store(draft, observers, in: tx) }
        }
    }

    private static func store(_ draft: StoredCard, _ observers: [any CardObserver], in tx: any Transaction) throws {
        guard let known = try CardRecords.find(draft.id, in: tx) else {
            guard try CardRecords.insert(draft, in: tx) else {
                throw ProvisioningError(code: .processorAnswer, reason: "card \(draft.id) has the number of another card")
            }
            for observer in observers { try observer.cardChanged(from: nil, to: draft, in: tx) }
            return
        }
        var changed = draft
        changed.isEnabled = known.isEnabled
        changed.primaryAccountIdentifier = known.primaryAccountIdentifier
        changed.numberVersion = known.numberHash == draft.numberHash ? known.numberVersion : known.numberVersion + 1
        // Sealed again under a fresh nonce each time: the envelope alone says nothing about a change.
        try CardRecords.update(changed, in: tx)
        guard changed.isDifferent(from: known) else { return }
        for observer in observers { try observer.cardChanged(from: known, to: changed, in: tx) }
    }
}

extension StoredCard {
    fileprivate func isDifferent(from other: StoredCard) -> Bool {
        status != other.status || numberHash != other.numberHash || cardholderName != other.cardholderName || customer != other.customer
    }
}
