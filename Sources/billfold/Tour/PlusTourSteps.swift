import AlipayPlus
import AlipayPlusValues
import AsyncHTTPClient
import BillfoldSandbox
import Foundation
import Synchronization

/// What the journey "pay through a payment sheet of many wallets" does at each step.
final class PlusTourSteps: Sendable {
    typealias Step = (name: String, work: @Sendable () async throws -> String)

    /// A guest who pays with one wallet.
    struct Guest: Sendable {
        var wallet: String
        /// In the wallet's addresses.
        var slug: String
        var id: String
        var pin: String
    }

    static let yan = Guest(wallet: "ALIPAY_HK", slug: "alipay-hk", id: "hk-yan", pin: "280911")
    static let luz = Guest(wallet: "GCASH", slug: "gcash", id: "ph-luz", pin: "631204")
    static let sora = Guest(wallet: "KAKAOPAY", slug: "kakaopay", id: "kr-sora", pin: "820415")

    private let addresses: PlusTourParties.Addresses
    private let makeReports: @Sendable (_ day: String) async throws -> [(name: String, bytes: [UInt8])]
    private let client: HTTPClient
    /// Numbers of orders by the step's name.
    private let orders = Mutex<[String: String]>([:])

    /// - Parameter makeReports: Has the gateway's reports of a day made; the gateway does not run any more afterwards.
    init(
        addresses: PlusTourParties.Addresses,
        makeReports: @escaping @Sendable (_ day: String) async throws -> [(name: String, bytes: [UInt8])]
    ) {
        self.addresses = addresses
        self.makeReports = makeReports
        client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))
    }

    func end() async throws { try await client.shutdown() }

    var all: [Step] {
        [
            ("registration", { try await self.untilRegistered() }),
            ("sheet, in Hong Kong dollars", { try await self.paySheet("hk", for: "kaya-box", by: Self.yan) }),
            ("sheet, in pesos", { try await self.paySheet("ph", for: "night-tea", by: Self.luz) }),
            ("sheet, in won", { try await self.paySheet("kr", for: "cup", by: Self.sora) }),
            ("the customer’s code", { try await self.payByShownCode() }), ("the merchant’s code", { try await self.payByScannedCode() }),
            ("cancel", { try await self.cancel() }), ("refund in two parts", { try await self.refund() }),
            ("books", { try await self.compareBooks() }), ("trace", { try await self.readTrace() }),
            ("reports", { try await self.reconcile() }),
        ]
    }

    private func refused(_ code: String, _ reason: String) -> CommandFailure { CommandFailure(.refused, code: code, reason: reason) }

    /// Asks again and again until something holds; refuses with `not-reached` after twenty seconds.
    private func until<Value: Sendable>(
        _ what: String, asking ask: () async throws -> Value, _ isReached: (Value) -> Bool
    ) async throws -> Value {
        let end = ContinuousClock.now.advanced(by: .seconds(20))
        while true {
            let value = try await ask()
            if isReached(value) { return value }
            guard ContinuousClock.now < end else { throw refused("not-reached", "\(what) did not come about") }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    // MARK: Registration

    private struct PartyState: Decodable, Sendable {
        var registered: Bool
        var disbelieved: Int
    }

    private var states: [String] {
        PlusTourParties.wallets.compactMap { type in
            MobileWallet.slug(type).flatMap { slug in addresses.wallets[type].map { "\($0)/wallets/\(slug)/control/state" } }
        } + ["\(addresses.acquirer)/acquirer/v1/state"]
    }

    private func untilRegistered() async throws -> String {
        for url in states {
            _ = try await until("the registration of a party", asking: { try await TourClient.get(url).read(PartyState.self) }) {
                $0.registered
            }
        }
        return "\(states.count) parties are registered with the gateway"
    }

    // MARK: The sheet

    private struct Screen: Decodable, Sendable {
        struct Row: Decodable, Sendable {
            var enabled: Bool
        }
        struct Order: Decodable, Sendable {
            var number: String
            var price: String
        }
        struct Outcome: Decodable, Sendable {
            var kind: String
        }
        struct Problem: Decodable, Sendable {
            var code: String
            var reason: String
        }
        var revision: Int
        var session: String
        var place: String
        var row: Row?
        var order: Order?
        var sheet: String?
        var away: String?
        var outcome: Outcome?
        var problem: Problem?
        var events: [String]
    }

    func paySheet(_ name: String, for offer: String, by guest: Guest) async throws -> String {
        let phones = "\(addresses.shop)/plus-shop/phones"
        let opened = try await TourClient.post(phones, ["model": "with-wallets", "language": "en_US"])
        let app = TourBrowser(addresses.shop, client)
        if let cookie = opened.cookie { app.keep(cookie: cookie) }
        var screen = try opened.read(Screen.self)
        let phone = "\(phones)/\(screen.session)"
        screen = try await TourClient.post("\(phone)/taps", ["do": "choose", "value": offer]).read(Screen.self)
        screen = try await reach(phone, from: screen) { $0.row != nil }
        guard screen.row?.enabled == true else { throw refused("not-offered", "the SDK does not offer Alipay+") }
        screen = try await TourClient.post("\(phone)/taps", ["do": "pay"]).read(Screen.self)
        screen = try await reach(phone, from: screen) { $0.sheet != nil || $0.problem != nil || $0.outcome != nil }
        guard let sheet = screen.sheet, let order = screen.order else {
            throw refused("no-sheet", screen.problem.map { "\($0.code): \($0.reason)" } ?? "the app shows no sheet")
        }
        screen = try await choose(guest, on: sheet, phone)
        guard let away = screen.away, screen.events.contains("IAPPaymentSheetEventDidSelectWalletAndPay") else {
            throw refused("no-wallet", "the app never came to the wallet; it heard \(screen.events.joined(separator: ", "))")
        }
        let back = try await confirm(guest, from: away)
        guard let back, back.hasPrefix(addresses.shop) else { throw refused("page-differs", "the wallet leads back to no shop") }
        _ = try await app.get(back)
        screen = try await reach(phone, from: screen) { $0.outcome != nil }
        guard screen.outcome?.kind == "paid" else { throw refused("not-paid", "the app says \(screen.outcome?.kind ?? "nothing")") }
        let paid = try await untilPaid(order.number)
        orders.withLock { $0[name] = order.number }
        return "\(order.price) paid by \(paid.payments.last?.wallet ?? "a wallet"), \(order.number)"
    }

    private func reach(_ phone: String, from first: Screen, _ isReached: (Screen) -> Bool) async throws -> Screen {
        var screen = first
        for _ in 0..<20 where !isReached(screen) {
            screen = try await TourClient.get("\(phone)?after=\(screen.revision)&wait=5").read(Screen.self)
        }
        guard isReached(screen) else { throw refused("screen-missing", "the phone stayed at \(screen.place)") }
        return screen
    }

    /// Taps the wallet and Pay Now, as the sheet's own script does: the choice goes to the gateway, and the message to the app.
    private func choose(_ guest: Guest, on sheet: String, _ phone: String) async throws -> Screen {
        guard let parts = URLComponents(string: sheet), let port = parts.port else {
            throw refused("page-differs", "the sheet has no address")
        }
        let browser = TourBrowser("\(parts.scheme ?? "http")://\(parts.host ?? ""):\(port)", client)
        let page = try await browser.get(sheet)
        let row = "name=\"wallet\" value=\"\(guest.wallet)\""
        guard page.status == 200, let normal = page.attribute("data-normal", in: row), let scheme = page.attribute("data-scheme", in: row),
            let applink = page.attribute("data-applink", in: row), let action = page.attribute("action")
        else { throw refused("page-differs", "the sheet shows no \(guest.wallet): \(page.heading)") }
        let shown = try await TourClient.post("\(phone)/sheet", ["message": #"{"event":"show"}"#]).read(Screen.self)
        _ = try await reach(phone, from: shown) { $0.events.contains("IAPPaymentSheetEventDidShow") }
        let answer = try await browser.post(
            action, ["client": "app", "language": "en_US", "wallet": guest.wallet])
        guard answer.status == 200 else { throw refused("page-differs", "the sheet refuses the choice: \(answer.heading)") }
        struct Message: Encodable {
            struct Links: Encodable {
                var applinkUrl: String
                var schemeUrl: String
                var normalUrl: String
            }
            var event = "select"
            var walletName: String
            var links: Links
        }
        let message = Message(walletName: guest.wallet, links: .init(applinkUrl: applink, schemeUrl: scheme, normalUrl: normal))
        let text = String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
        let screen = try await TourClient.post("\(phone)/sheet", ["message": text]).read(Screen.self)
        return try await reach(phone, from: screen) { $0.away != nil || $0.outcome != nil }
    }

    // MARK: Wallets

    func logIn(_ guest: Guest, next: String = "/") async throws -> (TourBrowser, TourBrowser.Page) {
        guard let origin = addresses.wallets[guest.wallet] else { throw refused("no-wallet", "nobody plays \(guest.wallet)") }
        let browser = TourBrowser(origin, client)
        let page = try await browser.post("/wallets/\(guest.slug)/login", ["id": guest.id, "pin": guest.pin, "next": next])
        guard page.status == 200 else { throw refused("page-differs", "\(guest.wallet) answers \(page.status), \(page.heading)") }
        return (browser, page)
    }

    /// Logs in at the address that the phone opened, confirms, and returns where the wallet leads back to.
    func confirm(_ guest: Guest, from away: String) async throws -> String? {
        guard let root = addresses.wallets[guest.wallet].map({ "\($0)/wallets/\(guest.slug)" }), away.hasPrefix(root) else {
            throw refused("page-differs", "the phone opens \(away)")
        }
        let (browser, page) = try await logIn(guest, next: String(away.dropFirst(root.count)))
        return try await confirm(page, browser)
    }

    private func confirm(_ first: TourBrowser.Page, _ browser: TourBrowser) async throws -> String? {
        guard first.path.contains("/payments/") else { throw refused("page-differs", "the wallet shows \(first.heading)") }
        let page = try await until("the request to collect", asking: { try await browser.get(first.path) }) {
            $0.attribute("data-outcome") != "preparing"
        }
        guard page.attribute("data-outcome") == "waiting" else { throw refused("not-asked", "the wallet shows \(page.heading)") }
        let paid = try await browser.post("\(first.path)/confirm")
        guard paid.attribute("data-outcome") == "paid" else { throw refused("not-paid", "the wallet shows \(paid.heading)") }
        return paid.link(marked: "data-way-back")
    }

    // MARK: The till

    func payByShownCode() async throws -> String {
        let code = try await shownCode(of: Self.yan)
        let till = TourBrowser(addresses.shop, client)
        let rung = try await till.post("/plus-shop/till", ["way": "paymentCode", "offer": "harbour-print", "code": code])
        guard rung.status == 200, let number = rung.path.split(separator: "/").last.map(String.init), number != "till" else {
            throw refused("not-paid", "the till shows \(rung.heading)")
        }
        let order = try await untilPaid(number)
        orders.withLock { $0["shown"] = number }
        return "\(order.price.amount) \(order.price.currency) paid by a code of \(code.count) digits"
    }

    private func payByScannedCode() async throws -> String {
        let till = TourBrowser(addresses.shop, client)
        let rung = try await till.post("/plus-shop/till", ["way": "orderCode", "offer": "kaya-box"])
        guard let number = rung.path.split(separator: "/").last.map(String.init),
            let start = rung.text.range(of: "data-till-code>"), case let code = rung.text[start.upperBound...].prefix(while: { $0 != "<" })
        else { throw refused("page-differs", "the till shows no code: \(rung.heading)") }
        let (wallet, _) = try await logIn(Self.luz)
        let page = try await wallet.post("/wallets/\(Self.luz.slug)/scan", ["code": String(code)])
        _ = try await confirm(page, wallet)
        let order = try await untilPaid(number)
        orders.withLock { $0["scanned"] = number }
        return "\(order.price.amount) \(order.price.currency) paid by an order code"
    }

    // MARK: The acquirer

    private struct Order: Decodable, Sendable {
        struct Payment: Decodable, Sendable {
            struct Refund: Decodable, Sendable {
                var state: String
            }
            var request: String
            var state: String
            var wallet: String?
            var notifications: Int
            var refunds: [Refund]
        }
        var state: String
        var price: PlusBooks.Money
        var payments: [Payment]
    }

    private func orderURL(_ number: String) -> String { "\(addresses.acquirer)/acquirer/v1/orders/\(number)" }

    /// Paid, and told by a notification of it.
    private func untilPaid(_ number: String) async throws -> Order {
        try await until("the notification of \(number)", asking: { try await TourClient.get(orderURL(number)).read(Order.self) }) {
            $0.state == "paid" && ($0.payments.last?.notifications ?? 0) > 0
        }
    }

    func cancel() async throws -> String {
        let before = try await walletBooks(Self.yan.wallet)
        _ = try await paySheet("cancelled", for: "kaya-box", by: Self.yan)
        guard let number = orders.withLock({ $0["cancelled"] }) else { throw refused("value-differs", "the order is lost") }
        let order = try await TourClient.post("\(orderURL(number))/cancel", [String: String]()).read(Order.self)
        guard order.state == "cancelled" else { throw refused("not-cancelled", "the acquirer has the order as \(order.state)") }
        let after = try await until("the money’s way back", asking: { try await walletBooks(Self.yan.wallet) }) { $0 == before }
        guard let balance = after.accounts["customer:\(Self.yan.id)"] else {
            throw refused("value-differs", "\(Self.yan.id) has no account")
        }
        return "\(number) cancelled; the customer has \(balance.amount) \(balance.currency) again"
    }

    func refund() async throws -> String {
        guard let number = orders.withLock({ $0["ph"] }) else { throw refused("value-differs", "the order is lost") }
        for (part, amount) in ["68.00", "100.00"].enumerated() {
            let asked = ["amount": amount, "number": "tour-\(number)-\(part)"]
            // The same refund asked for twice is one.
            for _ in 0..<2 {
                let order = try await TourClient.post("\(orderURL(number))/refunds", asked).read(Order.self)
                guard order.payments.last?.refunds.count == part + 1, order.payments.last?.refunds.last?.state == "done" else {
                    throw refused("refund-differs", "the acquirer has the refund as \(order.payments.last?.refunds.last?.state ?? "none")")
                }
            }
        }
        return "68.00 and 100.00 given back of \(number)"
    }

    // MARK: Books

    private func walletBooks(_ type: String) async throws -> PlusBooks.Wallet {
        guard let origin = addresses.wallets[type], let slug = MobileWallet.slug(type) else {
            throw refused("no-wallet", "nobody plays \(type)")
        }
        return try await TourClient.get("\(origin)/wallets/\(slug)/control/books").read(PlusBooks.Wallet.self)
    }

    private func compareBooks() async throws -> String {
        let acquirer = try await TourClient.get("\(addresses.acquirer)/acquirer/v1/books").read(PlusBooks.Acquirer.self).entries
        var wallets: [PlusBooks.Wallet.Entry] = []
        for type in PlusTourParties.wallets {
            let books = try await walletBooks(type)
            guard books.balanced else { throw refused("books-differ", "the books of \(type) do not balance") }
            wallets += books.entries
        }
        let differences = PlusBooks.differences(acquirer: acquirer, wallets: wallets)
        guard differences.isEmpty, acquirer.count == 7 else {
            throw refused("books-differ", (["the acquirer has \(acquirer.count) entries"] + differences).joined(separator: "; "))
        }
        // What a comparison that finds nothing is worth: one altered row must be found.
        var altered = acquirer
        altered[0].walletNumber = "0" + (altered[0].walletNumber ?? "")
        guard PlusBooks.differences(acquirer: altered, wallets: wallets).count == 2 else {
            throw refused("books-differ", "an altered row is not noticed")
        }
        return "\(acquirer.count) entries agree between the acquirer and \(PlusTourParties.wallets.count) wallets; an altered row is found"
    }

    /// Waits for the next morning, and holds the day's reports against the acquirer's own books.
    private func reconcile() async throws -> String {
        let books = try await TourClient.get("\(addresses.acquirer)/acquirer/v1/books").read(PlusBooks.Acquirer.self).entries
        let rows = try books.map { try $0.row }
        // A tour may run over midnight in China: then its rows lie in two cycles.
        let cycles = Set(rows.map { ClearingCycle(of: $0.transactionTime) }).sorted { $0.day < $1.day }
        guard let last = cycles.last else { throw refused("books-differ", "the acquirer's books are empty") }
        struct Now: Decodable { var now: Int64 }
        let (ready, day) = (last.filesReady.millisecondsSince1970 / 1_000 + 60, Int64(Date().timeIntervalSince1970))
        _ = try await TourClient.put("\(addresses.acquirer)/clock", ["advanceSeconds": max(0, ready - day)])
        var found: [ReportDifference] = []
        var files = 0
        for cycle in cycles {
            let made = try await makeReports(cycle.day)
            files += made.count
            let own = rows.filter { cycle.contains($0.transactionTime) }
            found += ReportChecker.differences(in: made, books: own)
            // What a check that finds nothing is worth: one altered row must be found.
            let altered = made.map { file in file.name.hasPrefix("transactionItems_") ? (file.name, Self.altered(file.bytes)) : file }
            let kinds = Set(ReportChecker.differences(in: altered, books: own).map(\.kind))
            guard kinds.contains(.alteredRow) else { throw refused("reports-differ", "an altered row is not noticed") }
        }
        guard found.isEmpty else { throw refused("reports-differ", found.map(\.description).joined(separator: "; ")) }
        return "\(files) files agree with the acquirer’s \(rows.count) rows; an altered row is found"
    }

    /// The file with one digit of its last row's amount changed.
    private static func altered(_ bytes: [UInt8]) -> [UInt8] {
        var rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let index = rows.lastIndex(where: { !$0.isEmpty }) else { return bytes }
        var fields = rows[index].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        // transactionAmount.
        if fields.count > 8 { fields[8] = fields[8].first == "9" ? "8" + fields[8].dropFirst() : "9" + fields[8].dropFirst() }
        rows[index] = fields.joined(separator: ",")
        return Array(rows.joined(separator: "\n").utf8)
    }

    // MARK: Stories

    /// What was sent again and so mended still shows: nobody may have disbelieved anything.
    private func readTrace() async throws -> String {
        for url in states {
            let state = try await TourClient.get(url).read(PartyState.self)
            guard state.disbelieved == 0 else {
                throw refused("not-believed", "\(state.disbelieved) messages were not believed, by \(url)")
            }
        }
        let numbers = orders.withLock { Array($0.values) }
        for number in numbers {
            let order = try await TourClient.get(orderURL(number)).read(Order.self)
            guard let request = order.payments.last?.request else { throw refused("story-incomplete", "\(number) has no payment") }
            let story = "\(addresses.console)/stories/alipay-plus.request:\(request)"
            let page = try await until("the story of \(number)", asking: { try await TourClient.get(story) }) { page in
                let text = String(decoding: page.body, as: UTF8.self)
                return page.status == 200 && ["payments/pay", "notification"].allSatisfy(text.contains)
            }
            if let trouble = ["unanswered", "not settled"].first(where: String(decoding: page.body, as: UTF8.self).contains) {
                throw refused("story-troubled", "the story of \(number) tells of a message \(trouble)")
            }
        }
        return "\(numbers.count) stories tell of payment and notification"
    }
}
