import AlipayPlus
import AlipayPlusApp
import AlipayPlusValues
import ApplePayApp
import BillfoldMoney
import BillfoldTrace
import Foundation

/// The parties and the time that a phone with the merchant's app meets.
struct PlusSurroundings: Sendable {
    /// The acquirer's server, where the app's own server calls it.
    var acquirer: any MerchantConnection
    /// The content network of the payment options.
    var options: any AlipayPlusConnection
    /// The gateway's origin as the phone reaches it: its content network and its sheet.
    var gateway: String
    /// The wallets' pages, as browsers reach them, by `paymentMethodType`.
    var walletPages: @Sendable (_ type: String) -> String?
    var reporter: PartyReporter
    /// The address of a payment's messages in the console; nil without one.
    var story: @Sendable (_ request: String) -> String?
    /// Between the app's questions to its server.
    var questionPauses: [Duration] = [.zero, .milliseconds(300), .milliseconds(700), .seconds(1), .seconds(2), .seconds(4)]
}

/// One phone in a visitor's hands, running the merchant's app: `AlipayPlusApp` at work on a phone in software.
@MainActor
package final class PlusPhoneSession {
    package let id: String
    package var screen: PlusScreen { feed.screen }
    let feed: ScreenFeed<PlusScreen>

    private let surroundings: PlusSurroundings
    private let phone: SimulatedSheetSurroundings
    private let client: AlipayPlusClient
    private var work: [Task<Void, Never>] = []
    private var order: AcquirerWire.Order?

    init(id: String, model: PlusPhoneModel, language: String, surroundings: PlusSurroundings) {
        self.id = id
        self.surroundings = surroundings
        let hosts = Set(MobileWalletProfile.all.compactMap { surroundings.walletPages($0.type).flatMap { URL(string: $0)?.host } })
        phone = SimulatedSheetSurroundings(
            now: surroundings.reporter.now() / 1_000,
            installedSchemes: model == .withWallets ? Set(MobileWalletProfile.all.map(\.scheme)) : [],
            installedHosts: model == .withWallets ? hosts : [])
        feed = ScreenFeed(PlusScreen(session: id, model: model, language: language))
        let options = surroundings.options
        client = AlipayPlusClient(
            surroundings: phone,
            transport: ClosureTransport { address in
                let answer = try await options.get(address.path(percentEncoded: true))
                return OptionAnswer(status: answer.status, body: answer.body)
            })
        if let origin = URL(string: surroundings.gateway) { client.hosts[.sandbox] = origin }
        client.setConfiguration(
            IAPConfiguration(
                merchantId: AcquirerContract.merchantID, acquirerId: AcquirerContract.acquirerID, language: language,
                envType: kIAPEnvSANDBOX))
        phone.onOpen = { [weak self] in self?.opened($0.url) }
        phone.onSheet = { [weak self] in self?.sheet($0) }
    }

    private var line: PartyLine {
        PartyLine(from: .app, to: .acquirer, connection: surroundings.acquirer, reporter: surroundings.reporter)
    }

    // MARK: Taps

    /// Carries out what the customer did. Refuses what the screen does not offer (`not-on-screen`).
    package func perform(_ tap: PlusTap) throws(SandboxRefusal) {
        guard offers(tap) else {
            throw SandboxRefusal(code: "not-on-screen", reason: "the phone's screen offers no \(tap.action.rawValue)", status: 409)
        }
        switch tap.action {
        case .choose:
            let offer = screen.offers.first { $0.id == tap.value }
            show {
                $0.place = .checkout
                $0.chosen = offer
                $0.row = nil
                $0.problem = nil
                $0.order = nil
                $0.outcome = nil
                $0.events = []
            }
            begin { await $0.inquire() }
        case .pay:
            show { $0.place = .ordering }
            begin { await $0.pay() }
        case .back, .continue:
            show {
                $0.place = .shop
                $0.chosen = nil
                $0.outcome = nil
                $0.problem = nil
                $0.away = nil
            }
        case .closeSheet: phone.say(.closed)
        case .comeBack, .askAgain: ask()
        }
    }

    private func offers(_ tap: PlusTap) -> Bool {
        switch tap.action {
        case .choose: screen.place == .shop && screen.offers.contains { $0.id == tap.value }
        case .pay: screen.place == .checkout && screen.row?.enabled == true
        case .back: screen.place == .checkout
        case .closeSheet: screen.place == .sheet
        case .comeBack: screen.place == .wallet || screen.place == .sheet
        case .askAgain: screen.outcome?.kind == "undecided"
        case .continue: screen.place == .outcome
        }
    }

    private func begin(_ step: @escaping @MainActor (PlusPhoneSession) async -> Void) {
        work.append(
            Task { [weak self] in
                guard let self else { return }
                await step(self)
            })
    }

    private func show(_ change: (inout PlusScreen) -> Void) { feed.show(change) }

    // MARK: The checkout

    /// Asks the SDK for the row.
    private func inquire() async {
        guard let offer = screen.chosen.flatMap({ PlusOffer.find($0.id) }) else { return }
        let params = IAPInquirePaymentOptionParams(paymentCurrency: offer.price.currency.alphabeticCode, logoPattern: "P1-APP-01")
        let row: PlusScreen.Row
        do throws(IAPError) {
            let option = try await client.inquirePaymentOption(params)
            row = PlusScreen.Row(
                enabled: option.enabled, brand: option.brandName ?? "Alipay+", logo: option.logos?.first?.logoUrl,
                promotion: option.promoNames?.first, disableReason: option.disableReason)
            note("inquirePaymentOption", [.init("enabled", String(option.enabled))])
        } catch {
            row = PlusScreen.Row(enabled: false, brand: "Alipay+", disableReason: "Alipay+ cannot be reached at the moment.")
            note("inquirePaymentOption", [], problem: error.description)
        }
        show { if $0.place == .checkout { $0.row = row } }
    }

    /// Has the server begin a payment, and shows the sheet of what it answers.
    private func pay() async {
        guard let offer = screen.chosen else { return }
        let made: AcquirerWire.Order
        do {
            let placed: AcquirerWire.Order = try await line.ask(
                "/acquirer/v1/orders", title: "make an order", body: AcquirerWire.Placing(offer: offer.id), about: [:],
                fields: [.init("offer", offer.id)])
            made = try await line.ask(
                "/acquirer/v1/orders/\(placed.number)/payments", title: "begin a payment", body: AcquirerWire.Paying(way: .cashier),
                about: [AlipayPlusTrace.order: placed.number])
        } catch {
            let refusal = error as? SandboxRefusal
            return show {
                $0.place = .checkout
                $0.problem = .init(code: refusal?.code ?? "no-answer", reason: refusal?.reason ?? "the shop does not answer")
            }
        }
        order = made
        let payment = made.payments.last
        show {
            $0.order = .init(
                number: made.number, subject: made.subject, price: made.price.description,
                story: payment.flatMap { surroundings.story($0.request) }, desk: "/plus-shop/orders/\(made.number)")
        }
        guard let data = payment?.paymentData else {
            // Nobody answered: what became of the payment, the server asks.
            return ask()
        }
        phone.now = surroundings.reporter.now() / 1_000
        client.showPaymentSheet(data, callback: { [weak self] in self?.told($0) })
    }

    // MARK: The sheet

    private func sheet(_ request: SheetRequest?) {
        guard let request else { return show { $0.sheet = nil } }
        show {
            $0.place = .sheet
            $0.sheet = request.address.absoluteString
        }
    }

    /// What the sheet's page says by the bridge of its web view.
    package func hear(_ message: String) throws(SandboxRefusal) {
        guard screen.place == .sheet else {
            throw SandboxRefusal(code: "not-on-screen", reason: "the phone shows no sheet", status: 409)
        }
        phone.say(.message(message))
    }

    /// The documented callback.
    private func told(_ event: IAPPaymentSheetEvent) {
        note("sheet event", [.init("name", event.name), .init("message", event.message ?? "")])
        show { $0.events.append(event.name) }
        switch event.name {
        case IAPPaymentSheetEventDidSelectWalletAndPay: show { $0.wallet = event.message }
        case IAPPaymentSheetEventUserDidCancel:
            show {
                $0.place = .checkout
                $0.problem = nil
            }
        case IAPPaymentSheetEventThrowException:
            // Whether something was paid, the server knows.
            ask()
        default: break
        }
    }

    /// The phone opens a wallet: by its scheme or its link, in its app; or its page.
    private func opened(_ url: URL) {
        let profile = MobileWalletProfile.all.first { $0.scheme == url.scheme }
        let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        // An app in software is its pages.
        let away = profile.flatMap { profile in surroundings.walletPages(profile.type).map { "\($0)/wallets/\(profile.slug)/open\(query)" }
        }
        show {
            $0.place = .wallet
            $0.away = away ?? url.absoluteString
        }
    }

    // MARK: Coming back

    /// The wallet has sent the person back to the app's address. It proves nothing: the server is asked.
    package func cameBack(order number: String) throws(SandboxRefusal) {
        guard order?.number == number else {
            throw SandboxRefusal(code: "order-unknown", reason: "the address is about no order of this phone", status: 404)
        }
        note("the customer came back", [])
        ask()
    }

    private func ask() {
        guard screen.place != .asking else { return }
        show {
            $0.place = .asking
            $0.away = nil
        }
        begin { await $0.question() }
    }

    private func question() async {
        guard let number = order?.number else { return show { $0.place = .shop } }
        var state = "in-process"
        for pause in surroundings.questionPauses {
            try? await Task.sleep(for: pause)
            guard !Task.isCancelled else { return }
            let answered: AcquirerWire.Order? = try? await line.ask(
                "/acquirer/v1/orders/\(number)/state", title: "ask for the order", body: [String: String](),
                about: [AlipayPlusTrace.order: number])
            state = answered?.state ?? state
            if state != "in-process" { break }
        }
        let outcome = PlusScreen.Outcome(state: state)
        show {
            $0.place = .outcome
            $0.outcome = outcome
        }
    }

    /// Ends the session: the phone is put away.
    func close() {
        for each in work { each.cancel() }
        feed.finish()
    }

    private func note(_ title: String, _ fields: [TraceEntry.Field], problem: String? = nil) {
        var about: [String: String] = [:]
        about[AlipayPlusTrace.order] = order?.number
        about[AlipayPlusTrace.request] = order?.payments.last?.request
        surroundings.reporter.report(.note, from: .app, to: .app, title, correlation: about, fields: fields, problem: problem)
    }
}

/// The phones with the merchant's app that are in use. When there are too many, the one that was taken up longest ago is put away.
@MainActor
package final class PlusPhoneDirectory {
    private let surroundings: PlusSurroundings
    private let limit: Int
    private var sessions: [String: PlusPhoneSession] = [:]
    private var order: [String] = []

    init(surroundings: PlusSurroundings, limit: Int = 200) {
        self.surroundings = surroundings
        self.limit = max(1, limit)
    }

    package func open(_ model: PlusPhoneModel, language: String) -> PlusPhoneSession {
        let session = PlusPhoneSession(
            id: surroundings.reporter.makeName(), model: model, language: AlipayPlusLanguage(inApp: language).rawValue,
            surroundings: surroundings)
        sessions[session.id] = session
        order.append(session.id)
        while order.count > limit { sessions.removeValue(forKey: order.removeFirst())?.close() }
        return session
    }

    package func find(_ id: String) -> PlusPhoneSession? { sessions[id] }

    package func session(_ id: String) throws(SandboxRefusal) -> PlusPhoneSession {
        guard let session = sessions[id] else {
            throw SandboxRefusal(code: "session-unknown", reason: "no phone session has that id", status: 404)
        }
        return session
    }
}
