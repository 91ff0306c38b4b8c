import Alipay
import AlipayApp
import ApplePayApp
import BillfoldTrace
import Foundation

/// One phone in a visitor's hands, running the shop's app: `AlipayApp` at work on a phone in software.
@MainActor
package final class ExpressPhoneSession {
    package let id: String
    package var screen: ExpressScreen { feed.screen }
    let feed: ScreenFeed<ExpressScreen>

    private let surroundings: ExpressSurroundings
    private let keys: ExpressWire.AppKeys
    private var phone: SimulatedSurroundings
    /// Of ended runs of the app, whose calls never came back.
    private var retired: [SimulatedSurroundings] = []
    /// Lies on the phone's disk: it outlives the app.
    private let store = VolatilePendingPaymentStore()
    private var service: AlipaySDK
    private var client: PaymentClient
    private var work: [Task<Void, Never>] = []
    /// The cashier's page, below the wallet's origin.
    private var cashierPath: String?
    private var order: ExpressWire.Order?

    /// - Parameter keys: What the app was built with.
    init(id: String, model: ExpressPhoneModel, keys: ExpressWire.AppKeys, surroundings: ExpressSurroundings) throws {
        self.id = id
        self.surroundings = surroundings
        self.keys = keys
        phone = SimulatedSurroundings(installedSchemes: model.installedSchemes)
        feed = ScreenFeed(ExpressScreen(session: id, model: model))
        let client = try Self.makeClient(keys, phone: phone, store: store, surroundings)
        self.client = client
        service = AlipaySDK(client: client)
        service.standbyCallback = { [weak self] in self?.told($0) }
        phone.onOpen = { [weak self] in self?.opened($0) }
        phone.onCashier = { [weak self] in self?.cashier($0) }
    }

    /// The results of both contracts' legacy orders are signed with one key; an app has one application on the open platform.
    private static func makeClient(
        _ keys: ExpressWire.AppKeys, phone: SimulatedSurroundings, store: VolatilePendingPaymentStore, _ surroundings: ExpressSurroundings
    ) throws -> PaymentClient {
        guard let environment = PaymentEnvironment(origin: surroundings.wallet), let texts = keys.partners[ExpressAccount.domestic.rawValue]
        else { throw SandboxRefusal(code: "app-unusable", reason: "the app was built without keys or without a wallet", status: 500) }
        let set = try OrderGatewayKeySet(texts)
        let reporter = surroundings.reporter
        var configuration = PaymentClientConfiguration(
            environment: environment, legacyResultKeys: set.partner, modernResultKeys: set.application, now: { reporter.now() / 1_000 })
        configuration.questionPauses = surroundings.questionPauses
        let line = PartyLine(from: .app, to: .merchant, connection: surroundings.merchant, reporter: reporter)
        return PaymentClient(configuration: configuration, surroundings: phone, store: store, query: ExpressOrderQuery(line: line))
    }

    private var line: PartyLine {
        PartyLine(from: .app, to: .merchant, connection: surroundings.merchant, reporter: surroundings.reporter)
    }

    private func has(_ fault: ExpressFault) -> Bool { order?.faults.contains(fault) ?? false }

    // MARK: Taps

    /// Carries out what the customer did. Refuses what the screen does not offer (`not-on-screen`).
    package func perform(_ tap: ExpressTap) throws(SandboxRefusal) {
        guard offers(tap) else {
            throw SandboxRefusal(code: "not-on-screen", reason: "the phone's screen offers no \(tap.action.rawValue)", status: 409)
        }
        switch tap.action {
        case .buy:
            show {
                $0.place = .ordering
                $0.problem = nil
                $0.outcome = nil
                $0.order = nil
            }
            begin { await $0.buy(tap) }
        case .closeCashier: begin { await $0.closeCashier() }
        case .comeBack: cameBack()
        case .startApp: startApp()
        case .askAgain:
            show { $0.place = .asking }
            begin { await $0.recover() }
        case .continue:
            order = nil
            show {
                $0.place = .shop
                $0.outcome = nil
                $0.problem = nil
                $0.order = nil
            }
        }
    }

    private func offers(_ tap: ExpressTap) -> Bool {
        switch tap.action {
        case .buy:
            screen.place == .shop
                && screen.offers.contains { $0.id == tap.value && $0.generations.contains((tap.generation ?? .legacy).rawValue) }
        case .closeCashier: screen.place == .cashier
        case .comeBack: screen.place == .wallet
        case .startApp: screen.place == .ended
        case .askAgain: screen.outcome?.kind == "undecided"
        case .continue: screen.place == .outcome
        }
    }

    private func begin(_ step: @escaping @MainActor (ExpressPhoneSession) async -> Void) {
        work.append(
            Task { [weak self] in
                guard let self else { return }
                await step(self)
            })
    }

    func show(_ change: (inout ExpressScreen) -> Void) {
        feed.show { screen in
            change(&screen)
            screen.faults = client.faults.map(\.code.rawValue)
            screen.isLogined = service.isLogined()
        }
    }

    // MARK: Paying

    private func buy(_ tap: ExpressTap) async {
        let placed: ExpressWire.Order
        let basket = surroundings.reporter.makeName()
        do {
            placed = try await line.ask(
                "/alipay-merchant/v1/orders", title: "make an order",
                body: ExpressWire.Placing(
                    offer: tap.value ?? "", generation: tap.generation ?? .legacy, faults: tap.fault.map { [$0] } ?? []),
                about: [ExpressTrace.basket: basket],
                fields: [.init("offer", tap.value ?? ""), .init("generation", (tap.generation ?? .legacy).rawValue)])
        } catch {
            let refusal = error as? SandboxRefusal
            return show {
                $0.place = .shop
                $0.problem = .init(code: refusal?.code ?? "no-answer", reason: refusal?.reason ?? "the shop does not answer")
            }
        }
        order = placed
        // It has both names, so that what came before the number belongs to the order's story.
        surroundings.reporter.report(
            .note, from: .app, to: .app, "pay order", correlation: [ExpressTrace.basket: basket, ExpressTrace.order: placed.number],
            fields: [.init("order", placed.subject), .init("fromScheme", ExpressApp.scheme)])
        show {
            $0.order = .init(
                number: placed.number, subject: placed.subject, price: "\(placed.price.value) \(placed.price.currency)",
                story: surroundings.story(placed.number), desk: "/alipay-shop/orders/\(placed.number)")
        }
        service.payOrder(placed.order ?? "", fromScheme: ExpressApp.scheme) { [weak self] in self?.told($0) }
    }

    /// The system opened the wallet's app.
    private func opened(_ url: URL) {
        guard let query = url.absoluteString.split(separator: "?", maxSplits: 1).last else { return }
        report(.request, to: .wallet, "alipay://alipayclient", fields: [.init("requestType", "SafePay")])
        show {
            $0.place = .wallet
            $0.away = "\(surroundings.wallet)/wallet/pay?\(query)"
        }
        if has(.killedApp) { kill() }
    }

    /// The web cashier came up, or went.
    private func cashier(_ request: CashierRequest?) {
        guard let request else {
            cashierPath = nil
            return
        }
        report(.request, to: .wallet, "POST /cashier", fields: [.init("scheme", request.scheme)])
        begin { session in
            do {
                let path = try await session.surroundings.cashier.open(request)
                session.cashierPath = path
                session.show {
                    $0.place = .cashier
                    $0.away = session.surroundings.wallet + path
                }
                if session.has(.killedApp) { session.kill() }
            } catch {
                let refusal = error as? SandboxRefusal
                session.note("the cashier refused", [], problem: refusal.map { "\($0.code): \($0.reason)" } ?? "no answer")
                // The page that is shown instead says what it is; the web view's result is a failure with the page's own words.
                session.phone.endCashier(
                    refusal.map { PaymentResult(status: .failed, memo: "\($0.code): \($0.reason)") } ?? PaymentResult(status: .networkError)
                )
            }
        }
    }

    private func closeCashier() async {
        guard let path = cashierPath else { return }
        show { $0.place = .asking }
        // Nobody knows, where no answer comes: the client asks its server then.
        let reply = try? await surroundings.cashier.close(path)
        phone.endCashier(reply.map(distorted))
    }

    // MARK: Coming back

    /// The system opens the app with a URL: the wallet's way back, and the cashier's.
    package func open(_ text: String) throws(SandboxRefusal) {
        guard let url = URL(string: text), SafepayURL.isSafepay(text), let safepay = try? SafepayURL(text) else {
            throw SandboxRefusal(code: "url-malformed", reason: "the address is no way back from the wallet", status: 400)
        }
        report(.response, from: .wallet, to: .app, "safepay", fields: [.init("ResultStatus", safepay.result.status.rawValue)])
        if has(.lostReturn) {
            note("the way back is lost (fault plan)", [], problem: "the app never saw the address")
            if screen.place == .cashier { phone.endCashier(nil) } else { cameBack() }
            return
        }
        if screen.place == .ended { start() }
        if screen.place == .cashier {
            phone.endCashier(distorted(safepay.result))
        } else {
            show { $0.place = .asking }
            let distorted = distorted(safepay.result)
            let address =
                distorted == safepay.result ? url : URL(string: SafepayURL(scheme: safepay.scheme, result: distorted).description) ?? url
            // Both delegate methods of an app fire for one address: a payment counts once.
            for _ in 0..<2 { service.processOrder(withPaymentResult: address) { [weak self] in self?.told($0) } }
        }
    }

    /// What the fault plan makes of the wallet's word.
    private func distorted(_ result: PaymentResult) -> PaymentResult {
        guard result.status == .paid else { return result }
        if has(.processingFirst) { return PaymentResult(status: .processing) }
        if has(.unknownResult) { return PaymentResult(status: .unknown) }
        return result
    }

    private func cameBack() {
        show { $0.place = .asking }
        client.appBecameActive()
    }

    /// The documented block, or the standby block.
    private func told(_ dictionary: [AnyHashable: Any]?) {
        let status = dictionary?["resultStatus"] as? String ?? AlipayResultStatus.unknown.rawValue
        // The shop shows its own words; the wallet's memo goes to the trace.
        note("block called", [.init("resultStatus", status), .init("memo", dictionary?["memo"] as? String ?? "")])
        show {
            $0.place = .outcome
            $0.away = nil
            $0.outcome = .init(status: status)
        }
    }

    // MARK: The app's life

    private func kill() {
        note("the app is ended (fault plan)", [], problem: "the system needed the memory")
        client.stop()
        phone.onOpen = nil
        phone.onCashier = nil
        retired.append(phone)
        show { $0.place = .ended }
    }

    private func startApp() {
        start()
        show { $0.place = .asking }
        begin { await $0.recover() }
    }

    /// A cold start: a new client on the old list.
    private func start() {
        phone = SimulatedSurroundings(installedSchemes: screen.model.installedSchemes)
        guard let fresh = try? Self.makeClient(keys, phone: phone, store: store, surroundings) else { return }
        client = fresh
        service = AlipaySDK(client: fresh)
        service.standbyCallback = { [weak self] in self?.told($0) }
        phone.onOpen = { [weak self] in self?.opened($0) }
        phone.onCashier = { [weak self] in self?.cashier($0) }
        show { $0.place = .shop }
    }

    private func recover() async {
        let reports = await client.recover()
        guard let report = reports.last(where: { $0.orderNumber == order?.number }) ?? reports.last else {
            return show {
                $0.place = .shop
                $0.outcome = nil
                $0.away = nil
            }
        }
        told(report.dictionary)
    }

    /// Ends the session: the phone is put away, as if its app were killed.
    func close() {
        client.stop()
        for each in retired + [phone] { each.endCashier(nil) }
        for each in work { each.cancel() }
        feed.finish()
    }

    // MARK: The trace

    private func report(
        _ kind: TraceEntry.Kind, from: Party = .app, to: Party, _ title: String, fields: [TraceEntry.Field], problem: String? = nil
    ) {
        guard let order else { return }
        surroundings.reporter.report(
            kind, from: from, to: to, title, correlation: [ExpressTrace.order: order.number], fields: fields, problem: problem)
    }

    private func note(_ title: String, _ fields: [TraceEntry.Field], problem: String? = nil) {
        report(.note, to: .app, title, fields: fields, problem: problem)
    }
}

/// The phones with the shop's app that are in use. When there are too many, the one that was taken up longest ago is put away.
@MainActor
package final class ExpressPhoneDirectory {
    private let surroundings: ExpressSurroundings
    private let limit: Int
    private var sessions: [String: ExpressPhoneSession] = [:]
    private var order: [String] = []

    init(surroundings: ExpressSurroundings, limit: Int = 200) {
        self.surroundings = surroundings
        self.limit = max(1, limit)
    }

    /// Hands out a phone with the shop's app open. Refuses while the merchant's server has no keys of the gateway.
    package func open(_ model: ExpressPhoneModel) async throws -> ExpressPhoneSession {
        let answer = try await surroundings.merchant.send(HTTPQuestion(method: "GET", path: "/alipay-merchant/v1/keys", headers: []))
        guard answer.status == 200 else {
            throw SandboxRefusal(code: "gateway-unavailable", reason: "the shop has no word from the gateway yet", status: 503)
        }
        let keys = try JSONDecoder().decode(ExpressWire.AppKeys.self, from: answer.body)
        let session = try ExpressPhoneSession(
            id: surroundings.reporter.makeName(), model: model, keys: keys, surroundings: surroundings)
        sessions[session.id] = session
        order.append(session.id)
        while order.count > limit { sessions.removeValue(forKey: order.removeFirst())?.close() }
        return session
    }

    package func find(_ id: String) -> ExpressPhoneSession? { sessions[id] }

    package func session(_ id: String) throws(SandboxRefusal) -> ExpressPhoneSession {
        guard let session = sessions[id] else {
            throw SandboxRefusal(code: "session-unknown", reason: "no phone session has that id", status: 404)
        }
        return session
    }
}
