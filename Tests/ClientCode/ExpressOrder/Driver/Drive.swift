import Alipay
import AlipayApp
import UIKitSimulator

@main
@MainActor
enum Drive {

    static func main() async throws {
        let wallet = try Wallet()
        try await teaShop(wallet)
        try await sceneShop(wallet)
        try await payService(wallet)
        try await oldShop(wallet)
        try await login()
        try await webShop(wallet)
        try await linkShop(wallet)
        try await withoutClient()
    }

    private static func check(_ said: String?, _ expected: String, _ what: String) {
        guard said ?? "nothing" == expected else {
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

    // MARK: Each result, by both delegate methods

    private struct Row {
        var status: String
        var state: OrderState?
        var isProven = true
        var screen: String
    }

    private static func teaShop(_ wallet: Wallet) async throws {
        let rows = [
            Row(status: "9000", state: .paid, screen: "paid, with a result"),
            Row(status: "9000", state: nil, screen: "being confirmed"),
            Row(status: "9000", state: .unpaid, isProven: false, screen: "being confirmed"),
            Row(status: "8000", state: nil, screen: "being confirmed"), Row(status: "5000", state: nil, screen: "being confirmed"),
            Row(status: "6004", state: nil, screen: "being confirmed"),
            Row(status: "6002", state: nil, screen: "no network, being confirmed"),
            Row(status: "6001", state: .unpaid, screen: "cancelled"), Row(status: "4000", state: .unpaid, screen: "not paid"),
            Row(status: "4000", state: .paid, screen: "paid"), Row(status: "6001", state: .paid, screen: "paid"),
        ]
        for (number, row) in rows.enumerated() {
            let screen = SimulatedScreen()
            try await SimulatedScreen.$bound.withValue(screen) {
                let app = TeaShopAppDelegate()
                screen.launch(app)
                wallet.server.state = row.state
                app.checkout.orderString = try await wallet.order("T-\(number)")
                let order = app.checkout.orderString!
                wallet.server.state = nil
                screen.tap("Pay with Alipay")
                await until("the wallet opens") { wallet.lastOrder == order }
                wallet.server.state = row.state
                let result =
                    row.status == "9000"
                    ? try await wallet.paid(order, by: row.isProven ? nil : wallet.keys.stranger)
                    : PaymentResult(status: .init(rawValue: row.status), memo: "m")
                let url = wallet.url("teashop", result)
                check(String(screen.openInApp(url)), "true", "the link is the shop's")
                _ = app.application(screen.application, open: url, sourceApplication: "com.alipay.iphoneclient", annotation: "")
                await until("\(row.status) is told") { app.checkout.label.text != "paying" }
                check(app.checkout.label.text, row.screen, "\(row.status) with \(row.state.map { "\($0)" } ?? "no answer")")
                check(String(app.checkout.authorizations), "0", "authorisations")
                check(
                    String(screen.openInApp(URL(string: "teashop://orders/1")!)), "false", "a link of the shop's own is not the wallet's")
            }
        }
        wallet.isInstalled = false
        wallet.cashierResult = PaymentResult(status: .cancelled)
        wallet.server.state = .unpaid
        let screen = SimulatedScreen()
        try await SimulatedScreen.$bound.withValue(screen) {
            let app = TeaShopAppDelegate()
            screen.launch(app)
            app.checkout.orderString = try await wallet.order("T-cashier")
            screen.tap("Pay with Alipay")
            await until("the cashier ends") { app.checkout.label.text == "cancelled" }
            app.checkout.orderString = nil
            app.checkout.pay()
            await until("no order fails") { app.checkout.label.text == "not paid" }
        }
        wallet.isInstalled = true
    }

    // MARK: Scenes, a killed app, a lost callback

    private static func sceneShop(_ wallet: Wallet) async throws {
        let order = try await wallet.order("S-1")
        let result = try await wallet.paid(order)
        wallet.server.state = nil
        let first = SimulatedScreen()
        await SimulatedScreen.$bound.withValue(first) {
            let scene = SceneShopDelegate()
            first.launch(SceneShopAppDelegate(), scene: scene)
            scene.buy(order)
            await until("the wallet opens") { wallet.lastOrder == order }
        }
        // The app is killed; the link starts it.
        wallet.start()
        wallet.server.state = .paid
        let second = SimulatedScreen()
        await SimulatedScreen.$bound.withValue(second) {
            let scene = SceneShopDelegate()
            second.launch(SceneShopAppDelegate(), scene: scene, by: wallet.url("sceneshop", result))
            await until("the killed app is told") { scene.status != nil }
            check(scene.status, "9000", "the killed app")
            second.openInApp(wallet.url("sceneshop", result))
            for _ in 0..<1_000 { await Task.yield() }
            check(String(scene.timesTold), "1", "a URL that comes twice")
        }
        // The wallet comes back without a link.
        let third = SimulatedScreen()
        let lost = try await wallet.order("S-2")
        wallet.server.state = nil
        await SimulatedScreen.$bound.withValue(third) {
            let scene = SceneShopDelegate()
            third.launch(SceneShopAppDelegate(), scene: scene)
            scene.buy(lost)
            await until("the wallet opens") { wallet.lastOrder == lost }
            wallet.server.state = .paid
            third.comeToFront()
            wallet.client.appBecameActive()
            await until("the lost link is made up for") { scene.status != nil }
            check(scene.status, "9000", "a lost link")
        }
    }

    // MARK: Callers that wait, on no actor

    private static func payService(_ wallet: Wallet) async throws {
        let service = PayService(scheme: "teashop")
        for (status, state, expected) in [
            ("9000", OrderState.paid, PayOutcome.paid(memo: "")), ("6001", .unpaid, .cancelled), ("8000", .unpaid, .unknown(code: "8000")),
            ("4000", .unpaid, .failed(code: "4000")),
        ] {
            let order = try await wallet.order("P-\(status)")
            let payment = Task.detached { await service.pay(order) }
            await until("the wallet opens") { wallet.lastOrder == order }
            wallet.server.state = state
            let result = status == "9000" ? try await wallet.paid(order) : PaymentResult(status: .init(rawValue: status))
            let url = wallet.url("teashop", result)
            await Task.detached { _ = service.handleOpen(url) }.value
            check("\(await payment.value)", "\(expected)", "waiting for \(status)")
        }
    }

    // MARK: Old names, and the others

    private static func oldShop(_ wallet: Wallet) async throws {
        let shop = OldShop()
        shop.start()
        let order = try await wallet.order("O-1")
        shop.pay(order)
        await until("the wallet opens") { wallet.lastOrder == order }
        wallet.server.state = .paid
        shop.opened(wallet.url("oldshop", try await wallet.paid(order)))
        await until("the old shop is told") { !shop.status.isEmpty }
        check(shop.status, "9000", "the old spelling of the status")
        check(shop.about(), "1.0.0 none true", "what the service knows")
        check(String(shop.lines.isEmpty), "false", "the log")
        check(String(shop.lines.contains { $0.contains("O-1") }), "false", "an order in the log")
        shop.stop()
    }

    private static func login() async throws {
        let login = AlipayLogin()
        login.logIn("apiname=com.alipay.account.auth")
        login.logInAsBefore()
        login.opened(URL(string: "teashop://safepay/?%7B%7D")!)
        await until("authorisation is refused") { login.answers.count == 2 }
        check(login.answers.first, "4000 account authorisation is not given by this client", "authorisation")
    }

    private static func webShop(_ wallet: Wallet) async throws {
        let shop = WebShop()
        check(String(shop.shouldLoad("https://shop.example/")), "true", "a page that is no payment")
        let order = try await wallet.order("W-1")
        let page = AppSwitchURL(order: order, returnScheme: "alipays").description
        check(String(shop.shouldLoad(page)), "false", "a page that is a payment")
        await until("the wallet opens") { wallet.lastOrder == order }
        wallet.server.state = .paid
        wallet.client.handle(wallet.url("webshop", try await wallet.paid(order)))
        await until("the page is told") { shop.resultCode != nil }
        check(shop.resultCode, "9000", "a page's payment")
        for (number, pay) in [shop.payByLink, shop.payAsConfigured].enumerated() {
            let order = try await wallet.order("W-1\(number)")
            wallet.server.state = nil
            pay(order)
            await until("the wallet opens") { wallet.lastOrder == order }
            wallet.server.state = .unpaid
            wallet.client.handle(wallet.url("webshop", PaymentResult(status: .cancelled)))
            await until("cancelling is told") { shop.resultCode == "6001" }
        }
        let last = try await wallet.order("W-2")
        wallet.server.state = nil
        shop.payInTwoSteps(AppSwitchURL(order: last, returnScheme: "alipays").description)
        await until("the wallet opens") { wallet.lastOrder == last }
        check(shop.device(), "unknown", "the device's number")
        shop.useTheTestGateway()
    }

    private static func linkShop(_ wallet: Wallet) async throws {
        let screen = SimulatedScreen()
        try await SimulatedScreen.$bound.withValue(screen) {
            let app = LinkShopAppDelegate()
            screen.launch(app)
            check(String(app.isShowing()), "true", "the window is the app's")
            let order = try await wallet.order("L-1")
            wallet.server.state = nil
            app.buy(order)
            await until("the wallet opens") { wallet.lastOrder == order }
            wallet.server.state = .paid
            check(String(screen.openInApp(URL(string: "https://shop.example/teas/1")!)), "true", "a page of the shop's own is the shop's")
            check(app.status, "nothing", "a page of the shop's own")
            check(app.otherPages.map(\.path).joined(), "/teas/1", "a page of the shop's own is opened")
            let query = wallet.url("linkshop", try await wallet.paid(order)).absoluteString.split(separator: "?", maxSplits: 1)[1]
            screen.openInApp(URL(string: "https://shop.example/pay/?\(query)")!)
            await until("the link is told") { app.status != nil }
            check(app.status, "9000", "a payment that comes back by a link")
            app.window = nil
        }
        check(String(AlipaySDK.defaultService().targetWindow == nil), "true", "the window is not kept alive")
    }

    private static func withoutClient() async throws {
        AlipaySDK.defaultService().client = nil
        let shop = OldShop()
        shop.pay("order")
        await until("it fails") { !shop.status.isEmpty }
        check(shop.status, "4000", "a service that was not set up")
    }
}
