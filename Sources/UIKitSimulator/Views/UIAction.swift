public import Foundation

/// What a control or a menu does, as a closure.
public typealias UIActionHandler = (UIAction) -> Void

/// An action with its closure, for `addAction(_:for:)` and for buttons.
@MainActor
@preconcurrency
open class UIAction: NSObject {
    /// Names an action: of two with one identifier a control keeps the later.
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    open var title: String
    public var identifier: Identifier { given ?? Identifier("\(ObjectIdentifier(self))") }
    /// What sent it: the control.
    open private(set) var sender: Any?
    private let given: Identifier?
    private let handler: UIActionHandler

    public init(title: String = "", identifier: Identifier? = nil, handler: @escaping UIActionHandler) {
        self.title = title
        given = identifier
        self.handler = handler
        super.init()
    }

    func perform(sender: Any?) {
        self.sender = sender
        handler(self)
        self.sender = nil
    }
}
