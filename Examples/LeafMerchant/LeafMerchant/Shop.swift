import AlipayApp
import Foundation

/// What is known of an order, for whoever shows it.
struct News {
    let number: String
    let outcome: PaymentOutcome
}

/// The app's one shop: both ways to pay, and the orders that are open.
@MainActor
final class Shop {
    /// Between the questions to the server. Afterwards the customer is told that the payment is being confirmed, and may ask again.
    static let questionPauses: [Duration] = [.zero, .seconds(1), .seconds(2)]

    let orders: OpenOrders
    let sheet: SheetCheckout
    /// Told of an order that nobody waits for.
    var onNews: (Order, PaymentOutcome) -> Void = { _, _ in }
    let language: CustomerLanguage
    private let express: ExpressCheckout

    init(settings: Settings, phone: Phone) {
        let server = ShopServer(origin: settings.shop)
        language = CustomerLanguage(preferred: settings.languages)
        orders = OpenOrders(folder: phone.folder)
        express = ExpressCheckout(settings: settings, server: server, phone: phone)
        sheet = SheetCheckout(settings: settings, language: language, server: server, phone: phone)
        express.onLateNews { [weak self] in self?.tell($0) }
    }

    // MARK: Paying

    /// Has the server make an order, and writes it down.
    func place(_ offer: Offer) async throws -> Order {
        let order = try await offer.way == .express ? express.place(offer) : sheet.place(offer)
        try orders.add(order)
        return order
    }

    /// Lets the customer pay, and returns when the end is known or asking has come to an end. An order that was cancelled may be paid
    /// again.
    ///
    /// Throws where nothing was begun.
    func pay(_ order: Order) async throws -> PaymentOutcome {
        try orders.add(order)
        do {
            let outcome = try await order.way == .express ? express.pay(order) : sheet.pay(order)
            settle(order.number, outcome)
            return outcome
        } catch {
            orders.remove(order.number)
            throw error
        }
    }

    /// Asks what became of an order.
    func ask(_ order: Order) async -> PaymentOutcome {
        var outcome = PaymentOutcome.undecided
        if order.way == .sheet {
            outcome = await sheet.ask(order)
        } else {
            for news in await express.recover() {
                if news.number == order.number { outcome = news.outcome } else { tell(news) }
            }
        }
        settle(order.number, outcome)
        return outcome
    }

    /// Asks about every order whose end is not known: when the app starts, and when the customer asks again. Each is told by ``onNews``.
    func recover() async {
        // Written down, and then the app was killed before the payment began: nothing was sent.
        for order in orders.orders where order.way == .express && !express.hasBegun(order) { orders.remove(order.number) }
        for news in await express.recover() { tell(news) }
        for order in orders.orders where order.way == .sheet { tell(News(number: order.number, outcome: await sheet.ask(order))) }
    }

    // MARK: The app's life

    /// Takes a link by which the app was opened.
    func opened(by url: URL) {
        if express.opened(by: url) { return }
        // The way back from a wallet of the sheet. It proves nothing, and so it is not read: whoever is back is asked for.
        sheet.cameToFront()
    }

    func cameToFront() {
        express.cameToFront()
        sheet.cameToFront()
    }

    private func tell(_ news: News) {
        let order = orders.find(news.number) ?? Order(number: news.number, name: "Order \(news.number)", price: "", way: .express)
        settle(news.number, news.outcome)
        onNews(order, news.outcome)
    }

    /// An order stays open until its end is certain.
    private func settle(_ number: String, _ outcome: PaymentOutcome) {
        if outcome != .undecided { orders.remove(number) }
    }
}
