import ApplePayApp
import Foundation
import PassKitSimulator

/// One visit of a customer, by the name of what happens in it.
@main
struct Driver {
    @MainActor
    static func main() async {
        let visits: [String: @MainActor () async -> Void] = [
            "paid": paid, "cancelled": cancelled, "refused": refused, "answer-lost": answerLost, "callback-lost": callbackLost,
            "killed-after": killedAfter, "killed-before": killedBefore, "again": again, "buttons": buttons,
        ]
        guard let visit = visits[CommandLine.arguments.last ?? ""] else { Stage.stop("no such visit") }
        await visit()
    }

    @MainActor
    private static func paid() async {
        let stage = Stage()
        stage.launch()
        await stage.order()
        let sheet = await stage.tapPay()
        sheet.perform(.authorize)
        await stage.reads("Paid.")
        stage.expect("the app is on its first screen, with an empty cart", stage.phone.screen.texts.contains("Your cart is empty."))
        let kept = await stage.keptAttempt()
        stage.expect("nothing is kept", kept == nil)
        stage.expect("the app did nothing wrong", stage.phone.faults.isEmpty)
    }

    @MainActor
    private static func cancelled() async {
        let stage = Stage()
        stage.launch()
        await stage.order()
        let sheet = await stage.tapPay()
        sheet.perform(.cancel)
        await stage.reads("You closed")
        stage.expect("the order can be paid again", stage.payButton != nil)
    }

    /// The test has the acquirer decline the first payment. The customer pays a second time.
    @MainActor
    private static func refused() async {
        let stage = Stage()
        stage.launch()
        await stage.order()
        let sheet = await stage.tapPay()
        sheet.perform(.authorize)
        await stage.reads("The payment did not go through.")
        await stage.until("the order is there again, with its failed payment") { stage.scene.shop?.order?.payments.count == 1 }
        let second = await stage.tapPay()
        second.perform(.authorize)
        await stage.reads("Paid.")
    }

    /// The payment arrives and nothing comes back, whatever is asked, until the customer looks again.
    @MainActor
    private static func answerLost() async {
        let stage = Stage()
        stage.launch()
        await stage.order()
        let sheet = await stage.tapPay()
        await stage.line(loses: "answers")
        sheet.perform(.authorize)
        await stage.reads("Your payment is being confirmed.")
        stage.expect("nothing can be paid meanwhile", stage.payButton == nil)
        stage.phone.screen.goToBackground()
        await stage.line(loses: "nothing")
        stage.phone.screen.comeToFront()
        await stage.reads("Paid.")
    }

    /// Something else takes the sheet away after the customer has paid: nobody calls the app back.
    @MainActor
    private static func callbackLost() async {
        let stage = Stage()
        stage.launch()
        await stage.order()
        let sheet = await stage.tapPay()
        await stage.line(loses: "answers")
        sheet.perform(.authorize)
        await stage.untilKept()
        stage.phone.screen.topController?.dismiss(animated: false)
        await stage.line(loses: "nothing")
        await stage.reads("Paid.")
    }

    @MainActor
    private static func killedAfter() async {
        let stage = Stage()
        stage.launch()
        await stage.order()
        let sheet = await stage.tapPay()
        await stage.line(loses: "answers")
        sheet.perform(.authorize)
        await stage.untilKept()
        // The server has the payment, and the app does not know.
        await stage.line(loses: "one-answer")
        stage.dieAtOnce()
    }

    @MainActor
    private static func killedBefore() async {
        let stage = Stage()
        stage.launch()
        await stage.order()
        let sheet = await stage.tapPay()
        await stage.line(loses: "requests")
        sheet.perform(.authorize)
        await stage.untilKept()
        stage.dieAtOnce()
    }

    /// The app starts on what an earlier run left behind.
    @MainActor
    private static func again() async {
        let stage = Stage()
        await stage.line(loses: "nothing")
        let before = await stage.keptAttempt()
        Stage.say("kept: \(before?.access.orderID ?? "nothing")")
        stage.launch()
        await stage.reads("Your payment is being confirmed.")
        await stage.until("the app knows") { stage.scene.shop?.isConfirming == false }
        Stage.say("reads: \(stage.scene.shop?.notice ?? "")")
        let after = await stage.keptAttempt()
        stage.expect("nothing is kept any more", after == nil)
    }

    /// A wallet without a card, which the customer fills; then a phone that takes no payments.
    @MainActor
    private static func buttons() async {
        let stage = Stage(hasCard: false)
        stage.launch()
        await stage.order()
        stage.expect("the button sets the wallet up", stage.payButton?.paymentButtonType == .setUp)
        stage.expect("other ways are shown", stage.phone.screen.texts.contains { $0.hasPrefix("Pay when") })
        stage.payButton?.sendTap()
        stage.expect("the button pays", stage.payButton?.paymentButtonType == .buy)
        stage.phone.screen.goToBackground()
        stage.phone.update { $0.isRestricted = true }
        stage.phone.screen.comeToFront()
        await stage.until("no button is left") { stage.payButton == nil }
        Stage.say("buttons: set up, pay, none")
    }
}
