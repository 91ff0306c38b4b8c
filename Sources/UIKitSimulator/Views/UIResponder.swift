public import Foundation

/// What can be asked to handle an event. Nothing is sent along the chain here; ``next`` can be read.
@MainActor
@preconcurrency
open class UIResponder: NSObject {
    public override init() { super.init() }

    /// Who is asked next: of a view its controller or its superview.
    open var next: UIResponder? { nil }
}
