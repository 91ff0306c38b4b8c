import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// Has networks do what the bank wants done to tokens: records the wish and leaves it to the outbox.
///
/// The outbox keeps no order, so that one token has one action under way; the next is sent once that one is settled.
struct ActionQueue: Sendable {
    let context: TokenContext

    enum Answer: Sendable, Hashable {
        case asked(TimeOrderedID)
        case obstacle(ActionObstacle)
    }

    /// Asks for an action on one token.
    ///
    /// - Returns: An obstacle where what is known and asked for already leaves nothing to do, and where a review of the token waits and the
    ///   action would let it pay.
    func ask(
        _ action: ProvisioningAction, on token: ActionTarget, because reason: ProvisioningActionReason, remark: String? = nil,
        by actor: String, at now: Timestamp, in tx: any Transaction
    ) throws -> Answer {
        let (expected, waiting) = try outlook(of: token.reference, in: tx)
        if let obstacle = action.obstacle(in: expected) { return .obstacle(obstacle) }
        if action.letsPay, try ReviewRecords.isWaiting(token: token.reference, in: tx) { return .obstacle(.reviewWaiting) }
        let row = StoredAction(
            id: context.host.identifiers.next(at: now), network: token.network, card: token.card, token: token.reference,
            primaryAccountIdentifier: token.primaryAccountIdentifier, action: action, reason: reason, actor: actor, state: .waiting,
            at: now,
            place: try ActionRecords.nextPlace(token: token.reference, in: tx), remark: remark)
        try ActionRecords.insert(row, in: tx)
        if action == .resume { try SuspensionRecords.removeAll(token: token.reference, in: tx) }
        if waiting.isEmpty { try dispatch(row, at: now, in: tx) }
        return .asked(row.id)
    }

    /// Has a token suspended for a cause. One that the bank holds already is held for this cause too from now on.
    func hold(
        _ token: ActionTarget, for cause: SuspensionCause, because reason: ProvisioningActionReason, remark: String? = nil,
        by actor: String, at now: Timestamp, in tx: any Transaction
    ) throws -> Answer {
        let answer = try ask(.suspend, on: token, because: reason, remark: remark, by: actor, at: now, in: tx)
        switch answer {
        case .asked, .obstacle(.alreadyDone): try SuspensionRecords.insert(cause, token: token.reference, at: now, in: tx)
        case .obstacle: break
        }
        return answer
    }

    /// Ends one cause of a token's suspension, and has the token resumed where it was the last. What another cause holds, or what this one
    /// did not suspend, stays suspended.
    func release(
        _ token: ActionTarget, from cause: SuspensionCause, because reason: ProvisioningActionReason, by actor: String, at now: Timestamp,
        in tx: any Transaction
    ) throws -> Answer {
        try TokenRecords.takeTurn("token:\(token.reference)", in: tx)
        guard try SuspensionRecords.remove(cause, token: token.reference, in: tx),
            try SuspensionRecords.list(token: token.reference, in: tx).isEmpty
        else { return .obstacle(.alreadyDone) }
        return try ask(.resume, on: token, because: reason, by: actor, at: now, in: tx)
    }

    /// What a token will be once the network has done what is asked already. It holds until this transaction ends.
    func expected(of token: String, in tx: any Transaction) throws -> TokenSnapshot { try outlook(of: token, in: tx).expected }

    private func outlook(of token: String, in tx: any Transaction) throws -> (expected: TokenSnapshot, waiting: [StoredAction]) {
        try TokenRecords.takeTurn("token:\(token)", in: tx)
        let waiting = try ActionRecords.waiting(token: token, in: tx)
        let known = try TokenRecords.find(token, in: tx)?.snapshot ?? TokenSnapshot(sequence: 0, state: .inactive)
        return (waiting.compactMap(\.action).reduce(known) { $1.applied(to: $0) }, waiting)
    }

    /// Moves the tokens of a card to its new number. Nothing is to be done for a card that never had a token.
    func moveTokens(of card: StoredCard, by actor: String, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        guard let account = card.primaryAccountIdentifier else { return false }
        let row = StoredAction(
            id: context.host.identifiers.next(at: now), network: card.network, card: card.id, token: nil,
            primaryAccountIdentifier: account, action: nil, reason: .other, actor: actor, state: .waiting, at: now, place: 0)
        try ActionRecords.insert(row, in: tx)
        try dispatch(row, at: now, in: tx)
        return true
    }

    /// Stores how an action ended, and sends what waited for it.
    func settle(
        _ action: StoredAction, _ state: StoredAction.State, outcome: String, at now: Timestamp, in tx: any Transaction
    ) throws {
        if let token = action.token { try TokenRecords.takeTurn("token:\(token)", in: tx) }
        guard try ActionRecords.settle(action.id, state, outcome: outcome, at: now, in: tx), let token = action.token,
            let next = try ActionRecords.waiting(token: token, in: tx).first
        else { return }
        try dispatch(next, at: now, in: tx)
    }

    private func dispatch(_ action: StoredAction, at now: Timestamp, in tx: any Transaction) throws {
        // One message for each action, whoever finds that its turn has come.
        guard try OutboxRecords.find(action.id, merchant: context.host.configuration.issuer, in: tx) == nil else { return }
        try context.post(
            action.id, as: action.token == nil ? .replacement : .tokenAction, to: "network:\(action.network.rawValue)", about: action.id,
            body: [String: String](), at: now, in: tx)
    }
}

/// The token that an action is about, as far as the network has to be told.
struct ActionTarget: Sendable, Hashable {
    var reference: String
    var network: CardScheme
    var card: String?
    var primaryAccountIdentifier: String

    init(_ token: StoredToken) {
        reference = token.reference
        network = token.network
        card = token.card
        primaryAccountIdentifier = token.primaryAccountIdentifier
    }

    /// The token of an earlier action.
    init(_ action: StoredAction, _ reference: String) {
        self.reference = reference
        network = action.network
        card = action.card
        primaryAccountIdentifier = action.primaryAccountIdentifier
    }

    /// The token of a decision, which the network may not have told of yet.
    init(_ decision: StoredDecision) {
        reference = decision.token
        network = decision.network
        card = decision.card
        primaryAccountIdentifier = decision.primaryAccountIdentifier
    }
}

extension ProvisioningAction {
    var letsPay: Bool { self == .activate || self == .resume }

    /// What a token will be once the network has done it.
    func applied(to snapshot: TokenSnapshot) -> TokenSnapshot {
        var snapshot = snapshot
        switch self {
        case .activate: snapshot.state = .active
        case .suspend:
            snapshot.suspendedBy.insert(.issuer)
            snapshot.state = .suspended
        case .resume:
            snapshot.suspendedBy.remove(.issuer)
            if snapshot.suspendedBy.isEmpty { snapshot.state = .active }
        case .delete: snapshot.state = .deleted
        }
        return snapshot
    }
}
