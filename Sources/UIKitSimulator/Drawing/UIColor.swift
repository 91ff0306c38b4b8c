public import Foundation

/// A colour by its parts, so that an app's file compiles. A system's colour is the one of its light style.
open class UIColor: NSObject, @unchecked Sendable {
    // Safe: nothing is written after the initializer.
    private let parts: [CGFloat]
    private let provider: ((UITraitCollection) -> UIColor)?

    private init(parts: [CGFloat], provider: ((UITraitCollection) -> UIColor)? = nil) {
        self.parts = parts
        self.provider = provider
        super.init()
    }

    /// A colour of red, green, blue and opacity, each from 0 to 1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        parts = [red, green, blue, alpha]
        provider = nil
        super.init()
    }

    /// A grey from 0, black, to 1, white.
    public convenience init(white: CGFloat, alpha: CGFloat) { self.init(red: white, green: white, blue: white, alpha: alpha) }

    /// A colour of the screen. Until it is resolved it has the parts that it has where the device is light.
    public convenience init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) {
        self.init(parts: dynamicProvider(UITraitCollection(userInterfaceStyle: .light)).parts, provider: dynamicProvider)
    }

    /// A colour of the app's assets, of which nothing is known here but whether it is there: a grey.
    public convenience init?(named name: String) {
        guard SimulatedScreen.current.hasAsset(name) else { return nil }
        self.init(white: 0.5, alpha: 1)
    }

    /// A colour as Core Graphics keeps it.
    public convenience init(cgColor: CGColor) { self.init(parts: cgColor.parts) }

    public static let black = UIColor(white: 0, alpha: 1)
    public static let white = UIColor(white: 1, alpha: 1)
    public static let clear = UIColor(white: 0, alpha: 0)
    public static let gray = UIColor(white: 0.5, alpha: 1)
    public static let darkGray = UIColor(white: 0.33, alpha: 1)
    public static let lightGray = UIColor(white: 0.67, alpha: 1)
    public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
    public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
    public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
    public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
    public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    public static let purple = UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1)
    public static let brown = UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)
    public static let label = UIColor(white: 0, alpha: 1)
    public static let secondaryLabel = UIColor(white: 0.25, alpha: 0.6)
    public static let tertiaryLabel = UIColor(white: 0.25, alpha: 0.3)
    public static let placeholderText = UIColor(white: 0.25, alpha: 0.3)
    public static let link = UIColor(red: 0, green: 0.5, blue: 1, alpha: 1)
    public static let separator = UIColor(white: 0.25, alpha: 0.3)
    public static let systemBackground = UIColor(white: 1, alpha: 1)
    public static let secondarySystemBackground = UIColor(white: 0.95, alpha: 1)
    public static let tertiarySystemBackground = UIColor(white: 1, alpha: 1)
    public static let systemGroupedBackground = UIColor(white: 0.95, alpha: 1)
    public static let secondarySystemGroupedBackground = UIColor(white: 1, alpha: 1)
    public static let systemBlue = UIColor(red: 0, green: 0.5, blue: 1, alpha: 1)
    public static let systemRed = UIColor(red: 1, green: 0.25, blue: 0.25, alpha: 1)
    public static let systemGreen = UIColor(red: 0.25, green: 0.75, blue: 0.25, alpha: 1)
    public static let systemOrange = UIColor(red: 1, green: 0.6, blue: 0, alpha: 1)
    public static let systemYellow = UIColor(red: 1, green: 0.8, blue: 0, alpha: 1)
    public static let systemPurple = UIColor(red: 0.7, green: 0.3, blue: 0.9, alpha: 1)
    public static let systemTeal = UIColor(red: 0.2, green: 0.7, blue: 0.8, alpha: 1)
    public static let systemIndigo = UIColor(red: 0.35, green: 0.35, blue: 0.85, alpha: 1)
    public static let systemGray = UIColor(white: 0.55, alpha: 1)
    public static let systemGray2 = UIColor(white: 0.68, alpha: 1)
    public static let systemGray3 = UIColor(white: 0.78, alpha: 1)
    public static let systemGray4 = UIColor(white: 0.82, alpha: 1)
    public static let systemGray5 = UIColor(white: 0.9, alpha: 1)
    public static let systemGray6 = UIColor(white: 0.95, alpha: 1)

    /// The same colour with another opacity.
    open func withAlphaComponent(_ alpha: CGFloat) -> UIColor { UIColor(red: parts[0], green: parts[1], blue: parts[2], alpha: alpha) }

    /// The colour that this one is in surroundings.
    open func resolvedColor(with traitCollection: UITraitCollection) -> UIColor { provider?(traitCollection) ?? self }

    open var cgColor: CGColor { CGColor(parts: parts) }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UIColor)?.parts == parts }

    open override var hash: Int { parts.hashValue }
}
