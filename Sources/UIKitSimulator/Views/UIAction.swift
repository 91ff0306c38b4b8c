public import Foundation

/// What a control or a menu does, as a closure.
public typealias UIActionHandler = (UIAction) -> Void

/// A line of a menu, or a menu in it.
@MainActor
@preconcurrency
open class UIMenuElement: NSObject {
    /// Whether a line is marked.
    public enum State: Int, Sendable {
        case off = 0
        case on, mixed
    }

    /// How a line is drawn, and whether it can be tapped.
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let disabled = Attributes(rawValue: 1 << 0)
        public static let destructive = Attributes(rawValue: 1 << 1)
        public static let hidden = Attributes(rawValue: 1 << 2)
    }

    fileprivate(set) var words: String
    public let image: UIImage?

    fileprivate init(_ title: String, _ image: UIImage?) {
        words = title
        self.image = image
        super.init()
    }
}

/// An action with its closure, for `addAction(_:for:)`, for buttons and for menus.
@MainActor
@preconcurrency
open class UIAction: UIMenuElement {
    /// Names an action: of two with one identifier a control keeps the later.
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    open var title: String {
        get { words }
        set { words = newValue }
    }
    public var identifier: Identifier { given ?? Identifier("\(ObjectIdentifier(self))") }
    /// What sent it: the control.
    open private(set) var sender: Any?
    open var attributes: Attributes
    open var state: State
    private let given: Identifier?
    private let handler: UIActionHandler

    public init(
        title: String = "", image: UIImage? = nil, identifier: Identifier? = nil, discoverabilityTitle: String? = nil,
        attributes: Attributes = [], state: State = .off, handler: @escaping UIActionHandler
    ) {
        given = identifier
        self.attributes = attributes
        self.state = state
        self.handler = handler
        super.init(title, image)
    }

    func perform(sender: Any?) {
        self.sender = sender
        handler(self)
        self.sender = nil
    }
}

/// Lines to choose from.
@MainActor
@preconcurrency
open class UIMenu: UIMenuElement {
    /// How it is drawn.
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let displayInline = Options(rawValue: 1 << 0)
        public static let destructive = Options(rawValue: 1 << 1)
        public static let singleSelection = Options(rawValue: 1 << 5)
    }

    public let children: [UIMenuElement]

    public init(title: String = "", image: UIImage? = nil, options: Options = [], children: [UIMenuElement] = []) {
        self.children = children
        super.init(title, image)
    }

    public var title: String { words }
}
