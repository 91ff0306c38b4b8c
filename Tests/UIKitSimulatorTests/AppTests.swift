import Testing
import UIKitSimulator

@MainActor
struct AppTests {
    @Test func aStoryboardGivesWhatATestStandsInFor() {
        let shown = Shown(UIViewController())
        let page = UITableViewController(style: .plain)
        shown.screen.provide("pay", in: "Main") { page }
        shown.run {
            let board = UIStoryboard(name: "Main", bundle: nil)
            #expect(board.instantiateViewController(withIdentifier: "pay") === page)
            #expect(board.instantiateViewController(identifier: "other") !== page && board.instantiateInitialViewController() == nil)
            #expect(UINib(nibName: "Cell", bundle: nil).instantiate(withOwner: nil).isEmpty)
            #expect(Bundle.main.loadNibNamed("Cell", owner: nil) == nil)
            page.performSegue(withIdentifier: "paid", sender: nil)
        }
        #expect(shown.faults == Array(repeating: .archiveNotLoaded, count: 5) && page.storyboard == nil)
        #expect(page.shouldPerformSegue(withIdentifier: "paid", sender: nil))
    }

    @Test func aReceiptIsSharedAndCopied() {
        let controller = UIViewController()
        let shown = Shown(controller)
        let share = UIActivityViewController(
            activityItems: ["Receipt 1", URL(string: "https://shop.example/1")!, 3], applicationActivities: nil)
        var heard: [String] = []
        share.completionWithItemsHandler = { type, isDone, _, _ in
            heard.append("\(type?.rawValue.split(separator: ".").last ?? "none") \(isDone)")
        }
        share.excludedActivityTypes = [.airDrop]
        shown.run {
            #expect(!share.sendChoice(.mail), "it is not on the screen yet")
            controller.present(share, animated: true)
            #expect(!share.sendChoice(.airDrop) && share.sendChoice(.copyToPasteboard) && shown.screen.topController === controller)
            #expect(UIPasteboard.general.strings == ["Receipt 1", "https://shop.example/1"] && UIPasteboard.general.string == "Receipt 1")
            controller.present(share, animated: true)
            share.sendChoice(nil)
        }
        #expect(heard == ["CopyToPasteboard true", "none false"])
    }

    @Test func aPasteboardIsADevicesOwn() {
        let (one, other) = (SimulatedScreen(), SimulatedScreen())
        SimulatedScreen.$bound.withValue(one) {
            UIPasteboard.general.url = URL(string: "https://wallet.example")
            #expect(UIPasteboard.general.url?.host == "wallet.example" && UIPasteboard.general.hasURLs)
            UIPasteboard.general.string = "281006"
            #expect(UIPasteboard.general.url == nil && UIPasteboard.general.hasStrings)
        }
        SimulatedScreen.$bound.withValue(other) { #expect(UIPasteboard.general.string == nil && !UIPasteboard.general.hasStrings) }
    }

    final class Delegate: NSObject, UIApplicationDelegate {
        func application(
            _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
            options: UIScene.ConnectionOptions
        ) -> UISceneConfiguration {
            UISceneConfiguration(name: "Shop", sessionRole: connectingSceneSession.role)
        }
    }

    final class Scene: NSObject, UIWindowSceneDelegate {
        var session: UISceneSession?

        func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
            self.session = session
        }
    }

    @Test func aSceneHasTheConfigurationThatTheAppGives() {
        let (screen, scene) = (SimulatedScreen(), Scene())
        SimulatedScreen.$bound.withValue(screen) { screen.launch(Delegate(), scene: scene) }
        #expect(scene.session?.configuration.name == "Shop" && scene.session?.configuration.role == .windowApplication)
    }

    @Test func anAppAsksForTimeAndSendsActions() {
        let shown = Shown(UIViewController())
        let receiver = Receiver("pay")
        shown.run {
            let application = UIApplication.shared
            let first = application.beginBackgroundTask(withName: "poll") {}
            #expect(first != .invalid && application.beginBackgroundTask() != first)
            application.endBackgroundTask(first)
            #expect(application.sendAction("pay", to: receiver, from: nil, for: nil) && receiver.received == ["pay"])
            #expect(!application.sendAction("pay", to: nil, from: nil, for: nil), "nothing has the keyboard")
            #expect(UIDevice.current.identifierForVendor == UIDevice.current.identifierForVendor)
        }
    }

    @Test func aTimerCallsByASelector() {
        let receiver = Receiver("poll")
        let timer = Timer(timeInterval: 60, target: receiver, selector: "poll", userInfo: nil, repeats: true)
        timer.fire()
        timer.fire()
        #expect(receiver.received == ["poll", "poll"] && receiver.senders.first as? Timer === timer)
        timer.invalidate()
        let other = Timer.scheduledTimer(timeInterval: 60, target: receiver, selector: "poll", userInfo: nil, repeats: false)
        #expect(other.isValid)
        other.invalidate()
    }

    @Test func aSheetStandsAtItsHeights() {
        let page = UIViewController()
        page.sheetPresentationController?.detents = [.medium(), .large()]
        #expect(page.sheetPresentationController?.detents.map(\.identifier) == [.medium, .large])
        page.modalPresentationStyle = .fullScreen
        #expect(page.sheetPresentationController == nil && page.popoverPresentationController == nil)
        #expect(UIWindow.Level.alert.rawValue < (UIWindow.Level.alert + 1).rawValue)
        #expect(page.supportedInterfaceOrientations.contains(.landscapeLeft) && page.view.frame == UIScreen.main.bounds)
    }

    @Test func aPlaceIsFoundInAnotherView() {
        let (base, box, inner) = (UIView(), UIView(), UIView())
        base.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
        box.frame = CGRect(x: 10, y: 20, width: 50, height: 50)
        inner.frame = CGRect(x: 1, y: 2, width: 5, height: 5)
        base.addSubview(box)
        box.addSubview(inner)
        #expect(inner.convert(inner.bounds, to: base) == CGRect(x: 11, y: 22, width: 5, height: 5))
        #expect(base.convert(inner.bounds, to: box) == CGRect(x: -10, y: -20, width: 5, height: 5))
    }

    @Test func viewsStandWhereTheyAreSaidTo() {
        let (base, one, two, three) = (UIView(), UIView(), UIView(), UIView())
        base.addSubview(one)
        base.insertSubview(two, belowSubview: one)
        base.insertSubview(three, aboveSubview: two)
        #expect(base.subviews == [two, three, one])
        let row = UIStackView(arrangedSubviews: [one, two])
        row.insertArrangedSubview(three, at: 1)
        #expect(row.arrangedSubviews == [one, three, two] && row.axis == .horizontal)
        three.removeFromSuperview()
        #expect(row.arrangedSubviews == [one, two], "who leaves the view leaves the row")
        row.removeArrangedSubview(two)
        #expect(row.arrangedSubviews == [one] && row.subviews.contains(two))
        let width = one.widthAnchor.constraint(equalTo: two.widthAnchor, multiplier: 0.5)
        width.priority = .defaultHigh
        base.addConstraints([width, one.heightAnchor.constraint(lessThanOrEqualToConstant: 44)])
        #expect(base.constraints.count == 2 && width.isActive && width.multiplier == 0.5 && base.constraints[1].constant == 44)
        base.removeConstraint(width)
        #expect(!width.isActive && base.constraints.count == 1)
    }
}
