import ApplePayForging
import BillfoldDiagnosis
import BillfoldMoney
import Foundation
import PaymentCrypto
import Testing

@testable import ApplePay

@Suite struct TokenDecryptorTests {
    private static let now = WalletFixture.now

    /// Verification stands before opening, so tests of opening wrap the token themselves.
    private static func unchecked(_ token: UnverifiedToken) -> VerifiedToken { VerifiedToken(token: token.token, signingTime: now) }

    @Test(arguments: PaymentToken.Version.allCases, [TokenFieldUnderTest.data, .key])
    func everyAlteredByteGivesTheOneRefusal(version: PaymentToken.Version, field: TokenFieldUnderTest) throws {
        var fixture = try WalletFixture(seed: 20)
        let token = try fixture.token(version).token
        let decryptor = try fixture.decryptor()
        // RSA unwrapping is slow in debug builds: every eighth byte of the wrapped key stands for the rest.
        for index in stride(from: 0, to: field.count(token), by: version == .rsaV1 && field == .key ? 8 : 1) {
            #expect(throws: ApplePayError(code: .decryptionRefused, reason: "")) {
                try decryptor.open(Self.unchecked(UnverifiedToken(field.flipped(token, index))))
            }
        }
    }

    @Test func refusalsOfOneKindReadTheSame() throws {
        var fixture = try WalletFixture(seed: 21)
        let decryptor = try fixture.decryptor()
        var reasons: Set<String> = []
        for version in PaymentToken.Version.allCases {
            let token = try fixture.token(version).token
            for field in [TokenFieldUnderTest.data, .key] {
                do {
                    _ = try decryptor.open(Self.unchecked(UnverifiedToken(field.flipped(token, field.count(token) - 1))))
                } catch { reasons.insert("\(error)") }
            }
        }
        #expect(reasons.count == 1)
    }

    @Test func wrappedKeyThatDoesNotOpenIsNoKeyThatEverybodyKnows() throws {
        var fixture = try WalletFixture(seed: 30)
        let token = try fixture.token(.rsaV1).token
        let garbage = (0..<256).map { $0 == 0 ? 0 : UInt8.random(in: .min ... .max, using: &fixture.generator) }
        let short = try fixture.rsaMerchant.publicKey.sealOAEPSHA256([UInt8](repeating: 0, count: 15))
        let data = try AESGCM(key: [UInt8](repeating: 0, count: 16)).seal(
            WalletFixture.emv().plaintext(), nonce: AESGCM.walletTokenNonce)
        for wrapped in [garbage, short] {
            let forged = TokenFieldUnderTest.replacing(token, key: .wrappedKey(wrapped), data: data)
            #expect(throws: ApplePayError(code: .decryptionRefused, reason: "")) {
                try fixture.decryptor().open(Self.unchecked(UnverifiedToken(forged)))
            }
        }
    }

    @Test func pointOffTheCurveIsRefused() throws {
        var fixture = try WalletFixture(seed: 22)
        let token = try fixture.token().token
        for point in [[UInt8](repeating: 0, count: 64), [UInt8](repeating: 0xFF, count: 64)] {
            let key = PaymentToken.KeyMaterial.ephemeralPublicKey(Array(token.header.key.bytes.prefix(27)) + point)
            #expect(throws: ApplePayError(code: .decryptionRefused, reason: "")) {
                try fixture.decryptor().open(Self.unchecked(UnverifiedToken(TokenFieldUnderTest.replacing(token, key: key))))
            }
        }
    }

    @Test func tokenForAnUnknownKeyIsRefusedByName() throws {
        var fixture = try WalletFixture(seed: 23)
        let token = try fixture.token(flaws: [.otherPublicKeyHash])
        #expect(throws: ApplePayError(code: .unknownPublicKeyHash, reason: "")) { try fixture.decryptor().open(Self.unchecked(token)) }
    }

    @Test func oldKeyStillOpensAfterRotationAndRetiredKeyDoesNot() throws {
        var fixture = try WalletFixture(seed: 24)
        let token = try fixture.token()
        var ring = try fixture.decryptor().keys
        let successor = try ProcessingKey(.p256(P256PrivateKey(using: &fixture.generator)), merchantIdentifier: fixture.identifier)
        try ring.add(successor.id, successor)
        _ = try TokenDecryptor(keys: ring).open(Self.unchecked(token))
        try ring.retire(KeyID(publicKey: fixture.ecKey.publicKey), at: Self.now)
        #expect(throws: ApplePayError(code: .unknownPublicKeyHash, reason: "")) {
            try TokenDecryptor(keys: ring).open(Self.unchecked(token))
        }
    }

    @Test(arguments: [TokenFlaw.trimmedSecret, .encryptedToOtherKey])
    func tokenOfACarelessMakerIsRefused(flaw: TokenFlaw) throws {
        var fixture = try WalletFixture(seed: 25)
        let token = try fixture.token(flaws: [flaw]).verified(by: fixture.verifier, at: Self.now)
        #expect(throws: ApplePayError(code: .decryptionRefused, reason: "")) { try fixture.decryptor().open(token) }
    }

    @Test func keyOfAnotherCertificateIsRefused() throws {
        let fixture = try WalletFixture(seed: 26)
        #expect(throws: ApplePayError(code: .keyMismatch, reason: "")) {
            try ProcessingKey(.rsa(fixture.rsaKey), certificate: fixture.ecMerchant)
        }
    }

    @Test(
        arguments: [
            (3_301, "USD", "order-1", "amount-mismatch"), (3_300, "CAD", "order-1", "currency-mismatch"),
            (3_300, "USD", "order-2", "application-data-mismatch"), (3_300, "USD", nil, "application-data-unexpected"),
        ] as [(Int64, String, String?, String)])
    func otherOrderIsNotBound(amount: Int64, currency: String, issued: String?, code: String) throws {
        var fixture = try WalletFixture(seed: 27)
        let token = try fixture.token().verified(by: fixture.verifier, at: Self.now)
        let payload = try fixture.decryptor().open(token)
        let binding = OrderBinding(
            amount: Amount(minorUnits: amount, currency: try Currency(currency)), applicationData: issued.map { Array($0.utf8) })
        do {
            try binding.check(token, payload)
            Issue.record("accepted")
        } catch {
            #expect(error.code.description == code)
        }
    }

    @Test func pendingOrderIgnoresTheSheetsAmount() throws {
        var fixture = try WalletFixture(seed: 28)
        let token = try fixture.token(applicationData: nil).verified(by: fixture.verifier, at: Self.now)
        let payload = try fixture.decryptor().open(token)
        let amount = Amount(minorUnits: 1, currency: .usd)
        try OrderBinding(amount: amount, amountRule: .pendingOrSplit, applicationData: nil).check(token, payload)
        #expect(throws: ApplePayError(code: .applicationDataMissing, reason: "")) {
            try OrderBinding(amount: amount, amountRule: .pendingOrSplit, applicationData: [1]).check(token, payload)
        }
    }

    @Test func merchantTokenAndResponsesSurviveTheJourney() throws {
        var fixture = try WalletFixture(seed: 29)
        var plan = fixture.plan()
        plan.payload.merchantTokenIdentifier = "MPAN-1"
        plan.payload.authenticationResponses = [
            .init(merchantIdentifier: "merchant.part", authenticationData: Secret("AA=="), transactionAmount: 1_000)
        ]
        plan.payload.cardholderName = Secret("Zhang San")
        let token = try UnverifiedToken(fixture.compose(plan).outer).verified(by: fixture.verifier, at: Self.now)
        let payload = try fixture.decryptor().open(token)
        #expect(payload.merchantTokenIdentifier == "MPAN-1")
        #expect(payload.authenticationResponses.map(\.transactionAmount) == [1_000])
        #expect(payload.cardholderName?.reveal() == "Zhang San")
    }
}
