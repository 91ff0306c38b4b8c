import ApplePay
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldWeb
import HTTPTypes

/// What the console shows of an issuer's cards in wallets, and has done about them.
package struct IssuerDesk: ProvisioningDesk {
    /// How many rows of one kind a page shows.
    private static let most = 100

    let context: ProvisioningContext
    let switches: ProvisioningSwitches
    let office: ProvisioningBackOffice

    // MARK: Reading

    package func overview() async throws -> ProvisioningOverview {
        let cards = try await context.database.read { try CardRecords.list(limit: 1_000, in: $0) }
        let names = Dictionary(cards.map { ($0.id, Self.name($0)) }) { first, _ in first }
        let counts = try await office.tokenCounts()
        let reviews = try await office.reviews(limit: Self.most)
        return ProvisioningOverview(
            programmes: try await switches.states().map(Self.programme),
            cards: cards.map { Self.card($0, tokens: counts[$0.id] ?? 0) },
            reviews: try await shown(reviews, names), allowList: try await office.allowList().map(Self.allowed),
            decisions: try await office.decisions(limit: Self.most).map { Self.decision($0, names) },
            stops: try await office.failedStops(limit: Self.most).map { Self.stop($0, names) },
            lostDevices: try await office.lostDevices(limit: Self.most).map {
                .init(secureElement: $0.secureElement, reportedAt: $0.at.microseconds)
            })
    }

    package func failedStops() async throws -> [ProvisioningOverview.Stop] {
        let stops = try await office.failedStops(limit: Self.most)
        let cards = try await context.database.read { tx in
            try Set(stops.compactMap(\.action.card)).compactMap { try CardRecords.find($0, in: tx) }
        }
        let names = Dictionary(cards.map { ($0.id, Self.name($0)) }) { first, _ in first }
        return stops.map { Self.stop($0, names) }
    }

    package func card(_ id: String) async throws -> ProvisioningCardView? {
        guard let file = try await office.file(card: id) else { return nil }
        let names = [file.card.id: Self.name(file.card)]
        return ProvisioningCardView(
            card: Self.card(file.card, tokens: file.tokens.count { $0.snapshot.state != .deleted }),
            cardSwitch: .init(isOn: file.card.isEnabled),
            tokens: file.tokens.map {
                Self.token($0, pending: file.pending($0), told: office.eventOwner.path(ofObject: $0.reference))
            },
            reviews: try await shown(file.reviews, names), allowList: file.allowList.map(Self.allowed),
            decisions: file.decisions.map { Self.decision($0, names) }, messages: file.messages.map(Self.message),
            events: file.events.map(Self.event), stops: try await failedStops().filter { $0.card == id },
            networkCalls: file.actions.prefix(ProvisioningBackOffice.mostDelivered).map { Self.call($0, in: file) })
    }

    private func shown(_ reviews: [StoredReview], _ names: [String: String]) async throws -> [ProvisioningOverview.Review] {
        var shown: [ProvisioningOverview.Review] = []
        for review in reviews {
            let decision = try await office.decision(of: review)
            shown.append(
                .init(
                    id: review.id.description, card: review.card, cardName: names[review.card] ?? review.card,
                    tokenReference: review.token, device: decision.map { Self.device($0.inputs.device) } ?? "a device",
                    reasons: decision?.decision.reasons.map(\.rawValue) ?? [], openedAt: review.openedAt.microseconds,
                    // An approved review is over: the network has been told.
                    state: review.state == .approved ? "released" : review.state.rawValue, concludedBy: review.concludedBy,
                    remark: review.remark))
        }
        return shown
    }

    // MARK: Acting

    package func switchProgramme(_ id: String, on: Bool, remark: String, by person: String) async throws -> Bool {
        try await found { try await switches.set(programme: id, isOn: on, remark: remark, by: person) }
    }

    package func switchCard(_ id: String, on: Bool, remark: String, by person: String) async throws -> Bool {
        try await found { try await switches.set(card: id, isOn: on, remark: remark, by: person) }
    }

    package func allow(_ isAllowed: Bool, card: String, secureElement: String, remark: String, by person: String) async throws -> Bool {
        try await told {
            try await office.allow(isAllowed, card: card, secureElement: secureElement, remark: remark, by: person)
        }
    }

    package func act(
        _ action: ProvisioningAction, on token: String, reason: ProvisioningActionReason, by person: String
    ) async throws -> Bool {
        try await told { try await office.act(action, on: token, reason: reason, by: person) }
    }

    package func replaceCard(_ id: String, remark: String, by person: String) async throws -> Bool {
        try await told { try await office.report(.replaced, of: id, remark: remark, by: person) != nil }
    }

    package func reportLost(secureElement: String, by person: String) async throws -> Int {
        try await told { try await office.reportLost(secureElement: secureElement, by: person) }
    }

    package func reportFound(secureElement: String, remark: String, by person: String) async throws -> Bool {
        try await told { try await office.reportFound(secureElement: secureElement, remark: remark, by: person) }
    }

    package func resolveStop(_ id: String, retry: Bool, remark: String, by person: String) async throws -> Bool {
        try await told { try await office.resolve(stop: id, retries: retry, remark: remark, by: person) }
    }

    /// False for what is not there.
    private func found(_ step: () async throws -> Void) async throws -> Bool {
        do { try await step() } catch let error as ProvisioningError where error.code == .cardNotFound || error.code == .programmeNotFound {
            return false
        }
        return true
    }

    /// The host's refusals, as the console's router tells them.
    private func told<Value>(_ step: () async throws -> Value) async throws -> Value {
        do { return try await step() } catch let error as ProvisioningError {
            throw ServerError(Refusal(error))
        }
    }

    // MARK: Rows

    private static func name(_ card: StoredCard) -> String { "\(card.displayName) •• \(card.suffix)" }
    private static func device(_ device: DecisionInputs.Device) -> String { "\(device.name) (\(device.kind.rawValue))" }

    private static func programme(_ state: ProvisioningSwitches.State) -> ProvisioningOverview.Programme {
        .init(
            id: state.programme.id, displayName: state.programme.displayName,
            offer: .init(
                isOn: state.isOn, remark: state.lastChange?.remark, changedBy: state.lastChange?.by,
                changedAt: state.lastChange?.at.microseconds))
    }

    private static func card(_ card: StoredCard, tokens: Int) -> ProvisioningOverview.Card {
        let networks: [CardScheme: String] = [.visa: "Visa", .mastercard: "Mastercard", .unionPay: "UnionPay"]
        return .init(
            id: card.id, displayName: card.displayName, network: networks[card.network] ?? card.network.rawValue, suffix: card.suffix,
            cardholderName: card.cardholderName, status: card.status.rawValue, isSwitchedOn: card.isEnabled,
            tokenCount: tokens)
    }

    private static func allowed(_ row: AllowedDevice) -> ProvisioningOverview.AllowedDevice {
        .init(
            card: row.card, secureElement: row.secureElement, remark: row.remark.isEmpty ? nil : row.remark, addedBy: row.addedBy,
            addedAt: row.addedAt.microseconds)
    }

    private static func decision(_ row: StoredDecision, _ names: [String: String]) -> ProvisioningOverview.Decision {
        let wallet = row.inputs.recommendation
        func score(_ name: String, _ value: ProvisioningScore?) -> String? { value.map { "\(name) \($0.value)" } }
        let scores = [
            score("device", wallet.deviceScore), score("account", wallet.accountScore), score("phone number", wallet.phoneNumberScore),
        ]
        let reasons = wallet.reasons.map(\.rawValue) + row.inputs.otherReasons
        let parts = ["\(wallet.outcome.rawValue)"] + scores.compactMap(\.self) + (reasons.isEmpty ? [] : [reasons.joined(separator: " ")])
        return .init(
            card: row.card ?? "", cardName: row.card.map { names[$0] ?? $0 } ?? "no card of ours",
            device: device(row.inputs.device), colour: row.decision.colour.rawValue,
            answer: row.decision.outcome.rawValue, reasons: row.decision.reasons.map(\.rawValue),
            recommendation: "The wallet recommended " + parts.joined(separator: ", "), at: row.at.microseconds, attempt: row.attempt)
    }

    private static func token(_ token: StoredToken, pending: StoredAction?, told: String) -> ProvisioningCardView.Token {
        .init(
            reference: token.reference, device: token.device.map(device) ?? "A device", secureElement: token.device?.secureElement,
            deviceSuffix: token.deviceAccountSuffix, state: token.snapshot.state.rawValue,
            suspendedBy: token.snapshot.suspendedBy.sorted().map(\.rawValue), awaitsVerification: token.snapshot.state == .inactive,
            changedAt: token.changedAt.microseconds, pendingAction: pending?.name, eventsPath: told)
    }

    private static func stop(_ stop: FailedStop, _ names: [String: String]) -> ProvisioningOverview.Stop {
        let (action, token) = (stop.action, stop.token)
        return .init(
            id: action.id.description, card: action.card ?? "", cardName: action.card.map { names[$0] ?? $0 } ?? "no card of ours",
            tokenReference: action.token ?? "", device: token?.device.map(device) ?? "A device", action: action.name,
            outcome: action.outcome ?? "", isRefused: action.state == .refused, askedBy: action.actor, at: action.at.microseconds,
            tokenState: token?.snapshot.state.rawValue)
    }

    private static func event(_ event: StoredCardEvent) -> ProvisioningCardView.Event {
        .init(
            id: event.id, kind: event.kind.rawValue, effect: event.effect.rawValue, occurredAt: event.occurredAt.microseconds,
            takenAt: event.at.microseconds)
    }

    private static func call(_ action: StoredAction, in file: ProvisioningBackOffice.CardFile) -> ProvisioningCardView.NetworkCall {
        .init(
            id: action.id.description, action: action.name, network: action.network.rawValue, state: action.state.rawValue,
            outcome: action.outcome, askedAt: action.at.microseconds,
            attempts: (file.attempts[action.id] ?? []).map { attempt in
                .init(
                    number: String(attempt.number), status: attempt.status.map { String($0) } ?? "",
                    reply: String(decoding: attempt.reply, as: UTF8.self), note: attempt.note, reason: attempt.reason?.rawValue ?? "",
                    milliseconds: attempt.milliseconds, at: attempt.at.microseconds)
            }, next: file.nextAttempts[action.id]?.microseconds)
    }

    private static func message(_ message: StoredMessage) -> ProvisioningCardView.Message {
        .init(
            channel: message.channel, contact: message.contact, subject: message.subject, state: message.state.rawValue,
            at: message.at.microseconds)
    }
}
