import ApplePay
import BillfoldStorage

/// What the fraud team holds or refused is not let in by asking again: networks name each attempt anew, so a card's other tokens count.
///
/// While a review of the card waits, every request for the card is for a person to look at. A refusal is final in its secure element,
/// and another secure element of the card takes a person: a stranger's attempt must not lock the cardholder's own phone out. A review
/// whose token went before anybody decided, as when the customer removed the pass, counts as if it waited. How long the last two count
/// is the bank's own choice [I].
package struct ReviewRule: DecisionRule {
    /// How long a refusal, or a review that nobody decided, counts for the card. 0 makes each count for its own token alone.
    package var days: Int

    package init(days: Int = usualDays) { self.days = days }

    package static let usualDays = 30

    package func objections(to request: DecisionInputs) -> [DecisionObjection] {
        let begin = request.at.advanced(by: .seconds(-86_400 * Int64(days)))
        return objections(to: request.review)
            + (request.otherReviews ?? []).flatMap { $0.state == .waiting || $0.at > begin ? objections(to: $0) : [] }
    }

    private func objections(to own: StoredReview.State?) -> [DecisionObjection] {
        switch own {
        case .waiting: [.init(.orange, .reviewWaiting)]
        case .refused: [.init(.red, .reviewRefused)]
        case .approved, .expired, nil: []
        }
    }

    private func objections(to other: DecisionInputs.OtherReview) -> [DecisionObjection] {
        switch other.state {
        case .waiting: [.init(.orange, .reviewWaiting)]
        case .refused: [.init(other.isSameDevice ? .red : .orange, .reviewRefused)]
        case .expired: [.init(.orange, .reviewUndecided)]
        case .approved: []
        }
    }
}
