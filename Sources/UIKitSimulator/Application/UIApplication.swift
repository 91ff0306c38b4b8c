public import Foundation

/// The app as the system sees it.
@MainActor
@preconcurrency
open class UIApplication: UIResponder {
    /// Whether the customer sees the app.
    public enum State: Int, Sendable {
        case active = 0
        case inactive, background
    }

    /// Names a value that the app was started with.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
        public static let sourceApplication = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
        public static let annotation = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsAnnotationKey")
    }

    /// Names a value that comes with a link.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let sourceApplication = OpenURLOptionsKey(rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
        public static let annotation = OpenURLOptionsKey(rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
        public static let openInPlace = OpenURLOptionsKey(rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
    }

    /// Names a wish about a link that leaves the app.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let universalLinksOnly = OpenExternalURLOptionsKey(rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    public nonisolated static let didFinishLaunchingNotification = Notification.Name("UIApplicationDidFinishLaunchingNotification")
    public nonisolated static let didBecomeActiveNotification = Notification.Name("UIApplicationDidBecomeActiveNotification")
    public nonisolated static let willResignActiveNotification = Notification.Name("UIApplicationWillResignActiveNotification")
    public nonisolated static let didEnterBackgroundNotification = Notification.Name("UIApplicationDidEnterBackgroundNotification")
    public nonisolated static let willEnterForegroundNotification = Notification.Name("UIApplicationWillEnterForegroundNotification")
    public nonisolated static let willTerminateNotification = Notification.Name("UIApplicationWillTerminateNotification")
    public nonisolated static let openSettingsURLString = "app-settings:"

    /// The application of the current ``SimulatedScreen``.
    open class var shared: UIApplication { SimulatedScreen.current.application }

    open var delegate: (any UIApplicationDelegate)?
    open internal(set) var applicationState = State.inactive
    open internal(set) var connectedScenes: Set<UIScene> = []
    open var isIdleTimerDisabled = false
    open var applicationIconBadgeNumber = 0
    open var isNetworkActivityIndicatorVisible = false
    private unowned let screen: SimulatedScreen
    private var shown: [Reference] = []
    private var tasks = 0

    private struct Reference {
        weak var window: UIWindow?
    }

    init(screen: SimulatedScreen) {
        self.screen = screen
        super.init()
        screen.showsWindow = { [weak self] in self?.windows.isEmpty == false }
    }

    // MARK: Windows

    /// Those that were shown and are alive, the lowest first. Deprecated since iOS 15: ask the scene.
    open var windows: [UIWindow] { shown.compactMap(\.window) }

    /// The window that is typed into. Deprecated since iOS 13: ask the scene.
    open var keyWindow: UIWindow? { windows.first { $0.isKeyWindow } }

    func makeKey(_ window: UIWindow) {
        for other in windows where other !== window { other.becomeKey(false) }
        shown.removeAll { $0.window == nil || $0.window === window }
        shown.append(Reference(window: window))
        window.becomeKey(true)
    }

    /// The window that a delegate keeps in its own property of that name.
    func window(of delegate: Any) -> UIWindow? {
        let own = Mirror(reflecting: delegate).children.first { $0.label == "window" }?.value
        return own as? UIWindow
    }

    // MARK: Actions and work

    /// Sends a selector to an object; without one, to what has the keyboard, as apps do that put the keyboard away.
    ///
    /// - Returns: Whether somebody took it.
    @discardableResult
    open func sendAction(_ action: Selector, to target: Any?, from sender: Any?, for event: UIEvent?) -> Bool {
        if let target { return Selector.send(action, to: target as AnyObject, from: sender) }
        guard let editor = screen.firstResponder as? UIResponder else { return false }
        if action == Selector("resignFirstResponder") { return editor.resignFirstResponder() }
        return Selector.send(action, to: editor, from: sender)
    }

    /// Asks for time to end something when the app goes to the background. Nothing runs out here.
    open func beginBackgroundTask(expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil) -> UIBackgroundTaskIdentifier {
        beginBackgroundTask(withName: nil, expirationHandler: handler)
    }

    /// Asks for time to end something when the app goes to the background. Nothing runs out here.
    open func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        tasks += 1
        return UIBackgroundTaskIdentifier(rawValue: tasks)
    }

    /// Says that what time was asked for is done.
    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

    // MARK: Links that leave the app

    /// Whether another app takes the link. No for a scheme that the app does not declare, where ``SimulatedScreen/declaredSchemes`` says
    /// which.
    open func canOpenURL(_ url: URL) -> Bool { screen.answers(url) }

    /// Opens a link outside of the app. Needs no declared scheme. The handler is called later, on the main actor. Where another
    /// app takes the link, this one is in the background before that app hears of it, and stays there until something brings it back.
    open func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        let onlyApps = options[.universalLinksOnly] as? Bool ?? false
        let isOpened = screen.leave(by: url, onlyApps: onlyApps) { screen.goToBackground() }
        guard let completion else { return }
        Task { completion(isOpened) }
    }

    /// Opens a link outside of the app and says whether something took it.
    open func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        await withCheckedContinuation { continuation in open(url, options: options) { continuation.resume(returning: $0) } }
    }

    /// The form of iOS 2 to 10. Apps that are built for iOS 18 get `false` and nothing opens; here it still opens.
    @discardableResult
    open func openURL(_ url: URL) -> Bool { screen.leave(by: url, onlyApps: false) { screen.goToBackground() } }
}

/// Names what an app asked time for.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

@MainActor
extension SimulatedScreen {
    /// The app on this screen.
    public var application: UIApplication {
        if let made = applicationOnScreen as? UIApplication { return made }
        let made = UIApplication(screen: self)
        applicationOnScreen = made
        return made
    }
}
