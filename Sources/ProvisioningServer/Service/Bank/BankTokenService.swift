import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// What the bank's back end asks about tokens, and has done to them.
struct BankTokenService: Sendable {
    /// The operation of its idempotency keys.
    static let operation = "POST /bank/v1/tokens/{reference}/actions"

    let context: TokenContext

    /// A token with what a support desk is asked about it.
    struct Found: Sendable {
        var token: StoredToken
        var card: StoredCard?
        /// What the bank holds it suspended for.
        var causes: Set<SuspensionCause>
        /// What is asked of the network and not answered.
        var pending: StoredAction?
        /// What was asked of the network last.
        var last: StoredAction?
    }

    func list(_ filter: TokenRecords.Filter, _ query: PageQuery) async throws -> Page<Found> {
        try await context.database.read { tx in
            let rows = try TokenRecords.list(filter, after: query.after, limit: query.fetched, in: tx)
            let page = query.page(of: rows) { [.integer($0.createdAt.microseconds), .text($0.reference)] }
            return Page(items: try page.items.map { try found($0, in: tx) }, next: page.next)
        }
    }

    /// `nil` where no network told of such a token.
    func find(_ reference: String) async throws -> Found? {
        try await context.database.read { tx in try TokenRecords.find(reference, in: tx).map { try found($0, in: tx) } }
    }

    private func found(_ token: StoredToken, in tx: any Transaction) throws -> Found {
        Found(
            token: token, card: try token.card.flatMap { try CardRecords.find($0, in: tx) },
            causes: try SuspensionRecords.list(token: token.reference, in: tx),
            pending: try ActionRecords.waiting(token: token.reference, in: tx).first,
            last: try ActionRecords.last(token: token.reference, in: tx))
    }

    struct Answer: Encodable {
        var tokenReference: String
        var action: ProvisioningAction
        /// `asked`, or `already-done` where nothing is left to do.
        var outcome: String
        /// By which the network drops a second copy.
        var actionId: String?
    }

    /// Has the network do something to a token, once for each key.
    ///
    /// - Returns: The answer as it is stored, and whether it was given before.
    /// - Throws: `token-not-found`; where the token cannot be acted upon so `token-deleted`, `token-not-active` or `review-waiting`;
    ///   `request-reused`. None of them is kept.
    func act(
        _ action: ProvisioningAction, on reference: String, because reason: ProvisioningActionReason, remark: String?, key: String
    ) async throws -> (answer: [UInt8], isRepeated: Bool) {
        let (now, service) = (context.now(), LifeCycleService(context: context))
        let keyed = KeyedRequest(
            try IdempotencyKey(caller: CardEventService.actor, operation: Self.operation, key: key),
            fingerprint: RequestFingerprint(texts: [reference, action.rawValue, reason.rawValue, remark ?? ""]), at: now)
        let decided = try await context.database.decideOnce(keyed) { tx in
            let actor = CardEventService.actor
            var (outcome, id) = ("asked", String?.none)
            switch try service.act(action, on: reference, because: reason, remark: remark, by: actor, at: now, in: tx) {
            case nil: throw ProvisioningError(code: .tokenNotFound, reason: "no network told of such a token")
            case .asked(let action): id = action.description
            case .obstacle(.alreadyDone): outcome = "already-done"
            case .obstacle(let obstacle): throw obstacle.cause
            }
            let bytes = try JSONDocument.encode(
                Answer(tokenReference: reference, action: action, outcome: outcome, actionId: id))
            return (bytes, bytes)
        }
        switch decided {
        case .now(let answer): return (answer, false)
        case .before(.finished(let answer)): return (answer, true)
        case .before: throw ProvisioningError(code: .requestReused, reason: "this key was used for another action")
        }
    }
}
