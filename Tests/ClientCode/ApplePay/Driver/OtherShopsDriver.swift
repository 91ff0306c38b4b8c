import Foundation
import PassKitSimulator

/// Electronic goods by the controller, the watcher of the wallet, PINs, and requests for what is paid later.
@MainActor
enum OtherShopsDriver {
    static func drive() async {
        await songs()
        await watcher()
        await pins()
        await memberships()
        await parcels()
    }

    private static func songs() async {
        let phone = Phones.phone(cards: [Phones.unionPay])
        let store = SongStore { $0 == TestWallet.token }
        var outcomes: [SongStore.Outcome] = []
        SimulatedDevice.$current.withValue(phone) { store.buy("River Song", price: "8.00") { outcomes.append($0) } }
        guard let sheet = phone.presentedSheet else { return check("the controller's sheet came up", false, phone.faults) }
        await sheet.settle()
        check("electronic goods ask for an e-mail address alone", sheet.state.asksContact && !sheet.state.asksAddress)
        check("and offer no delivery", sheet.state.shippingMethods.isEmpty)
        await CartDriver.perform(.authorize, on: sheet)
        check("an async method answers", outcomes == [.bought("li.wei@example.com")], outcomes)
        check("nothing was wrong with the app", phone.faults.isEmpty, phone.faults)

        await until("the screen is free again") { phone.presentedSheet == nil }
        SimulatedDevice.$current.withValue(phone) { store.buy("River Song", price: "8.00") { outcomes.append($0) } }
        phone.presentedSheet?.perform(.cancel)
        check("cancelled is heard", outcomes.count == 2)
    }

    private static func watcher() async {
        let phone = Phones.phone(cards: [])
        let watcher = SimulatedDevice.$current.withValue(phone) { WalletWatcher() }
        var choices: [WalletWatcher.Choice] = []
        watcher.onChange = { choices.append($0) }
        SimulatedDevice.$current.withValue(phone) {
            watcher.start()
            watcher.openWallet()
            phone.screen.goToBackground()
            phone.screen.comeToFront()
        }
        check("a card that was added in the background is seen", choices == [.setUp, .pay], choices)
        SimulatedDevice.$current.withValue(phone) {
            phone.update { $0.isRestricted = true }
            phone.screen.goToBackground()
            phone.screen.comeToFront()
            watcher.stop()
        }
        check("a restricted phone shows nothing", choices == [.setUp, .pay, .nothing], choices)
    }

    private static func pins() async {
        let phone = Phones.phone(cards: [Phones.unionPay])
        let screen = UIViewController()
        let checkout = PINAwareCheckout(statuses: ["55", "00"].map(ShopRules.status))
        let isShown = SimulatedDevice.$current.withValue(phone) { checkout.show(on: screen, amount: 1_200) }
        guard isShown, let sheet = phone.presentedSheet else { return check("the sheet came up", false, phone.faults) }
        await sheet.settle()
        await CartDriver.perform(.authorize, on: sheet)
        check("above the issuer's limit a PIN is asked for", sheet.state.phase == .enteringPIN)
        await CartDriver.perform(.enterPIN("111111"), on: sheet)
        check("a wrong PIN is asked for again", sheet.state.phase == .enteringPIN && sheet.state.message == "Incorrect PIN")
        await CartDriver.perform(.enterPIN("123456"), on: sheet)
        check("then it is paid", sheet.state.phase == .succeeded && checkout.isOver)
        check("of both forms the newer was called", !checkout.usedOldForm)

        await until("the screen is free again") { phone.presentedSheet == nil }
        let locked = PINAwareCheckout(statuses: ["1A", "75"].map(ShopRules.status))
        let isShownAgain = SimulatedDevice.$current.withValue(phone) { locked.show(on: screen, amount: 200) }
        guard isShownAgain, let sheet = phone.presentedSheet else { return check("the sheet came up again", false, phone.faults) }
        await sheet.settle()
        await CartDriver.perform(.authorize, on: sheet)
        check("below the limit the issuer asks for a PIN", sheet.state.phase == .enteringPIN && sheet.state.message == nil)
        await CartDriver.perform(.enterPIN("111111"), on: sheet)
        check("and locks it", sheet.state.phase == .failed && locked.isOver)
    }

    private static func memberships() async {
        let phone = Phones.phone(cards: [Phones.visa])
        let requests = [Memberships.monthly(), Memberships.topUp(), Memberships.hotel(), Memberships.trip()]
        let made = SimulatedDevice.$current.withValue(phone) { requests.map(PKPaymentAuthorizationViewController.init) }
        check("each kind of later charge can be shown", made.allSatisfy { $0 != nil }, phone.faults)
        let both = Memberships.monthly()
        both.multiTokenContexts = Memberships.trip().multiTokenContexts
        let none = SimulatedDevice.$current.withValue(phone) { PKPaymentAuthorizationViewController(paymentRequest: both) }
        check("two kinds at once cannot", none == nil && phone.faults.map(\.reason) == [RequestRule.severalKinds.rawValue], phone.faults)
    }

    private static func parcels() async {
        check("the server's networks are those of PassKit", Set(ShopRules.networks.values).count == 20)
        let payingOut = ShopRules.capabilities(paysOut: true)
        check("who pays out says so", payingOut.subtracting(ShopRules.capabilities(paysOut: false)) == .instantFundsOut, payingOut)
        let phone = Phones.phone(cards: [Phones.visa])
        for (handover, type, asksAddress) in [
            (ShopRules.Handover.atTheDoor, PKShippingType.delivery, true), (.inTheShop, .storePickup, false),
            (.byCourierFromHome, .servicePickup, true),
        ] {
            await until("the screen is free again") { phone.presentedSheet == nil }
            let request = ShopRules.request(handover)
            let screen = UIViewController()
            SimulatedDevice.$current.withValue(phone) {
                PKPaymentAuthorizationViewController(paymentRequest: request).map { screen.present($0, animated: true) }
            }
            guard let sheet = phone.presentedSheet else { return check("\(type) can be shown", false, phone.faults) }
            await sheet.settle()
            check(
                "\(type) asks for what it needs",
                request.shippingType == type && sheet.state.asksContact && sheet.state.asksAddress == asksAddress)
            screen.dismiss(animated: true)
        }
    }
}
