/// The templates by which payments through one acquirer are booked.
public struct PaymentBooks: Sendable, Hashable {
    /// Money taken: the acquirer owes it to the merchant.
    public let capture: PostingTemplate
    /// A void or reversal of the whole payment.
    public let reversal: PostingTemplate
    /// Money given back, in part or in whole.
    public let refund: PostingTemplate
    /// What the acquirer keeps of a payment, booked alone when its settlement file tells.
    public let fee: PostingTemplate
    /// The acquirer's payout to the merchant's bank account, with the fee it keeps back: gross leaves the receivable, net
    /// arrives. Fees booked alone beforehand are paid out with a fee of zero and the net as amount.
    public let payout: PostingTemplate

    public init(acquirer: String) {
        let receivable = LedgerAccount.receivable(from: acquirer)
        capture = PostingTemplate("capture", [.debit(receivable, .amount), .credit(.sales, .amount)])
        reversal = PostingTemplate("reversal", [.debit(.sales, .amount), .credit(receivable, .amount)])
        refund = PostingTemplate("refund", [.debit(.refunds, .amount), .credit(receivable, .amount)])
        fee = PostingTemplate("acquirer-fee", [.debit(.acquirerFees, .fee), .credit(receivable, .fee)])
        payout = PostingTemplate(
            "payout", [.debit(.bank, .amount).less(.fee), .debit(.acquirerFees, .fee), .credit(receivable, .amount)])
    }

    public var all: [PostingTemplate] { [capture, reversal, refund, fee, payout] }
}
