import ApplePay
import BillfoldStorage

extension ReviewRule: DecisionRule {
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
