public import Foundation

extension UIButton {
    /// What a button looks like. It is set and read; its title and its picture are the button's.
    public struct Configuration: Sendable {
        /// How round its corners are.
        public enum CornerStyle: Int, Sendable {
            case fixed = -1
            case dynamic, small, medium, large, capsule
        }

        /// How large it is.
        public enum Size: Int, Sendable {
            case medium = 0
            case small, mini, large
        }

        public var title: String?
        public var subtitle: String?
        public var image: UIImage?
        public var imagePadding: CGFloat = 0
        public var imagePlacement = NSDirectionalRectEdge.leading
        public var titlePadding: CGFloat = 0
        public var baseBackgroundColor: UIColor?
        public var baseForegroundColor: UIColor?
        public var cornerStyle = CornerStyle.dynamic
        public var buttonSize = Size.medium
        public var contentInsets = NSDirectionalEdgeInsets.zero
        public var showsActivityIndicator = false

        /// A title alone.
        public static func plain() -> Configuration { Configuration() }
        /// On a grey ground.
        public static func gray() -> Configuration { Configuration() }
        /// On a ground of the button's colour, faintly.
        public static func tinted() -> Configuration { Configuration() }
        /// On a ground of the button's colour.
        public static func filled() -> Configuration { Configuration() }
        /// As the system draws a button with a border.
        public static func bordered() -> Configuration { Configuration() }
        /// As the system draws the button that matters most.
        public static func borderedProminent() -> Configuration { Configuration() }
    }
}

/// A side of a rectangle, where the language says which side is first.
public struct NSDirectionalRectEdge: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let top = NSDirectionalRectEdge(rawValue: 1 << 0)
    public static let leading = NSDirectionalRectEdge(rawValue: 1 << 1)
    public static let bottom = NSDirectionalRectEdge(rawValue: 1 << 2)
    public static let trailing = NSDirectionalRectEdge(rawValue: 1 << 3)
}
