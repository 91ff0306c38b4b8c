import AlipayPlus
import BillfoldPayments
import PaymentCrypto

/// `paymentData`: what the app client shows the sheet from.
enum SheetData {
    static func text(
        _ payment: AcquirerPayment, _ offered: [(wallet: PartnerWallet, links: PartnerWallet.Links)], sheetURL: String, isTest: Bool
    ) -> String {
        let wallets = offered.map { wallet, links in
            PaymentData.Wallet(
                name: wallet.type, brandName: wallet.brand,
                links: WalletLinks(
                    schemeURL: links.scheme, applinkURL: links.applink, normalURL: links.normal, appIdentifier: links.appIdentifier))
        }
        return PaymentData(
            environment: isTest ? .sandbox : .production, paymentID: payment.paymentID, merchantID: payment.terms.merchantID,
            acquirerID: payment.acquirer.description, expiryTime: payment.expiresAt.alipayPlusTime.description,
            sheetURL: sheetURL, wallets: wallets
        ).text
    }
}
