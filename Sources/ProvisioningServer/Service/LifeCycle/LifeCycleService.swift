import ApplePay
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes

/// What becomes of tokens after they were made: networks tell it, and the bank has it done (provisioning.md#token-events).
struct LifeCycleService: Sendable {
    let context: TokenContext
    private let policy = CardEventPolicy()

    init(context: TokenContext) { self.context = context }

    private var queue: ActionQueue { ActionQueue(context: context) }

    // MARK: Network to bank

    /// Takes an event. A repeated one changes nothing; one that was overtaken is kept and changes nothing else.
    func take(_ event: TokenEvent, from network: CardScheme) async throws -> TokenTransition.Effect {
        let now = context.now()
        let fingerprint = try event.fingerprint
        let intake = TokenIntake(context: context)
        let effect = try await context.database.writeRepeatably { tx -> TokenTransition.Effect in
            guard try TokenRecords.insert(event, from: network, fingerprint: fingerprint, at: now, in: tx) else {
                guard try TokenRecords.isSame(event: event.id, from: network, as: fingerprint, in: tx) else {
                    throw ProvisioningError(code: .requestReused, reason: "this event id was used for another event")
                }
                return .stale
            }
            let effect = try intake.take(event.told, from: network, at: now, in: tx).effect
            try TokenRecords.note(effect, ofEvent: event.id, from: network, in: tx)
            return effect
        }
        if let notice = intake.raised.value { TokenNotices(context: context).tell(notice) }
        return effect
    }

    // MARK: Bank to network

    /// Asks for an action on a token, for one person. Returns `nil` when there is no such token.
    ///
    /// Activation is refused: only the customer's verification, or a review by two persons, makes a token active.
    func act(
        _ action: ProvisioningAction, on reference: String, because reason: ProvisioningActionReason, by person: String
    ) async throws -> ActionQueue.Answer? {
        let now = context.now()
        return try await context.database.write { tx in
            try act(action, on: reference, because: reason, by: person, at: now, in: tx)
        }
    }

    /// The same in a transaction.
    func act(
        _ action: ProvisioningAction, on reference: String, because reason: ProvisioningActionReason, remark: String? = nil,
        by person: String, at now: Timestamp, in tx: any Transaction
    ) throws -> ActionQueue.Answer? {
        guard let token = try TokenRecords.find(reference, in: tx) else { return nil }
        guard action != .activate else { return .obstacle(.needsVerification) }
        let target = ActionTarget(token)
        let answer =
            action == .suspend
            ? try queue.hold(target, for: .person, because: reason, remark: remark, by: person, at: now, in: tx)
            : try queue.ask(action, on: target, because: reason, remark: remark, by: person, at: now, in: tx)
        try context.audit(
            "token.\(action.rawValue)", on: "token \(reference)", by: person,
            because: [Self.text(answer, reason), remark].compactMap(\.self).joined(separator: ": "), at: now, in: tx)
        return answer
    }

    /// Stops that networks did not make and that a person has still to deal with: their tokens are not as the bank wants them.
    func failedStops(limit: Int) async throws -> [FailedStop] {
        try await context.database.read { tx in
            try ActionRecords.failedStops(limit: limit, in: tx).compactMap { stop in
                let token = try stop.token.flatMap { try TokenRecords.find($0, in: tx) }
                return stop.isOpen(for: token) ? FailedStop(action: stop, token: token) : nil
            }
        }
    }

    /// Ends a failed stop's alarm for one person, and where that is wanted asks the network for it once more. Returns `nil` when there is
    /// no such alarm. A stop that cannot be asked for as the token stands keeps its alarm.
    func resolve(_ id: TimeOrderedID, retries: Bool, remark: String, by person: String) async throws -> ActionQueue.Answer? {
        let now = context.now()
        return try await context.database.write { tx in
            guard let stop = try ActionRecords.find(id, in: tx), stop.isFailedStop, let kind = stop.action, let reference = stop.token,
                try ActionRecords.resolve(id, by: person, remark: remark, at: now, in: tx)
            else { return nil }
            var answer = ActionQueue.Answer.obstacle(.alreadyDone)
            if retries {
                let token = try TokenRecords.find(reference, in: tx)
                let target = token.map { ActionTarget($0) } ?? ActionTarget(stop, reference)
                answer =
                    kind == .suspend
                    ? try queue.hold(target, for: .person, because: stop.reason, by: person, at: now, in: tx)
                    : try queue.ask(kind, on: target, because: stop.reason, by: person, at: now, in: tx)
                guard answer != .obstacle(.notActive) else {
                    throw ServerError(code: .conflict, reason: "the token is not active yet; it can only be deleted", status: .conflict)
                }
            }
            try context.audit(
                retries ? "stop.retry" : "stop.resolve", on: "token \(reference)", by: person,
                because: retries ? "\(remark): \(Self.text(answer, stop.reason))" : remark, at: now, in: tx)
            return answer
        }
    }

    /// What the bank's own systems report of a card. A block, a loss or a closure is the card's status from this write on, and holds
    /// until the bank takes it back: a new number ends a loss, nothing ends a closure. Returns how many actions were asked for, or `nil` when there is no such card.
    ///
    /// After a replacement the processor is asked for the new number; the tokens move to it as with every import. Where the number
    /// is known already, the network is told it again.
    func report(_ event: CardEvent, of id: String, by person: String, remark: String) async throws -> Int? {
        let now = context.now()
        guard let known = try await context.database.lookup({ tx in try CardRecords.find(id, in: tx) }) else { return nil }
        if event == .replaced { try await CardImport(context: context.importing).run(customer: known.customer) }
        return try await context.database.write { tx in
            guard var card = try CardRecords.find(id, in: tx) else { return nil }
            let ended = event == .unblocked ? CardEvent.endedByUnblocking : []
            try note(event, of: &card, ending: ended, at: now, in: tx)
            let hasMoved = event == .replaced && card.numberVersion != known.numberVersion
            let asked = hasMoved ? 1 : try follow(event, of: card, by: person, at: now, in: tx)
            try context.audit("card.\(event.rawValue)", on: "card \(id)", by: person, because: remark, at: now, in: tx)
            return asked
        }
    }

    /// Makes the card's status what an event says.
    ///
    /// - Parameter ended: The earlier reports that it ends.
    func note(
        _ event: CardEvent, of card: inout StoredCard, ending ended: [CardEvent], at now: Timestamp, in tx: any Transaction
    ) throws {
        var status = card.status
        if event.heldStatus != nil {
            try CardHoldRecords.insert(event, card: card.id, at: now, in: tx)
        } else if event == .unblocked {
            _ = try CardHoldRecords.remove(ended, card: card.id, in: tx)
            if status == .blocked { status = .active }
        }
        status = status.held(by: try CardHoldRecords.list(card: card.id, in: tx))
        guard status != card.status else { return }
        try CardRecords.set(status, card: card.id, at: now, in: tx)
        card.status = status
    }

    /// Counts a device as lost and suspends its tokens, of whatever card; other devices go on paying. A token whose customer was never verified
    /// cannot be suspended: it is deleted, so that nobody verifies it from the lost device [I]. Returns how many.
    func reportLost(secureElement: String, by person: String) async throws -> Int {
        let now = context.now()
        return try await context.database.write { tx in
            try LostDeviceRecords.note(secureElement, at: now, in: tx)
            let tokens = try TokenRecords.list(secureElement: secureElement, in: tx)
            let asked = try tokens.count { token in
                let target = ActionTarget(token)
                let answer =
                    token.snapshot.state == .inactive
                    ? try queue.ask(.delete, on: target, because: .lost, by: person, at: now, in: tx)
                    : try queue.hold(target, for: .device, because: .lost, by: person, at: now, in: tx)
                if case .asked = answer { return true }
                return false
            }
            try context.audit("device.lost", on: "device \(secureElement)", by: person, because: "\(asked) tokens", at: now, in: tx)
            return asked
        }
    }

    /// Ends a loss: the device takes new tokens again. Those that the loss suspended stay so; whoever knows that the device is in the right
    /// hands resumes each. Returns false when the device does not count as lost.
    func reportFound(secureElement: String, remark: String, by person: String) async throws -> Bool {
        let now = context.now()
        return try await context.database.write { tx in
            guard try LostDeviceRecords.remove(secureElement, in: tx) else { return false }
            try context.audit("device.found", on: "device \(secureElement)", by: person, because: remark, at: now, in: tx)
            return true
        }
    }

    func follow(_ event: CardEvent, of card: StoredCard, by person: String, at now: Timestamp, in tx: any Transaction) throws -> Int {
        switch policy.step(after: event) {
        case .keep: return 0
        case .moveToNewNumber: return try queue.moveTokens(of: card, by: person, at: now, in: tx) ? 1 : 0
        case .act(.suspend, let reason):
            return try each(of: card, in: tx) { try queue.hold($0, for: .card, because: reason, by: person, at: now, in: tx) }
        case .act(let action, let reason):
            return try each(of: card, in: tx) { try queue.ask(action, on: $0, because: reason, by: person, at: now, in: tx) }
        case .release(let reason):
            // A loss suspends nothing: where it still stands, the tokens pay all the same.
            let isBlocked = try CardHoldRecords.list(card: card.id, in: tx).contains(.blocked)
            guard card.status != .closed, !isBlocked else { return 0 }
            return try each(of: card, in: tx) { try queue.release($0, from: .card, because: reason, by: person, at: now, in: tx) }
        }
    }

    /// Returns of how many tokens something was asked.
    private func each(of card: StoredCard, in tx: any Transaction, _ step: (ActionTarget) throws -> ActionQueue.Answer) throws -> Int {
        try TokenRecords.list(card: card.id, in: tx).count { token in
            if case .asked = try step(ActionTarget(token)) { return true }
            return false
        }
    }

    private static func text(_ answer: ActionQueue.Answer, _ reason: ProvisioningActionReason) -> String {
        switch answer {
        case .asked(let id): "\(reason.rawValue) \(id)"
        case .obstacle(let obstacle): "\(reason.rawValue) \(obstacle.rawValue)"
        }
    }

    // MARK: Books

    /// What our books and the networks' say differently, network by network.
    ///
    /// Networks behind one address have one list. Throws `network-unavailable` where one cannot be asked: no answer is no agreement.
    func differences() async throws -> [TokenDifference] {
        let connection = NetworkConnection(context: context)
        var differences: [TokenDifference] = []
        let networks = context.configuration.networks.sorted { $0.key.rawValue < $1.key.rawValue }
        for origin in Set(networks.map(\.value.origin)).sorted() {
            let schemes = networks.filter { $0.value.origin == origin }.map(\.key)
            guard let first = schemes.first, case .accepted(let body) = await connection.get("tokens", from: first, title: "tokens") else {
                throw ProvisioningError(code: .networkUnavailable, reason: "the network's books cannot be read")
            }
            let theirs: [BookedToken]
            do throws(ProvisioningError) {
                theirs = try RequestReader(body, allowing: ["tokens"]).bookedTokens()
            } catch {
                throw ProvisioningError(code: .networkUnavailable, reason: "the network's books cannot be read: \(error.reason)")
            }
            let ours = try await context.database.read { tx in
                try schemes.flatMap { try TokenRecords.list(network: $0, in: tx) }.map(\.booked)
            }
            differences += TokenBooks.differences(ours: ours, theirs: theirs)
        }
        return differences
    }
}

extension RequestReader {
    fileprivate func bookedTokens() throws(ProvisioningError) -> [BookedToken] {
        var tokens: [BookedToken] = []
        for token in try objects("tokens", maximum: 1_000_000, allowing: ToldToken.answerMembers) {
            let told = try ToldToken(answer: token)
            tokens.append(
                BookedToken(
                    reference: told.reference, primaryAccountIdentifier: told.primaryAccountIdentifier ?? "", snapshot: told.snapshot,
                    deviceAccountSuffix: told.deviceAccountSuffix,
                    secureElement: try token.optionalText("secureElement", maximum: 48).flatMap(DecisionInputs.Device.secureElement)))
        }
        return tokens
    }
}

/// Follows changes of cards with what they mean for tokens, in the write that stores the change.
struct TokenFollower: CardObserver {
    let service: LifeCycleService

    func cardChanged(from old: StoredCard?, to new: StoredCard, isRenewed: Bool, in tx: any Transaction) throws {
        guard let old else { return }
        let now = service.context.now()
        var (new, events, endsLoss) = (new, [CardEvent](), false)
        if old.numberVersion != new.numberVersion {
            events.append(.replaced)
            endsLoss = try CardHoldRecords.remove([.lost, .stolen], card: new.id, in: tx)
        } else if isRenewed {
            events.append(.expiryChanged)
        }
        let status = new.status.held(by: try CardHoldRecords.list(card: new.id, in: tx))
        if status != new.status {
            try CardRecords.set(status, card: new.id, at: now, in: tx)
            new.status = status
        }
        switch (old.status, new.status) {
        case (_, .closed) where old.status != .closed: events.append(.closed)
        case (.active, .blocked): events.append(.blocked)
        // A loss suspended nothing, so that its end resumes nothing.
        case (.blocked, .active) where !endsLoss: events.append(.unblocked)
        default: break
        }
        for event in events { _ = try service.follow(event, of: new, by: "processor", at: now, in: tx) }
    }
}
