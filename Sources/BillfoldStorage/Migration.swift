/// One additive step of a component's schema.
///
/// In `statements` the word `$BLOB` stands for the engine's byte-string type; everything else is portable SQL.
public struct Migration: Sendable, Hashable {
    /// Never changed once released: `payments-0001-orders`.
    public var name: String
    public var statements: [String]

    public init(_ name: String, _ statements: [String]) {
        self.name = name
        self.statements = statements
    }
}
