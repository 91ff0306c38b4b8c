import BillfoldPayments
import BillfoldStorage

/// What wallets know our requests by: made of the acquirer's own request ids alone. A repetition of what the books have lost therefore asks
/// a wallet for what it has done already, and a request that the books do not know can be asked about.
struct WalletRequests: Sendable {
    /// So many legs of one payment may be of one wallet: all of them are asked about where the books know none.
    static let mostLegs = 4

    private let names: DerivedIdentifiers

    init(key: HashingKey) { names = DerivedIdentifiers(key: key) }

    /// `paymentRequestId` towards a wallet; another than the acquirer's [D].
    ///
    /// - Parameter number: Counts the payment's legs of this wallet from zero.
    func payment(_ requestID: String, of acquirer: MerchantID, by wallet: String, number: Int) -> String {
        names.text("wallet-payment", of: [acquirer.description, wallet, String(number), requestID])
    }

    /// Everything that a wallet can have been asked for under an acquirer's request id.
    func payments(_ requestID: String, of acquirer: MerchantID, by wallet: String, legs: Int = mostLegs) -> [String] {
        (0..<legs).map { payment(requestID, of: acquirer, by: wallet, number: $0) }
    }

    /// Our number of a refund, and `refundRequestId` towards the wallet.
    func refund(_ requestID: String, of payment: AcquirerPayment) -> TimeOrderedID {
        names.id("refund", of: [payment.acquirer.description, requestID], at: payment.id.instant)
    }
}
