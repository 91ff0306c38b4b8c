public import Foundation

/// What surrounds a view or a controller: here whether it is light or dark, on a telephone held upright.
open class UITraitCollection: NSObject, @unchecked Sendable {
    // Safe: nothing is written after the initializer.
    public let userInterfaceStyle: UIUserInterfaceStyle

    public init(userInterfaceStyle: UIUserInterfaceStyle) {
        self.userInterfaceStyle = userInterfaceStyle
        super.init()
    }

    open var horizontalSizeClass: UIUserInterfaceSizeClass { .compact }
    open var verticalSizeClass: UIUserInterfaceSizeClass { .regular }
    open var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
    /// Whether a colour looks other here than in other surroundings.
    open func hasDifferentColorAppearance(comparedTo traitCollection: UITraitCollection?) -> Bool {
        userInterfaceStyle != traitCollection?.userInterfaceStyle
    }

    open var displayScale: CGFloat { 3 }
}

/// Whether there is little room or much.
public enum UIUserInterfaceSizeClass: Int, Sendable {
    case unspecified = 0
    case compact, regular
}
