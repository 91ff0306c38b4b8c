import AlipayPlus
package import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import PaymentCrypto

/// What the payment sheet is drawn from and what is done on it: the pages and `pay`'s answer use the same pieces.
package struct CashierService: Sendable {
    let context: AlipayPlusServerContext
    let codes: PaymentCodeService

    /// A wallet on the sheet, with what it would pay, or with what keeps it from paying.
    package struct Choice: Sendable, Hashable {
        package var wallet: PartnerWallet
        /// Before its offer; nil where there is no rate.
        package var payable: Amount?
        package var promotion: AppliedPromotion?
        package var obstacles: [WalletObstacle]
        package var isOffered: Bool { obstacles.isEmpty }
    }

    /// The sheet's page of a payment.
    package func sheetURL(of payment: AcquirerPayment) -> String { "\(context.configuration.origin)/sheet/\(payment.reference)" }
    /// The page of an entry code's payment.
    package func entryURL(of payment: AcquirerPayment) -> String { "\(context.configuration.origin)/entry/\(payment.reference)" }

    /// The payment that a sheet's address names.
    package func payment(_ reference: String) async throws -> AcquirerPayment? {
        guard reference.utf8.count == 32 else { return nil }
        return try await context.database.lookup { try AcquirerPaymentRecords.find(reference: reference, in: $0) }
    }

    /// Every wallet with what speaks against it: those that can pay, the payer's region first, then the others.
    package func choices(for payment: AcquirerPayment) async throws -> [Choice] {
        guard let acquirer = try await context.parties.acquirer(payment.acquirer) else { return [] }
        return try await choices(for: payment, of: acquirer)
    }

    func choices(for payment: AcquirerPayment, of acquirer: Acquirer) async throws -> [Choice] {
        try await choices(of: payment.terms.amount, filter: WalletFilter(payment, of: acquirer), userRegion: payment.terms.userRegion)
    }

    /// As ``choices(for:)``, for an amount that nobody pays yet; zero where it is not known.
    package func choices(of amount: Amount, filter: WalletFilter, userRegion: String?) async throws -> [Choice] {
        let now = context.clock.now()
        let (rates, wallets) = try await context.database.lookup { [context] tx in
            let generations = try Generations(reading: tx)
            return (try context.rates.table(of: generations, in: tx), try context.parties.wallets(of: generations, in: tx))
        }
        let all = try wallets.map { wallet in
            let payable: Amount?
            do {
                payable =
                    try rates.rate(amount.currency, wallet.currency, at: now).map { try WireQuote.convert(amount, at: $0.rate) } ?? amount
            } catch is ResultRefusal { payable = nil }
            return Choice(
                wallet: wallet, payable: payable, promotion: payable.flatMap { wallet.promotion(for: $0) },
                obstacles: filter.obstacles(to: wallet, payable: payable))
        }
        let ranks = all.map { ($0.isOffered ? 0 : 2) + ($0.wallet.region == userRegion ? 0 : 1) }
        return all.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { all[$0] }
    }

    /// How wallets are opened for a payment: each link wraps the order code [O].
    package func links(for payment: AcquirerPayment) throws -> (PartnerWallet) -> PartnerWallet.Links {
        let value = PercentEncoding.encode(try codes.orderCode(payment).text.utf8)
        let (first, further) = ("?codeValue=\(value)", "&codeValue=\(value)")
        func wrapping(_ link: String) -> String { link + (link.utf8.contains(UInt8(ascii: "?")) ? further : first) }
        return { wallet in
            PartnerWallet.Links(
                applink: wallet.links.applink.map(wrapping), scheme: wallet.links.scheme.map(wrapping),
                normal: wrapping(wallet.links.normal), appIdentifier: wallet.links.appIdentifier)
        }
    }

    /// Text of the order code: what a QR code on a desktop, or at a till, carries.
    package func orderCode(of payment: AcquirerPayment) throws -> String { try codes.orderCode(payment).text }
}
