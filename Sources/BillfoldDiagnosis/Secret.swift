/// A value that cannot print itself: not through interpolation, `dump`, `Mirror`, nor an encoder.
///
/// The description is a constant. It gives away neither a first letter nor a length.
public struct Secret<Value: Sendable>: Sendable {
    private let value: Value

    public init(_ value: Value) { self.value = value }

    /// Hands out the value. Every call site is a place where a secret can leak: search for `reveal(` to audit them.
    public func reveal() -> Value { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "‹secret›" }
    public var debugDescription: String { "‹secret›" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
