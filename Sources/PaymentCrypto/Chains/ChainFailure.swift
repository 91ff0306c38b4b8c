/// One rule that one certificate of a path breaks.
public struct ChainFailure: Sendable, Hashable, CustomStringConvertible {
    /// Where in the path the rule is broken.
    public enum Position: Sendable, Hashable {
        case leaf
        /// Counted from the leaf: 1 is the leaf's issuer.
        case intermediate(Int)
        case anchor
        /// The path as a whole.
        case path
    }

    /// The rule's code.
    public var code: ChainRuleCode
    public var position: Position
    public var reason: String

    public init(code: ChainRuleCode, position: Position, reason: String) {
        self.code = code
        self.position = position
        self.reason = reason
    }

    public var description: String { "\(code) (\(position)): \(reason)" }
}
