public import Foundation

/// A colour by its parts, so that an app's file compiles. A system's colour is the one of its light style.
open class UIColor: NSObject, @unchecked Sendable {
    // Safe: nothing is written after the initializer.
    private let parts: [CGFloat]

    /// A colour of red, green, blue and opacity, each from 0 to 1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        parts = [red, green, blue, alpha]
        super.init()
    }

    /// A grey from 0, black, to 1, white.
    public convenience init(white: CGFloat, alpha: CGFloat) { self.init(red: white, green: white, blue: white, alpha: alpha) }

    public static let black = UIColor(white: 0, alpha: 1)
    public static let white = UIColor(white: 1, alpha: 1)
    public static let clear = UIColor(white: 0, alpha: 0)
    public static let gray = UIColor(white: 0.5, alpha: 1)
    public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
    public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
    public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
    public static let label = UIColor(white: 0, alpha: 1)
    public static let systemBackground = UIColor(white: 1, alpha: 1)
    public static let systemBlue = UIColor(red: 0, green: 0.5, blue: 1, alpha: 1)
    public static let systemRed = UIColor(red: 1, green: 0.25, blue: 0.25, alpha: 1)
    public static let systemGreen = UIColor(red: 0.25, green: 0.75, blue: 0.25, alpha: 1)

    /// The same colour with another opacity.
    open func withAlphaComponent(_ alpha: CGFloat) -> UIColor { UIColor(red: parts[0], green: parts[1], blue: parts[2], alpha: alpha) }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UIColor)?.parts == parts }

    open override var hash: Int { parts.hashValue }
}
