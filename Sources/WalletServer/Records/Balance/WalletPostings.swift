import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// The entries of the wallet's ledger. What customers own is what the wallet owes them: their accounts are liabilities.
enum WalletPostings: String, Sendable, CaseIterable {
    case topUp = "wallet-top-up"
    case withdrawal = "wallet-withdrawal"
    /// A payment is submitted and not settled.
    case hold = "wallet-hold"
    /// The payment was taken: the wallet owes it to the gateway.
    case capture = "wallet-capture"
    /// The payment was refused: the customer has the money back.
    case release = "wallet-release"
    case refund = "wallet-refund"
    /// A payment was confirmed: the wallet owes it to Alipay+.
    case alipayPlusPayment = "wallet-alipay-plus-payment"
    case alipayPlusRefund = "wallet-alipay-plus-refund"

    static let held = LedgerAccount("held", .liability)
    static let gateway = LedgerAccount("gateway", .liability)
    static let alipayPlus = LedgerAccount("alipay-plus", .liability)

    static func customer(_ number: String) -> LedgerAccount { LedgerAccount("customer:\(number)", .liability) }

    func template(customer number: String) -> PostingTemplate {
        let customer = Self.customer(number)
        let (debited, credited): (LedgerAccount, LedgerAccount) =
            switch self {
            case .topUp: (.bank, customer)
            case .withdrawal: (customer, .bank)
            case .hold: (customer, Self.held)
            case .capture: (Self.held, Self.gateway)
            case .release: (Self.held, customer)
            case .refund: (Self.gateway, customer)
            case .alipayPlusPayment: (customer, Self.alipayPlus)
            case .alipayPlusRefund: (Self.alipayPlus, customer)
            }
        return PostingTemplate(rawValue, [.debit(debited, .amount), .credit(credited, .amount)])
    }

    /// Books the entry once: a second time with the same source is refused by the ledger's key.
    func book(
        _ amount: Amount, customer number: String, source: TimeOrderedID, owner: MerchantID, at now: Timestamp, in tx: any Transaction
    ) throws {
        let booking = try LedgerRecords.booking(
            template(customer: number), merchant: owner, source: source, amount: amount.minorUnits, currency: amount.currency, at: now)
        try tx.execute(booking.sql, booking.bindings)
    }
}
