public import Foundation

/// One instance of an app's user interface.
@MainActor
@preconcurrency
open class UIScene: UIResponder {
    /// Whether the customer sees the scene.
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive, foregroundInactive, background
    }

    /// What a scene was opened with.
    @MainActor
    @preconcurrency
    open class ConnectionOptions: NSObject {
        open var urlContexts: Set<UIOpenURLContext> = []
        open var userActivities: Set<NSUserActivity> = []
        open var sourceApplication: String?
    }

    /// How a link reached the scene.
    @MainActor
    @preconcurrency
    open class OpenURLOptions: NSObject {
        /// The bundle of the app that opened the link; nil unless it is of the same team.
        open var sourceApplication: String?
        open var annotation: Any?
        open var openInPlace = false
    }

    /// How a link of the scene is opened.
    @MainActor
    @preconcurrency
    open class OpenExternalURLOptions: NSObject {
        /// A link of the web opens an app or nothing.
        open var universalLinksOnly = false
    }

    public nonisolated static let willEnterForegroundNotification = Notification.Name("UISceneWillEnterForegroundNotification")
    public nonisolated static let didActivateNotification = Notification.Name("UISceneDidActivateNotification")
    public nonisolated static let willDeactivateNotification = Notification.Name("UISceneWillDeactivateNotification")
    public nonisolated static let didEnterBackgroundNotification = Notification.Name("UISceneDidEnterBackgroundNotification")

    public let session: UISceneSession
    open var delegate: (any UISceneDelegate)?
    open internal(set) var activationState = ActivationState.unattached
    open var title: String! = ""

    public init(session: UISceneSession, connectionOptions: ConnectionOptions) {
        self.session = session
        super.init()
    }

    /// Opens a link outside of the app, as `UIApplication` does.
    open func open(
        _ url: URL, options: OpenExternalURLOptions?, completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        UIApplication.shared.open(
            url, options: [.universalLinksOnly: options?.universalLinksOnly ?? false], completionHandler: completion)
    }
}

/// What the system remembers of a scene.
@MainActor
@preconcurrency
open class UISceneSession: NSObject {
    /// What kind of scene it is.
    public struct Role: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
    }

    public nonisolated let role = Role.windowApplication
    open internal(set) var configuration = UISceneConfiguration(name: "Default Configuration", sessionRole: .windowApplication)
    public var persistentIdentifier: String { "\(ObjectIdentifier(self))" }

    public override init() { super.init() }
}

/// Which classes a scene is made of. A test makes the scene's delegate itself: nothing is made of these here.
@MainActor
@preconcurrency
open class UISceneConfiguration: NSObject {
    public let name: String?
    public let role: UISceneSession.Role
    open var sceneClass: AnyClass?
    open var delegateClass: AnyClass?
    open var storyboard: UIStoryboard?

    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
        super.init()
    }
}

/// A scene that has windows.
@MainActor
@preconcurrency
open class UIWindowScene: UIScene {
    open var screen: UIScreen { UIScreen.main }
    open var traitCollection: UITraitCollection { UIScreen.main.traitCollection }
    /// Those that were shown, the lowest first.
    open var windows: [UIWindow] { UIApplication.shared.windows.filter { $0.windowScene === self } }

    open var keyWindow: UIWindow? { windows.first { $0.isKeyWindow } }
}

/// A link that a scene is asked to open.
@MainActor
@preconcurrency
open class UIOpenURLContext: NSObject {
    public let url: URL
    public let options: UIScene.OpenURLOptions

    init(url: URL, sourceApplication: String?) {
        self.url = url
        options = UIScene.OpenURLOptions()
        options.sourceApplication = sourceApplication
        super.init()
    }
}

/// Hears what happens to a scene. Every method may be left out.
@MainActor
@preconcurrency
public protocol UISceneDelegate: NSObjectProtocol {
    /// Called when the scene is added, before anything is shown. A link that started the app is in the options, and comes this way alone.
    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    /// Called when the scene is taken away.
    func sceneDidDisconnect(_ scene: UIScene)
    /// Called before the customer sees the scene.
    func sceneWillEnterForeground(_ scene: UIScene)
    /// Called when the scene takes the customer's taps.
    func sceneDidBecomeActive(_ scene: UIScene)
    /// Called before the scene takes no taps any more.
    func sceneWillResignActive(_ scene: UIScene)
    /// Called when the scene is seen no more.
    func sceneDidEnterBackground(_ scene: UIScene)
    /// Called for links that reach a running app. An app with scenes gets them here and not in its application's delegate.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    /// Called for a link of the web that the app claims.
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
}

extension UISceneDelegate {
    public func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {}
    public func sceneDidDisconnect(_ scene: UIScene) {}
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    public func sceneWillResignActive(_ scene: UIScene) {}
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
}

/// The delegate of a scene with windows.
@MainActor
@preconcurrency
public protocol UIWindowSceneDelegate: UISceneDelegate {}

extension UIWindowSceneDelegate {
    /// UIKit's property is optional, of an optional: `delegate.window??.rootViewController`. A delegate's own property is the one to set.
    public var window: UIWindow?? { .some(UIApplication.shared.window(of: self)) }
}
