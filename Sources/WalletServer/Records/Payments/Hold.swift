import BillfoldMoney
import BillfoldStorage

/// A payment of a customer, from its submission on. Its id is the request's id at the gateway.
struct Hold: Sendable {
    let id: TimeOrderedID
    let account: TimeOrderedID
    let checkout: TimeOrderedID
    /// The gateway's number of what is paid.
    let trade: String
    let payee: String
    let subject: String
    let amount: Amount
    var state: HoldState
    /// What was given back, in minor units of ``amount``.
    var refunded: Int64
    /// Why it was refused; while it is held, what the gateway says that does not judge it.
    var note: String
    let createdAt: Timestamp
    /// When the gateway took it, on the gateway's clock.
    var paidAt: Timestamp?

    var requestID: String { id.description }
}

/// An amount that came back to a customer.
struct CustomerRefund: Sendable {
    let id: TimeOrderedID
    /// The gateway's id of the request.
    let requestID: String
    let hold: TimeOrderedID
    let account: TimeOrderedID
    let trade: String
    let payee: String
    let amount: Amount
    let reason: String
    let at: Timestamp
}

/// Money that an operator brought in or paid out for a customer.
struct CustomerTransfer: Sendable {
    enum Kind: String, Sendable {
        case topUp = "top-up"
        case withdrawal
    }

    let id: TimeOrderedID
    let account: TimeOrderedID
    let kind: Kind
    let amount: Amount
    let by: String
    let reason: String
    let at: Timestamp
}
