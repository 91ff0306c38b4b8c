public import Foundation

/// The glass: here its size. Deprecated since iOS 16 for scenes, and still what old apps make their window of.
@MainActor
@preconcurrency
open class UIScreen: NSObject {
    open class var main: UIScreen { UIScreen() }

    /// In points, the same on every device here.
    open var bounds: CGRect { CGRect(x: 0, y: 0, width: 390, height: 844) }
    open var scale: CGFloat { 3 }
    open var traitCollection: UITraitCollection { UITraitCollection(userInterfaceStyle: SimulatedScreen.current.interfaceStyle) }
}

/// The device as an app may know it.
@MainActor
@preconcurrency
open class UIDevice: NSObject {
    open class var current: UIDevice { UIDevice() }

    open var name: String { "iPhone" }
    open var model: String { "iPhone" }
    open var systemName: String { "iOS" }
    open var systemVersion: String { SimulatedScreen.current.systemVersion }
    open var localizedModel: String { "iPhone" }
    open var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
    /// The same for every app here.
    open var identifierForVendor: UUID? { UUID(uuidString: "00000000-0000-4000-8000-000000000001") }
}

/// What kind of device the app is drawn for.
public enum UIUserInterfaceIdiom: Int, Sendable {
    case unspecified = -1
    case phone, pad
    case mac = 5
}
