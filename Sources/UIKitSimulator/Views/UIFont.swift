public import Foundation

/// A font by its size and weight, so that an app's file compiles.
public final class UIFont: NSObject, Sendable {
    /// How bold it is.
    public struct Weight: RawRepresentable, Hashable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        public static let regular = Weight(rawValue: 0)
        public static let medium = Weight(rawValue: 0.25)
        public static let semibold = Weight(rawValue: 0.3)
        public static let bold = Weight(rawValue: 0.4)
    }

    public let pointSize: CGFloat
    private let weight: Weight

    private init(_ size: CGFloat, _ weight: Weight) {
        (pointSize, self.weight) = (size, weight)
        super.init()
    }

    /// The system's font in a size.
    public class func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize, .regular) }

    /// The system's font in a size and a weight.
    public class func systemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont { UIFont(fontSize, weight) }

    /// The system's bold font in a size.
    public class func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize, .bold) }
}

/// Where a text stands in its line.
public enum NSTextAlignment: Int, Sendable {
    case left = 0
    case center, right, justified, natural
}
