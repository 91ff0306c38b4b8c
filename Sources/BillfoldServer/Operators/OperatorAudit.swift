package import BillfoldStorage

/// What an operator did, as the audit trail keeps it.
package struct OperatorAction: Sendable, Hashable {
    package var at: Timestamp
    /// The operator's name, or the name that was tried at a sign-in.
    package var actor: String
    /// For example `sign-in`, `approval.request`, `story.view`.
    package var action: String
    /// What it was done to.
    package var object: String
    /// `done` or `refused`, and why.
    package var result: String

    package init(at: Timestamp, actor: String, action: String, object: String, result: String) {
        self.at = at
        self.actor = actor
        self.action = action
        self.object = object
        self.result = result
    }
}

/// Appends operator actions to a trail in the transaction that does them: what is not recorded is not done.
package protocol OperatorAudit: Sendable {
    func append(_ action: OperatorAction, in transaction: any Transaction) throws
}
