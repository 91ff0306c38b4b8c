import ApplePay
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes

/// What a bank's operators see and do of tokens. Every action names whoever acts and leaves a row in the trail.
///
/// It works on the same store as the server, so it may run in another process.
package struct ProvisioningBackOffice: Sendable {
    let context: TokenContext

    private var lifeCycle: LifeCycleService { LifeCycleService(context: context) }

    /// One card with everything that happened to it, read in one transaction.
    package struct CardFile: Sendable {
        package var card: StoredCard
        /// Newest first, deleted ones included.
        package var tokens: [StoredToken]
        package var reviews: [StoredReview]
        package var allowList: [AllowedDevice]
        /// Newest first.
        package var decisions: [StoredDecision]
        /// Newest first.
        package var actions: [StoredAction]
        /// What came of each time that a network was asked, by the action's id.
        var attempts: [TimeOrderedID: [DeliveryRecords.Attempt]] = [:]
        /// When a network is asked next, by the action's id.
        var nextAttempts: [TimeOrderedID: Timestamp] = [:]
        /// Newest first.
        package var messages: [StoredMessage]
        /// What the bank's own systems reported, newest first.
        package var events: [StoredCardEvent]

        /// What is asked of the network about a token and not answered.
        package func pending(_ token: StoredToken) -> StoredAction? {
            actions.last { $0.token == token.reference && $0.state == .waiting }
        }
    }

    // MARK: Reading

    /// Of so many of a card's latest actions the attempts are shown.
    static let mostDelivered = 20

    /// `nil` when there is no such card.
    package func file(card id: String) async throws -> CardFile? {
        try await context.database.read { tx in
            guard let card = try CardRecords.find(id, in: tx) else { return nil }
            let actions = try ActionRecords.list(card: id, in: tx)
            var (attempts, next): ([TimeOrderedID: [DeliveryRecords.Attempt]], [TimeOrderedID: Timestamp]) = ([:], [:])
            for action in actions.prefix(Self.mostDelivered) {
                attempts[action.id] = try ActionRecords.deliveries.attempts(of: action.id, owner: context.host.configuration.issuer, in: tx)
                next[action.id] = try OutboxRecords.standing(of: action.id, merchant: context.host.configuration.issuer, in: tx)?
                    .nextAttempt
            }
            return CardFile(
                card: card, tokens: try TokenRecords.list(card: id, in: tx), reviews: try ReviewRecords.list(card: id, in: tx),
                allowList: try AllowListRecords.list(card: id, in: tx), decisions: try DecisionRecords.list(card: id, limit: 200, in: tx),
                actions: actions, attempts: attempts, nextAttempts: next, messages: try MessageRecords.list(card: id, in: tx),
                events: try CardEventRecords.list(card: id, limit: 200, in: tx))
        }
    }

    package func token(_ reference: String) async throws -> StoredToken? {
        try await context.database.lookup { tx in try TokenRecords.find(reference, in: tx) }
    }

    /// How many tokens that are not deleted stand for each card.
    package func tokenCounts() async throws -> [String: Int] { try await context.database.read { try TokenRecords.counts(in: $0) } }

    /// Those that wait, oldest first, then the others, newest first.
    package func reviews(limit: Int = 200) async throws -> [StoredReview] {
        try await context.database.read { try ReviewRecords.list(limit: limit, in: $0) }
    }

    package func decision(of review: StoredReview) async throws -> StoredDecision? {
        try await context.database.lookup { try DecisionRecords.find(network: review.network, requestID: review.requestID, in: $0) }
    }

    /// Newest first.
    package func decisions(limit: Int = 200) async throws -> [StoredDecision] {
        try await context.database.read { try DecisionRecords.list(limit: limit, in: $0) }
    }

    package func allowList() async throws -> [AllowedDevice] { try await context.database.read { try AllowListRecords.list(in: $0) } }

    /// Devices that were reported lost and not found again, the latest first.
    package func lostDevices(limit: Int = 200) async throws -> [LostDevice] {
        try await context.database.read { try LostDeviceRecords.list(limit: limit, in: $0) }
    }

    /// What our books and the networks' say differently. Throws `network-unavailable` where one cannot be asked.
    package func differences() async throws -> [TokenDifference] { try await lifeCycle.differences() }

    /// Stops that networks did not make and that a person has still to deal with, newest first.
    package func failedStops(limit: Int = 200) async throws -> [FailedStop] { try await lifeCycle.failedStops(limit: limit) }

    // MARK: Acting

    /// Ends a failed stop's alarm, or asks the network for the stop once more. Returns false when there is no such alarm.
    package func resolve(stop id: String, retries: Bool, remark: String, by person: String) async throws -> Bool {
        guard let id = try? TimeOrderedID(text: id) else { return false }
        return try await lifeCycle.resolve(id, retries: retries, remark: remark, by: person) != nil
    }

    /// Has the network do something to a token. Returns false when there is no such token.
    ///
    /// - Throws: `ServerError` `conflict` where the token is so already, or deleted, for every activation, and for a resumption while a review waits.
    package func act(
        _ action: ProvisioningAction, on token: String, reason: ProvisioningActionReason, by person: String
    ) async throws -> Bool {
        switch try await lifeCycle.act(action, on: token, because: reason, by: person) {
        case nil: return false
        case .asked: return true
        case .obstacle(let obstacle): throw obstacle.refusal
        }
    }

    /// Reports what happened to a card. ``CardEvent/replaced`` asks the processor for the card's new number first. Returns how many actions that asked for, or `nil` when there is no such card.
    package func report(_ event: CardEvent, of card: String, remark: String, by person: String) async throws -> Int? {
        try await lifeCycle.report(event, of: card, by: person, remark: remark)
    }

    /// Suspends the tokens in one device and no other, and deletes those whose customer was never verified. Returns how many. From now on
    /// the device takes no new token, whether it holds one or not.
    ///
    /// - Throws: `malformed-request` for what is no secure element.
    package func reportLost(secureElement text: String, by person: String) async throws -> Int {
        try await lifeCycle.reportLost(secureElement: Self.secureElement(text), by: person)
    }

    /// Lets a device that was reported lost take tokens again. Those that were suspended with the loss are resumed one by one. Returns false
    /// when it does not count as lost.
    ///
    /// - Throws: `malformed-request` for what is no secure element.
    package func reportFound(secureElement text: String, remark: String, by person: String) async throws -> Bool {
        try await lifeCycle.reportFound(secureElement: Self.secureElement(text), remark: remark, by: person)
    }

    /// Lists or unlists a card and a secure element; doing so twice is doing so once. Returns false when there is no such card.
    package func allow(_ isAllowed: Bool, card: String, secureElement text: String, remark: String, by person: String) async throws -> Bool
    {
        try await AllowList(context: context).set(
            isAllowed, card: card, secureElement: try Self.secureElement(text), remark: remark, by: person)
    }

    private static func secureElement(_ text: String) throws(ProvisioningError) -> String {
        guard let secureElement = DecisionInputs.Device.secureElement(text) else {
            throw RequestReader.malformed("secureElement", "is not 48 hexadecimal digits")
        }
        return secureElement
    }
}
