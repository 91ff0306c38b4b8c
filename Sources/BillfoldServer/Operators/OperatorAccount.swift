public import BillfoldStorage

/// Somebody who may sign in at the console, or once might.
public struct OperatorAccount: Sendable, Hashable {
    public var name: String
    public var roles: Set<OperatorRole>
    public var createdAt: Timestamp
    /// Nil for whoever can sign in.
    public var disabledAt: Timestamp?
}
