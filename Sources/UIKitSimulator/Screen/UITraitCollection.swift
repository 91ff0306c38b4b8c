public import Foundation

/// What surrounds a view or a controller: here whether it is light or dark.
@MainActor
@preconcurrency
open class UITraitCollection: NSObject {
    public let userInterfaceStyle: UIUserInterfaceStyle

    public init(userInterfaceStyle: UIUserInterfaceStyle) {
        self.userInterfaceStyle = userInterfaceStyle
        super.init()
    }
}
