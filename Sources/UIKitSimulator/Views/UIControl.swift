public import Foundation

/// A view that sends events: to closures, and to targets by selectors.
@MainActor
@preconcurrency
open class UIControl: UIView {
    /// What happened to a control.
    public struct Event: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let touchDown = Event(rawValue: 1 << 0)
        public static let touchUpInside = Event(rawValue: 1 << 6)
        public static let touchUpOutside = Event(rawValue: 1 << 7)
        public static let touchCancel = Event(rawValue: 1 << 8)
        public static let valueChanged = Event(rawValue: 1 << 12)
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
        public static let editingDidBegin = Event(rawValue: 1 << 16)
        public static let editingChanged = Event(rawValue: 1 << 17)
        public static let editingDidEnd = Event(rawValue: 1 << 18)
        public static let editingDidEndOnExit = Event(rawValue: 1 << 19)
        public static let allEditingEvents = Event(rawValue: 0x000F_0000)
        public static let allTouchEvents = Event(rawValue: 0xFFF)
        public static let allEvents = Event(rawValue: 0xFFFF_FFFF)
    }

    /// How a control is drawn.
    public struct State: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let normal: State = []
        public static let highlighted = State(rawValue: 1 << 0)
        public static let disabled = State(rawValue: 1 << 1)
        public static let selected = State(rawValue: 1 << 2)
    }

    /// Where a control's content stands in it. Nothing is laid out here.
    public enum ContentHorizontalAlignment: Int, Sendable {
        case center = 0
        case left, right, fill, leading, trailing
    }

    /// Where a control's content stands in it. Nothing is laid out here.
    public enum ContentVerticalAlignment: Int, Sendable {
        case center = 0
        case top, bottom, fill
    }

    private struct Target {
        weak var object: AnyObject?
        var selector: Selector
        var events: Event
    }

    open var isEnabled = true { didSet { observers.tell() } }
    open var isSelected = false { didSet { observers.tell() } }
    open var isHighlighted = false { didSet { observers.tell() } }
    open var contentHorizontalAlignment = ContentHorizontalAlignment.center
    open var contentVerticalAlignment = ContentVerticalAlignment.center
    private var actions: [(action: UIAction, events: Event)] = []
    private var targets: [Target] = []

    public override init(frame: CGRect) { super.init(frame: frame) }

    /// Makes a control with an action for its primary event.
    public convenience init(frame: CGRect, primaryAction: UIAction?) {
        self.init(frame: frame)
        if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    open var state: State {
        var state = State.normal
        if isHighlighted { state.insert(.highlighted) }
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        return state
    }

    /// Calls the action's closure at these events. An action of the same identifier is replaced.
    open func addAction(_ action: UIAction, for controlEvents: Event) {
        actions.removeAll { $0.action.identifier == action.identifier && $0.events == controlEvents }
        actions.append((action, controlEvents))
    }

    /// Calls the action's closure at these events no more.
    open func removeAction(_ action: UIAction, for controlEvents: Event) {
        actions.removeAll { $0.action.identifier == action.identifier && !$0.events.isDisjoint(with: controlEvents) }
    }

    /// Sends a selector at these events. The target is not kept alive; it takes the selector as a ``SelectorReceiver``.
    open func addTarget(_ target: Any?, action: Selector, for controlEvents: Event) {
        targets.append(Target(object: target as AnyObject?, selector: action, events: controlEvents))
    }

    /// Sends a selector at these events no more. Nil means every target, or every selector.
    open func removeTarget(_ target: Any?, action: Selector?, for controlEvents: Event) {
        let object = target as AnyObject?
        targets.removeAll {
            (target == nil || $0.object === object) && (action == nil || $0.selector == action)
                && !$0.events.isDisjoint(with: controlEvents)
        }
    }

    open var allTargets: Set<AnyHashable> { Set(targets.compactMap { $0.object as? NSObject }) }

    /// Does what was added for the events, in the order in which it was added, closures first.
    open func sendActions(for controlEvents: Event) {
        for (action, events) in actions where !events.isDisjoint(with: controlEvents) { action.perform(sender: self) }
        for target in targets where !target.events.isDisjoint(with: controlEvents) {
            if let object = target.object { Selector.send(target.selector, to: object, from: self) }
        }
    }

    /// The customer's finger. A control that is hidden, see-through or disabled, or lies in such a view, does not hear it.
    open func sendTap() {
        guard isEnabled, canBeTouched else { return }
        sendActions(for: [.touchDown])
        sendActions(for: [.touchUpInside, .primaryActionTriggered])
    }
}
