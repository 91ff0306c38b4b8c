import Foundation
import PassKitSimulator
import Testing

/// A device has a screen, and what is wrong with the screen is wrong on the device.
@MainActor
struct DeviceScreenTests {
    private func shop(_ screen: SimulatedScreen) -> UIViewController {
        let (root, window) = (UIViewController(), UIWindow(frame: .zero))
        window.rootViewController = root
        SimulatedScreen.$bound.withValue(screen) { window.makeKeyAndVisible() }
        return root
    }

    @Test func theAppOfADeviceIsTheOneOfItsScreen() {
        let (one, other) = (SimulatedDevice(.init(systemVersion: "17.4")), SimulatedDevice(.init()))
        let apps = [one, other].map { device in SimulatedDevice.$current.withValue(device) { UIApplication.shared } }
        #expect(apps[0] !== apps[1] && apps[0] === one.screen.application && apps[1] === other.screen.application)
        SimulatedDevice.$current.withValue(one) { #expect(UIDevice.current.systemVersion == "17.4") }
    }

    @Test func aBoundScreenStandsBeforeTheDevices() {
        let screen = SimulatedScreen()
        SimulatedDevice.$current.withValue(SimulatedDevice(.init())) {
            SimulatedScreen.$bound.withValue(screen) { #expect(UIApplication.shared === screen.application) }
            #expect(UIApplication.shared !== screen.application)
        }
    }

    @Test func faultsOfTheScreenAreTheDevices() {
        let device = SimulatedDevice(.init())
        SimulatedDevice.$current.withValue(device) {
            let root = shop(device.screen)
            root.present(UIViewController(), animated: false)
            root.present(UIViewController(), animated: false)
            UIApplication.shared.open(URL(fileURLWithPath: "/nowhere"))
        }
        #expect(device.faults.map(\.code) == [.presentedOverAnother, "link-not-opened"])
        #expect(device.screen.faults.map(\.code) == [.presentedOverAnother, .linkNotOpened])
    }

    @Test func whatIsPresentedIsSeenAndTapped() {
        let device = SimulatedDevice(.init())
        var taps = 0
        SimulatedDevice.$current.withValue(device) {
            let window = UIWindow(frame: .zero)
            window.rootViewController = UIViewController()
            window.makeKeyAndVisible()
            let button = PKPaymentButton(paymentButtonType: .buy, paymentButtonStyle: .black)
            button.addAction(UIAction { _ in taps += 1 }, for: .touchUpInside)
            button.onTap = { taps += 10 }
            window.rootViewController?.view.addSubview(button)
            #expect(device.screen.visibleViews.contains { $0 === button })
            button.sendTap()
            button.superview?.isHidden = true
            button.sendTap()
            #expect(!device.screen.visibleViews.contains { $0 === button })
            withExtendedLifetime(window) {}
        }
        #expect(taps == 11)
    }

    /// Other tests have asked for the current device by then, or this one does.
    @Test func theProcesssDeviceIsNamedBeforeItIsAskedFor() {
        _ = SimulatedDevice.current
        #expect(!SimulatedDevice.useForProcess(SimulatedDevice(.init())))
    }
}
