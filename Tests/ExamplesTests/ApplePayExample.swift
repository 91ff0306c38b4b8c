import ApplePay
import BillfoldMoney
import Foundation
import PaymentCrypto
import Testing

struct ApplePayExample {
    // Example
    /// Made once: it remembers the chains of the tokens that it accepted.
    struct Acceptance {
        let verifier: TokenVerifier
        let decryptor: TokenDecryptor

        /// A shop trusts `.production`; `key` and `certificate` are PEM.
        init(trust: TrustPolicy, key: String, certificate: String) throws {
            verifier = TokenVerifier(trust: trust)
            let merchant = try MerchantCertificate(pem: certificate)
            decryptor = try TokenDecryptor(keys: .processing([ProcessingKey(PrivateKey(pem: key), certificate: merchant)]))
        }

        /// `remember` inserts into a unique column, in the transaction that submits the order: a second time throws.
        func payload(
            of bytes: [UInt8], for total: Amount, applicationData: [UInt8], at now: Date, remember: (String) throws -> Void
        ) throws -> PaymentPayload {
            let token = try UnverifiedToken(bytes).verified(by: verifier, at: now)  // strict form, signature, chain, freshness
            try remember(token.token.transactionIdentifier)
            let payload = try decryptor.open(token)  // the key ring chooses by publicKeyHash
            try OrderBinding(amount: total, applicationData: applicationData).check(token, payload)
            return payload  // charge the order's own amount; forward the cryptogram or EMV data unchanged
        }
    }
    // End

    @Test func example() throws {
        let wallet = try ApplePayWallet()
        let acceptance = try Acceptance(trust: wallet.trust, key: wallet.key, certificate: wallet.certificate)
        let (total, other) = (try Amount("33.00", currency: .usd), try Amount("34.00", currency: .usd))
        let (order, now) = (Array("order-1".utf8), ApplePayWallet.now)
        let bytes = try wallet.token(for: total, applicationData: order)

        var seen: [String] = []
        let payload = try acceptance.payload(of: bytes, for: total, applicationData: order, at: now) { seen.append($0) }
        #expect(seen.count == 1)
        #expect(payload.transactionAmount == 3_300)
        #expect(payload.paymentData.type == "3DSecure")

        struct SeenBefore: Error {}
        #expect(throws: SeenBefore.self) {
            try acceptance.payload(of: bytes, for: total, applicationData: order, at: now) { _ in throw SeenBefore() }
        }
        #expect(throws: ApplePayError(code: .amountMismatch, reason: "")) {
            try acceptance.payload(of: bytes, for: other, applicationData: order, at: now) { _ in }
        }
        #expect(throws: ApplePayError(code: .tokenStale, reason: "")) {
            try acceptance.payload(of: bytes, for: total, applicationData: order, at: now + 3_600) { _ in }
        }
        #expect(throws: ApplePayError.self) {
            let production = try Acceptance(trust: .production, key: wallet.key, certificate: wallet.certificate)
            _ = try production.payload(of: bytes, for: total, applicationData: order, at: now) { _ in }
        }
    }
}
