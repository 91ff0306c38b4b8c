import Foundation
import PassKitSimulator

/// Three shapes that public apps have, written when the simulator was done: one handler for all screens, a coordinator, a plug-in.
@MainActor
enum LaterShopsDriver {
    static func drive() async {
        await donation()
        await trip()
        await bridge()
    }

    private final class Listener: TripCoordinatorDelegate {
        var results: [Result<String, TripCoordinator.Failure>] = []

        func tripCoordinator(_ coordinator: TripCoordinator, didFinishWith result: Result<String, TripCoordinator.Failure>) {
            results.append(result)
        }
    }

    private static func donation() async {
        let phone = Phones.phone(cards: [Phones.visa], contacts: [Phones.albany])
        let handler = DonationHandler()
        var heard: [String] = []
        let window = SimulatedDevice.$current.withValue(phone) {
            let window = UIWindow(frame: .zero)
            window.rootViewController = UIViewController()
            window.makeKeyAndVisible()
            check("status asks both questions", DonationHandler.status() == (true, true))
            handler.donate(25) { heard.append("\($0) \($1 ?? "")") }
            return window
        }
        guard let sheet = phone.presentedSheet else { return check("the sheet came up on the key window", false, phone.faults) }
        await sheet.settle()
        await CartDriver.perform(.authorize, on: sheet)
        check("a donation is paid", heard == ["true A1B2"], heard)
        check("nothing was wrong with the app", phone.faults.isEmpty, phone.faults)
        withExtendedLifetime(window) {}
    }

    private static func trip() async {
        let phone = Phones.phone(cards: [Phones.visa])
        let screen = UIViewController()
        let coordinator = TripCoordinator(presenter: screen)
        let listener = Listener()
        coordinator.delegate = listener
        SimulatedDevice.$current.withValue(phone) { coordinator.start() }
        guard let sheet = phone.presentedSheet else { return check("the coordinator's sheet came up", false, phone.faults) }
        await sheet.settle()
        await CartDriver.perform(.selectShippingMethod("window"), on: sheet)
        check("an async method answers with a new sum", sheet.state.total == "47", sheet.state.total)
        await CartDriver.perform(.authorize, on: sheet)
        check("a trip is booked", listener.results == [.success("Li Wei")], listener.results)

        await until("the screen is free again") { phone.presentedSheet == nil }
        SimulatedDevice.$current.withValue(phone) { coordinator.start() }
        phone.presentedSheet?.perform(.cancel)
        check("closing it keeps what was booked", listener.results.count == 2 && screen.presentedViewController == nil)
    }

    private static func bridge() async {
        let phone = Phones.phone(cards: [Phones.visa])
        let bridge = PaymentBridge()
        let options: [String: Any] = [
            "merchantIdentifier": "merchant.example.page", "countryCode": "US", "currencyCode": "USD", "supportedNetworks": ["visa"],
            "items": [["label": "Page", "amount": "3.50"]],
        ]
        var told: [String] = []
        let resolve: PaymentBridge.Resolve = { told.append("\(($0 as? [String: String])?["paymentData"]?.isEmpty == false)") }
        let reject: PaymentBridge.Reject = { code, _, _ in told.append(code) }
        SimulatedDevice.$current.withValue(phone) {
            check("a network that no card has", !bridge.canMakePayments(["amex"]) && bridge.canMakePayments(["visa"]))
            bridge.show(options, resolve: resolve, reject: reject)
        }
        guard let sheet = phone.presentedSheet else { return check("the bridge's sheet came up", false, phone.faults) }
        await sheet.settle()
        sheet.perform(.authorize)
        await until("the page has the token") { told == ["true"] }
        bridge.complete("success")
        await sheet.settle()
        check("and says how it ended", sheet.state.phase == .succeeded && told == ["true"], told)

        await until("the screen is free again") { phone.presentedSheet == nil }
        SimulatedDevice.$current.withValue(phone) { bridge.show(options, resolve: resolve, reject: reject) }
        phone.presentedSheet?.perform(.cancel)
        check("cancelled is heard by the page", told == ["true", "E_CANCEL"], told)
        await until("the screen is free again") { phone.presentedSheet == nil }
        SimulatedDevice.$current.withValue(phone) { bridge.show([:], resolve: resolve, reject: reject) }
        check("an empty request is refused", told.last == "E_SHOW" && phone.faults.map(\.code) == [.requestRefused], phone.faults)
    }
}
