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

/// What a processor answered about a customer, card by card.
public struct SourceAnswer: Sendable {
    public var cards: [SourceCard]
    /// Ids of cards that it named and that cannot be read, such as one with a status that is not known here.
    public var unreadable: Set<String>
    /// Whether it named a card without an id that can be read: it can be any of those that ``cards`` leaves out.
    public var hasUnnamed: Bool

    public init(cards: [SourceCard], unreadable: Set<String> = [], hasUnnamed: Bool = false) {
        self.cards = cards
        self.unreadable = unreadable
        self.hasUnnamed = hasUnnamed
    }
}

/// Where the bank's cards come from: its processor.
public protocol CardSource: Sendable {
    /// All cards of a customer, closed ones included. Throws `customer-not-found`, `processor-unavailable` when the source did not answer, and
    /// `processor-answer` when nothing of its answer can be read.
    func cards(of customer: String) async throws -> SourceAnswer
}

/// Hears of changes of a card in the transaction that stores them, to do what they ask for: suspend, move or delete its tokens.
protocol CardObserver: Sendable {
    /// - Parameters:
    ///   - old: `nil` for a card that is new here.
    ///   - new: As it is stored.
    ///   - isRenewed: Whether the number stayed and its expiry changed.
    ///   - tx: The transaction that stores the change.
    func cardChanged(from old: StoredCard?, to new: StoredCard, isRenewed: Bool, in tx: any Transaction) throws
}

/// Brings a customer's cards into the store.
struct CardImport: Sendable {
    let context: ProvisioningContext

    /// Stores what the source has. What it has no more stays: a closed card is reported as closed, never left out.
    ///
    /// A card that cannot be taken over is blocked until it can be again, and keeps none of the others out.
    ///
    /// - Parameters:
    ///   - customer: Whose cards.
    ///   - end: Until when the source may answer; what it answered is then stored, however long that takes. Later is
    ///     `processor-unavailable`.
    func run(customer: String, until end: ContinuousClock.Instant? = nil) async throws {
        let fetchedAt = context.clock.now()
        let answer = try await answer(about: customer, until: end)
        var generator = SourcedGenerator(source: context.identifiers)
        var drafts: [Draft] = []
        var refused = answer.unreadable
        for card in answer.cards {
            guard card.customer == customer, let draft = try draft(of: card, fetchedAt, &generator) else {
                refused.insert(card.id)
                continue
            }
            drafts.append(draft)
        }
        if !refused.isEmpty || answer.hasUnnamed {
            context.logger.critical(
                "cards of the processor's cannot be taken over and are blocked", metadata: ["cards": "\(refused.sorted())"])
        }
        let (cards, blocked, hasUnnamed) = (drafts, refused, answer.hasUnnamed)
        let known = try await context.database.writeRepeatably { tx in
            let taken = try Set(cards.filter { try store($0, in: tx) != .numberTaken }.map(\.card.id))
            let untaken = Set(cards.map(\.card.id)).subtracting(taken).union(blocked)
            return try CardRecords.find(customer: customer, in: tx).map { card in
                guard untaken.contains(card.id) || (hasUnnamed && !taken.contains(card.id)) else {
                    return (card: card, mayBeAdded: try CustomerCards.refusal(of: card, in: tx) == nil)
                }
                try block(card, fetchedAt, in: tx)
                return (card, false)
            }
        }
        for (card, mayBeAdded) in known { context.cards.remember(card, mayBeAdded: mayBeAdded) }
    }

    /// What the source has. A customer whom it does not have may be one whose cards the bank brings in itself: those stay as the bank
    /// told them. Of what the source had once and has no more nobody knows how it stands, and it is blocked.
    private func answer(about customer: String, until end: ContinuousClock.Instant?) async throws -> SourceAnswer {
        do {
            return try await asked(about: customer, until: end)
        } catch let error as ProvisioningError where error.code == .customerNotFound {
            let known = try await context.database.lookup { tx in try CardRecords.find(customer: customer, in: tx) }
            guard known.contains(where: \.isImported) else { throw error }
            return SourceAnswer(cards: [], unreadable: Set(known.filter { !$0.isImported }.map(\.id)))
        }
    }

    private func asked(about customer: String, until end: ContinuousClock.Instant?) async throws -> SourceAnswer {
        let source = context.cardSource
        guard let end else { return try await source.cards(of: customer) }
        do {
            return try await TimeBudget.until(end) { try await source.cards(of: customer) }
        } catch let error as ProvisioningError where error.code == .timedOut {
            throw ProvisioningError(code: .processorUnavailable, reason: "the processor did not answer in time")
        }
    }

    /// A card as it is to be stored, with what is compared with the one that is there.
    struct Draft: Sendable {
        var card: StoredCard
        /// `MM/YY`; sealed in the card.
        var expiration: String
        /// Sealed in the card.
        var contacts: [CardSecrets.Contact]
    }

    /// `nil` for a card that belongs to no programme.
    func draft(
        of card: SourceCard, _ fetchedAt: Timestamp, _ generator: inout SourcedGenerator
    ) throws -> Draft? {
        let (hash, suffix, prefix) = card.secrets.primaryAccountNumber.withUnsafeBytes { digits in
            (
                context.vault.hash(ofNumber: digits), String(decoding: digits.suffix(4), as: UTF8.self),
                String(decoding: digits.prefix(8), as: UTF8.self)
            )
        }
        guard let programme = context.programme(network: card.network, numberPrefix: prefix) else { return nil }
        let stored = StoredCard(
            id: card.id, customer: card.customer, network: card.network, programme: programme.id, status: card.status, isEnabled: true,
            suffix: suffix, displayName: programme.displayName, cardholderName: card.cardholderName, numberVersion: 1,
            sealed: try context.vault.seal(card.secrets, card: card.id, using: &generator), numberHash: hash.bytes,
            updatedAt: context.clock.now(), fetchedAt: fetchedAt)
        return Draft(card: stored, expiration: card.secrets.expiration, contacts: card.secrets.contacts)
    }

    /// What became of a card.
    enum Taking: String, Sendable, Hashable, CaseIterable {
        case created, changed, unchanged
        /// What is stored is newer.
        case overtaken
        /// Another card has the number; nothing was stored.
        case numberTaken = "number-taken"
    }

    func store(_ fetched: Draft, in tx: any Transaction) throws -> Taking {
        let draft = fetched.card
        let holder = try CardRecords.find(numberHash: KeyedHash(stored: draft.numberHash), in: tx)
        guard holder == nil || holder?.id == draft.id else {
            context.logger.critical("a card has the number of another card", metadata: ["card": "\(draft.id)"])
            return .numberTaken
        }
        guard let known = try CardRecords.find(draft.id, in: tx) else {
            guard try CardRecords.insert(draft, in: tx) else { return .numberTaken }
            try tell(from: nil, to: draft, isRenewed: false, in: tx)
            return .created
        }
        var changed = draft
        changed.isEnabled = known.isEnabled
        changed.primaryAccountIdentifier = known.primaryAccountIdentifier
        changed.numberVersion = known.numberHash == draft.numberHash ? known.numberVersion : known.numberVersion + 1
        // What the processor told of once is the processor's, whoever brings it afterwards.
        changed.isImported = known.isImported && draft.isImported
        // What the bank reported holds whatever is brought in, but for a loss of the number before.
        let holds = try CardHoldRecords.list(card: draft.id, in: tx)
        changed.status = draft.status.held(
            by: changed.numberVersion == known.numberVersion ? holds : holds.subtracting([.lost, .stolen]))
        // Sealed again under a fresh nonce each time: the envelope alone says nothing about a change. One that does not open any more
        // counts as another: the network is told once more than it need be.
        guard try CardRecords.update(changed, in: tx) else { return .overtaken }
        let isRenewed =
            known.numberHash == draft.numberHash && (try? context.vault.account(of: known))?.expiration != fetched.expiration
        guard isRenewed || changed.isDifferent(from: known) || (try? context.vault.contacts(of: known)) != fetched.contacts else {
            return .unchanged
        }
        try tell(from: known, to: changed, isRenewed: isRenewed, in: tx)
        return .changed
    }

    /// Blocks the card of an id, where there is one.
    func block(_ id: String, _ fetchedAt: Timestamp, in tx: any Transaction) throws {
        if let known = try CardRecords.find(id, in: tx) { try block(known, fetchedAt, in: tx) }
    }

    private func block(_ known: StoredCard, _ fetchedAt: Timestamp, in tx: any Transaction) throws {
        guard known.status == .active else { return }
        var changed = known
        (changed.status, changed.updatedAt, changed.fetchedAt) = (.blocked, context.clock.now(), fetchedAt)
        changed.isImported = false
        guard try CardRecords.update(changed, in: tx) else { return }
        try tell(from: known, to: changed, isRenewed: false, in: tx)
    }

    private func tell(from old: StoredCard?, to new: StoredCard, isRenewed: Bool, in tx: any Transaction) throws {
        for observer in context.cardObservers { try observer.cardChanged(from: old, to: new, isRenewed: isRenewed, in: tx) }
    }
}

extension StoredCard {
    fileprivate func isDifferent(from other: StoredCard) -> Bool {
        status != other.status || numberHash != other.numberHash || cardholderName != other.cardholderName || customer != other.customer
    }
}
