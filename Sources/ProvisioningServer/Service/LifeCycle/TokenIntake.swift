import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging

/// Takes what networks tell of tokens into the books: the one place for events and answers.
struct TokenIntake: Sendable {
    let context: TokenContext
    /// Gets the notice that a token of no known card has raised, for whoever commits to tell it.
    var raised = Latest<UnmatchedNotice>()

    /// Repeating it changes nothing, and the order in which things are told does not matter.
    func take(_ told: ToldToken, from network: CardScheme, at now: Timestamp, in tx: any Transaction) throws -> TokenTransition {
        try TokenRecords.takeTurn("token:\(told.reference)", in: tx)
        guard let known = try TokenRecords.find(told.reference, in: tx) else {
            let token = try appeared(told, network, at: now, in: tx)
            try TokenRecords.insert(token, in: tx)
            try context.events.changed(token, from: nil, at: now, in: tx)
            let transition = TokenTransition(taking: told.snapshot, after: nil)
            try follow(transition, of: token, from: nil, at: now, in: tx)
            return transition
        }
        // A network speaks for its own tokens alone.
        guard known.network == network else { throw Self.foreign }
        let transition = TokenTransition(taking: told.snapshot, after: known.snapshot)
        var token = known
        token.snapshot = transition.snapshot
        if transition.isNews, let account = told.primaryAccountIdentifier { token.primaryAccountIdentifier = account }
        if transition.isNews || token.deviceAccountSuffix == nil {
            token.deviceAccountSuffix = told.deviceAccountSuffix ?? token.deviceAccountSuffix
        }
        token.device = token.device ?? told.device
        if token.requestor == nil { token.requestor = try DecisionRecords.find(token: token.reference, in: tx)?.inputs.tokenRequestor }
        if token.card == nil {
            token.card = try card(of: token.reference, token.primaryAccountIdentifier, in: tx)
            try noteOwner(of: token, told, at: now, in: tx)
        }
        guard token != known else { return transition }
        if transition.effect == .moved { token.changedAt = now }
        try TokenRecords.update(token, in: tx)
        try context.events.changed(token, from: known.snapshot.state, at: now, in: tx)
        try follow(transition, of: token, from: known, at: now, in: tx)
        return transition
    }

    private func appeared(_ told: ToldToken, _ network: CardScheme, at now: Timestamp, in tx: any Transaction) throws -> StoredToken {
        let decision = try DecisionRecords.find(token: told.reference, in: tx)
        guard decision == nil || decision?.network == network else { throw Self.foreign }
        let account = told.primaryAccountIdentifier ?? ""
        let card = try card(of: told.reference, account, in: tx)
        let token = StoredToken(
            reference: told.reference, network: network, card: card, primaryAccountIdentifier: account,
            device: told.device ?? decision?.inputs.device, deviceAccountSuffix: told.deviceAccountSuffix,
            requestor: decision?.inputs.tokenRequestor, snapshot: told.snapshot, createdAt: now, changedAt: now)
        if card == nil { try noteOwner(of: token, told, at: now, in: tx) }
        return token
    }

    /// A token that pays and belongs to nobody here is an alarm until its card is known.
    private func noteOwner(of token: StoredToken, _ told: ToldToken, at now: Timestamp, in tx: any Transaction) throws {
        let links = AuditChain(key: context.host.configuration.keys.audit)
        guard token.card == nil else {
            return try UnmatchedNoticeRecords.match(
                source: TokenNotices.source(token.network), naturalKey: TokenNotices.key(token.reference),
                owner: context.host.configuration.issuer, at: now, linking: links, in: tx)
        }
        guard token.snapshot.state != .deleted else { return }
        let notice = try TokenNotices(context: context).notice(of: told, from: token.network, at: now)
        if try UnmatchedNoticeRecords.keep(notice, linking: links, in: tx) { raised.set(notice) }
    }

    /// Gives a token that belongs to no card to the card that people name, with all that was done to the card meanwhile.
    func assign(_ id: String, to reference: String, at now: Timestamp, in tx: any Transaction) throws {
        try TokenRecords.takeTurn("token:\(reference)", in: tx)
        guard var token = try TokenRecords.find(reference, in: tx) else { throw TokenNotices.noToken }
        guard try CardRecords.find(id, in: tx) != nil else {
            throw ProvisioningError(code: .cardNotFound, reason: "there is no such card")
        }
        guard token.card == nil else {
            throw ProvisioningError(code: .tokenReferenceTaken, reason: "the token belongs to card \(token.card ?? "") by now")
        }
        token.card = id
        try TokenRecords.update(token, in: tx)
        try catchUp(token, isNew: true, card: id, at: now, in: tx)
    }

    private func card(of reference: String, _ account: String, in tx: any Transaction) throws -> String? {
        if let card = try DecisionRecords.find(token: reference, in: tx)?.card { return card }
        return account.isEmpty ? nil : try CardRecords.find(primaryAccountIdentifier: account, in: tx)?.id
    }

    /// What the news means for others: the card's reference, the fraud team and the customer.
    private func follow(
        _ transition: TokenTransition, of token: StoredToken, from old: StoredToken?, at now: Timestamp, in tx: any Transaction
    ) throws {
        if transition.effect == .contradictsDeletion {
            context.host.logger.critical("a network uses a token that it deleted", metadata: ["token": "\(token.reference)"])
        }
        guard let card = token.card else { return }
        if transition.isNews, token.primaryAccountIdentifier != old?.primaryAccountIdentifier, !token.primaryAccountIdentifier.isEmpty {
            try CardRecords.assign(primaryAccountIdentifier: token.primaryAccountIdentifier, card: card, at: now, in: tx)
        }
        if transition.isNews, token.snapshot.state == .deleted {
            for var review in try ReviewRecords.waiting(token: token.reference, in: tx) {
                review.state = .expired
                try context.events.changed(review, at: now, in: tx)
            }
            try ReviewRecords.expire(token: token.reference, at: now, in: tx)
        }
        let isVerified = old?.snapshot.state == .inactive && token.snapshot.state != .inactive
        if transition.isNews { try hold(token, at: now, in: tx) }
        if old?.card == nil || isVerified { try catchUp(token, isNew: old?.card == nil, card: card, at: now, in: tx) }
        guard transition.isNews, token.snapshot.state != old?.snapshot.state else { return }
        try TokenMessages(context: context).tell(of: token, was: old?.snapshot.state, card: card, at: now, in: tx)
    }

    /// Suspends a token that became active although the fraud team still looks at it. The review goes on; its approval resumes the token.
    ///
    /// An approval that was given meanwhile has ended the review in the same turn of the token, and nothing is held.
    private func hold(_ token: StoredToken, at now: Timestamp, in tx: any Transaction) throws {
        guard token.snapshot.state == .active || token.snapshot.state == .suspended,
            try ReviewRecords.isWaiting(token: token.reference, in: tx)
        else { return }
        let answer = try ActionQueue(context: context).hold(
            ActionTarget(token), for: .review, because: .fraud, by: "system", at: now, in: tx)
        guard case .asked = answer else { return }
        try context.audit(
            "review.held", on: "token \(token.reference)", by: "system",
            because: "the network made it \(token.snapshot.state.rawValue) while a review waits", at: now, in: tx)
        context.host.logger.critical(
            "a network activated a token while its review waits; it is being suspended", metadata: ["token": "\(token.reference)"])
    }

    /// Has done to a token what was done to its card or its device while nobody knew of it, or while it was not active.
    private func catchUp(_ token: StoredToken, isNew: Bool, card id: String, at now: Timestamp, in tx: any Transaction) throws {
        guard token.snapshot.state != .deleted, let card = try CardRecords.find(id, in: tx) else { return }
        let queue = ActionQueue(context: context)
        func ask(_ action: ProvisioningAction, _ reason: ProvisioningActionReason) throws {
            _ = try queue.ask(action, on: ActionTarget(token), because: reason, by: "system", at: now, in: tx)
        }
        switch card.status {
        case .active: break
        // One that is not active yet cannot be suspended: its turn comes here again once it is.
        case .blocked: _ = try queue.hold(ActionTarget(token), for: .card, because: .other, by: "system", at: now, in: tx)
        case .closed:
            let isFraud = try CardHoldRecords.list(card: id, in: tx).contains(.fraudClosure)
            return try ask(.delete, isFraud ? .fraud : .closed)
        }
        let decision = try DecisionRecords.find(token: token.reference, in: tx)
        if let device = token.device, let lostAt = try LostDeviceRecords.find(device.secureElement, in: tx),
            decision.map({ $0.at <= lostAt }) ?? true
        {
            if token.snapshot.state == .inactive {
                try ask(.delete, .lost)
            } else {
                _ = try queue.hold(ActionTarget(token), for: .device, because: .lost, by: "system", at: now, in: tx)
            }
        }
        // The network has the number that was asked about; the card may have had a new one since.
        if isNew, let asked = decision?.inputs.card?.numberVersion, asked < card.numberVersion {
            _ = try queue.moveTokens(of: card, by: "system", at: now, in: tx)
        }
    }

    private static var foreign: ProvisioningError {
        ProvisioningError(code: .tokenNotFound, reason: "the network has no such token here")
    }
}
