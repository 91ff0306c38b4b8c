public import Foundation

/// What an app wants of a layout. Nothing is laid out here; a test can read what was wanted.
@MainActor
@preconcurrency
open class NSLayoutConstraint: NSObject {
    open var constant: CGFloat
    open var isActive = false

    init(constant: CGFloat) {
        self.constant = constant
        super.init()
    }

    /// Makes constraints count.
    open class func activate(_ constraints: [NSLayoutConstraint]) { for each in constraints { each.isActive = true } }

    /// Makes constraints count no more.
    open class func deactivate(_ constraints: [NSLayoutConstraint]) { for each in constraints { each.isActive = false } }
}

/// An edge or a middle of a view, for constraints to others of its kind.
@MainActor
@preconcurrency
open class NSLayoutAnchor<AnchorType>: NSObject {
    /// Wants this to lie where another lies.
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat = 0) -> NSLayoutConstraint {
        NSLayoutConstraint(constant: c)
    }

    /// Wants this to lie where another lies, or further on.
    open func constraint(greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat = 0) -> NSLayoutConstraint {
        NSLayoutConstraint(constant: c)
    }

    /// Wants this to lie where another lies, or before.
    open func constraint(lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat = 0) -> NSLayoutConstraint {
        NSLayoutConstraint(constant: c)
    }
}

/// A left or right edge, or the middle between them.
public final class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}

/// An upper or lower edge, or the middle between them.
public final class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}

/// A width or a height.
public final class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
    /// Wants this many points.
    public func constraint(equalToConstant c: CGFloat) -> NSLayoutConstraint { NSLayoutConstraint(constant: c) }

    /// Wants at least this many points.
    public func constraint(greaterThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint { NSLayoutConstraint(constant: c) }
}

/// A part of a view that constraints can refer to.
@MainActor
@preconcurrency
open class UILayoutGuide: NSObject {
    public let topAnchor = NSLayoutYAxisAnchor()
    public let bottomAnchor = NSLayoutYAxisAnchor()
    public let leadingAnchor = NSLayoutXAxisAnchor()
    public let trailingAnchor = NSLayoutXAxisAnchor()
    public let centerXAnchor = NSLayoutXAxisAnchor()
    public let centerYAnchor = NSLayoutYAxisAnchor()
    public let widthAnchor = NSLayoutDimension()
    public let heightAnchor = NSLayoutDimension()

    public override init() { super.init() }
}
