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
