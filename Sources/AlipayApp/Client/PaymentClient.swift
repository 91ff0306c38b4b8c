public import Alipay
import BillfoldJSON
public import Foundation

/// Pays orders by the wallet, or by the web cashier where there is no wallet, and finds out how each ended.
///
/// The list of payments is stored before the wallet opens, so that a killed app, a lost return, two payments at once and a URL that
/// comes twice all end right. What comes back is verified over its exact bytes; even then only the merchant's server makes it a
/// success. A time-out never makes it a failure.
@MainActor
public final class PaymentClient {
    public typealias Standby = @MainActor (PaymentReport) -> Void

    let configuration: PaymentClientConfiguration
    let surroundings: any PaymentSurroundings
    let query: (any OrderQuery)?
    let check: ResultCheck
    private let store: any PendingPaymentStore

    /// Told of what nobody else waits for: payments of an earlier run of the app, and late news of payments that were reported as
    /// undecided or cancelled. What comes before it is set is kept for it.
    public var standby: Standby? {
        didSet {
            guard let standby else { return }
            loadIfNeeded()
            handOver(to: standby)
        }
    }
    /// What went wrong and was survived, newest last.
    public private(set) var faults: [PaymentFault] = []

    var book = PendingPayments()
    var listeners: [PendingPayment.ID: ReportListener] = [:]
    /// The blocks that came with a URL.
    var companions: [PendingPayment.ID: Standby] = [:]
    var questions: [PendingPayment.ID: Task<Void, Never>] = [:]
    /// Payments whose news is told even where it decides nothing, because something came back.
    var announced: Set<PendingPayment.ID> = []
    /// News that decides nothing and that nobody was there to hear.
    var unclaimed: [PaymentReport] = []
    private var atCashier: Set<PendingPayment.ID> = []
    private var isLoaded = false
    /// URLs that came while the list could not be read.
    private var early: [(url: URL, companion: Standby?)] = []

    /// Without a `query` no payment ever is ``PaymentOutcome/succeeded(_:)``: whoever gets the documented dictionary asks the server then.
    public init(
        configuration: PaymentClientConfiguration, surroundings: any PaymentSurroundings, store: any PendingPaymentStore,
        query: (any OrderQuery)?
    ) {
        self.configuration = configuration
        self.surroundings = surroundings
        self.store = store
        self.query = query
        check = ResultCheck(legacyKeys: configuration.legacyResultKeys, modernKeys: configuration.modernResultKeys)
    }

    /// All payments that were begun and are not forgotten, oldest first.
    public var pending: PendingPayments {
        loadIfNeeded()
        return book
    }

    // MARK: The list

    private func load() throws(AlipayAppError) {
        guard !isLoaded else { return }
        do throws(AlipayAppError) {
            book = try store.load()
        } catch  where error.code == .storeDamaged {
            note(.storeDamaged)
        }
        isLoaded = true
        let waiting = early
        early = []
        for (url, companion) in waiting { handle(url, companion: companion) }
    }

    private func loadIfNeeded() {
        do { try load() } catch { note(.storeUnavailable) }
    }

    func save() {
        do { try store.save(book) } catch { note(.storeUnavailable) }
    }

    func note(_ code: PaymentFault.Code, _ orderNumber: String? = nil) {
        faults.append(PaymentFault(code, orderNumber: orderNumber))
        if faults.count > 100 { faults.removeFirst() }
    }

    // MARK: Paying

    /// Shows the wallet an order string, signed by the merchant's server, and returns when the end is known or asking has come to
    /// an end. A second payment while one is open ends the first as undecided.
    ///
    /// An order that was begun before is asked for first: it is not shown again once the server says that it is paid or closed.
    public func pay(order: String, returnTo address: ReturnAddress) async throws(AlipayAppError) -> PaymentOutcome {
        let listener = ReportListener(isSuspended: true)
        let news = await listener.news { begin(order: order, returnTo: address, listener: listener) }
        // A caller that went away is not told any more: the news is for whoever asks next.
        listeners = listeners.filter { $0.value !== listener }
        return try news.get()?.outcome ?? .undecided
    }

    func begin(order text: String, returnTo address: ReturnAddress, listener: ReportListener) {
        Task {
            do throws(AlipayAppError) { try await launch(text, returnTo: address, listener: listener) } catch { listener(.failure(error)) }
        }
    }

    private func launch(_ text: String, returnTo address: ReturnAddress, listener: ReportListener) async throws(AlipayAppError) {
        let order = try OrderFacts(text)
        try address.check()
        let opening = try AppSwitch.url(for: text, returnTo: address, scheme: configuration.environment.walletScheme)
        try load()
        guard await !isDecided(order, listener) else { return }
        for id in listeners.keys where book[id]?.reply == nil || ExactText.equal(book[id]?.orderNumber, order.orderNumber) {
            endUndecided(id)
        }
        let before = book
        let payment = book.launch(order, returnTo: address, at: configuration.now())
        do { try store.save(book) } catch {
            book = before
            throw error
        }
        listeners[payment.id] = listener
        await show(payment, order: text, at: opening)
    }

    /// Whether an earlier launch of the same order makes another one needless; `listener` then hears of that one.
    private func isDecided(_ order: OrderFacts, _ listener: ReportListener) async -> Bool {
        guard let known = book.payment(ofOrder: order.orderNumber) else { return false }
        if known.conclusion == .succeeded {
            listeners[known.id] = listener
            end(known.id, .succeeded)
            return true
        }
        if check.word(known.reply, of: known.order).isProven {
            // The wallet has its proof: there is nothing to pay any more, and the server is asked until it knows.
            endUndecided(known.id)
            listeners[known.id] = listener
            follow(known.id)
            return true
        }
        guard let conclusion = WalletWord.none.conclusion(await state(of: known)), book[known.id] != nil else { return false }
        if let earlier = listeners[known.id] { earlier(.success(report(known, conclusion))) }
        listeners[known.id] = listener
        end(known.id, conclusion)
        return true
    }

    private func show(_ payment: PendingPayment, order text: String, at opening: URL) async {
        if surroundings.canOpen(opening) {
            if await surroundings.open(opening) { return }
            note(.walletNotOpened, payment.orderNumber)
        }
        atCashier.insert(payment.id)
        let reply = await surroundings.showCashier(
            CashierRequest(address: configuration.environment.cashier, order: text, scheme: payment.returnAddress.scheme))
        atCashier.remove(payment.id)
        if let reply { keep(reply, for: payment.id) }
        answered(payment.id)
    }

    // MARK: Coming back

    /// Takes a URL by which the app was opened. False when it is no return from the wallet, and meant for somebody else.
    @discardableResult
    public func handle(_ url: URL) -> Bool { handle(url, companion: nil) }

    /// `companion` is the block of the documented call.
    @discardableResult
    func handle(_ url: URL, companion: Standby?) -> Bool {
        loadIfNeeded()
        let text = url.absoluteString
        guard url.host?.lowercased() == "safepay" || book.payments.contains(where: { $0.returnAddress.isLink(text) }) else { return false }
        guard isLoaded else {
            early.append((url, companion))
            return true
        }
        if let companion { handOver(to: companion) }
        do { take(try ReturnedResult(url: text), from: text, companion) } catch { note(.returnMalformed) }
        return true
    }

    /// Takes a result as text, from a page or a kit that hands it over so: JSON, or `resultStatus={9000};memo={};result={…}` as old
    /// Android kits print it [O]. Throws when it is neither.
    public func handle(resultText: String) throws(AlipayError) {
        loadIfNeeded()
        let scheme = book.payments.last?.returnAddress.scheme ?? ""
        take(ReturnedResult(try PaymentResult(text: resultText)), from: "\(scheme):", nil)
    }

    private func take(_ returned: ReturnedResult, from url: String, _ companion: Standby?) {
        switch book.match(returned.reply, orderNumber: returned.orderNumber, returnedTo: url) {
        case .payment(let id): take(returned.reply, for: id, companion)
        case .unknownOrder(let number):
            note(.returnUnmatched, number)
            let address = ReturnAddress(scheme: String(url.prefix { $0 != ":" }))
            take(returned.reply, for: book.adopt(number, returnedTo: address, at: configuration.now()).id, companion)
        case .repeated(let id):
            note(.returnRepeated, returned.orderNumber)
            // The first delegate method may have brought no block.
            if questions[id] != nil, companions[id] == nil { companions[id] = companion }
        case .nothing: note(.returnUnmatched)
        }
    }

    private func take(_ reply: PaymentResult, for id: PendingPayment.ID, _ companion: Standby?) {
        keep(reply, for: id)
        companions[id] = companion
        answered(id)
    }

    /// Anybody can open the app with a result that nobody signed: one that is proven stays, and the server is asked again.
    private func keep(_ reply: PaymentResult, for id: PendingPayment.ID) {
        guard let payment = book[id] else { return }
        func isProven(_ reply: PaymentResult?) -> Bool { check.word(reply, of: payment.order).isProven }
        guard isProven(reply) || !isProven(payment.reply) else { return note(.replyUnproven, payment.orderNumber) }
        book.take(reply, for: id)
    }

    /// To be called when the app is in front again. A payment whose wallet came back without a word is asked for.
    public func appBecameActive() {
        loadIfNeeded()
        for id in listeners.keys where questions[id] == nil && !atCashier.contains(id) {
            follow(id, after: configuration.returnGrace)
        }
    }

    /// Asks what became of the payments of earlier runs of the app, and returns what it found: once where it was decided, and again
    /// as long as it is not. To be called when the app starts, and when the customer asks again.
    public func recover() async -> [PaymentReport] {
        loadIfNeeded()
        unclaimed = []
        var reports: [PaymentReport] = []
        var asked: [Task<ReportListener.News, Never>] = []
        for payment in book.payments where !payment.isReported && listeners[payment.id] == nil {
            if let conclusion = payment.conclusion {
                reports.append(report(payment, conclusion))
                book.markReported(payment.id)
            } else {
                let listener = ReportListener(isSuspended: true)
                listeners[payment.id] = listener
                asked.append(Task { await listener.news { if questions[payment.id] == nil { follow(payment.id) } } })
            }
        }
        save()
        for task in asked { if let report = try? await task.value.get() { reports.append(report) } }
        return reports
    }

    /// Asks nothing more and lets everybody go who waits: the app is about to end. The list stays as it is stored.
    public func stop() {
        for task in questions.values { task.cancel() }
        questions = [:]
        for listener in listeners.values { listener(.success(nil)) }
        listeners = [:]
    }
}
