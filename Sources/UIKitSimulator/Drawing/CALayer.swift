public import Foundation

/// Stands in for Core Graphics' class: a colour is its parts here.
public final class CGColor: Sendable, Hashable {
    let parts: [CGFloat]

    init(parts: [CGFloat]) { self.parts = parts }

    /// A colour of red, green, blue and opacity, each from 0 to 1.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) { self.init(parts: [red, green, blue, alpha]) }

    public static func == (one: CGColor, other: CGColor) -> Bool { one.parts == other.parts }

    public func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

/// Stands in for Core Animation's class: what an app sets of a view's corners, border and shadow. Nothing is drawn.
open class CALayer: NSObject {
    open var frame = CGRect.zero
    open var cornerRadius: CGFloat = 0
    open var maskedCorners: CACornerMask = [
        .layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMinXMaxYCorner, .layerMaxXMaxYCorner,
    ]
    open var masksToBounds = false
    open var borderWidth: CGFloat = 0
    open var borderColor: CGColor?
    open var backgroundColor: CGColor?
    open var shadowColor: CGColor?
    open var shadowOpacity: Float = 0
    open var shadowOffset = CGSize(width: 0, height: -3)
    open var shadowRadius: CGFloat = 3
    open var opacity: Float = 1
    open private(set) var sublayers: [CALayer]?

    public override init() { super.init() }

    open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }

    /// Adds a layer above the others.
    open func addSublayer(_ layer: CALayer) { insertSublayer(layer, at: UInt32(sublayers?.count ?? 0)) }

    /// Adds a layer at a place among the others, the lowest first.
    open func insertSublayer(_ layer: CALayer, at index: UInt32) {
        let before = sublayers ?? []
        sublayers = before
        sublayers?.insert(layer, at: min(Int(index), before.count))
    }
}

/// Which corners are round.
public struct CACornerMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let layerMinXMinYCorner = CACornerMask(rawValue: 1 << 0)
    public static let layerMaxXMinYCorner = CACornerMask(rawValue: 1 << 1)
    public static let layerMinXMaxYCorner = CACornerMask(rawValue: 1 << 2)
    public static let layerMaxXMaxYCorner = CACornerMask(rawValue: 1 << 3)
}
