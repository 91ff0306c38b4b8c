/// What the customer sees and does.
@MainActor
extension SimulatedScreen {
    /// The controller that takes the customer's taps: the last one that was presented, or the key window's root.
    public var topController: UIViewController? {
        var top = application.keyWindow?.rootViewController
        while let next = top?.presentedViewController { top = next }
        return top
    }

    /// The question on the screen, if any.
    public var alert: UIAlertController? { topController as? UIAlertController }

    /// Every view that the customer sees of `topController`, from the back to the front.
    public var visibleViews: [UIView] { topController?.seenViews ?? [] }

    /// The texts that the customer reads, alerts' and buttons' too. Bars are not among them.
    public var texts: [String] {
        if let alert { return [alert.title, alert.message].compactMap(\.self) + alert.actions.compactMap(\.title) }
        return visibleViews.flatMap(\.words)
    }

    /// The title in the bar above what the customer sees.
    public var barTitle: String? { barItem?.title }

    /// Taps what bears a text: an answer of the alert on the screen, a button, a row, a segment, a tab, or a view that looks for taps.
    ///
    /// - Parameter title: The whole text; of a button in a bar that the system names, its English name.
    /// - Returns: False where the customer sees nothing of that text that takes a tap.
    @discardableResult
    public func tap(_ title: String) -> Bool {
        if let alert { return alert.sendTap(on: title) }
        let views = visibleViews
        if let button = views.compactMap({ $0 as? UIButton }).last(where: { $0.currentTitle == title }) {
            guard button.isEnabled, button.canBeTouched else { return false }
            if button.menu == nil || !button.showsMenuAsPrimaryAction { button.sendTap() }
            return true
        }
        if let segments = views.compactMap({ $0 as? UISegmentedControl }).last(where: { $0.titles.contains(title) }) {
            return segments.sendTap(on: title)
        }
        let bars = views.compactMap { $0 as? UIToolbar }.flatMap { $0.items ?? [] }
        let items = (barItem?.rightBarButtonItems ?? []) + (barItem?.leftBarButtonItems ?? []) + bars
        if let item = items.first(where: { $0.name == title }) { return item.sendTap() }
        if let view = views.last(where: { $0.words.contains(title) }), tap(view) { return true }
        return tabs?.sendTap(on: title) ?? false
    }

    /// Types into the field of a placeholder, a label or an identifier, in an alert too.
    ///
    /// - Parameters:
    ///   - words: What is put in, at the end of what is there.
    ///   - field: Which field: its placeholder, or its accessibility's label or identifier.
    /// - Returns: False where the customer sees no such field, or it does not take the words.
    @discardableResult
    public func type(_ words: String, into field: String) -> Bool {
        for view in visibleViews.reversed() {
            let names = [(view as? UITextField)?.placeholder, view.accessibilityLabel, view.accessibilityIdentifier]
            guard names.contains(field) else { continue }
            if let line = view as? UITextField { return line.sendText(words) }
            if let lines = view as? UITextView { return lines.sendText(words) }
        }
        return false
    }

    /// Goes back in the stack that the customer sees, as by the button in its bar.
    ///
    /// - Returns: False where there is no way back, or the app hides it.
    @discardableResult
    public func goBack() -> Bool {
        guard let stack, !stack.isNavigationBarHidden, barItem?.hidesBackButton == false else { return false }
        return stack.popViewController(animated: true) != nil
    }

    /// Follows a view's row, item or gesture, as far out as one takes the tap.
    private func tap(_ view: UIView) -> Bool {
        var place: UIView? = view
        while let here = place {
            for gesture in here.gestureRecognizers ?? [] where gesture is UITapGestureRecognizer {
                if gesture.sendGesture() { return true }
            }
            if let cell = here as? UITableViewCell, let table = cell.superview as? UITableView, let path = table.indexPath(for: cell) {
                return table.sendTap(at: path)
            }
            if let cell = here as? UICollectionViewCell, let items = cell.superview as? UICollectionView,
                let path = items.indexPath(for: cell)
            {
                return items.sendTap(at: path)
            }
            place = here.superview
        }
        return false
    }

    private var tabs: UITabBarController? {
        topController as? UITabBarController ?? topController?.tabBarController
    }

    private var stack: UINavigationController? {
        (tabs?.selectedViewController ?? topController) as? UINavigationController
    }

    private var barItem: UINavigationItem? {
        stack.flatMap { $0.isNavigationBarHidden ? nil : $0.topViewController?.navigationItem }
    }
}

extension UIView {
    /// What the customer reads on this view alone.
    fileprivate var words: [String] {
        switch self {
        case let label as UILabel: [label.text].compactMap(\.self)
        case let button as UIButton: [button.currentTitle].compactMap(\.self)
        case let field as UITextField: [field.hasText ? (field.isSecureTextEntry ? nil : field.text) : field.placeholder].compactMap(\.self)
        case let lines as UITextView: lines.hasText ? [lines.text] : []
        case let segments as UISegmentedControl: segments.titles
        default: []
        }
    }
}

extension UIViewController {
    fileprivate var seenViews: [UIView] {
        let own = viewIfLoaded?.visibleTree ?? []
        let others = seenChildren.flatMap(\.seenViews).filter { view in !own.contains { $0 === view } }
        return own + others
    }
}
