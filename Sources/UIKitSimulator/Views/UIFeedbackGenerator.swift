public import Foundation

/// Lets the telephone be felt. Nothing is.
@MainActor
@preconcurrency
open class UIFeedbackGenerator: NSObject {
    public override init() { super.init() }

    /// Makes ready.
    open func prepare() {}
}

/// Lets the customer feel how something ended.
@MainActor
@preconcurrency
open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    /// How it ended.
    public enum FeedbackType: Int, Sendable {
        case success = 0
        case warning, error
    }

    /// Nothing is felt.
    open func notificationOccurred(_ notificationType: FeedbackType) {}
}

/// Lets the customer feel a knock.
@MainActor
@preconcurrency
open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    /// How hard it is.
    public enum FeedbackStyle: Int, Sendable {
        case light = 0
        case medium, heavy, soft, rigid
    }

    public override init() { super.init() }

    public convenience init(style: FeedbackStyle) { self.init() }

    /// Nothing is felt.
    open func impactOccurred() {}
}

/// Lets the customer feel that something was chosen.
@MainActor
@preconcurrency
open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    /// Nothing is felt.
    open func selectionChanged() {}
}

/// Tells customers who do not see the screen. Nothing is told.
public enum UIAccessibility {
    /// What is told.
    public struct Notification: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let screenChanged = Notification(rawValue: 1_000)
        public static let layoutChanged = Notification(rawValue: 1_001)
        public static let announcement = Notification(rawValue: 1_008)
    }

    /// Nothing is told.
    @MainActor
    @preconcurrency
    public static func post(notification: Notification, argument: Any?) {}
}
