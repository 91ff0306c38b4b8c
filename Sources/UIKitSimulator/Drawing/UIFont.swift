public import Foundation

/// A font by its size and weight, so that an app's file compiles.
public final class UIFont: NSObject, Sendable {
    /// How bold it is.
    public struct Weight: RawRepresentable, Hashable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        public static let light = Weight(rawValue: -0.4)
        public static let regular = Weight(rawValue: 0)
        public static let medium = Weight(rawValue: 0.25)
        public static let semibold = Weight(rawValue: 0.3)
        public static let bold = Weight(rawValue: 0.4)
        public static let heavy = Weight(rawValue: 0.55)
    }

    /// What a text is for. The system chooses the size of its font.
    public struct TextStyle: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let largeTitle = TextStyle(rawValue: "UICTFontTextStyleTitle0")
        public static let title1 = TextStyle(rawValue: "UICTFontTextStyleTitle1")
        public static let title2 = TextStyle(rawValue: "UICTFontTextStyleTitle2")
        public static let title3 = TextStyle(rawValue: "UICTFontTextStyleTitle3")
        public static let headline = TextStyle(rawValue: "UICTFontTextStyleHeadline")
        public static let subheadline = TextStyle(rawValue: "UICTFontTextStyleSubhead")
        public static let body = TextStyle(rawValue: "UICTFontTextStyleBody")
        public static let callout = TextStyle(rawValue: "UICTFontTextStyleCallout")
        public static let footnote = TextStyle(rawValue: "UICTFontTextStyleFootnote")
        public static let caption1 = TextStyle(rawValue: "UICTFontTextStyleCaption1")
        public static let caption2 = TextStyle(rawValue: "UICTFontTextStyleCaption2")
    }

    public let pointSize: CGFloat
    public let fontName: String
    private let weight: Weight

    private init(_ size: CGFloat, _ weight: Weight, name: String = "system") {
        (pointSize, self.weight, fontName) = (size, weight, name)
        super.init()
    }

    /// A font of the app by its name. There are no files of fonts here: every name gives one.
    public convenience init?(name fontName: String, size fontSize: CGFloat) { self.init(fontSize, .regular, name: fontName) }

    /// The system's font in a size.
    public class func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize, .regular) }

    /// The system's font in a size and a weight.
    public class func systemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont { UIFont(fontSize, weight) }

    /// The system's bold font in a size.
    public class func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize, .bold) }

    /// The system's slanted font in a size.
    public class func italicSystemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize, .regular) }

    /// The system's font with digits of one width.
    public class func monospacedDigitSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont { UIFont(fontSize, weight) }

    /// The font of a kind of text, in the size that a device has before its owner changes it.
    public class func preferredFont(forTextStyle style: TextStyle) -> UIFont {
        let sizes: [TextStyle: CGFloat] = [
            .largeTitle: 34, .title1: 28, .title2: 22, .title3: 20, .callout: 16, .subheadline: 15, .footnote: 13, .caption1: 12,
            .caption2: 11,
        ]
        return UIFont(sizes[style] ?? 17, style == .headline ? .semibold : .regular)
    }

    /// The same font in another size.
    public func withSize(_ fontSize: CGFloat) -> UIFont { UIFont(fontSize, weight, name: fontName) }
}

/// Where a text stands in its line.
public enum NSTextAlignment: Int, Sendable {
    case left = 0
    case center, right, justified, natural
}
