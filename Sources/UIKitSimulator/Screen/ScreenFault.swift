/// A mistake of an app that its engineer would hear of on a device: in the log, or by something that does not happen.
public struct ScreenFault: Sendable, Hashable, Codable {
    /// A stable code.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(stringLiteral value: String) { rawValue = value }

        /// A controller was presented by one that presents another already, or was on the screen already: nothing is shown.
        public static let presentedOverAnother: Self = "presented-over-another"
        /// A controller was presented by one that is not on the screen, in an app that shows a window: nothing is shown, and no completion
        /// is called.
        public static let notOnScreen: Self = "not-on-screen"
        /// The app asked whether a link can be opened and does not declare its scheme: the answer is no.
        public static let schemeNotDeclared: Self = "scheme-not-declared"
        /// No app of the device opens the link.
        public static let linkNotOpened: Self = "link-not-opened"
        /// A selector was sent to an object that does not take it: the app crashes on a device.
        public static let selectorNotTaken: Self = "selector-not-taken"
        /// The app has no picture or colour of that name in its assets: it gets nil.
        public static let assetNotFound: Self = "asset-not-found"
        /// A controller, a view or a segue was to be loaded from a storyboard or an archive, and there are none here: it is empty, or nil.
        public static let archiveNotLoaded: Self = "archive-not-loaded"
        /// A list asked for a cell of an identifier for which none was registered: the app crashes on a device.
        public static let cellNotRegistered: Self = "cell-not-registered"
        /// A notification was posted on another thread than the main one, and an observer would have been called there: it is not told.
        public static let postedOffMainThread: Self = "posted-off-main-thread"
        /// A property was to be observed by a name under which none is observed here, or an observer taken away that was not there: on a
        /// device the app may crash.
        public static let propertyNotObserved: Self = "property-not-observed"
        /// A snapshot of a list has an identifier twice, or names one that it does not have: the app crashes on a device. Here the first
        /// stays, or nothing changes.
        public static let snapshotWrong: Self = "snapshot-wrong"
    }

    public var code: Code
    public var reason: String

    /// Says what went wrong.
    public init(code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }
}
