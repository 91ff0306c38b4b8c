package import BillfoldStorage

/// Somebody who may sign in at the console, or once might.
package struct OperatorAccount: Sendable, Hashable {
    package var name: String
    package var roles: Set<OperatorRole>
    package var createdAt: Timestamp
    /// Nil for whoever can sign in.
    package var disabledAt: Timestamp?
}
