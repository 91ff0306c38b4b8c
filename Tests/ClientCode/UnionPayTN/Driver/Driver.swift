import Foundation
import UIKitSimulator
import UnionPayApp

/// Each outcome is a line; the first that differs ends the program.
@MainActor
func check(_ outcome: String, _ holds: Bool, _ detail: @autoclosure () -> Any = "") {
    guard holds else {
        print("differs: \(outcome) \(detail())")
        exit(1)
    }
    print(outcome)
}

/// The shop's server: it knows what was paid.
@MainActor
final class Server: OrderServer {
    var number: String? = "201603131105018491158\n"
    var isPaid = false
    var verified: [String] = []

    func transactionNumber(of order: String) async throws -> String? { number }
    func isPaid(_ order: String) async throws -> Bool { isPaid }
    func verify(_ signed: String) async { verified.append(signed) }
}

@main
struct Driver {
    @MainActor
    static func main() async {
        let (screen, launcher, server) = (SimulatedScreen.current, SimulatedLauncher(), Server())
        let control = UPPaymentControl.default()!
        control.launcher = launcher
        control.opener = { url in MainActor.assumeIsolated { _ = screen.openInApp(url, from: "com.unionpay.chsp") } }
        PayCenter.shared.server = server
        screen.launch(TeaAppDelegate())
        await outcomes(launcher, server)
        await signed(screen, server)
        await lost(screen, launcher, server)
        await applePay(launcher)
        await refusals(launcher, server, control)
        check("nothing was wrong on the screen", screen.faults.isEmpty, screen.faults)
    }

    @MainActor
    static func settle(_ holds: () -> Bool) async {
        for _ in 0..<10_000 where !holds() { await Task.yield() }
    }

    @MainActor static var checkout: CheckoutController { SimulatedScreen.current.topController as! CheckoutController }

    @MainActor
    static func outcomes(_ launcher: SimulatedLauncher, _ server: Server) async {
        for (end, isPaid, expected) in [
            (PluginEnd.success(), true, ["success", "receipt"]), (.success(), false, ["success", "being confirmed"]),
            (.failure("no money[1000051]"), false, ["fail", "being confirmed"]), (.cancel, false, ["cancel", "being confirmed"]),
            (.unknownCancel, true, ["cancel", "receipt"]),
        ] {
            PayCenter.shared.forget()
            server.isPaid = isPaid
            await PayCenter.shared.pay(order: "A-1", over: checkout)
            check("the number arrives without its line break", launcher.shown.last?.number == "201603131105018491158")
            launcher.finish(end)
            await settle { PayCenter.shared.log.last == expected.last }
            let log = PayCenter.shared.log
            check("\(end) and paid \(isPaid): \(expected)", log.first == expected.first && log.last == expected.last, log)
        }
    }

    /// The text that UnionPay signed goes to the server as it came.
    @MainActor
    static func signed(_ screen: SimulatedScreen, _ server: Server) async {
        PayCenter.shared.forget()
        let data = #"{"sign":"AA==","data":"pay_result=success&tn=201603131105018491158&cert_id=1"}"#
        check(
            "a result with a signature opens the app", screen.openInApp(PluginResult(code: "success", data: data).url(scheme: "teashop")!))
        await settle { !server.verified.isEmpty }
        check("it is both texts", PayCenter.shared.log.contains("signed true"), PayCenter.shared.log)
        check("the server gets them", server.verified.first?.contains("cert_id=1") == true, server.verified)
        let other = screen.openInApp(URL(string: "teashop://elsewhere")!)
        check("another link is no result", !other && PayCenter.shared.log.filter { $0 == "success" }.count == 1, PayCenter.shared.log)
    }

    /// The word never comes, or comes to an app that was killed meanwhile.
    @MainActor
    static func lost(_ screen: SimulatedScreen, _ launcher: SimulatedLauncher, _ server: Server) async {
        PayCenter.shared.forget()
        server.isPaid = true
        await PayCenter.shared.pay(order: "A-2", over: checkout)
        launcher.lose()
        screen.goToBackground()
        screen.comeToFront()
        await settle { PayCenter.shared.log.last == "receipt" }
        check("a lost word is asked for when the app is in front", PayCenter.shared.log == ["receipt"], PayCenter.shared.log)

        PayCenter.shared.forget()
        await PayCenter.shared.pay(order: "A-3", over: checkout)
        launcher.lose()
        PayCenter.shared.forget()
        PayCenter.shared.restore("A-3")
        check("a killed app is opened by the result", screen.openInApp(PluginResult(code: "cancel").url(scheme: "teashop")!))
        await settle { PayCenter.shared.log.last == "receipt" }
        check("and its server knows better than the word", PayCenter.shared.log.last == "receipt", PayCenter.shared.log)
    }

    @MainActor
    static func applePay(_ launcher: SimulatedLauncher) async {
        let screen = checkout
        var count = 0
        for end in [PluginEnd.success(discount: "pay_amt=15.00"), .failure("no money[1000051]"), .cancel, .unknownCancel] {
            check("the sheet of Apple Pay is shown", screen.applePay(tn: "201603131105018491158"))
            launcher.finish(end)
            count += 1
            await settle { screen.messages.count == count }
        }
        check(
            "each status is told", screen.messages == ["paid pay_amt=15.00", "no money[1000051]", "cancelled", "ask the server"],
            screen.messages)
        check("its merchant is named", launcher.shown.last?.merchantIdentifier == "merchant.example.tea")
        let old = OldCheckout()
        old.pay("201603131105018491158")
        launcher.finish(.success())
        await settle { old.result != nil }
        check("the older plug-in tells its word", old.result == "success")
        var told: [String] = []
        for (way, end) in [
            (PaidBy.applePay, PluginEnd.failure("no money[1000051]")), (.applePay, .unknownCancel), (.plugin2014, .success()),
        ] {
            let isShown = PaymentRouter().pay("201603131105018491158", by: way, from: screen) { told.append($0) }
            check("a singleton starts a payment of its own", isShown && launcher.finish(end))
        }
        await settle { told.count == 3 }
        let both = TwoPlugins()
        let isShown = both.pay("201603131105018491158", byApplePay: true, from: screen) && launcher.finish(.cancel)
        check("both plug-ins are of one file, each by its import", isShown)
        await settle { !both.heard.isEmpty }
        both.opened(by: PluginResult(code: "success").url(scheme: "teashop")!)
        check("which hears both words", both.heard == ["sheet \(UPPaymentResultStatus.cancel.rawValue)", "success"], both.heard)
        check("and hears of each", told == ["false no money[1000051]", "ask the server", "true success"], told)
    }

    @MainActor
    static func refusals(_ launcher: SimulatedLauncher, _ server: Server, _ control: UPPaymentControl) async {
        check("the installed app is seen", PayCenter.shared.canSwitchToApp)
        PayCenter.shared.forget()
        launcher.refuses = true
        await PayCenter.shared.pay(order: "A-4", over: checkout)
        check("what cannot be shown is refused", PayCenter.shared.log == ["not started"], PayCenter.shared.log)
        launcher.refuses = false
        PayCenter.shared.forget()
        server.number = ""
        await PayCenter.shared.pay(order: "A-5", over: checkout)
        check("without a number nothing is shown", PayCenter.shared.log == ["no number"], PayCenter.shared.log)
        check("no fault but a link that was no result", Set(control.faults.map(\.code)).isSubset(of: [.foreignURL]), control.faults)
    }
}
