import Alipay
import AlipayApp
import Foundation
import PaymentCrypto
import UIKitSimulator
import WebKitSimulator

@main
@MainActor
enum Driver {
    static func main() async throws {
        try await cashier()
        try await wallets()
        try await endings()
        try await questions()
        try await modern()
        try await system()
        try await strict()
        try await progress()
        try await oldProgress()
    }

    private static func check(_ what: String, _ said: String, _ expected: String) {
        guard said == expected else {
            print("differs: \(what): \(said) and not \(expected)")
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

    private static func link(_ text: String) -> URL { URL(string: text)! }

    /// The shop's web: a checkout, a way to a wallet, an order that is gone.
    private static func shopWeb() -> SimulatedWeb {
        SimulatedWeb { request in
            switch request.url?.path {
            case "/checkout": SimulatedPage("<html><head><title>Checkout</title></head></html>")
            case "/teas": SimulatedPage("<title>Teas</title>")
            case "/pay/upwrp": .redirect(to: URL(string: "upwrp://uppayservice/?tn=1")!)
            case "/moved": .redirect(to: URL(string: "https://shop.example/teas")!)
            case "/circle": .redirect(to: URL(string: "https://shop.example/circle")!)
            case "/receipt.bin": SimulatedPage("", mimeType: "application/octet-stream")
            case "/gone": SimulatedPage("", status: 404)
            default: throw NSError(domain: NSURLErrorDomain, code: NSURLErrorCannotFindHost)
            }
        }
    }

    private static func onAPhone(_ body: (SimulatedScreen) async throws -> Void) async throws {
        let screen = SimulatedScreen()
        try await SimulatedScreen.$bound.withValue(screen) {
            try await SimulatedWeb.$current.withValue(shopWeb()) { try await body(screen) }
        }
    }

    private static func cashier(on screen: SimulatedScreen) async -> (CashierViewController, UIWindow) {
        let window = UIWindow(frame: .zero)
        let cashier = CashierViewController()
        cashier.address = link("https://shop.example/checkout")
        window.rootViewController = cashier
        window.makeKeyAndVisible()
        cashier.loadViewIfNeeded()
        await cashier.webView.settle()
        return (cashier, window)
    }

    // MARK: The page comes up

    private static func cashier() async throws {
        try await onAPhone { screen in
            let (cashier, window) = await cashier(on: screen)
            await until("the title is told") { cashier.log.count == 4 }
            check("a page", cashier.log.joined(separator: ", "), "started true, committed, finished 1.0, title Checkout true")
            check("title", cashier.title ?? "none", "Checkout")
            check("address", cashier.webView.url?.absoluteString ?? "none", "https://shop.example/checkout")
            check("loading", "\(cashier.webView.isLoading) \(cashier.webView.hasOnlySecureContent)", "false true")
            cashier.webView.tapLink(link("https://shop.example/teas"))
            await cashier.webView.settle()
            check("history", "\(cashier.webView.canGoBack) \(cashier.webView.canGoForward)", "true false")
            cashier.webView.goBack()
            await cashier.webView.settle()
            check("back", cashier.webView.title ?? "none", "Checkout")
            check("history again", "\(cashier.webView.canGoBack) \(cashier.webView.canGoForward)", "false true")
            cashier.webView.goForward()
            await cashier.webView.settle()
            check("forward", cashier.webView.backForwardList.currentItem?.url.path ?? "none", "/teas")
            check("behind", cashier.webView.backForwardList.backList.map(\.url.path).joined(), "/checkout")
            let scripts = cashier.webView.configuration.userContentController.userScripts
            check("script", scripts.map(\.source).joined(), "window.isApp = true")
            withExtendedLifetime(window) {}
        }
    }

    // MARK: Links of wallets

    private static func wallets() async throws {
        try await onAPhone { screen in
            var reached: [String] = []
            screen.install(schemes: ["weixin", "upwrp"]) { reached.append($0.absoluteString) }
            let (cashier, window) = await cashier(on: screen)
            let page = cashier.webView.url
            cashier.webView.leavePage(for: link("weixin://wap/pay?prepayid=wx1"))
            await cashier.webView.settle()
            await until("WeChat opens") { reached.count == 1 }
            check("WeChat", reached.joined(), "weixin://wap/pay?prepayid=wx1")
            check("the page stays", String(cashier.webView.url == page && !cashier.webView.isLoading), "true")
            screen.comeToFront()

            // A server's redirect is asked about too, and its navigation is interrupted.
            let before = cashier.log.count
            cashier.webView.load(URLRequest(url: link("https://shop.example/pay/upwrp")))
            await cashier.webView.settle()
            await until("UnionPay opens") { reached.count == 2 }
            check("UnionPay", reached.last ?? "none", "upwrp://uppayservice/?tn=1")
            check("interrupted", cashier.log[before...].joined(separator: ", "), "started true, failed WebKitErrorDomain 102")
            screen.comeToFront()

            // Alipay's links belong to its client, which pays by itself.
            let order = try await LegacyOrder.signed(
                [
                    ("partner", "2088000000000001"), ("seller_id", "2088000000000001"), ("out_trade_no", "T-1"), ("subject", "Tea"),
                    ("total_fee", "10.00"), ("notify_url", "https://shop.example/notify"), ("service", "mobile.securitypay.pay"),
                    ("payment_type", "1"), ("_input_charset", "utf-8"),
                ], by: AlipayRSASigner.rsa(LegacyRSAPrivateKey(bits: 1024)))
            let paying = AppSwitchURL(order: String(decoding: order.bytes, as: UTF8.self), returnScheme: "alipays")
            AlipaySDK.defaultService().client = nil
            cashier.webView.leavePage(for: link(paying.description))
            await cashier.webView.settle()
            await until("the client answers") { cashier.resultCode != nil }
            check("a client that was not set up", cashier.resultCode ?? "none", "4000")

            cashier.webView.leavePage(for: link("alipays://platformapi/startapp?appId=20000067"))
            await cashier.webView.settle()
            await until("nothing opens") { cashier.log.last == "no app for alipays" }
            check("no such app", "\(reached.count) \(cashier.log.last ?? "")", "2 no app for alipays")
            check("what left the app", screen.openedLinks.compactMap(\.scheme).joined(separator: " "), "weixin upwrp")
            check("nothing was wrong", "\(cashier.webView.faults)", "[]")
            withExtendedLifetime(window) {}
        }
    }

    // MARK: How a navigation ends

    private static func endings() async throws {
        try await onAPhone { screen in
            let (cashier, window) = await cashier(on: screen)
            @MainActor func ending(_ address: String) async -> String {
                let before = cashier.log.count
                cashier.webView.load(URLRequest(url: link(address)))
                await cashier.webView.settle()
                for _ in 0..<1_000 { await Task.yield() }
                return cashier.log[before...].joined(separator: ", ")
            }
            check("no such host", await ending("https://elsewhere.example/"), "started true, failed NSURLErrorDomain -1003")
            check("an allowed scheme that is none", await ending("tea://shop"), "started true, failed NSURLErrorDomain -1002")
            check("a refused answer", await ending("https://shop.example/gone"), "started true, status 404, failed WebKitErrorDomain 102")
            check("no page", await ending("https://shop.example/receipt.bin"), "started true, failed WebKitErrorDomain 102")
            check(
                "redirected", await ending("https://shop.example/moved"),
                "started true, redirected, committed, finished 1.0, title Teas true")
            let circle = await ending("https://shop.example/circle")
            check("a circle", circle.components(separatedBy: ", ").last ?? "", "failed NSURLErrorDomain -1007")
            check("the page before", cashier.webView.url?.path ?? "none", "/teas")
            let before = cashier.log.count
            cashier.webView.endProcess()
            await cashier.webView.settle()
            check("process", cashier.log[before], "process ended")
            check("loaded again", cashier.webView.title ?? "none", "Checkout")
            cashier.close()
            withExtendedLifetime(window) {}
        }
    }

    // MARK: Questions, windows, messages

    private static func questions() async throws {
        try await onAPhone { screen in
            let (cashier, window) = await cashier(on: screen)
            let view = cashier.webView!
            let said = Task { await view.sayInPage("Sold out") }
            await until("the page speaks") { screen.alert?.message == "Sold out" }
            screen.tap("OK")
            await said.value
            let asked = Task { await view.confirmInPage("Pay 10.00?") }
            await until("the page asks") { screen.alert?.message == "Pay 10.00?" }
            check("who asks", screen.alert?.title ?? "none", "shop.example")
            screen.tap("Yes")
            check("yes", String(await asked.value), "true")
            view.tapLink(link("https://shop.example/teas"), inNewWindow: true)
            await until("the link is shown") { view.title == "Teas" }
            check("a link of its own window", view.url?.path ?? "none", "/teas")
            _ = try await view.post(["state": "paid"], to: "cashier")
            check("a message", cashier.orderState ?? "none", "paid")
            cashier.close()
            _ = try await view.post(["state": "lost"], to: "cashier")
            check("nobody hears", view.faults.map(\.code.rawValue).joined(), "message-unheard")
            withExtendedLifetime(window) {}
        }
    }

    // MARK: Newer apps

    private static func modern() async throws {
        try await onAPhone { screen in
            screen.install(schemes: ["alipays"])
            let checkout = ModernCheckout(returnHost: "return.example")
            let view = checkout.webView
            checkout.open("<title>Pay here</title>")
            await view.settle()
            check("a text as a page", try await checkout.pageTitle() ?? "none", "Pay here")
            view.leavePage(for: link("alipays://platformapi/startApp"))
            await view.settle()
            screen.comeToFront()
            view.leavePage(for: link("weixin://wap/pay"))
            await view.settle()
            view.leavePage(for: link("https://return.example/done?order=1"))
            await view.settle()
            view.leavePage(for: link("https://elsewhere.example/"))
            await view.settle()
            let expected: [ModernCheckout.Ending] = [
                .left(for: "alipays"), .left(for: "nowhere"), .finished(link("https://return.example/done?order=1")), .failed(code: -1003),
            ]
            check("decisions of a task", String(checkout.endings == expected), "true")
            check("an answer to the page", "\(try await view.post("alipays", to: "wallet") ?? "none")", "true")
            do {
                _ = try await view.post(7, to: "wallet")
                check("a refusal", "nothing", "no scheme")
            } catch let refusal as MessageRefusal {
                check("a refusal", refusal.text, "no scheme")
            }
            do {
                _ = try await view.evaluateJavaScript("pay()")
                check("a script", "ran", "fails")
            } catch {
                check("a script", "\((error as NSError).domain) \((error as NSError).code)", "WKErrorDomain 4")
            }
            view.web { source, page in "\(source) at \(page?.host ?? "nowhere")" }
            check("a script that somebody runs", try await view.evaluateJavaScript("pay()") as? String ?? "none", "pay() at shop.example")
        }
    }

    /// Without a delegate, what no web view shows goes to the app that takes it.
    private static func system() async throws {
        try await onAPhone { screen in
            screen.install(schemes: ["weixin"])
            let help = HelpViewController()
            help.loadViewIfNeeded()
            help.show("weixin://dl")
            await help.webView.settle()
            check("forwarded", screen.openedLinks.map(\.absoluteString).joined(), "weixin://dl")
            check("no page", help.webView.url?.absoluteString ?? "none", "none")
        }
    }

    // MARK: What is observed

    private static func progress() async throws {
        try await onAPhone { _ in
            let page = ProgressPage()
            page.loadViewIfNeeded()
            let view = page.webView
            check("a watcher asks at once", page.log.joined(separator: ", "), "no way back")
            view.load(URLRequest(url: link("https://shop.example/checkout")))
            check("it begins", "\(page.bar.progress) \(page.log.dropFirst().joined(separator: ", "))", "0.1 none > /checkout, loading")
            await view.settle()
            check(
                "it is there", "\(page.bar.progress) \(page.bar.isHidden) \(page.title ?? "") \(page.log.last ?? "")",
                "1.0 true Checkout idle")
            view.load(URLRequest(url: link("https://shop.example/teas")))
            await view.settle()
            check("another page", page.log.suffix(4).joined(separator: ", "), "/checkout > /teas, loading, back, idle")
            view.goBack()
            await view.settle()
            check("back again", page.log.suffix(5).joined(separator: ", "), "loading, /teas > /checkout, no way back, forward, idle")
            view.load(URLRequest(url: link("https://elsewhere.example/lost")))
            await view.settle()
            let end = page.log.suffix(4).joined(separator: ", ")
            check("a page that fails", "\(page.bar.progress) \(end)", "0.0 /checkout > /lost, loading, /lost > /checkout, idle")
            let count = page.log.count
            page.stopWatching()
            view.load(URLRequest(url: link("https://shop.example/teas")))
            await view.settle()
            check("nobody watches", "\(page.log.count - count) \(page.title ?? "")", "0 Checkout")
        }
    }

    private static func oldProgress() async throws {
        try await onAPhone { screen in
            let page = OldProgressPage()
            page.loadViewIfNeeded()
            page.webView.load(URLRequest(url: link("https://shop.example/checkout")))
            await page.webView.settle()
            check("by names", page.log.joined(separator: ", "), "0.1, loading, 1.0, idle")
            check("title by name", page.title ?? "none", "Checkout")
            page.stopWatching()
            page.webView.reload()
            await page.webView.settle()
            check("nobody watches any more", "\(page.log.count) \(screen.faults.count)", "4 0")
        }
    }

    private static func strict() async throws {
        try await onAPhone { _ in
            let (once, twice, never) = (StrictCheckout(), StrictCheckout(), StrictCheckout())
            (twice.answers, never.answers) = (2, 0)
            for (name, delegate, expected) in [
                ("once", once, "Teas "), ("twice", twice, "Teas decision-answered-twice"), ("never", never, " decision-unanswered"),
            ] {
                let view = WKWebView()
                view.navigationDelegate = delegate
                view.load(URLRequest(url: link("https://shop.example/teas")))
                await view.settle()
                await until("the fault is told") { expected.hasSuffix(" ") || !view.faults.isEmpty }
                check("answered \(name)", "\(view.title ?? "") \(view.faults.map(\.code.rawValue).joined())", expected)
            }
        }
    }
}

extension WKWebView {
    /// Has somebody run the scripts of the view that was made last under this web.
    @MainActor
    fileprivate func web(_ script: @escaping SimulatedWeb.Script) { SimulatedWeb.current.script = script }
}
