import Foundation
import PassKitSimulator

/// The published flow: a screen with a pay button, blocks that are called `completion`.
@MainActor
enum CartDriver {
    static func drive() async {
        await buttons()
        await paid()
        await refusedAndCorrected()
        await unknown()
        await lostCallback()
        await cancelledAndTwice()
        await killed()
    }

    @MainActor
    struct Visit {
        let phone: SimulatedDevice
        let window: UIWindow
        let cart: CartViewController

        var sheet: PaymentSheet? { phone.presentedSheet }
    }

    /// Opens the app on its cart.
    static func visit(_ service: TestService, order: String, phone: SimulatedDevice = Phones.phone()) -> Visit {
        SimulatedDevice.$current.withValue(phone) {
            let window = UIWindow(frame: .zero)
            let cart = CartViewController(service: service, orderNumber: order)
            window.rootViewController = cart
            window.makeKeyAndVisible()
            return Visit(phone: phone, window: window, cart: cart)
        }
    }

    static func tapPay(_ visit: Visit) async -> PaymentSheet {
        SimulatedDevice.$current.withValue(visit.phone) { visit.cart.payButton.sendTap() }
        guard let sheet = visit.sheet else {
            check("the sheet came up", false, visit.phone.faults)
            exit(1)
        }
        await sheet.settle()
        return sheet
    }

    static func perform(_ actions: PaymentSheet.Action..., on sheet: PaymentSheet) async {
        for action in actions {
            sheet.perform(action)
            await sheet.settle()
        }
    }

    private static func buttons() async {
        let poor = SimulatedDevice(.init(hasSecureElement: false))
        let hidden = visit(TestService(), order: "B-1", phone: poor).cart
        check("a phone that cannot pay shows neither button", hidden.payButton.isHidden && hidden.setUpButton.isHidden)
        SimulatedDevice.$current.withValue(poor) { hidden.pay() }
        check("a request that cannot be shown gives no controller", hidden.statusLabel.text == "Apple Pay is not available")

        let empty = visit(TestService(), order: "B-2", phone: Phones.phone(cards: []))
        check("without a card the set-up button shows", empty.cart.payButton.isHidden && !empty.cart.setUpButton.isHidden)
        SimulatedDevice.$current.withValue(empty.phone) {
            empty.cart.setUpButton.sendTap()
            empty.cart.showButtons()
        }
        check("the wallet was opened and a card added", empty.phone.paymentSetupOpenings == 1 && !empty.cart.payButton.isHidden)
    }

    private static func paid() async {
        let service = TestService(.result(.charged))
        let visit = visit(service, order: "P-1")
        let sheet = await tapPay(visit)
        check("the sheet asks for a delivery address", sheet.state.asksAddress)
        check("items made by init are shown", sheet.state.shippingMethods.map(\.detail) == ["6 to 8 days", "2 to 3 days"])
        check("the total is the merchant's", sheet.state.total == "107.34" && sheet.state.merchant == "Bamboo & Co", sheet.state.total)
        await perform(.selectCard("visa"), .selectShippingMethod("express"), on: sheet)
        check("each choice changed the sum", sheet.state.total == "130", sheet.state.total)
        await perform(.authorize, on: sheet)
        check("paid: the sheet says so", sheet.state.phase == .succeeded)
        check("the token's bytes went unchanged", service.tokens == [TestWallet.token])
        check("the app took the sheet away", visit.cart.presentedViewController == nil)
        await until("the app thanks") { visit.cart.statusLabel.text == "Thank you" }
        check("nothing was wrong with the app", visit.phone.faults.isEmpty, visit.phone.faults)
    }

    private static func refusedAndCorrected() async {
        let visit = visit(TestService(.result(.wrongAddress), .result(.declined)), order: "R-1")
        let sheet = await tapPay(visit)
        await perform(.selectContact("lisbon"), on: sheet)
        check("an address that is not served is marked", sheet.state.problems.map(\.field) == ["post"], sheet.state.problems)
        await perform(.selectContact("shanghai"), .authorize, on: sheet)
        check(
            "a status that blames the contact keeps the sheet open", sheet.state.phase == .ready && sheet.state.problems.count == 1,
            sheet.state.phase)
        await perform(.selectContact("shanghai"), .authorize, on: sheet)
        check("refused: the sheet says so and goes", sheet.state.phase == .failed && visit.cart.presentedViewController == nil)
        await until("the app says not paid") { visit.cart.statusLabel.text == "Not paid" }
        check("nothing stays open", !PendingOrders.shared.open.contains("R-1"))
    }

    private static func unknown() async {
        let visit = visit(TestService(.unknown), order: "U-1", phone: Phones.phone(patience: .milliseconds(700)))
        let sheet = await tapPay(visit)
        sheet.perform(.authorize)
        await until("unknown: the sheet gives up by itself") { sheet.state.phase == .failed }
        check("the unanswered callback is told", visit.phone.faults.map(\.code) == [.unanswered], visit.phone.faults)
        await until("the app promises nothing") { visit.cart.statusLabel.text != "Confirming" }
        check("the order stays to be asked about", PendingOrders.shared.open.contains("U-1"))
        PendingOrders.shared.end("U-1")
    }

    private static func lostCallback() async {
        let visit = visit(TestService(.silence), order: "L-1", phone: Phones.phone(patience: .milliseconds(700)))
        let sheet = await tapPay(visit)
        sheet.perform(.authorize)
        await until("lost callback: the sheet gives up by itself") { sheet.state.phase == .failed }
        check("the lost callback is told", visit.phone.faults.map(\.code) == [.unanswered], visit.phone.faults)
        check("the app says that it does not know", visit.cart.statusLabel.text == "Being confirmed")
        PendingOrders.shared.end("L-1")
    }

    private static func cancelledAndTwice() async {
        let visit = visit(TestService(.twice), order: "C-1")
        var sheet = await tapPay(visit)
        await perform(.cancel, on: sheet)
        check("cancelled: the sheet is away and nothing was sent", visit.cart.presentedViewController == nil)
        await until("the screen is free again") { visit.phone.presentedSheet == nil }
        sheet = await tapPay(visit)
        await perform(.authorize, on: sheet)
        check("paid after all", sheet.state.phase == .succeeded)
        await until("the second answer is told") { visit.phone.faults.map(\.code) == [.answeredTwice] }
    }

    private static func killed() async {
        let phone = Phones.phone()
        var visit: Visit? = visit(TestService(.silence), order: "K-1", phone: phone)
        let sheet = await tapPay(visit!)
        sheet.perform(.authorize)
        await until("the token is on its way") { PendingOrders.shared.open.contains("K-1") }
        visit = nil
        await until("killed app: its sheet is away") { phone.presentedSheet == nil }
        check("the next start finds the open order", PendingOrders.shared.open == ["K-1"], PendingOrders.shared.open)
        _ = visit
    }
}
