import Foundation
import UIKitSimulator

/// Each outcome is a line; the first that differs ends the program.
@MainActor
func check(_ outcome: String, _ holds: Bool, _ detail: @autoclosure () -> Any = "") {
    guard holds else {
        print("differs: \(outcome) \(detail())")
        exit(1)
    }
    print(outcome)
}

@main
struct Driver {
    @MainActor
    static func main() async {
        await SimulatedScreen.$bound.withValue(SimulatedScreen()) { await life() }
        await SimulatedScreen.$bound.withValue(SimulatedScreen()) { oldDelegates() }
        await SimulatedScreen.$bound.withValue(SimulatedScreen()) { scenes() }
        await SimulatedScreen.$bound.withValue(SimulatedScreen()) { questions() }
        await SimulatedScreen.$bound.withValue(SimulatedScreen()) { await links() }
        await SimulatedScreen.$bound.withValue(SimulatedScreen()) { lists() }
        await SimulatedScreen.$bound.withValue(SimulatedScreen()) { fields() }
        await SimulatedScreen.$bound.withValue(SimulatedScreen()) { await snapshots() }
    }

    @MainActor
    static func life() async {
        let screen = SimulatedScreen.current
        let delegate = AppDelegate()
        screen.launch(delegate)
        let cart = (delegate.window?.rootViewController as? UINavigationController)?.topViewController as! CartViewController
        check("the root appears once", cart.appearances == ["will appear", "did appear"], cart.appearances)
        check("the first screen is read", screen.texts == ["Total ¥33.00", "Pay"], screen.texts)
        check(
            "the app is active", screen.application.applicationState == .active && delegate.life == ["launched", "active"], delegate.life)
        check(
            "the delegate's window is found", Windows.ofDelegate === delegate.window?.rootViewController && Windows.key === delegate.window)
        check("a view is found by its tag", cart.view.viewWithTag(7) === cart.payButton)

        check("the pay button is tapped by its selector", screen.tap("Pay") && cart.navigationController?.children.count == 2)
        check("the cart is gone", cart.appearances.suffix(2) == ["will disappear", "did disappear"], cart.appearances)
        check("the top controller is found", Windows.topViewController() is CheckoutViewController)
        (Windows.topViewController() as? CheckoutViewController)?.close()
        check("the cart is back", Windows.topViewController() === cart && cart.appearances.count == 6, cart.appearances)

        await Task.yield()
        let news = CartViewController.didChange
        NotificationCenter.default.post(name: news, object: nil)
        check("who came back listens once", cart.changes == ["changed"], cart.changes)
        await Task.detached { NotificationCenter.default.post(name: news, object: nil) }.value
        check("what is posted elsewhere is a fault", cart.changes.count == 1 && screen.faults.map(\.code) == [.postedOffMainThread])
        screen.goToBackground()
        check("the app is in the background", UIApplication.shared.applicationState == .background)
        check("a link is the app's", screen.openInApp(URL(string: "teashop://paid")!, from: "com.example.wallet"))
        check(
            "the link came with its sender",
            delegate.received.map(\.url.absoluteString) == ["teashop://paid"] && delegate.received[0].source == "com.example.wallet")
        check(
            "the life is told in order", delegate.life == ["launched", "active", "resigned", "background", "foreground", "active"],
            delegate.life)
        check("an observer with a selector heard of it", cart.returns == 1, cart.returns)
        check("another scheme is not the app's", !screen.openInApp(URL(string: "other://x")!))
        check("a link of the web arrives as an activity", screen.openInApp(URL(string: "https://tea.example/paid")!))
        cart.stopListening()
        NotificationCenter.default.post(name: news, object: nil)
        screen.goToBackground()
        screen.comeToFront()
        check("who stopped hears nothing", cart.changes.count == 1 && cart.returns == 1, (cart.changes, cart.returns))
        check("nothing else was wrong", screen.faults.count == 1, screen.faults)
        _ = UIApplication.shared.delegate === delegate
    }

    @MainActor
    static func oldDelegates() {
        let old = OldAppDelegate()
        SimulatedScreen.current.launch(old, by: URL(string: "teashop://cold")!, from: "com.example.wallet")
        check(
            "the form of iOS 4 gets a link that starts the app", old.received.map(\.url.host) == ["cold"] && old.received[0].source != nil)
        SimulatedScreen.$bound.withValue(SimulatedScreen()) {
            let oldest = OldestAppDelegate()
            SimulatedScreen.current.launch(oldest)
            check(
                "the oldest form gets a link", SimulatedScreen.current.openInApp(URL(string: "teashop://a")!) && oldest.received.count == 1)
        }
    }

    @MainActor
    static func scenes() {
        let screen = SimulatedScreen.current
        let (app, scene) = (PlainAppDelegate(), SceneDelegate())
        screen.launch(app, scene: scene, by: URL(string: "teashop://cold")!)
        check("a scene gets the link that starts the app", scene.received.map(\.host) == ["cold"], scene.received)
        screen.goToBackground()
        check("the scene is in the background", scene.isInBackground)
        screen.openInApp(URL(string: "teashop://warm")!)
        check("a scene gets a later link", scene.received.map(\.host) == ["cold", "warm"] && scene.activations == 2, scene.received)
        screen.openInApp(URL(string: "teashop://stranger")!, from: "com.example.stranger")
        screen.openInApp(URL(string: "https://tea.example/x")!)
        check("a scene gets a link of the web", scene.received.map(\.host).suffix(2) == ["warm", "tea.example"], scene.received)
        check("the application's delegate gets none", app.received == 0)
        check("the scene's window is key", Windows.key === scene.window && scene.window?.windowScene?.keyWindow === scene.window)
    }

    @MainActor
    static func questions() {
        let screen = SimulatedScreen.current
        let window = UIWindow(frame: .zero)
        let checkout = CheckoutViewController(total: "33.00")
        window.rootViewController = checkout
        window.makeKeyAndVisible()
        check(
            "a question is asked", screen.tap("Confirm") && screen.texts == ["Pay", "Pay ¥33.00?", "OK", "Cancel", "Empty cart"],
            screen.texts)
        check("what is under a question is not tapped", !screen.tap("Confirm"))
        check("a disabled answer is not tapped", !screen.tap("Empty cart") && screen.alert != nil)
        check("the question is gone when it is answered", screen.tap("OK") && screen.alert == nil && checkout.decision == "OK")
        checkout.confirm()
        check("the other answer", screen.tap("Cancel") && checkout.decision == "Cancel")
        checkout.chooseOnSheet()
        checkout.confirm()
        check("two questions at once are a fault", screen.faults.map(\.code) == [.presentedOverAnother], screen.faults)
        check("the first stays", screen.tap("Apple Pay") && checkout.decision == "Apple Pay")

        let presenter = UIViewController()
        let shown = CheckoutViewController(total: "1")
        window.rootViewController = presenter
        presenter.present(shown, animated: true)
        check("it is presented", presenter.presentedViewController === shown && shown.presentingViewController === presenter)
        shown.close()
        check("it dismisses itself", presenter.presentedViewController == nil && shown.hasDismissed)
        shown.confirm()
        check(
            "who has left asks nothing",
            screen.alert == nil && shown.presentedViewController == nil && screen.faults.last?.code == .notOnScreen,
            screen.faults)
        checkout.confirm()
        check("nor does who was replaced", screen.alert == nil && screen.faults.map(\.code).filter { $0 == .notOnScreen }.count == 2)
    }

    @MainActor
    static func links() async {
        let screen = SimulatedScreen.current
        var reached: [String] = []
        var states: [UIApplication.State] = []
        screen.install(schemes: ["alipays"], hosts: ["wallet.example"]) {
            reached.append($0.absoluteString)
            states.append(UIApplication.shared.applicationState)
            if $0.host == "quick" { screen.openInApp(URL(string: "teashop://paid")!) }
        }
        screen.launch(PlainAppDelegate())
        let opener = LinkOpener()
        opener.openWallet("alipays://pay", page: "https://page.example")
        await Task.yield()
        check("the wallet opens", reached == ["alipays://pay"] && opener.outcomes == ["wallet"], (reached, opener.outcomes))
        check(
            "the app is in the background for it", UIApplication.shared.applicationState == .background && states == [.background], states)
        screen.comeToFront()
        opener.openWallet("other://pay", page: "https://page.example")
        await Task.yield()
        check("without the wallet its page opens", screen.openedLinks.last?.host == "page.example" && opener.outcomes.last == "page")
        screen.declaredSchemes = []
        opener.openWallet("alipays://pay", page: "https://page.example")
        await Task.yield()
        check("a scheme that is not declared is not seen", reached.count == 1 && screen.faults.last?.code == .schemeNotDeclared)
        opener.openWithoutAsking("alipays://again")
        check("it opens all the same", reached.last == "alipays://again")
        opener.openUniversalLink("https://nobody.example/x")
        await Task.yield()
        check("a link of the web that no app claims", opener.outcomes.last == "no app")
        opener.openUniversalLink("https://wallet.example/x")
        await Task.yield()
        check("a link of the web that an app claims", opener.outcomes.last == "app" && reached.last == "https://wallet.example/x")
        let later = await opener.openLater("nobody://x")
        check("nobody opens it", !later && screen.faults.last?.code == .linkNotOpened)
        screen.comeToFront()
        check("the old way", opener.openTheOldWay("alipays://old") && reached.last == "alipays://old" && states.last == .background)
        screen.comeToFront()
        _ = await opener.openLater("alipays://quick")
        check("a wallet that comes back at once", UIApplication.shared.applicationState == .active && states.last == .background, states)
    }

    @MainActor
    static func lists() {
        let screen = SimulatedScreen.current
        let window = UIWindow(frame: UIScreen.main.bounds)
        let ways = WaysToPayController(style: .grouped)
        window.rootViewController = UINavigationController(rootViewController: ways)
        window.makeKeyAndVisible()
        check("a list is read", screen.texts == ["Search", "UnionPay", "Alipay", "Apple Pay"], screen.texts)
        check("a row is chosen", screen.tap("Alipay") && ways.chosen == ["Alipay"])
        check("it is marked", ways.tableView.visibleCells.map(\.accessoryType) == [.none, .checkmark, .none])
        check("a search narrows the list", screen.type("apple", into: "Search") && screen.texts == ["apple", "Apple Pay"], screen.texts)
        check("another finds nothing", screen.type("x", into: "Search") && screen.texts == ["applex", "Nothing found"], screen.texts)
        ways.refreshControl?.sendPull()
        check("the list is pulled down", ways.reloads == 1 && ways.refreshControl?.isRefreshing == false)
        check(
            "a code is asked for",
            screen.tap("Add") && screen.type("2810", into: "12 digits") && screen.tap("OK") && ways.chosen.last == "2810")
        check("something is shared", screen.tap("Share") && screen.topController is UIActivityViewController)
        (screen.topController as? UIActivityViewController)?.sendChoice(.copyToPasteboard)
        check("and copied", UIPasteboard.general.string == "I pay with 2810" && screen.topController === window.rootViewController)
        check("who asks on no actor is told", Router.isShown(ways))
        Router.open(CheckoutViewController(total: "1"), from: ways)
        check("and may push", !Router.isShown(ways) && screen.goBack() && Router.isShown(ways))
        check("no fault of a list", screen.faults.isEmpty, screen.faults)
    }

    @MainActor
    static func fields() {
        let screen = SimulatedScreen.current
        check(
            "without a storyboard there is nothing", TopUpViewController.make() == nil && screen.faults.map(\.code) == [.archiveNotLoaded])
        var parts: [UIView] = []
        screen.provide("TopUpViewController", in: "TopUp") {
            let made = TopUpViewController()
            let (field, agree, button) = (UITextField(), UISwitch(), UIButton(type: .system))
            let amounts = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
            field.placeholder = "Amount"
            button.setTitle("Top up", for: .normal)
            parts = [field, agree, button, amounts]
            (made.amountField, made.agreeSwitch, made.payButton, made.collectionView) = (field, agree, button, amounts)
            return made
        }
        let topUp = TopUpViewController.make()!
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = topUp
        for part in parts { topUp.view.addSubview(part) }
        window.makeKeyAndVisible()
        check("what stands in is shown", screen.texts == ["Amount", "Top up", "¥50", "¥100", "¥200"], screen.texts)
        check(
            "letters are not taken", !screen.type("x", into: "Amount") && screen.type("30", into: "Amount") && topUp.amountField.isEditing)
        check("nothing is paid without consent", !screen.tap("Top up") && topUp.paid.isEmpty)
        topUp.agreeSwitch.sendTap()
        check("an amount is chosen", screen.tap("¥100") && topUp.amountField.text == "100")
        check("it is paid, and the keyboard gone", screen.tap("Top up") && topUp.paid == ["100"] && !topUp.amountField.isEditing)
        topUp.amountField.sendTap()
        topUp.view.gestureRecognizers?.first?.sendGesture()
        check("a tap beside the field puts the keyboard away", !topUp.amountField.isEditing)
        topUp.fireTimer()
        window.rootViewController = nil
        topUp.fireTimer()
        check("a timer ticks until the screen is left", topUp.ticks == 1, topUp.ticks)
    }

    @MainActor
    static func snapshots() async {
        let screen = SimulatedScreen.current
        let window = UIWindow(frame: UIScreen.main.bounds)
        let list = WalletListController(style: .plain)
        window.rootViewController = list
        window.makeKeyAndVisible()
        var isDone = false
        list.show(recent: [Wallet(name: "GCash")], others: [Wallet(name: "Alipay"), Wallet(name: "Old", isUsable: false)]) {
            isDone = true
        }
        check("a snapshot is shown", isDone && screen.texts == ["GCash", "Alipay", "Old"], screen.texts)
        check("a wallet is chosen", screen.tap("Alipay") && list.chosen == ["Alipay"])
        check("one that can't be used is not", screen.tap("Old") && list.chosen.count == 1)
        await list.forget("GCash")
        check("what is deleted is gone", screen.texts == ["Alipay", "Old"], screen.texts)
        list.tableView.contentSize = CGSize(width: 0, height: 88)
        await settle { !list.heights.isEmpty }
        check("the list's height is observed", list.heights == [88], list.heights)
        await settle { false }
        screen.goToBackground()
        screen.comeToFront()
        await settle { list.loads == 1 }
        check("a sequence of notifications hears of the return", list.loads == 1, list.loads)
        list.leave()
        await settle { false }
        screen.goToBackground()
        screen.comeToFront()
        await settle { list.loads == 2 }
        check("a cancelled one hears nothing", list.loads == 1, list.loads)
        check("no fault of a snapshot", screen.faults.isEmpty, screen.faults)
    }

    @MainActor
    private static func settle(_ holds: () -> Bool) async {
        for _ in 0..<2_000 where !holds() { await Task.yield() }
    }
}
