public import ApplePay
import BillfoldMoney
public import Foundation
public import PassKitSimulator
import PaymentCrypto

/// The secure element and the wallet's servers: turns what the customer authorised into a token that only the merchant's
/// processing key opens.
///
/// China UnionPay cards give EMV data and, where the sheet asked for it, a PIN block; other cards give 3-D Secure data.
public actor WalletSimulator: PaymentTokenSource {
    public nonisolated let directory: MerchantDirectory
    /// Flaws from the next token on.
    public private(set) var knobs: WalletKnobs
    private let composer: TokenComposer
    private let clock: @Sendable () -> Date
    private var generator: any RandomNumberGenerator & Sendable
    private var cards: [String: SecureElementCard] = [:]
    /// Only the issuer could open a PIN block; here nobody does.
    private let issuerKey: [UInt8]

    public init(
        directory: MerchantDirectory, knobs: WalletKnobs = WalletKnobs(), hashPairs: (any OAEPHashPairs)? = nil,
        clock: @escaping @Sendable () -> Date, generator: any RandomNumberGenerator & Sendable
    ) {
        self.directory = directory
        self.knobs = knobs
        self.clock = clock
        composer = TokenComposer(authority: directory.authority, hashPairs: hashPairs)
        var generator = generator
        issuerKey = SecureElementCard.bytes(32, &generator)
        self.generator = generator
    }

    public func set(_ knobs: WalletKnobs) { self.knobs = knobs }

    /// Makes one token for one authorisation.
    ///
    /// Throws ``WalletError`` when nobody holds a valid processing certificate for the merchant identifier: the sheet then
    /// says that the payment was not completed, as the real one does.
    public func token(for payment: AuthorizedPayment) async throws -> IssuedToken {
        let isUnionPay = payment.card.network == .chinaUnionPay
        let knobs = knobs
        let issued = try await directory.activeCertificate(
            for: payment.merchantIdentifier, prefersRSA: knobs.version.map { $0 == .rsaV1 } ?? isUnionPay)
        let currency: Currency
        let amount: Amount
        do throws(MoneyError) {
            currency = try Currency(payment.currencyCode)
            amount = try Amount(NSDecimalNumber(decimal: payment.amount), currency: currency)
        } catch {
            throw WalletError(code: .invalidAmount, reason: error.reason)
        }
        var card = cards[payment.card.id] ?? SecureElementCard(id: payment.card.id, network: payment.card.network.rawValue)
        let data = try card.authorize(pin: payment.pin?.reveal(), issuerKey: issuerKey, using: &generator)
        cards[payment.card.id] = card
        var payload = PaymentPayload(
            applicationPrimaryAccountNumber: card.deviceAccountNumber, applicationExpirationDate: "301231",
            currencyCode: currency.numericCode, transactionAmount: amount.minorUnits,
            deviceManufacturerIdentifier: isUnionPay ? "062010030273" : "040010030273", paymentData: data)
        if knobs.makesMerchantTokens || payment.kind == .recurring || payment.kind == .automaticReload || payment.kind == .deferred {
            payload.merchantTokenIdentifier = Hexadecimal.encode(SecureElementCard.bytes(16, &generator))
        }
        let plan = TokenPlan(
            version: issued.keyKind == "RSA" ? .rsaV1 : .ecV1, payload: payload, merchant: try MerchantCertificate(issued.certificate),
            applicationData: payment.applicationData.map { [UInt8]($0) }, signingTime: clock() + knobs.signingTimeOffset,
            paymentMethod: PaymentMethod(
                displayName: payment.card.displayName, network: payment.card.network.rawValue,
                type: payment.card.type == .debit ? "debit" : "credit"),
            flaws: knobs.flaws, derivedForMerchantIdentifier: knobs.derivedForMerchantIdentifier)
        let token = try composer.compose(plan, using: &generator)
        return IssuedToken(paymentData: Data(token.paymentData), transactionIdentifier: token.transactionIdentifier)
    }
}
