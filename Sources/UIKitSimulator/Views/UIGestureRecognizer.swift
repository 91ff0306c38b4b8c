public import Foundation

/// Looks for a gesture on a view. The gesture is made by a test.
@MainActor
@preconcurrency
open class UIGestureRecognizer: NSObject {
    /// How far a gesture is.
    public enum State: Int, Sendable {
        case possible = 0
        case began, changed, ended, cancelled, failed

        public static let recognized = State.ended
    }

    open internal(set) weak var view: UIView?
    open internal(set) var state = State.possible
    open var isEnabled = true
    open var cancelsTouchesInView = true
    open weak var delegate: (any UIGestureRecognizerDelegate)?
    private var targets: [(object: () -> AnyObject?, selector: Selector)] = []

    public override convenience init() { self.init(target: nil, action: nil) }

    public init(target: Any?, action: Selector?) {
        super.init()
        if let target, let action { addTarget(target, action: action) }
    }

    /// Sends a selector at this gesture. The target is not kept alive; it takes the selector as a ``SelectorReceiver``.
    open func addTarget(_ target: Any, action: Selector) {
        let object = target as AnyObject
        targets.append(({ [weak object] in object }, action))
    }

    /// Sends a selector at this gesture no more. Nil means every target, or every selector.
    open func removeTarget(_ target: Any?, action: Selector?) {
        let object = target as AnyObject?
        targets.removeAll { (target == nil || $0.object() === object) && (action == nil || $0.selector == action) }
    }

    /// Where the finger is: in the middle of the view.
    open func location(in view: UIView?) -> CGPoint {
        let size = view?.bounds.size ?? .zero
        return CGPoint(x: size.width / 2, y: size.height / 2)
    }

    /// The customer's gesture. One on a view that can't be touched is not seen, nor one that the delegate does not want.
    ///
    /// - Returns: Whether it was seen.
    @discardableResult
    public func sendGesture() -> Bool {
        guard isEnabled, let view, view.canBeTouched, delegate?.gestureRecognizerShouldBegin(self) ?? true else { return false }
        state = .ended
        for target in targets { if let object = target.object() { Selector.send(target.selector, to: object, from: self) } }
        state = .possible
        return true
    }
}

/// Says which gestures are wanted. Every method may be left out.
@MainActor
@preconcurrency
public protocol UIGestureRecognizerDelegate: NSObjectProtocol {
    /// Called before a gesture is seen.
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool
}

extension UIGestureRecognizerDelegate {
    public func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }
}

/// Looks for a tap.
@MainActor
@preconcurrency
open class UITapGestureRecognizer: UIGestureRecognizer {
    open var numberOfTapsRequired = 1
    open var numberOfTouchesRequired = 1
}

/// Looks for a finger that stays.
@MainActor
@preconcurrency
open class UILongPressGestureRecognizer: UIGestureRecognizer {
    open var minimumPressDuration: TimeInterval = 0.5
}
