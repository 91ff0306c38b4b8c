import ApplePay
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes

/// The fraud team's decisions on orange requests. Two persons take part: one asks for the outcome, another agrees.
struct ReviewService: Sendable {
    let context: TokenContext

    private var queue: ActionQueue { ActionQueue(context: context) }

    /// Ends a review, and has the network activate or delete the token. Run again under the same approval it says what it said before.
    ///
    /// - Returns: One line on what came of it.
    /// - Throws: `ServerError` `not-found`, or `conflict` when the review was ended otherwise, or when the token cannot be let in any more:
    ///   then the review goes on.
    func conclude(
        _ id: TimeOrderedID, approve isApproved: Bool, remark: String, requestedBy: String, decidedBy: String, approval: String
    ) async throws -> String {
        let now = context.now()
        let state: StoredReview.State = isApproved ? .approved : .refused
        return try await context.database.writeRepeatably { tx in
            guard let review = try ReviewRecords.find(id, in: tx),
                let decision = try DecisionRecords.find(network: review.network, requestID: review.requestID, in: tx)
            else { throw ServerError(code: .notFound, reason: "there is no such review", status: .notFound) }
            // Before anything is looked at: what the network tells meanwhile sees the review as it will be.
            let expected = try queue.expected(of: review.token, in: tx)
            if isApproved, review.state == .waiting { try requireReleasable(review, decision, in: tx) }
            let line = "the token is being \(isApproved ? "activated" : "deleted")"
            let isMoved = try ReviewRecords.conclude(
                id, state, by: "\(requestedBy), \(decidedBy)", remark: remark, approval: approval, at: now, in: tx)
            guard isMoved else {
                if review.approval == approval { return line }
                throw ServerError(code: .conflict, reason: "the review is \(review.state.rawValue) already", status: .conflict)
            }
            if let action = try isApproved ? Self.release(expected) : Self.refusal(expected) {
                let answer = try queue.ask(
                    action, on: ActionTarget(decision), because: isApproved ? .cleared : .fraud, by: decidedBy, at: now, in: tx)
                if case .obstacle(let obstacle) = answer { throw obstacle.refusal }
            }
            var concluded = review
            concluded.state = state
            try context.events.changed(concluded, at: now, in: tx)
            try context.audit("review.\(state.rawValue)", on: "token \(review.token)", by: decidedBy, because: remark, at: now, in: tx)
            return line
        }
    }

    /// What an approval asks of the network; `nil` where the token can be paid with as far as the bank is concerned.
    ///
    /// It lifts the bank's own suspension of a token that became active before its review ended: nobody else can, and card, switches and
    /// device have been looked at.
    private static func release(_ expected: TokenSnapshot) throws -> ProvisioningAction? {
        switch expected.state {
        case .inactive: return .activate
        case .deleted: throw ActionObstacle.tokenDeleted.refusal
        case .active, .suspended: return expected.suspendedBy.contains(.issuer) ? .resume : nil
        }
    }

    /// What a refusal asks of the network; `nil` where the token is being deleted already, which is what was wanted.
    private static func refusal(_ expected: TokenSnapshot) -> ProvisioningAction? { expected.state == .deleted ? nil : .delete }

    /// Refuses what may not be let in any more, whoever approves it.
    private func requireReleasable(_ review: StoredReview, _ decision: StoredDecision, in tx: any Transaction) throws {
        func refuse(_ reason: String) -> ServerError { ServerError(code: .conflict, reason: reason, status: .conflict) }
        guard let card = try CardRecords.find(review.card, in: tx), card.status == .active else { throw refuse("the card is not active") }
        guard try card.isSwitchedOn(in: tx) else { throw refuse("the card or its programme is switched off") }
        guard try DecisionRecords.find(token: review.token, in: tx)?.decision.colour != .red else {
            throw refuse("a later request about the token was refused")
        }
        guard try LostDeviceRecords.find(decision.inputs.device.secureElement, in: tx) == nil else { throw refuse("the device is lost") }
    }
}
