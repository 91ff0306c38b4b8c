public import Foundation

/// One thing that must hold of a path. Rules do not depend on each other: a report runs them all.
public protocol ChainRule: Sendable {
    /// What a breach of this rule is called.
    var code: ChainRuleCode { get }

    /// Every breach, and none when the rule holds. `instant` is when the signature is said to have been made.
    func failures(in path: CertificatePath, at instant: Date) -> [ChainFailure]
}
