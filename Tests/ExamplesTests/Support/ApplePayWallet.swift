import ApplePay
import ApplePayForging
import BillfoldDiagnosis
import BillfoldMoney
import Foundation
import PaymentCrypto

/// A wallet's authority, and a merchant with a processing key and its certificate.
struct ApplePayWallet {
    static let now = Date(timeIntervalSince1970: 1_795_000_000)
    static let tea = Amount(minorUnits: 3_300, currency: .usd)
    /// As the merchant has them in its files.
    let key: String
    let certificate: String
    private let authority: WalletAuthority
    private let merchant: MerchantCertificate

    init() throws {
        var generator = SystemRandomNumberGenerator()
        let processing = try P256PrivateKey(using: &generator)
        authority = try WalletAuthority(at: Self.now, using: &generator)
        merchant = try MerchantCertificate(
            authority.merchantCertificate(
                for: processing.publicKey, merchantIdentifier: "merchant.example.tea", notBefore: Self.now - 86_400, using: &generator))
        key = PEMText.Block(label: "PRIVATE KEY", bytes: processing.pkcs8).text
        certificate = merchant.certificate.pem
    }

    var trust: TrustPolicy { authority.trust }
    var root: String { authority.root.pem }

    static func payload(for total: Amount) -> PaymentPayload {
        PaymentPayload(
            applicationPrimaryAccountNumber: Secret("4111119999990016"), applicationExpirationDate: "301231",
            currencyCode: total.currency.numericCode, transactionAmount: total.minorUnits,
            paymentData: .threeDSecure(.init(onlinePaymentCryptogram: Secret("AAECAwQFBgcICQoLDA0ODxAREhM="), eciIndicator: "7")))
    }

    /// What an app sends once its sheet has shown the total.
    func token(for total: Amount, applicationData: [UInt8]) throws -> [UInt8] {
        let plan = TokenPlan(
            version: .ecV1, payload: Self.payload(for: total), merchant: merchant, applicationData: applicationData, signingTime: Self.now)
        var generator = SystemRandomNumberGenerator()
        return try TokenComposer(authority: authority).compose(plan, using: &generator).outer
    }
}
