import ApplePayForging
import BillfoldDiagnosis
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Synchronization

@testable import ApplePay

/// A simulated wallet and a merchant with EC and RSA processing keys, all fresh but for the RSA keys.
struct WalletFixture {
    /// RSA keys are slow to make, so one pool serves every suite; what must differ between tests is drawn from the seed.
    static let rsaPool: [RSAPrivateKey] = (0..<3).compactMap { _ in try? RSAPrivateKey(bits: 2048) }
    static let now = Date(timeIntervalSince1970: 1_795_000_000)

    var generator: SeededGenerator
    let authority: WalletAuthority
    let identifier: String
    let ecKey: P256PrivateKey
    let rsaKey: RSAPrivateKey
    let ecMerchant: MerchantCertificate
    let rsaMerchant: MerchantCertificate

    private struct Origin: Hashable {
        var seed: UInt64
        var flaws: Set<ChainFlaw>
    }

    private static let made = Mutex<[Origin: WalletFixture]>([:])

    /// The fixture of a seed, made once however many cases begin with it.
    static func shared(seed: UInt64, flaws: Set<ChainFlaw> = []) throws -> WalletFixture {
        let origin = Origin(seed: seed, flaws: flaws)
        if let fixture = made.withLock({ $0[origin] }) { return fixture }
        let fixture = try WalletFixture(seed: seed, flaws: flaws)
        made.withLock { $0[origin] = fixture }
        return fixture
    }

    init(seed: UInt64, flaws: Set<ChainFlaw> = []) throws {
        var generator = SeededGenerator(seed: seed, label: "wallet fixture")
        authority = try WalletAuthority(at: Self.now, rsaLeafKey: Self.rsaPool[0], flaws: flaws, using: &generator)
        // The merchant's certificates come from an authority without flaws, so that a flaw shows in the token alone.
        let office = flaws.isEmpty ? authority : try WalletAuthority(at: Self.now, using: &generator)
        identifier = "merchant.example.\(UInt32.random(in: 0 ... .max, using: &generator))"
        ecKey = try P256PrivateKey(using: &generator)
        rsaKey = Self.rsaPool[1]
        ecMerchant = try MerchantCertificate(
            office.merchantCertificate(
                for: ecKey.publicKey, merchantIdentifier: identifier, notBefore: Self.now - 86_400, using: &generator))
        rsaMerchant = try MerchantCertificate(
            office.merchantCertificate(
                for: rsaKey.publicKey, merchantIdentifier: identifier, notBefore: Self.now - 86_400, using: &generator))
        self.generator = generator
    }

    static func threeDSecure(amount: Int64 = 3_300, currency: String = "840") -> PaymentPayload {
        PaymentPayload(
            applicationPrimaryAccountNumber: Secret("4111119999990016"), applicationExpirationDate: "301231", currencyCode: currency,
            transactionAmount: amount,
            paymentData: .threeDSecure(.init(onlinePaymentCryptogram: Secret("AAECAwQFBgcICQoLDA0ODxAREhM="), eciIndicator: "7")))
    }

    static func emv(amount: Int64 = 3_300) -> PaymentPayload {
        PaymentPayload(
            applicationPrimaryAccountNumber: Secret("6233999999990017"), applicationExpirationDate: "301231", currencyCode: "156",
            transactionAmount: amount,
            paymentData: .emv(
                .init(
                    emvData: Secret("nyYIESIzRFVmd4ifNgIAAYECACGDEAARIjNEVWZ3iJmqu8zd7v8="), encryptedPINData: Secret("a1b2c3d4e5f60718"))))
    }

    func plan(_ version: PaymentToken.Version = .ecV1, flaws: Set<TokenFlaw> = [], applicationData: [UInt8]? = Array("order-1".utf8))
        -> TokenPlan
    {
        TokenPlan(
            version: version, payload: version == .ecV1 ? Self.threeDSecure() : Self.emv(),
            merchant: version == .ecV1 ? ecMerchant : rsaMerchant, applicationData: applicationData, signingTime: Self.now, flaws: flaws)
    }

    mutating func compose(_ plan: TokenPlan) throws -> ComposedToken {
        try TokenComposer(authority: authority).compose(plan, using: &generator)
    }

    mutating func token(
        _ version: PaymentToken.Version = .ecV1, flaws: Set<TokenFlaw> = [], applicationData: [UInt8]? = Array("order-1".utf8)
    ) throws -> UnverifiedToken {
        try UnverifiedToken(compose(plan(version, flaws: flaws, applicationData: applicationData)).outer)
    }

    var verifier: TokenVerifier { TokenVerifier(trust: authority.trust) }

    func decryptor() throws -> TokenDecryptor {
        TokenDecryptor(
            keys: try .processing([
                ProcessingKey(.p256(ecKey), certificate: ecMerchant), ProcessingKey(.rsa(rsaKey), certificate: rsaMerchant),
            ]))
    }
}
