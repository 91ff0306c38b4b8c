/// What an operator may do. An operator holds any number of roles; none includes another.
package enum OperatorRole: String, Sendable, Hashable, Codable, CaseIterable {
    /// Sees orders, payments and stories.
    case viewer
    /// Asks for refunds, cancellations and other actions on payments.
    case `operator`
    /// Approves what somebody else asked for.
    case approver
    /// Manages operators and keys, and reads the audit trail.
    case administrator
}
