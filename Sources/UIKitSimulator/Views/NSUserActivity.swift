public import Foundation

#if !canImport(ObjectiveC)
    /// The type of an activity that is a link of the web.
    public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

    /// What the customer was doing. Linux has none in Foundation: here it carries a link of the web into the app.
    open class NSUserActivity: NSObject {
        public let activityType: String
        open var webpageURL: URL?
        open var title: String?
        open var userInfo: [AnyHashable: Any]?

        public init(activityType: String) {
            self.activityType = activityType
            super.init()
        }
    }
#endif

/// What can be brought back to an activity. Nothing is, here.
@MainActor
@preconcurrency
public protocol UIUserActivityRestoring: NSObjectProtocol {}
