import AlipayApp
import AlipayPlusApp
import AlipayPlusValues
import BillfoldMoney
import UIKitSimulator

@main
@MainActor
enum Drive {

    static func main() async throws {
        try await beforeTheConfiguration()
        await theRow()
        await theSheet()
        await linkedAlipay()
        try await waiting()
        await onNoActor()
    }

    private static func check(_ said: String?, _ expected: String, _ what: String) {
        guard said == expected else {
            print("differs: \(what): \(said ?? "nothing") and not \(expected)")
            exit(1)
        }
        print("\(what): \(expected)")
    }

    private static func until(_ what: String, _ condition: () -> Bool) async {
        for _ in 0..<200_000 where !condition() { await Task.yield() }
        guard !condition() else { return }
        print("differs: \(what) never happens")
        exit(1)
    }

    private static func beforeTheConfiguration() async throws {
        _ = Phone()
        check(await WaitingShop().row("PHP"), "true 1001 PARAM_ILLEGAL", "nothing is set up")
        check(String(WaitingShop().isLive()), "true", "the default environment")
    }

    // MARK: The payment option

    private static func theRow() async {
        let phone = Phone(
            .answer(
                200,
                PublishedOption(
                    isEnabled: true, brandName: "Alipay+",
                    logos: [.init(name: "GCash", url: "https://cdn.example/l.png", pattern: "P1-APP-01", width: "9", height: "3")],
                    promotions: [.simplifiedChinese: ["立减"]]
                ).text))
        let screen = SimulatedScreen()
        await SimulatedScreen.$bound.withValue(screen) {
            let checkout = opened()
            checkout.askForTheRow("PHP")
            await until("the row comes") { checkout.row.text != nil }
            check(checkout.row.text, "Alipay+ 立减", "the row")
            check(checkout.logos.first, "GCash 9x3 https://cdn.example/l.png P1-APP-01", "its image")
            for (network, currency, words) in [
                (Phone.Network.answer(404, ""), "PHP", DisableReason.currencyNotOffered(try! Currency("PHP")).text(in: .simplifiedChinese)),
                (.answer(200, #"{"enabled":false}"#), "PHP", DisableReason.switchedOff.text(in: .simplifiedChinese)),
                (.answer(200, "?"), "PHP", "system"), (.lost, "PHP", "network"), (.lost, "pesos", "parameters"),
            ] {
                phone.reply(network)
                checkout.row.text = nil
                checkout.askForTheRow(currency)
                await until("an answer comes") { checkout.row.text != nil }
                check(checkout.row.text, words, "\(network) for \(currency)")
            }
        }
    }

    private static var window: UIWindow?

    private static func opened() -> PlusCheckoutViewController {
        let checkout = PlusCheckoutViewController()
        window = UIWindow(frame: .zero)
        window?.rootViewController = checkout
        window?.makeKeyAndVisible()
        return checkout
    }

    // MARK: The payment sheet

    private static func theSheet() async {
        let phone = Phone()
        let screen = SimulatedScreen()
        await SimulatedScreen.$bound.withValue(screen) {
            let checkout = opened()
            checkout.paymentData = Phone.data("P-1")
            screen.tap("Alipay+")
            check(checkout.state.text ?? "nothing", "nothing", "before the sheet")
            phone.say(.shown)
            check(checkout.state.text, "shown", "the sheet is drawn")
            phone.choose("GCASH")
            check(checkout.state.text, "left for GCASH", "a choice")
            await until("the wallet opens") { phone.surroundings.openings.count == 1 }
            check(String(checkout.closings), "1", "the close notification")
            screen.tap("Alipay+")
            phone.say(.shown)
            phone.say(.cancelled)
            check(checkout.state.text, "closed", "Close")
            screen.tap("Alipay+")
            phone.surroundings.say(.unreachable("no network"))
            check(checkout.state.text, "1002 INVALID_NETWORK: no network", "a sheet without a network")
            screen.tap("Alipay+")
            phone.say(.failed("no session"))
            check(checkout.state.text, "1003 SYSTEM_ERROR: the sheet failed: no session", "a sheet that fails")
            screen.tap("Alipay+")
            phone.choose("DANA")
            await until("a wallet without a link") { checkout.state.text?.hasPrefix("1003") == true }
            for data in ["{}", Phone.data("P-2", merchant: "M-2")] {
                checkout.paymentData = data
                checkout.state.text = "nothing"
                screen.tap("Alipay+")
                check(checkout.state.text, "nothing", "an exception before the call returns")
                await until("unusable data") { checkout.state.text?.hasPrefix("1001 PARAM_ILLEGAL") == true }
            }
        }
    }

    // MARK: With the Alipay SDK

    private static func linkedAlipay() async {
        for (status, answer) in [
            ("9000", "paid"), ("4000", "failed"), ("6001", "cancelled"), ("6002", "being confirmed"), ("8000", "being confirmed"),
        ] {
            let phone = Phone()
            let shop = LinkedShopAppDelegate()
            let screen = SimulatedScreen()
            await SimulatedScreen.$bound.withValue(screen) {
                screen.launch(shop)
                let cashier = Cashier(status)
                AlipaySDK.defaultService().client = cashier.client
                shop.pay(Phone.data("P-\(status)"))
                phone.say(.shown)
                phone.choose("ALIPAY_CN", order: cashier.order)
                await until("\(status) is told") { !shop.answers.isEmpty }
                check(shop.answers.joined(separator: ", "), answer, "Alipay says \(status)")
                check(String(shop.log.names.contains("payment_sheet_event")), "true", "the log")
            }
        }
        let phone = Phone()
        let shop = LinkedShopAppDelegate()
        let screen = SimulatedScreen()
        SimulatedScreen.$bound.withValue(screen) {
            screen.launch(shop)
            shop.pay(Phone.data("P-1"))
            check(String(screen.openInApp(URL(string: "plusshop://safepay/?%7B%7D")!)), "true", "Alipay's return")
            check(String(screen.openInApp(URL(string: "plusshop://orders")!)), "false", "another link")
            phone.say(.cancelled)
            check(shop.answers.first, "cancelled", "Close in an app with Alipay")
        }
    }

    // MARK: Callers that wait, and those of no actor

    private static func waiting() async throws {
        let phone = Phone(.answer(200, #"{"enabled":true,"brandName":"Alipay+"}"#))
        check(FreeShop().prepare(), "1022188000000000001", "the configuration is read back")
        let shop = WaitingShop()
        check(String(shop.isLive()), "false", "the environment")
        check(await shop.row("PHP", region: "PH"), "Alipay+", "a row")
        check(await shop.row("PHP", region: "Philippines"), "true 1001 PARAM_ILLEGAL", "a region that is none")
        var told = 0
        shop.ask("PHP") { told += $0 ? 1 : 0 }
        check(String(told), "0", "a handler before the call returns")
        await until("three spellings answer") { told == 3 }
        shop.speak("th_TH")
        phone.reply(.answer(404, ""))
        check(await shop.row("PHP"), DisableReason.currencyNotOffered(try Currency("PHP")).text(in: .thai), "a language set afterwards")
        let option = shop.builtIn()!
        let archived = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(shop.stored(option)) as? IAPPaymentOption
        check(archived?.logos?.first?.logoWidth, "9", "an archived option")
        check(archived?.brandName, "Alipay+", "an archived option's brand")
    }

    private static func onNoActor() async {
        let phone = Phone()
        let shop = FreeShop()
        check(await Task.detached { shop.prepare() }.value, "1022188000000000001", "the configuration from another thread")
        let begun = Task.detached { await shop.begin(Phone.data("P-9")) }
        await until("the sheet comes") { phone.surroundings.sheet != nil }
        phone.choose("GCASH")
        check(await begun.value, "GCASH", "a sheet from another thread")
        await Task.detached { shop.ignore("{}") }.value
    }
}
