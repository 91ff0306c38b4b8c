import ApplePay
import ApplePayForging
import Foundation
import PaymentCrypto
import Testing

struct ApplePayForgingExample {
    // Example
    /// A wallet for a shop's own tests. The shop trusts `authority.trust` in them, and nowhere else.
    struct TestWallet {
        let authority: WalletAuthority
        let merchant: MerchantCertificate

        /// `key` is the public half of the shop's processing key.
        init(for key: PublicKey, of identifier: String, at now: Date, using random: inout some RandomNumberGenerator) throws {
            authority = try WalletAuthority(at: now, using: &random)
            merchant = try MerchantCertificate(
                authority.merchantCertificate(for: key, merchantIdentifier: identifier, notBefore: now - 86_400, using: &random))
        }

        /// What a phone hands over: whole, or with flaws that a shop has to refuse.
        func token(
            _ payload: PaymentPayload, with flaws: Set<TokenFlaw> = [], at now: Date, using random: inout some RandomNumberGenerator
        ) throws -> [UInt8] {
            let plan = TokenPlan(version: .ecV1, payload: payload, merchant: merchant, signingTime: now, flaws: flaws)
            return try TokenComposer(authority: authority).compose(plan, using: &random).outer
        }
    }
    // End

    @Test func aFlawIsRefused() throws {
        let now = ApplePayWallet.now
        var random = SystemRandomNumberGenerator()
        let key = try P256PrivateKey(using: &random)
        let wallet = try TestWallet(for: key.publicKey, of: "merchant.example.tea", at: now, using: &random)
        let verifier = TokenVerifier(trust: wallet.authority.trust)
        let decryptor = try TokenDecryptor(keys: .processing([ProcessingKey(.p256(key), certificate: wallet.merchant)]))
        let payload = ApplePayWallet.payload(for: ApplePayWallet.tea)

        let whole = try UnverifiedToken(wallet.token(payload, at: now, using: &random)).verified(by: verifier, at: now)
        #expect(try decryptor.open(whole).transactionAmount == 3_300)
        let flawed = try UnverifiedToken(wallet.token(payload, with: [.flippedSignature], at: now, using: &random))
        #expect(throws: ApplePayError(code: .signatureMismatch, reason: "")) { try flawed.verified(by: verifier, at: now) }
    }
}
