import AlipayPlus
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// Fixes what a payment comes to with one wallet: quotes, offer, settlement and fee.
enum LegMaker {
    /// Throws ``ResultRefusal`` where the wallet cannot pay this.
    static func detail(
        of payment: AcquirerPayment, by wallet: PartnerWallet, acquirer: Acquirer, customerID: String?, authorization: TimeOrderedID? = nil,
        rates: RateTable, at now: Timestamp
    ) throws -> AcquirerPayment.LegDetail {
        let money = try money(of: payment.terms.amount, settledIn: payment.terms.settlementCurrency, by: wallet, acquirer, rates, at: now)
        let obstacles = WalletFilter(payment, of: acquirer).obstacles(to: wallet, payable: money.payable)
        if let first = obstacles.first { throw ResultRefusal(first.result, "\(wallet.type) cannot pay this: \(first.rawValue)") }
        return AcquirerPayment.LegDetail(
            customerID: customerID, money: money, walletPaymentID: nil, authorization: authorization, createdAt: now)
    }

    static func money(
        of price: Amount, settledIn settlement: Currency, by wallet: PartnerWallet, _ acquirer: Acquirer, _ rates: RateTable,
        at now: Timestamp
    ) throws -> CollectionMoney {
        try CollectionMoney(
            price: price, payQuote: rates.quote(price.currency, wallet.currency, at: now),
            promotion: { wallet.promotion(for: $0) }, settlementQuote: rates.quote(price.currency, settlement, at: now),
            feePercent: acquirer.feePercent)
    }
}
