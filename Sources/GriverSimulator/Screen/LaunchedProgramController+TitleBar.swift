import AppContainer
import MiniPrograms
import UIKitSimulator

extension LaunchedProgramController {
    /// Plays a tap on the title bar: the app is told, then the page before comes, the mini program is left, or its menu opens.
    ///
    /// A tap on what the container does not know does nothing else. On the first page the way back leads nowhere here; a device leaves. [I]
    ///
    /// - Returns: False where the screen has no title bar, and nothing was tapped.
    @discardableResult
    public func tapTitleBar(_ item: GRVNavigationBarItemClickedType) -> Bool {
        guard startup.showsTitleBar else { return false }
        extensions?.navigationBarEventDelegate?.navigationBarItemDidClicked(with: item)
        switch item {
        case .back:
            program?.back()
        case .closeApp:
            leave()
        case .optionMenu:
            let entries = extensions?.uiProvider.moreMenuDelegate?.getMenuList(link.appID) ?? []
            let shown = entries.filter { $0.isShown(in: link.appID) }
            shownMenu = shown.filter { $0.row == 1 } + shown.filter { $0.row == 2 }
        case .unknown:
            break
        }
        return true
    }

    /// Plays a tap on an entry of the menu, which closes.
    ///
    /// - Returns: False where the menu is not open, or has no such entry.
    @discardableResult
    public func tapMenuItem(_ identifier: String) -> Bool {
        guard let item = shownMenu.first(where: { $0.identifier == identifier }) else { return false }
        shownMenu = []
        item.clickMenuItemAction?(GRVMoreMenuContext(appId: link.appID))
        return true
    }

    private func leave() {
        guard let navigationController, navigationController.viewControllers.count > 1 else { return dismiss(animated: false) }
        if navigationController.topViewController === self { navigationController.popViewController(animated: false) }
    }
}
