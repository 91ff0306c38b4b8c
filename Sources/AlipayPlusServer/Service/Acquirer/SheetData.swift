import AlipayPlusValues
import BillfoldPayments
import PaymentCrypto

/// `paymentData`: what the app client shows the sheet from.
enum SheetData {
    static func wallet(_ wallet: PartnerWallet, _ links: PartnerWallet.Links) -> PaymentData.Wallet {
        PaymentData.Wallet(
            name: wallet.type, brandName: wallet.brand,
            links: WalletLinks(
                schemeURL: links.scheme, applinkURL: links.applink, normalURL: links.normal, appIdentifier: links.appIdentifier))
    }

    static func text(_ payment: AcquirerPayment, _ wallets: [PaymentData.Wallet], sheetURL: String, isTest: Bool) -> String {
        PaymentData(
            environment: isTest ? .sandbox : .production, paymentID: payment.paymentID, merchantID: payment.terms.merchantID,
            acquirerID: payment.acquirer.description, expiryTime: payment.expiresAt.alipayPlusTime.description,
            sheetURL: sheetURL, wallets: wallets
        ).text
    }
}
