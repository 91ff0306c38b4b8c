/// Takes one of the wallet's scores as a vote: 1 is the worst, 5 the best. A score that is not told says nothing.
public struct ScoreRule: Sendable {
    package enum Score: String, Sendable, Hashable, CaseIterable {
        case account, device, phoneNumber
    }

    /// The scores from which downwards the rule votes.
    public struct Thresholds: Sendable, Hashable {
        package var red: Int
        package var yellow: Int

        /// - Parameters:
        ///   - red: Refused at this score and below; 0 never refuses.
        ///   - yellow: Verified at this score and below; 0 never asks.
        public init(red: Int, yellow: Int) {
            self.red = red
            self.yellow = yellow
        }
    }

    package var score: Score
    package var thresholds: Thresholds

    package init(_ score: Score, _ thresholds: Thresholds) {
        self.score = score
        self.thresholds = thresholds
    }
}
