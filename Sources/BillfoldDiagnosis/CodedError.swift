/// An error that says what was refused: in a stable code for programs, and in a sentence for people.
///
/// Errors with codes of ours are of this kind. A caller that knows the type compares its codes; one that only reports reads ``code`` and
/// ``reason`` of `any CodedError`.
public protocol CodedError: Error, Sendable, CustomStringConvertible {
    /// Its description is the code as it is written: words in lower case with hyphens, or the other party's own code.
    associatedtype Code: Sendable, CustomStringConvertible

    /// A stable code; new ones are added without breaking callers, none is renamed or reused.
    var code: Code { get }
    /// Why, for people; holds no secret.
    var reason: String { get }
    /// Whether nothing that the caller changes helps: this software or its installation is at fault.
    var isDefect: Bool { get }
}

extension CodedError {
    public var isDefect: Bool { false }
    public var description: String { "\(code): \(reason)" }
}
