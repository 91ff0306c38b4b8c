import BillfoldMoney
import BillfoldStorage

/// What an order asks for, as the gateway tells it.
struct OrderSummary: Codable, Sendable, Hashable {
    enum State: String, Codable, Sendable {
        case new, open, paid, closed
    }

    /// Why an order cannot be paid any more, as the gateway says it.
    struct Over: Codable, Sendable, Hashable {
        var code: String
        var reason: String
        /// The order's parameter that says so, where it is one.
        var parameter: String?
        /// The merchant's number of the order, in test mode.
        var order: String?
    }

    /// The gateway's name of the order.
    var reference: String
    var payee: String
    var payeeID: String
    var subject: String
    var body: String?
    /// What the merchant asks for.
    var price: Amount
    /// What the customer pays, in the wallet's currency.
    var payable: Amount
    /// The rate between the two, as text.
    var rate: String?
    /// Where the merchant wants the customer to return to, if it says so.
    var returnURL: String?
    var state: State
    var over: Over?
}

/// What the merchant's app is told in the end.
struct ClientResult: Codable, Sendable, Hashable {
    var resultStatus: String
    var memo: String
    var result: String

    var isPaid: Bool { resultStatus == "9000" }
}

/// One visit of a customer who is to pay an order, in the wallet's app or in a browser.
struct Checkout: Sendable {
    enum Channel: String, Sendable {
        case app
        /// A browser's page, for a phone without the wallet.
        case page = "h5"
    }

    let id: TimeOrderedID
    let channel: Channel
    /// The scheme of the merchant's app; `nil` where there is none to return to.
    let scheme: String?
    let language: WalletLanguage?
    let order: OrderSummary
    var state: CheckoutState
    /// Who pays, once that is known.
    var account: TimeOrderedID?
    /// The gateway's number of what is paid, once the customer is known.
    var trade: String?
    /// What the trade costs; the order's ``OrderSummary/payable`` until there is one.
    var payable: Amount
    var hold: TimeOrderedID?
    var result: ClientResult?
    let createdAt: Timestamp
    let expiresAt: Timestamp
}
