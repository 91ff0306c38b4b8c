public import Foundation

/// The archive of a view. There are none here: nothing comes out of it, and that is a ``ScreenFault``.
@MainActor
@preconcurrency
open class UINib: NSObject {
    private let name: String

    public init(nibName name: String, bundle bundleOrNil: Bundle?) {
        self.name = name
        super.init()
    }

    /// Nothing.
    open func instantiate(withOwner ownerOrNil: Any?, options optionsOrNil: [AnyHashable: Any]? = nil) -> [Any] {
        SimulatedScreen.current.record(.archiveNotLoaded, name)
        return []
    }
}

extension Bundle {
    /// There are no archives here: nil, and a ``ScreenFault``.
    @MainActor
    @preconcurrency
    public func loadNibNamed(_ name: String, owner: Any?, options: [AnyHashable: Any]? = nil) -> [Any]? {
        SimulatedScreen.current.record(.archiveNotLoaded, name)
        return nil
    }
}
