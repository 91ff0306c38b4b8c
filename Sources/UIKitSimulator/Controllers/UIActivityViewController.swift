public import Foundation

/// What the customer does with something outside of the app.
@MainActor
@preconcurrency
open class UIActivity: NSObject {
    /// Names it.
    public struct ActivityType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }

        public static let message = ActivityType("com.apple.UIKit.activity.Message")
        public static let mail = ActivityType("com.apple.UIKit.activity.Mail")
        public static let print = ActivityType("com.apple.UIKit.activity.Print")
        public static let copyToPasteboard = ActivityType("com.apple.UIKit.activity.CopyToPasteboard")
        public static let saveToCameraRoll = ActivityType("com.apple.UIKit.activity.SaveToCameraRoll")
        public static let assignToContact = ActivityType("com.apple.UIKit.activity.AssignToContact")
        public static let addToReadingList = ActivityType("com.apple.UIKit.activity.AddToReadingList")
        public static let airDrop = ActivityType("com.apple.UIKit.activity.AirDrop")
    }

    public override init() { super.init() }
}

/// The system's list of what can be done with something, such as a receipt.
@MainActor
@preconcurrency
open class UIActivityViewController: UIViewController {
    /// Hears what the customer chose, and whether it was done.
    public typealias CompletionWithItemsHandler = (UIActivity.ActivityType?, Bool, [Any]?, (any Error)?) -> Void

    /// What is handed out, for a test to read.
    public let activityItems: [Any]
    open var excludedActivityTypes: [UIActivity.ActivityType]?
    open var completionWithItemsHandler: CompletionWithItemsHandler?

    public init(activityItems: [Any], applicationActivities: [UIActivity]?) {
        self.activityItems = activityItems
        super.init(nibName: nil, bundle: nil)
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// The customer's finger on one of the list, or beside it. The list is gone before the app hears of it. What is copied is on the
    /// pasteboard, where it is a text or a link; nothing else is done.
    ///
    /// - Parameter activityType: The one of the list; nil for none.
    /// - Returns: False where the list is not on the screen, or the app excludes that.
    @discardableResult
    public func sendChoice(_ activityType: UIActivity.ActivityType?) -> Bool {
        if let activityType, excludedActivityTypes?.contains(activityType) == true { return false }
        guard isOnScreen else { return false }
        if activityType == .copyToPasteboard {
            UIPasteboard.general.strings = activityItems.compactMap { $0 as? String ?? ($0 as? URL)?.absoluteString }
        }
        presentingViewController?.dismiss(animated: true)
        completionWithItemsHandler?(activityType, activityType != nil, nil, nil)
        return true
    }
}
