public import Foundation

/// What the customer can do with a row by a swipe.
@MainActor
@preconcurrency
open class UIContextualAction: NSObject {
    /// How it is drawn.
    public enum Style: Int, Sendable {
        case normal = 0
        case destructive
    }

    /// Does it, and says whether it was done.
    public typealias Handler = (UIContextualAction, UIView, @escaping (Bool) -> Void) -> Void

    public let style: Style
    public let title: String?
    open var image: UIImage?
    open var backgroundColor: UIColor!
    private let handler: Handler

    public init(style: Style, title: String?, handler: @escaping Handler) {
        self.style = style
        self.title = title
        self.handler = handler
        super.init()
    }

    func perform(on view: UIView) { handler(self, view) { _ in } }
}

/// The actions of a swipe.
@MainActor
@preconcurrency
open class UISwipeActionsConfiguration: NSObject {
    public let actions: [UIContextualAction]
    open var performsFirstActionWithFullSwipe = true

    public init(actions: [UIContextualAction]) {
        self.actions = actions
        super.init()
    }
}
