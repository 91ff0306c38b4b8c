/// What every rule says of a chain. All rules are run; none stops another.
public struct ChainReport: Sendable {
    /// One rule, with every breach of it.
    public struct Row: Sendable {
        public var code: ChainRuleCode
        public var failures: [ChainFailure]
        public var holds: Bool { failures.isEmpty }
    }

    /// The chain that was judged.
    public let path: CertificatePath
    /// One row for each rule, in the rules' order.
    public let rows: [Row]

    /// Every rule holds. A report without rules accepts nothing.
    public var isAccepted: Bool { !rows.isEmpty && rows.allSatisfy(\.holds) }

    public var failures: [ChainFailure] { rows.flatMap(\.failures) }

    /// Codes of the rules that do not hold, in the rules' order.
    public var failedCodes: [ChainRuleCode] { rows.filter { !$0.holds }.map(\.code) }
}
