import BillfoldConcurrency
public import Foundation

/// What the super app puts in the place of the container's own looks, and what it wants to hear (mini-programs.md#extensions [D 3]).
///
/// Hand it in by ``IAPConnectInitConfig/riverExtensionDelegate``; what is set in it later counts too. Everything is kept strongly: samples
/// assign objects that nobody else holds. Used on the main thread.
open class GRVExtensionDelegate: NSObject {
    /// Never nil.
    public let uiProvider = GRVUIProvider()
    /// Told of taps on the title bar.
    open var navigationBarEventDelegate: (any GRVNavigationBarEventDelegate)?
    /// Told of mini programs that start and end.
    open var appEventDelegate: (any GRVAppEventDelegate)?

    public override init() { super.init() }
}

/// The looks of ``GRVExtensionDelegate``. No page prints the name of this type. [I]
public final class GRVUIProvider: NSObject {
    /// The path of a page for errors of network and server. Kept: nothing is drawn here.
    public var errorPageURL: String?
    /// The path, or the `https` address, of a page for a mini program that is gone or not allowed. Kept, as the other.
    public var statusPageURL: String?
    /// Asked for the entries of the menu each time it is opened.
    public var moreMenuDelegate: (any GRVMPMoreMenuDelegate)?

    override init() { super.init() }
}

/// What of the title bar was tapped.
public enum GRVNavigationBarItemClickedType: UInt, Sendable {
    case unknown = 0
    case back
    case closeApp
    case optionMenu
}

/// Told of taps on the title bar. The header's method is optional: here it has a body that does nothing.
public protocol GRVNavigationBarEventDelegate: NSObjectProtocol {
    /// Called on the main thread, before anything happens on the screen.
    func navigationBarItemDidClicked(with type: GRVNavigationBarItemClickedType)
}

extension GRVNavigationBarEventDelegate {
    /// Does nothing.
    public func navigationBarItemDidClicked(with type: GRVNavigationBarItemClickedType) {}
}

/// A mini program that was started. Its members are in no document that was read. [I]
public protocol GRVAppSessionInfo: NSObjectProtocol {
    /// The platform's id of the mini program.
    var appId: String { get }
}

/// Told of mini programs that start and end, on the main thread (mini-programs.md#extensions [D 3]). The header's methods are optional: here each
/// has a body that does nothing.
public protocol GRVAppEventDelegate: NSObjectProtocol {
    /// Called when a mini program has started.
    func onAppStart(_ app: any GRVAppSessionInfo)
    /// Called when a mini program that had started has ended, or its screen is gone.
    func onAppExit(_ app: any GRVAppSessionInfo)
}

extension GRVAppEventDelegate {
    /// Does nothing.
    public func onAppStart(_ app: any GRVAppSessionInfo) {}
    /// Does nothing.
    public func onAppExit(_ app: any GRVAppSessionInfo) {}
}

/// Who is told of one run, and that its end is told once.
final class ProgramSession: NSObject, GRVAppSessionInfo, Sendable {
    let appId: String
    private let listener: Locked<HandedOver<any GRVAppEventDelegate>?>

    init(appId: String, listener: (any GRVAppEventDelegate)?) {
        self.appId = appId
        self.listener = Locked(listener.map { HandedOver($0) })
        super.init()
    }

    func start() { listener.withLock { $0 }?.value.onAppStart(self) }

    /// From any thread: a screen may go anywhere.
    func end() {
        let told = listener.withLock { listener in
            defer { listener = nil }
            return listener
        }
        if let told { MainThread.soon { told.value.onAppExit(self) } }
    }
}
