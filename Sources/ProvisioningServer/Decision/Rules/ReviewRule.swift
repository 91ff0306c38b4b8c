import ApplePay

/// What the fraud team holds or refused is not let in by asking again.
public struct ReviewRule: DecisionRule {
    public init() {}

    public func objections(to request: DecisionInputs) -> [DecisionObjection] {
        switch request.review {
        case .waiting: [.init(.orange, .reviewWaiting)]
        case .refused: [.init(.red, .reviewRefused)]
        case .approved, .expired, nil: []
        }
    }
}
