import AlipayPlus
import BillfoldPayments
import PaymentCrypto

/// `paymentData`: what the app client shows the sheet from.
enum SheetData {
    static func text(_ payment: AcquirerPayment, _ offered: [PartnerWallet], _ cashier: CashierDesk, isTest: Bool) throws -> String {
        let wallets = try offered.map { wallet in
            let links = try cashier.links(to: wallet, for: payment)
            return PaymentData.Wallet(
                name: wallet.type, brandName: wallet.brand,
                links: WalletLinks(
                    schemeURL: links.scheme, applinkURL: links.applink, normalURL: links.normal, appIdentifier: links.appIdentifier))
        }
        return PaymentData(
            environment: isTest ? .sandbox : .production, paymentID: payment.paymentID, merchantID: payment.terms.merchantID,
            acquirerID: payment.acquirer.description, expiryTime: payment.expiresAt.alipayPlusTime.description,
            sheetURL: cashier.sheetURL(of: payment), wallets: wallets
        ).text
    }
}
