import BillfoldConcurrency
public import Foundation

/// The glass of a device in software: what an app shows on it, which other apps it can open, and what it did wrong.
///
/// `UIApplication.shared` is the application of the `current` screen. A program that plays one device needs nothing more. Many devices of
/// one process have a screen each: bind it with `SimulatedScreen.$bound.withValue(screen) { … }`, or by what owns it, such as
/// `PassKitSimulator`'s device. A closure that is put on a queue of Dispatch loses the binding, as it loses every value of its task.
public final class SimulatedScreen: Sendable {
    /// The screen that a task is bound to, if any.
    @TaskLocal public static var bound: SimulatedScreen?

    /// The screen of whatever is bound to nothing.
    public static let ofProcess = SimulatedScreen()

    /// The screen that the current task's code runs on.
    public static var current: SimulatedScreen { bound ?? owner.withLock { $0 }?() ?? ofProcess }

    private static let owner = Locked<(@Sendable () -> SimulatedScreen?)?>(nil)

    /// Another app of the device.
    struct InstalledApp {
        var schemes: Set<String>
        var hosts: Set<String>
        var onOpen: @MainActor (URL) -> Void
    }

    /// The schemes that the app declares it asks about (`LSApplicationQueriesSchemes`); nil leaves them unchecked.
    @MainActor public var declaredSchemes: Set<String>?
    /// Whether the device is light or dark.
    @MainActor public var interfaceStyle = UIUserInterfaceStyle.light
    /// The links that left the app, in order.
    @MainActor public private(set) var openedLinks: [URL] = []
    @MainActor private var apps: [InstalledApp] = []
    /// Filled by the application, which knows this screen and is not known here.
    @MainActor var applicationOnScreen: AnyObject?
    /// Whether the app shows a window. Likewise.
    @MainActor var showsWindow: () -> Bool = { false }
    /// Filled by the controllers of storyboards that a test makes itself, by their storyboard and their identifier.
    @MainActor var storyboardScenes: [[String]: @MainActor () -> AnyObject] = [:]
    /// What has the keyboard. Likewise.
    @MainActor weak var firstResponder: AnyObject?
    /// What the customer copied.
    let copied = Locked<[String]>([])
    private let assets = Locked<Set<String>?>(nil)
    private let heard = Locked<[ScreenFault]>([])
    private let listeners = Locked<[@Sendable (ScreenFault) -> Void]>([])

    private let version = Locked<@Sendable () -> String>({ "18.0" })

    /// The system's version, such as `18.2`: that of the device that the screen belongs to.
    public var systemVersion: String { version.withLock { $0 }() }

    /// Says who knows the system's version.
    package func takeVersion(from owner: @escaping @Sendable () -> String) { version.withLock { $0 = owner } }

    /// The names of the pictures and colours that the app has in its assets; nil finds each.
    public var assetNames: Set<String>? {
        get { assets.withLock { $0 } }
        set { assets.withLock { $0 = newValue } }
    }

    func hasAsset(_ name: String) -> Bool {
        guard let names = assetNames, !names.contains(name) else { return !name.isEmpty }
        record(.assetNotFound, name)
        return false
    }

    /// Makes a screen on which nothing is shown yet.
    public init() {}

    /// What the app did wrong on this screen, in order.
    public var faults: [ScreenFault] { heard.withLock { $0 } }

    /// Puts another app on the device.
    ///
    /// - Parameters:
    ///   - schemes: The schemes that it registers, such as `alipays`.
    ///   - hosts: The hosts whose `https` links it takes.
    ///   - onOpen: Called with each link that reaches it, when the app of this screen is in the background already. It may open a link into
    ///     that app at once, as a wallet does that is done.
    @MainActor
    public func install(schemes: Set<String>, hosts: Set<String> = [], onOpen: @escaping @MainActor (URL) -> Void = { _ in }) {
        apps.append(
            InstalledApp(schemes: Set(schemes.map { $0.lowercased() }), hosts: Set(hosts.map { $0.lowercased() }), onOpen: onOpen))
    }

    /// Says which screen is current where none is bound. The last one to say so is asked.
    package static func find(by question: @escaping @Sendable () -> SimulatedScreen?) {
        owner.withLock { $0 = question }
    }

    /// Tells every fault from now on.
    package func hear(_ listener: @escaping @Sendable (ScreenFault) -> Void) { listeners.withLock { $0.append(listener) } }

    func record(_ code: ScreenFault.Code, _ reason: String) {
        let fault = ScreenFault(code: code, reason: reason)
        heard.withLock { $0.append(fault) }
        for listener in listeners.withLock({ $0 }) { listener(fault) }
    }

    /// Whether an app, or the browser, takes the link.
    @MainActor
    func isOpenable(_ link: URL) -> Bool { isOfTheWeb(link) || app(for: link) != nil }

    func isOfTheWeb(_ link: URL) -> Bool { ["http", "https"].contains(link.scheme?.lowercased()) }

    @MainActor
    private func app(for link: URL) -> InstalledApp? {
        let host = link.host?.lowercased() ?? ""
        let scheme = link.scheme?.lowercased() ?? ""
        return apps.first { isOfTheWeb(link) ? $0.hosts.contains(host) : $0.schemes.contains(scheme) }
    }

    /// Whether the app may know that the link can be opened: what the browser takes is always known.
    @MainActor
    func answers(_ link: URL) -> Bool {
        let scheme = link.scheme?.lowercased() ?? ""
        if let declaredSchemes, !isOfTheWeb(link), !declaredSchemes.contains(where: { $0.lowercased() == scheme }) {
            record(.schemeNotDeclared, scheme)
            return false
        }
        return isOpenable(link)
    }

    /// Hands a link to the app that takes it, or to the browser.
    ///
    /// - Parameters:
    ///   - link: Where to.
    ///   - onlyApps: A link of the web goes to the app that claims its host, never to the browser.
    ///   - goToBackground: Called before the other app hears of the link, where one takes it: this app is out of sight by then.
    /// - Returns: Whether something took it.
    @MainActor
    func leave(by link: URL, onlyApps: Bool, goToBackground: () -> Void) -> Bool {
        let app = app(for: link)
        guard app != nil || (isOfTheWeb(link) && !onlyApps) else {
            record(.linkNotOpened, link.scheme ?? "")
            return false
        }
        openedLinks.append(link)
        goToBackground()
        app?.onOpen(link)
        return true
    }
}
