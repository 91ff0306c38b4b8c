public import Foundation
public import UIKitSimulator

/// Says what the menu of a mini program has (mini-programs.md#extensions [D 3]).
public protocol GRVMPMoreMenuDelegate: NSObjectProtocol {
    /// Asked each time the menu is opened, on the main thread.
    func getMenuList(_ appId: String) -> [GRVMPMoreMenuItem]
}

/// What is done when an entry is tapped.
public typealias GRVMPMoreMenuActionBlock = (_ context: GRVMoreMenuContext?) -> Void

/// What an entry was tapped in. Its members are in no document. [I]
public final class GRVMoreMenuContext: NSObject, Sendable {
    public let appId: String

    init(appId: String) {
        self.appId = appId
        super.init()
    }
}

/// An entry of the menu. One without a title, without an identifier or in another row than 1 and 2 is not shown.
open class GRVMPMoreMenuItem: NSObject {
    open var title: String!
    open var icon: UIImage?
    open var identifier: String!
    /// 1 or 2; an entry whose row was not set is not shown.
    open var row = 0
    open var clickMenuItemAction: GRVMPMoreMenuActionBlock!

    public override init() { super.init() }

    /// An entry without a title, which is set afterwards.
    ///
    /// - Parameters:
    ///   - identifier: Names it in its menu.
    ///   - row: 1 or 2.
    ///   - clickMenuItemAction: What it does.
    public init(identifier: String!, row: Int, clickMenuItemAction: GRVMPMoreMenuActionBlock!) {
        self.identifier = identifier
        self.row = row
        self.clickMenuItemAction = clickMenuItemAction
        super.init()
    }

    /// An entry with all it needs.
    ///
    /// - Parameters:
    ///   - title: What the person reads.
    ///   - icon: Its picture; nil for the usual one.
    ///   - identifier: Names it in its menu.
    ///   - row: 1 or 2.
    ///   - clickMenuItemAction: What it does.
    public convenience init(
        title: String!, icon: UIImage!, identifier: String!, row: Int, clickMenuItemAction: GRVMPMoreMenuActionBlock!
    ) {
        self.init(identifier: identifier, row: row, clickMenuItemAction: clickMenuItemAction)
        self.title = title
        self.icon = icon
    }

    /// Whether it is shown in a mini program's menu; yes, unless it is overridden.
    open func canShow(forMPAppId appId: String!) -> Bool { true }

    func isShown(in appID: String) -> Bool {
        title?.isEmpty == false && identifier?.isEmpty == false && (1...2).contains(row) && canShow(forMPAppId: appID)
    }
}
