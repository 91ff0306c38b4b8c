import ApplePay
import ApplePayForging
import BillfoldMoney
package import Foundation
package import PassKitSimulator
package import PaymentCrypto

/// The secure element and the wallet's servers: turns what the customer authorised into a token that only the merchant's
/// processing key opens.
///
/// China UnionPay cards give EMV data and, where the sheet asked for it, a PIN block; other cards give 3-D Secure data.
package actor WalletSimulator: PaymentTokenSource {
    package nonisolated let directory: MerchantDirectory
    /// What is done from the next token on, on every phone.
    package private(set) var knobs: WalletKnobs
    private let hashPairs: (any OAEPHashPairs)?
    private var lastToken: IssuedToken?
    private let clock: @Sendable () -> Date
    private var generator: any RandomNumberGenerator & Sendable
    private var cards: [String: SecureElementCard] = [:]
    /// Only the issuer could open a PIN block; here nobody does.
    private let issuerKey: [UInt8]

    package init(
        directory: MerchantDirectory, knobs: WalletKnobs = WalletKnobs(), hashPairs: (any OAEPHashPairs)? = nil,
        clock: @escaping @Sendable () -> Date, generator: any RandomNumberGenerator & Sendable
    ) {
        self.directory = directory
        self.knobs = knobs
        self.clock = clock
        self.hashPairs = hashPairs
        var generator = generator
        issuerKey = SecureElementCard.bytes(32, &generator)
        self.generator = generator
    }

    package func set(_ knobs: WalletKnobs) { self.knobs = knobs }

    /// Makes one token for one authorisation.
    ///
    /// Throws ``WalletSimulatorError`` when nobody holds a valid processing certificate for the merchant identifier: the sheet then
    /// says that the payment was not completed, as the real one does.
    package func token(for payment: AuthorizedPayment) async throws -> IssuedToken {
        let isUnionPay = payment.card.network == .chinaUnionPay
        let knobs = knobs
        if knobs.replaysLastToken, let lastToken { return lastToken }
        let issued = try await directory.activeCertificate(
            for: payment.merchantIdentifier, prefersRSA: knobs.tokenVersion.map { $0 == .rsaV1 } ?? isUnionPay)
        let currency: Currency
        let amount: Amount
        do throws(MoneyError) {
            currency = try Currency(payment.currencyCode)
            amount = try Amount(NSDecimalNumber(decimal: payment.amount), currency: currency)
        } catch {
            throw WalletSimulatorError(code: .invalidAmount, reason: error.reason)
        }
        var card = cards[payment.card.id] ?? SecureElementCard(id: payment.card.id, network: payment.card.network.rawValue)
        let pin = knobs.pinBlock.map { $0 ? payment.pin?.reveal() ?? "000000" : nil } ?? payment.pin?.reveal()
        let data = try card.authorize(pin: pin, kind: knobs.paymentData, issuerKey: issuerKey, using: &generator)
        cards[payment.card.id] = card
        var payload = PaymentPayload(
            applicationPrimaryAccountNumber: card.deviceAccountNumber, applicationExpirationDate: "301231",
            currencyCode: knobs.currencyCode ?? currency.numericCode,
            transactionAmount: amount.minorUnits.addingReportingOverflow(knobs.amountOffset).partialValue,
            deviceManufacturerIdentifier: isUnionPay ? "062010030273" : "040010030273", paymentData: data)
        if knobs.merchantToken || payment.kind == .recurring || payment.kind == .automaticReload || payment.kind == .deferred {
            payload.merchantTokenIdentifier = Hexadecimal.encode(SecureElementCard.bytes(16, &generator))
        }
        var (version, merchant) = (
            issued.keyKind == "RSA" ? PaymentToken.Version.rsaV1 : .ecV1, try MerchantCertificate(issued.certificate)
        )
        if knobs.otherMerchantKey {
            version = .ecV1
            merchant = try Self.otherMerchant(directory.authority, at: clock(), using: &generator)
        }
        let applicationData: [UInt8]? =
            switch knobs.applicationData {
            case .order: payment.applicationData.map { [UInt8]($0) }
            case .otherOrder: SecureElementCard.bytes(16, &generator)
            case .none: nil
            }
        let plan = TokenPlan(
            version: version, payload: payload, merchant: merchant, applicationData: applicationData,
            signingTime: clock() + TimeInterval(knobs.signingTimeOffsetSeconds),
            paymentMethod: PaymentMethod(
                displayName: payment.card.displayName, network: payment.card.network.rawValue,
                type: payment.card.type == .debit ? "debit" : "credit"),
            flaws: knobs.foreignRoot ? knobs.tokenFlaws.union([.bundledRoot]) : knobs.tokenFlaws,
            derivedForMerchantIdentifier: knobs.derivedForMerchantIdentifier)
        let token = try TokenComposer(authority: authority(knobs), hashPairs: hashPairs).compose(plan, using: &generator)
        let made = IssuedToken(paymentData: Data(token.paymentData), transactionIdentifier: token.transactionIdentifier)
        lastToken = made
        return made
    }

    /// Who signs: the wallet's own authority, or one that is wrong on purpose.
    private func authority(_ knobs: WalletKnobs) throws -> WalletAuthority {
        let own = directory.authority
        if knobs.foreignRoot {
            return try WalletAuthority(at: clock(), rsaLeafKey: own.rsaLeafKey, flaws: knobs.chainFlaws, using: &generator)
        }
        return knobs.chainFlaws.isEmpty ? own : try own.flawed(knobs.chainFlaws, at: clock(), using: &generator)
    }

    /// Somebody else's processing certificate, from the same office.
    private static func otherMerchant(
        _ authority: WalletAuthority, at instant: Date, using generator: inout some RandomNumberGenerator
    ) throws -> MerchantCertificate {
        let key = try P256PrivateKey(using: &generator)
        return try MerchantCertificate(
            authority.merchantCertificate(
                for: key.publicKey, merchantIdentifier: "merchant.example.other", notBefore: instant, using: &generator))
    }
}
