import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// What the bank's back end reports of a card: `POST /bank/v1/card-events` (provisioning.md#card-events).
struct BankCardEvent: Sendable, Hashable {
    /// The bank's name for it: the same name means the same event, however often it comes.
    var id: String
    var card: String
    var kind: CardEvent
    /// When it happened at the bank. Events are taken in any order; this says which one stands.
    var occurredAt: Timestamp
    /// For the trail.
    var remark: String?
}

/// Takes what the bank's back end reports of its cards: once for each event, whatever order they come in.
struct CardEventService: Sendable {
    /// The operation of its idempotency keys. They stay, as the events do.
    static let operation = "POST /bank/v1/card-events"
    /// What stands for the bank's key in the trail.
    static let actor = "bank"
    /// How far the bank's clock may be ahead of ours. What happened later than this would overtake everything for that long.
    static let clockDifference = Duration.seconds(300)

    let context: TokenContext

    private var lifeCycle: LifeCycleService { LifeCycleService(context: context) }

    struct Answer: Encodable {
        var eventId: String
        var card: String
        var kind: CardEvent
        var effect: StoredCardEvent.Effect
        /// How many actions were asked of networks.
        var actions: Int
        /// How the card stands afterwards.
        var status: String
    }

    /// Takes an event.
    ///
    /// - Returns: The answer as it is stored, and whether it was given before.
    /// - Throws: `card-not-found`, after which the event may come again; `request-reused` for an id of another event; `instant-ahead`.
    ///   For a new number or expiry also what the processor's silence is.
    func take(_ event: BankCardEvent) async throws -> (answer: [UInt8], isRepeated: Bool) {
        let now = context.now()
        let key = try IdempotencyKey(caller: Self.actor, operation: Self.operation, key: event.id)
        let fingerprint = RequestFingerprint(texts: [
            event.card, event.kind.rawValue, String(event.occurredAt.microseconds), event.remark ?? "",
        ])
        let keyed = KeyedRequest(key, fingerprint: fingerprint, at: now)
        let (known, found) = try await context.database.lookup { tx in
            (try IdempotencyRecords.find(key, fingerprint: fingerprint, in: tx), try CardRecords.find(event.card, in: tx))
        }
        if let known { return (try Self.stored(known), true) }
        guard event.occurredAt <= now.advanced(by: Self.clockDifference) else {
            throw ProvisioningError(code: .instantAhead, reason: "occurredAt is later than now: a clock is wrong")
        }
        guard let found else { throw CustomerCards.notFound }
        if event.kind.asksForCard {
            try await CardImport(context: context.importing).run(
                customer: found.customer, until: .now + context.configuration.processorBudget)
        }
        let decided = try await context.database.decideOnce(keyed) { tx in
            let answer = try JSONDocument.encode(try store(event, before: found, at: now, in: tx))
            return (answer, answer)
        }
        switch decided {
        case .now(let answer): return (answer, false)
        case .before(let outcome): return (try Self.stored(outcome), true)
        }
    }

    /// Whether bringing the card in has had its tokens moved already.
    private func isRenewed(_ card: StoredCard, since before: StoredCard) -> Bool {
        let vault = context.host.vault
        return card.numberVersion != before.numberVersion
            || (try? vault.account(of: card))?.expiration != (try? vault.account(of: before))?.expiration
    }

    private static func stored(_ outcome: IdempotencyOutcome) throws -> [UInt8] {
        guard case .finished(let answer) = outcome else {
            throw ProvisioningError(code: .requestReused, reason: "this event id was used for another event")
        }
        return answer
    }

    /// - Parameter before: The card as it was before the processor was asked.
    private func store(_ event: BankCardEvent, before: StoredCard, at now: Timestamp, in tx: any Transaction) throws -> Answer {
        // One card's events are compared one at a time.
        try TokenRecords.takeTurn("card:\(event.card)", in: tx)
        guard var card = try CardRecords.find(event.card, in: tx) else { throw CustomerCards.notFound }
        let holds = try CardHoldRecords.list(card: card.id, in: tx)
        let standing = CardStanding(latest: try CardEventRecords.latest(card: card.id, in: tx), holds: holds, card: card)
        let isOvertaken = standing.overtakes(event)
        var asked = 0
        if !isOvertaken {
            let ended = standing.holds(endedBy: event)
            try lifeCycle.note(event.kind, of: &card, ending: ended, at: now, in: tx)
            // The new number ended every loss when it came in; one that happened later is the new card's own.
            for loss in standing.losses(after: event) { try lifeCycle.note(loss, of: &card, ending: [], at: now, in: tx) }
            let hasMoved = event.kind.asksForCard && isRenewed(card, since: before)
            asked = hasMoved ? 1 : try lifeCycle.follow(event.kind, of: card, by: Self.actor, at: now, in: tx)
        }
        let row = StoredCardEvent(
            id: event.id, card: card.id, kind: event.kind, occurredAt: event.occurredAt,
            effect: isOvertaken ? .overtaken : asked > 0 ? .applied : .noted, asked: asked, at: now, remark: event.remark)
        try CardEventRecords.insert(row, in: tx)
        try context.audit(
            "card.\(event.kind.rawValue)", on: "card \(card.id)", by: Self.actor,
            because: ["event \(event.id) \(row.effect.rawValue)", event.remark].compactMap(\.self).joined(separator: ": "), at: now, in: tx)
        return Answer(
            eventId: event.id, card: card.id, kind: event.kind, effect: row.effect, actions: asked, status: card.status.rawValue)
    }
}

extension CardEvent {
    /// Whether the event tells that the processor has something new of the card, and not what.
    var asksForCard: Bool { self == .replaced || self == .expiryChanged }
}

/// What the bank's events so far make of a card: which of them stand when another one comes, be it late.
///
/// The result is the same in whatever order events come, as long as their instants differ; at one instant what lets less pay stands.
struct CardStanding {
    /// When each kind of event happened, last.
    var latest: [CardEvent: Timestamp]
    var holds: Set<CardEvent>
    var card: StoredCard

    /// Whether something later stands against an event, which then changes nothing.
    func overtakes(_ event: BankCardEvent) -> Bool {
        func isLater(_ kinds: [CardEvent]) -> Bool { kinds.contains { latest[$0].map { $0 > event.occurredAt } ?? false } }
        switch event.kind {
        case .blocked: return isLater([.unblocked])
        // A new number ends the loss of the old one.
        case .lost, .stolen: return isLater([.unblocked, .replaced])
        case .unblocked:
            let standing = holds.intersection(CardEvent.endedByUnblocking)
            // Without a report of the bank's own the card is blocked by the processor's word; the later word counts.
            guard standing.isEmpty else { return holds(endedBy: event).isEmpty }
            return card.status == .blocked && card.fetchedAt > event.occurredAt
        // Nothing takes a closure back, and the processor is asked for what is now.
        case .closed, .fraudClosure, .replaced, .expiryChanged: return false
        }
    }

    /// The losses that happened after a replacement, and that nothing has ended since.
    func losses(after event: BankCardEvent) -> [CardEvent] {
        guard event.kind == .replaced else { return [] }
        return [.lost, .stolen].filter { loss in
            guard let lostAt = latest[loss], lostAt > event.occurredAt else { return false }
            return ![.unblocked, .replaced].contains { latest[$0].map { $0 > lostAt } ?? false }
        }
    }

    /// The reports that an unblocking ends: those that are not later than it.
    func holds(endedBy event: BankCardEvent) -> [CardEvent] {
        guard event.kind == .unblocked else { return [] }
        return CardEvent.endedByUnblocking.filter { hold in
            holds.contains(hold) && latest[hold].map { $0 < event.occurredAt } ?? true
        }
    }
}
