import ApplePayApp
import Foundation
import PassKitSimulator

/// The phone with the app on it, the customer, and the line to the servers.
@MainActor
final class Stage {
    let phone: SimulatedDevice
    let scene = SceneDelegate()
    private let line: URL
    private let settings: Settings

    init(hasCard: Bool = true) {
        let environment = ProcessInfo.processInfo.environment
        func given(_ name: String) -> String {
            guard let value = environment[name] else { Stage.stop("\(name) is not set") }
            return value
        }
        let folder = URL(fileURLWithPath: given("APP_FOLDER"))
        line = URL(string: given("MERCHANT_LINE"))!
        let card = WalletCard(
            id: "unionpay", issuer: "Bank of Examples", suffix: "6222", network: .chinaUnionPay, type: .debit,
            pinRule: .init(currencyCode: "CNY", limit: 1_000))
        let home = SimulatedContact(
            id: "home", givenName: "Wei", familyName: "Li", emailAddress: "li.wei@example.com", phoneNumber: "+86 21 5550 0100",
            street: "100 Century Avenue", city: "Shanghai", postalCode: "200120", country: "China", countryCode: "CN")
        phone = SimulatedDevice(
            .init(cards: hasCard ? [card] : [], contacts: [home]),
            tokenSource: SandboxWallet(
                program: given("BILLFOLD_PROGRAM"), authority: given("WALLET"), certificate: given("CERTIFICATE"), folder: folder),
            onPaymentSetup: { phone in phone.update { $0.cards.append(card) } })
        guard SimulatedDevice.useForProcess(phone) else { Stage.stop("the process has another phone") }
        var settings = Settings()
        settings.shop = URL(string: given("SHOP"))!
        settings.merchant = line
        settings.folder = folder
        settings.system = SystemVersion(.iOS, 18)
        // A customer of a test does not wait for half a minute.
        settings.checkout.paymentLimit = .seconds(4)
        settings.checkout.retryPauses = [.milliseconds(200)]
        settings.checkout.followUpPauses = [.milliseconds(200), .milliseconds(400), .milliseconds(400), .seconds(1), .seconds(1)]
        settings.checkout.presencePause = .milliseconds(100)
        self.settings = settings
        scene.settings = settings
    }

    // MARK: What is told

    /// A line for the test that reads this program's output; written at once, as the program may be killed next.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    static func stop(_ reason: String) -> Never {
        say("differs: \(reason)")
        exit(1)
    }

    func expect(_ outcome: String, _ holds: Bool) {
        guard holds else { Stage.stop("\(outcome); the screen says \(phone.screen.texts), faults \(phone.faults)") }
    }

    /// Waits until something is so.
    func until(_ outcome: String, _ isSo: () -> Bool) async {
        for _ in 0..<1_500 where !isSo() { try? await Task.sleep(for: .milliseconds(20)) }
        expect(outcome, isSo())
    }

    /// Waits for what the customer reads, and tells it.
    func reads(_ start: String) async {
        await until("the customer reads \(start)") { phone.screen.texts.contains { $0.hasPrefix(start) } }
        Stage.say("reads: \(phone.screen.texts.first { $0.hasPrefix(start) } ?? "")")
    }

    // MARK: What is done

    func launch() { phone.screen.launch(AppDelegate(), scene: scene) }

    /// From now on the line to the merchant's server is `whole`, or loses `requests` or `answers`.
    func line(loses what: String) async {
        guard (try? await URLSession.shared.data(from: line.appendingPathComponent("line/\(what)"))) != nil else {
            Stage.stop("the line does not hear")
        }
    }

    var payButton: PKPaymentButton? { phone.screen.visibleViews.lazy.compactMap { $0 as? PKPaymentButton }.first }

    /// Puts tea into the cart and goes to the order.
    func order() async {
        expect("tea is there", phone.screen.tap("Longjing, spring picking"))
        expect("the cart can be ordered", phone.screen.tap("Check out"))
        await until("an order is on the screen") { scene.shop?.order != nil && !phone.screen.texts.contains("Check out") }
        Stage.say("order: \(scene.shop?.order?.id ?? "")")
    }

    func tapPay() async -> PaymentSheet {
        payButton?.sendTap()
        await until("the sheet is there") { phone.presentedSheet != nil }
        guard let sheet = phone.presentedSheet else { Stage.stop("no sheet") }
        await sheet.settle()
        return sheet
    }

    /// What the app kept of an attempt to pay.
    func keptAttempt() async -> PaymentAttempt? { await KeptAttempt(in: settings.folder).load() }

    /// Waits until the app has written down that it is about to pay.
    func untilKept() async {
        for _ in 0..<1_500 {
            if await keptAttempt() != nil { return }
            try? await Task.sleep(for: .milliseconds(20))
        }
        Stage.stop("the app kept no attempt")
    }

    /// Nobody is asked, and nothing is put in order.
    func dieAtOnce() -> Never {
        kill(getpid(), SIGKILL)
        exit(1)
    }
}
