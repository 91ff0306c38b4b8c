import Testing
import UIKitSimulator

@MainActor
struct BarTests {
    /// A screen with a button in its bar, by a selector and by a closure.
    private func cart(_ receiver: Receiver) -> UIViewController {
        let cart = UIViewController()
        cart.title = "Cart"
        cart.navigationItem.rightBarButtonItem = UIBarButtonItem(barButtonSystemItem: .done, target: receiver, action: "done")
        cart.navigationItem.leftBarButtonItem = UIBarButtonItem(title: "Edit", style: .plain, target: receiver, action: "edit")
        return cart
    }

    @Test func buttonsOfABarAreTapped() {
        let receiver = Receiver("done")
        let cart = cart(receiver)
        let shown = Shown(UINavigationController(rootViewController: cart))
        #expect(shown.screen.barTitle == "Cart" && cart.navigationController?.navigationBar.topItem === cart.navigationItem)
        #expect(shown.screen.tap("Done") && receiver.received == ["done"])
        #expect(receiver.senders.first as? UIBarButtonItem === cart.navigationItem.rightBarButtonItem)
        shown.run { _ = shown.screen.tap("Edit") }
        #expect(shown.faults == [.selectorNotTaken])
        cart.navigationItem.rightBarButtonItem?.isEnabled = false
        #expect(!shown.screen.tap("Done"))
        var taps = 0
        cart.navigationItem.setRightBarButtonItems(
            [UIBarButtonItem(systemItem: .add, primaryAction: UIAction { _ in taps += 1 }), .flexibleSpace()], animated: true)
        #expect(shown.screen.tap("Add") && taps == 1 && UIBarButtonItem.flexibleSpace().name == nil)
        cart.navigationController?.setNavigationBarHidden(true, animated: false)
        #expect(!shown.screen.tap("Add") && shown.screen.barTitle == nil, "nobody sees the bar")
        #expect(UIBarButtonItem(image: UIImage(systemName: "cart"), style: .plain, target: nil, action: nil).name == nil)
        #expect(!UIBarButtonItem(customView: UIView()).sendTap())
    }

    final class Watcher: NSObject, UINavigationControllerDelegate {
        var heard: [String] = []

        func navigationController(_ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool)
        {
            heard.append("will \(viewController.title ?? "")")
        }

        func navigationController(_ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool)
        {
            heard.append("did \(viewController.title ?? "")")
        }
    }

    final class Page: UIViewController {
        var heard: [String] = []

        override func viewWillAppear(_ animated: Bool) { heard.append(isMovingToParent ? "comes" : "appears") }
        override func viewWillDisappear(_ animated: Bool) { heard.append(isMovingFromParent ? "goes" : "disappears") }
    }

    @Test func aPageKnowsWhetherItComesAndGoesOrIsCovered() {
        let (root, page) = (UIViewController(), Page())
        let stack = UINavigationController(rootViewController: root)
        let shown = Shown(stack)
        shown.run {
            stack.pushViewController(page, animated: true)
            stack.pushViewController(UIViewController(), animated: true)
            stack.popViewController(animated: true)
            stack.popViewController(animated: true)
        }
        #expect(page.heard == ["comes", "disappears", "appears", "goes"])
        #expect(!page.isMovingToParent && !page.isMovingFromParent)
    }

    @Test func theWayBackIsInTheBar() {
        let pages = ["Cart", "Pay", "Done"].map { title in
            let page = UIViewController()
            page.title = title
            return page
        }
        let (stack, watcher) = (UINavigationController(rootViewController: pages[0]), Watcher())
        let shown = Shown(stack)
        stack.delegate = watcher
        #expect(!shown.screen.goBack(), "the root has no way back")
        pages[0].show(pages[1], sender: nil)
        stack.pushViewController(pages[2], animated: true)
        #expect(watcher.heard == ["will Pay", "did Pay", "will Done", "did Done"] && shown.screen.barTitle == "Done")
        pages[2].navigationItem.setHidesBackButton(true, animated: false)
        #expect(!shown.screen.goBack())
        pages[2].navigationItem.hidesBackButton = false
        #expect(shown.screen.goBack() && stack.topViewController === pages[1])
        stack.pushViewController(pages[2], animated: false)
        #expect(stack.popToViewController(pages[0], animated: true)?.count == 2 && stack.viewControllers.count == 1)
        #expect(stack.popToViewController(pages[2], animated: true) == nil)
        #expect(pages[1].navigationController == nil && stack.navigationBar.items?.count == 1)
        #expect(stack.popToRootViewController(animated: true) == nil)
    }

    @Test func withoutAStackAControllerIsPresented() {
        let (base, next) = (UIViewController(), UIViewController())
        let shown = Shown(base)
        shown.run { base.show(next, sender: nil) }
        #expect(base.presentedViewController === next)
    }

    @Test func whatIsSeenLiesInAWindow() {
        let (root, pushed, over) = (UIViewController(), UIViewController(), UIViewController())
        let stack = UINavigationController(rootViewController: root)
        let tabs = UITabBarController()
        tabs.viewControllers = [stack]
        let shown = Shown(tabs)
        #expect(root.view.window === shown.window && root.view.superview === stack.view)
        stack.pushViewController(pushed, animated: true)
        #expect(root.view.window == nil && pushed.view.window === shown.window)
        shown.run { pushed.present(over, animated: true) }
        #expect(over.view.window === shown.window && over.view.superview === shown.window)
        shown.run { over.dismiss(animated: true) }
        #expect(over.view.window == nil && pushed.view.window === shown.window)
        tabs.setViewControllers([UIViewController()], animated: false)
        #expect(pushed.view.window == nil)
    }

    final class Guard: NSObject, UITabBarControllerDelegate {
        var heard: [String] = []
        var isOpen = true

        func tabBarController(_ tabBarController: UITabBarController, shouldSelect viewController: UIViewController) -> Bool { isOpen }

        func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {
            heard.append(viewController.tabBarItem.title ?? "")
        }
    }

    @Test func tabsAreBesideEachOther() {
        let (tabs, keeper) = (UITabBarController(), Guard())
        let pages = ["Shop", "Me"].map { title in
            let page = UIViewController()
            let label = UILabel()
            label.text = "This is \(title)"
            page.view.addSubview(label)
            page.tabBarItem = UITabBarItem(title: title, image: UIImage(systemName: "house"), tag: 1)
            return page
        }
        tabs.setViewControllers([UINavigationController(rootViewController: pages[0]), pages[1]], animated: false)
        tabs.viewControllers?.first?.tabBarItem = pages[0].tabBarItem
        tabs.delegate = keeper
        let shown = Shown(tabs)
        #expect(shown.screen.texts == ["This is Shop"] && tabs.tabBar.items?.count == 2 && pages[0].tabBarController === tabs)
        #expect(shown.screen.tap("Me") && shown.screen.texts == ["This is Me"] && tabs.selectedIndex == 1)
        keeper.isOpen = false
        #expect(!shown.screen.tap("Shop") && !shown.screen.tap("Nowhere") && keeper.heard == ["Me"])
        tabs.selectedIndex = 7
        #expect(tabs.selectedIndex == 1)
        tabs.selectedIndex = 0
        #expect(shown.screen.texts == ["This is Shop"] && keeper.heard == ["Me"])
        tabs.selectedViewController = pages[1]
        tabs.viewControllers = [pages[1]]
        #expect(tabs.selectedViewController === pages[1] && tabs.selectedIndex == 0 && shown.screen.texts == ["This is Me"])
        tabs.viewControllers = nil
        #expect(tabs.viewControllers == nil && tabs.selectedViewController == nil && shown.screen.texts.isEmpty)
    }

    @Test func aBarAboveTheKeyboardIsTapped() {
        let controller = UIViewController()
        let shown = Shown(controller)
        let (bar, receiver) = (UIToolbar(), Receiver("close"))
        bar.setItems([.flexibleSpace(), UIBarButtonItem(title: "OK", style: .done, target: receiver, action: "close")], animated: false)
        controller.view.addSubview(bar)
        #expect(shown.screen.tap("OK") && receiver.received == ["close"])
    }

    @Test func aTitleIsInBothBars() {
        let page = UIViewController()
        page.title = "Wallet"
        #expect(page.navigationItem.title == "Wallet" && page.tabBarItem.title == "Wallet")
        page.navigationItem.title = "My wallet"
        #expect(page.title == "Wallet" && UINavigationItem(title: "A").title == "A")
        UINavigationBar.appearance().tintColor = .systemGreen
        UITabBar.appearance().tintColor = .systemGreen
        #expect(UINavigationBar.appearance().tintColor == .systemGreen && UITabBar.appearance().tintColor == .systemGreen)
    }
}
