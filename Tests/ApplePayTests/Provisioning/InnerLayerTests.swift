import BillfoldJSON
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import Testing

@testable import ApplePay

@Suite struct InnerLayerTests {
    private static let instant = Date(timeIntervalSince1970: 1_795_000_000)

    private static func code(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch { return (error as? ApplePayError)?.code.description ?? "\(error)" }
    }

    private static func key(_ generator: inout SeededGenerator) throws -> OpenSSLTripleDESKey {
        try OpenSSLTripleDESKey(generator.bytes(16))
    }

    @Test func accountAndActivationDataComeBack() async throws {
        var generator = SeededGenerator(seed: 31, label: "Visa")
        for _ in 0..<50 {
            let key = try Self.key(&generator)
            let keySet = try VisaKeySet("405551.1")
            let digits = (0..<Int.random(in: 13...19, using: &generator)).map { _ in "\(Int.random(in: 0...9, using: &generator))" }
                .joined()
            let account = VisaAccountBlock(
                primaryAccountNumber: try CardNumber(digits),
                expiration: try CardExpiration(
                    month: .random(in: 1...12, using: &generator), year: .random(in: 0...99, using: &generator)),
                // From 1970 to the end of 2099.
                instant: Date(timeIntervalSince1970: .random(in: 0..<4_102_444_800, using: &generator)))
            let text = try await account.sealed(keySet: keySet, key: key, using: &generator)
            #expect(text.description.hasPrefix("MBPAD-1-FK-405551.1--TDEA-"))
            let opened = try await VisaAccountBlock(opening: VisaWireText(text.description, due: .account), key: key)
            #expect(opened.primaryAccountNumber == account.primaryAccountNumber)
            #expect(opened.expiration == account.expiration)
            #expect(opened.instant.timeIntervalSince1970 == account.instant.timeIntervalSince1970.rounded(.down))
            if digits.count == 16 { #expect(text.data.count == 64) }

            let nonce = generator.bytes(4)
            let activation = VisaActivationBlock(nonce: nonce, authenticationCode: .init(using: &generator))
            #expect(activation.authenticationCode.text.count == 6)
            let sealed = try await activation.sealed(keySet: keySet, key: key, using: &generator)
            #expect(sealed.data.count == 40)
            let back = try await VisaActivationBlock(opening: sealed, key: key)
            #expect(back.names(nonce))
            #expect(!back.names(generator.bytes(4)))
            #expect(back.authenticationCode == activation.authenticationCode)
            #expect(await Self.code { _ = try await VisaAccountBlock(opening: sealed, key: key) } == "visa-text-type")
            #expect(await Self.code { _ = try await VisaActivationBlock(opening: text, key: key) } == "visa-text-type")
            let other = try Self.key(&generator)
            #expect(await Self.code { _ = try await VisaAccountBlock(opening: text, key: other) } == "visa-block-form")
        }
    }

    @Test(arguments: [
        ("MBPAD-1-FK-405551.1-TDEA-0011223344556677", "visa-text-form"), ("MPAD-1-FK-405551.1--TDEA-0011223344556677", "visa-text-form"),
        ("MBPAD-2-FK-405551.1--TDEA-0011223344556677", "visa-text-form"), ("MBPAD-1-FK-405551--TDEA-0011223344556677", "visa-key-set-form"),
        ("MBPAD-1-FK-405551.--TDEA-0011223344556677", "visa-key-set-form"), ("MBPAD-1-FK-405551.1--TDEA-001122334455667", "visa-data-form"),
        ("MBPAD-1-FK-405551.1--TDEA-00112233445566", "visa-data-form"), ("MBPAD-1-FK-405551.1--TDEA-", "visa-data-form"),
        ("MBPAC-1-FK-405551.1--TDEA-0011223344556677", "visa-text-type"),
    ])
    func wrongTextIsRefused(text: String, code: String) async {
        #expect(await Self.code { _ = try VisaWireText(text, due: .account) } == code)
    }

    @Test func spacesInTheEmptyFieldAreTaken() throws {
        let text = try VisaWireText("MBPAD-1-FK-405551.1-  -TDEA-0011223344556677")
        #expect(text.description == "MBPAD-1-FK-405551.1--TDEA-0011223344556677")
    }

    @Test func wrongBlocksAreNamed() async throws {
        let good = VisaBlock.make(SecretBytes(utf8: "nonce=a1b2c3d4;authcode=ZX81QL"), filler: Array("q!7~".utf8)).reveal()
        func reason(_ change: (inout [UInt8]) -> Void) -> String {
            var block = good
            change(&block)
            do {
                _ = try VisaBlock.clearText(block)
                return ""
            } catch { return error.reason }
        }
        #expect(reason { _ in }.isEmpty)
        #expect(reason { $0.removeLast(30) }.contains("10 bytes"))
        #expect(reason { $0[0] = 0x21 }.contains("two spaces"))
        #expect(reason { $0[2] = 0x20 }.contains("filler"))
        #expect(reason { $0[6] = 0x41 }.contains("two digits"))
        #expect(reason { $0[7] = 0x39 }.contains("says 39"))
        #expect(reason { $0[39] = 0x20 }.contains("exclamation"))
    }

    @Test(arguments: [
        ("pan=4055510012345678;expiry=1230", "visa-clear-text"),
        ("pan=4055510012345678;datetime=20260102030405;expiry=1230", "visa-clear-text"),
        ("pan=4055510012345678;expiry=1230;datetime=2026-01-02", "visa-clear-text"),
        ("pan=4055510012345678;expiry=1230;datetime=20261302030405", "visa-clear-text"),
        ("pan=4055 5100 1234 5678;expiry=1230;datetime=20260102030405", "card-number-form"),
        ("pan=4055510012345678;expiry=1330;datetime=20260102030405", "expiration-form"),
    ])
    func wrongAccountTextIsRefused(text: String, code: String) async {
        #expect(await Self.code { _ = try VisaAccountBlock(clearText: SecretBytes(utf8: text)) } == code)
    }

    @Test(arguments: [
        ("nonce=;authcode=ZX81QL", "visa-clear-text"), ("nonce=xyz;authcode=ZX81QL", "visa-clear-text"),
        ("nonce=a1b2c3d4;authcode=zx81ql", "authentication-code-form"), ("nonce=a1b2c3d4;authcode=", "authentication-code-form"),
    ])
    func wrongActivationTextIsRefused(text: String, code: String) async {
        #expect(await Self.code { _ = try VisaActivationBlock(clearText: SecretBytes(utf8: text)) } == code)
    }

    @Test func keyThatIsAwaySaysSo() async throws {
        struct Away: TripleDESDecryptionKey {
            func encrypt(_ blocks: [UInt8]) async throws(PaymentCryptoError) -> [UInt8] {
                throw PaymentCryptoError(code: .encryptionFailed, reason: "")
            }
            func decrypt(_ blocks: [UInt8]) async throws(PaymentCryptoError) -> [UInt8] {
                throw PaymentCryptoError(code: .decryptionFailed, reason: "")
            }
        }
        var generator = SeededGenerator(seed: 32, label: "away")
        let block = VisaActivationBlock(nonce: [1, 2, 3, 4], authenticationCode: .init(using: &generator))
        let text = VisaWireText(kind: .activation, keySet: try VisaKeySet("1.1"), data: [UInt8](repeating: 0, count: 16))
        #expect(await Self.code { _ = try await VisaActivationBlock(opening: text, key: Away()) } == "key-unavailable")
        do {
            _ = try await block.sealed(keySet: VisaKeySet("1.1"), key: Away(), using: &generator)
            Issue.record("an absent key sealed")
        } catch { #expect(error.code == .keyUnavailable) }
        #expect(throws: PaymentCryptoError(code: .malformedKey, reason: "")) { try OpenSSLTripleDESKey([1, 2, 3]) }
        let key = try Self.key(&generator)
        #expect(throws: PaymentCryptoError(code: .invalidParameter, reason: "")) { try key.encrypt([1]) }
        #expect("\(key)" == "triple DES key")
    }

    // MARK: Mastercard

    private static let card = try? TokenizationAuthenticationValue.Card(
        accountNumber: CardNumber("5204000012345677"), expiration: CardExpiration(compact: "1230"),
        tokenUniqueReference: "DAPLMC0000000000000000000000000000000000000001")

    @Test func everyVersionVerifiesForItsCardOnly() async throws {
        let card = try #require(Self.card)
        let key = try RSAPrivateKey(bits: 2048)
        let other = try RSAPrivateKey(bits: 2048)
        let validUntil = AuthenticationValueTimestamp(Self.instant + TokenizationAuthenticationValue.recommendedValidity)
        let fields: [TokenizationAuthenticationValue.Field] = [.accountExpiry, .accountNumber, .dataValidUntilTimestamp]
        let forms: [TokenizationAuthenticationValue.Form] =
            [(false, false), (false, true), (true, false), (true, true)].map {
                .version2(includesExpiration: $0.0, includesTokenUniqueReference: $0.1)
            } + [
                .version3(fields: fields, validUntil: validUntil), .version4(keyAlias: "key-1", fields: fields, validUntil: validUntil),
                .version3(fields: [.accountNumber, .dataValidUntilTimestamp], validUntil: validUntil),
            ]
        for form in forms {
            let made = try await TokenizationAuthenticationValue(form, for: card, at: Self.instant, signer: key)
            let read = try TokenizationAuthenticationValue(json: made.json())
            #expect(read == made)
            #expect(read.form.version == form.version)
            try read.verify(for: card, publicKey: key.publicKey, at: Self.instant)
            let stranger = TokenizationAuthenticationValue.Card(
                accountNumber: try CardNumber("5204000012345669"), expiration: card.expiration,
                tokenUniqueReference: card.tokenUniqueReference)
            #expect(throws: ApplePayError(code: .authenticationValueSignature, reason: "")) {
                try read.verify(for: stranger, publicKey: key.publicKey, at: Self.instant)
            }
            #expect(throws: ApplePayError(code: .authenticationValueSignature, reason: "")) {
                try read.verify(for: card, publicKey: other.publicKey, at: Self.instant)
            }
        }
        #expect(
            try TokenizationAuthenticationValue.Form.version2(includesExpiration: true, includesTokenUniqueReference: true)
                .signedText(card) == SecretBytes(utf8: "5204000012345677Y1230YDAPLMC0000000000000000000000000000000000000001"))
        #expect(
            try TokenizationAuthenticationValue.Form.version2(includesExpiration: false, includesTokenUniqueReference: false)
                .signedText(card) == SecretBytes(utf8: "5204000012345677NN"))
    }

    @Test func datesAndMissingPartsAreRefused() async throws {
        let card = try #require(Self.card)
        let key = try RSAPrivateKey(bits: 2048)
        func make(_ form: TokenizationAuthenticationValue.Form, _ card: TokenizationAuthenticationValue.Card) async -> String? {
            await Self.code { _ = try await TokenizationAuthenticationValue(form, for: card, at: Self.instant, signer: key) }
        }
        func dated(_ seconds: Double, _ fields: [TokenizationAuthenticationValue.Field] = [.accountNumber, .dataValidUntilTimestamp])
            -> TokenizationAuthenticationValue.Form
        { .version3(fields: fields, validUntil: .init(Self.instant + seconds)) }
        #expect(await make(dated(1_800), card) == nil)
        #expect(await make(dated(-1), card) == "authentication-value-expired")
        #expect(await make(dated(31 * 86_400), card) == "authentication-value-too-long")
        #expect(await make(dated(1_800, [.accountNumber]), card) == "authentication-value-undated")
        let bare = TokenizationAuthenticationValue.Card(accountNumber: card.accountNumber)
        #expect(await make(dated(1_800, [.accountExpiry, .dataValidUntilTimestamp]), bare) == "authentication-value-form")
        #expect(await make(.version2(includesExpiration: false, includesTokenUniqueReference: true), bare) == "authentication-value-form")
        var generator = SeededGenerator(seed: 33, label: "wrong kind of key")
        let elliptic = try P256PrivateKey(using: &generator)
        #expect(
            await Self.code { _ = try await TokenizationAuthenticationValue(dated(1_800), for: card, at: Self.instant, signer: elliptic) }
                == "key-unavailable")
    }

    private static let json = """
        {"version":"3","signatureAlgorithm":"RSA-SHA256","dataValidUntilTimestamp":"2026-01-02T03:34:05.250+08:00",\
        "includedFieldsInOrder":"accountNumber|dataValidUntilTimestamp","signature":"AAAA"}
        """

    @Test func booleansOfEitherKindAndZonesAreRead() throws {
        let read = try TokenizationAuthenticationValue(json: Array(Self.json.utf8))
        #expect(read.form.dated?.validUntil.text == "2026-01-02T03:34:05.250+08:00")
        #expect(read.form.dated?.validUntil.instant == (try Date("2026-01-01T19:34:05Z", strategy: .iso8601)))
        for flag in ["true", "\"true\""] {
            let text = """
                {"version":"2","expirationDateIncluded":\(flag),"tokenUniqueReferenceIncluded":"false","signatureAlgorithm":"RSA-SHA256","signature":"AAAA"}
                """
            #expect(
                try TokenizationAuthenticationValue(json: Array(text.utf8)).form
                    == .version2(includesExpiration: true, includesTokenUniqueReference: false))
        }
    }

    @Test(arguments: [
        ("\"3\"", "\"5\""), ("\"3\"", "3"), ("\"3\"", "\"4\""), ("\"3\"", "\"2\""), ("RSA-SHA256", "RSA-SHA1"),
        ("accountNumber|", "accountNumber|accountNumber|"), ("accountNumber|", "cvv|"), ("AAAA", "AAA"), ("2026-01-02T", "2026-01-02 "),
        ("+08:00", ""), ("\"signature\"", "\"other\":1,\"signature\""), ("2026-01-02T", "2026-13-02T"),
    ])
    func wrongValuesAreRefused(part: String, wrong: String) async {
        #expect(
            await Self.code { _ = try TokenizationAuthenticationValue(json: Array(Self.json.replacing(part, with: wrong).utf8)) }
                == "authentication-value-form")
    }
}
