/// Whether a server may be made to lie about time and counterparties.
public enum ServerMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// The movable clock, fault switches, sandbox parties and test anchors exist; production keys are refused.
    case test
    case production
}
