import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging

/// Takes cards over that the bank's back end brings, a part of an import at a time: `POST /bank/v1/card-imports`.
///
/// Each part is taken once, whole, and each card of it by itself. A job that was interrupted sends the part again whose answer it did not
/// get; what was taken before is answered as it was.
struct CardIntakeService: Sendable {
    /// The operation of its idempotency keys.
    static let operation = "POST /bank/v1/card-imports"
    /// How many cards a part has at most.
    static let most = 1_000

    let context: TokenContext

    /// One entry of a part.
    enum Entry: Sendable {
        case card(SourceCard)
        /// A card that cannot be read, and why; it is not touched.
        case unreadable(id: String, reason: String)
    }

    struct Part: Sendable {
        var importID: String
        var number: Int64
        /// When the bank read its books; `nil` for now.
        var asOf: Timestamp?
        var entries: [Entry]
        /// Of the body as it came.
        var bytes: [UInt8]
    }

    struct Answer: Encodable {
        struct Card: Encodable {
            var id: String
            var result: String
            var reason: String?
        }

        var importId: String
        var part: Int64
        var created = 0
        var changed = 0
        var unchanged = 0
        var overtaken = 0
        var refused = 0
        /// Every card that was not taken over, and why.
        var notTaken: [Card] = []
    }

    /// - Returns: The answer as it is stored, and whether it was given before.
    /// - Throws: `request-reused` for a part of the same import and number with other cards.
    func take(_ part: Part) async throws -> (answer: [UInt8], isRepeated: Bool) {
        let now = context.now()
        let key = try IdempotencyKey(caller: CardEventService.actor, operation: Self.operation, key: "\(part.importID)/\(part.number)")
        // Keyed: a part may have one card alone, whose number could be found by trying.
        let hash = KeyedHash(of: part.bytes, purpose: "card-import", key: context.host.configuration.keys.hashing)
        let keyed = KeyedRequest(key, fingerprint: RequestFingerprint(parts: [hash.bytes]), at: now)
        if let known = try await context.database.lookup({ try IdempotencyRecords.find(key, fingerprint: keyed.fingerprint, in: $0) }) {
            return (try Self.stored(known), true)
        }
        // An instant ahead of now would overtake what the processor says until then.
        let fetchedAt = min(part.asOf ?? now, now)
        let intake = CardImport(context: context.importing)
        let (drafts, refused) = try drafts(of: part, intake, fetchedAt)
        let decided = try await context.database.decideOnce(keyed) { tx in
            var answer = Answer(importId: part.importID, part: part.number)
            answer.notTaken = refused
            for draft in drafts {
                let taking = try intake.store(draft, in: tx)
                switch taking {
                case .created: answer.created += 1
                case .changed: answer.changed += 1
                case .unchanged: answer.unchanged += 1
                case .overtaken: answer.overtaken += 1
                case .numberTaken:
                    answer.notTaken.append(.init(id: draft.card.id, result: "refused", reason: "another card has the number"))
                }
            }
            answer.refused = answer.notTaken.count
            try CardImportRecords.insert(
                StoredImportPart(
                    importID: part.importID, number: part.number, created: answer.created, changed: answer.changed,
                    unchanged: answer.unchanged, overtaken: answer.overtaken, refused: answer.refused, at: now), in: tx)
            try context.audit(
                "cards.imported", on: "import \(part.importID)", by: CardEventService.actor,
                because: "part \(part.number): \(drafts.count) cards, \(answer.refused) refused", at: now, in: tx)
            let bytes = try JSONDocument.encode(answer)
            return (bytes, bytes)
        }
        switch decided {
        case .now(let answer): return (answer, false)
        case .before(let outcome): return (try Self.stored(outcome), true)
        }
    }

    /// Takes over what changed at the processor. A card that cannot be taken over may be blocked there: here it is, until it can be.
    ///
    /// - Parameters:
    ///   - changes: As the processor answered.
    ///   - fetchedAt: When it was asked.
    func take(_ changes: CardChanges, fetchedAt: Timestamp) async throws {
        let intake = CardImport(context: context.importing)
        var generator = SourcedGenerator(source: context.host.identifiers)
        let now = context.now()
        var refused = changes.answer.unreadable
        var drafts: [CardImport.Draft] = []
        for card in changes.answer.cards {
            if let draft = try intake.draft(of: card, fetchedAt, &generator) { drafts.append(draft) } else { refused.insert(card.id) }
        }
        let (made, place, unreadable) = (drafts, changes.place, refused)
        try await context.database.writeRepeatably { tx in
            for draft in made { _ = try intake.store(draft, in: tx) }
            for id in unreadable { try intake.block(id, fetchedAt, in: tx) }
            try ChangeFeedRecords.move(to: place, at: now, in: tx)
        }
        if !refused.isEmpty || changes.answer.hasUnnamed {
            context.host.logger.critical(
                "cards that changed at the processor cannot be taken over and are blocked", metadata: ["cards": "\(refused.sorted())"])
        }
    }

    private func drafts(
        of part: Part, _ intake: CardImport, _ fetchedAt: Timestamp
    ) throws -> ([CardImport.Draft], [Answer.Card]) {
        var generator = SourcedGenerator(source: context.host.identifiers)
        var (drafts, refused) = ([CardImport.Draft](), [Answer.Card]())
        var seen: Set<String> = []
        for entry in part.entries {
            switch entry {
            case .unreadable(let id, let reason): refused.append(.init(id: id, result: "refused", reason: reason))
            case .card(let card):
                guard seen.insert(card.id).inserted else {
                    refused.append(.init(id: card.id, result: "refused", reason: "the part has this card twice"))
                    continue
                }
                guard var draft = try intake.draft(of: card, fetchedAt, &generator) else {
                    refused.append(.init(id: card.id, result: "refused", reason: Self.foreignNumber))
                    continue
                }
                draft.card.isImported = true
                drafts.append(draft)
            }
        }
        return (drafts, refused)
    }

    private static let foreignNumber =
        "the number belongs to no programme of this host and network; GET /bank/v1/programmes has their numberPrefixes"

    private static func stored(_ outcome: IdempotencyOutcome) throws -> [UInt8] {
        guard case .finished(let answer) = outcome else {
            throw ProvisioningError(
                code: .requestReused,
                reason:
                    "this part of the import was taken with another body; send what was corrected as another part or importId"
            )
        }
        return answer
    }
}
