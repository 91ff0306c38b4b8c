import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCrypto
import Testing

@testable import ApplePay

private let folder = "apple-pay-acceptance"

/// Known answers that others published, and synthetic ones that two other implementations checked.
@Suite(.enabled(if: Vectors.available(folder))) struct VectorTests {
    struct Expected: Decodable {
        var signingTime: String
        var signedContentSha256: String
        var signedContentLength: Int?
        var merchantIdentifier: String?
        var merchantIdHashHex: String?
        var sharedSecretHex: String?
        var symmetricKeyHex: String?
        var plaintext: String
        var requestApplicationDataUtf8: String?
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var token: String
        var expected: String
        var certificate: String?
        var key: String?
        var isReal: Bool
        var testDescription: String { token }
    }

    static let cases = [
        Case(
            token: "real/gala-ec-2021/token.json", expected: "real/gala-ec-2021/expected.json",
            certificate: "real/gala-ec-2021/certificate.pem",
            key: "real/gala-ec-2021/private_key.pem", isReal: true),
        Case(
            token: "real/basistheory-ec-2023-03/token.json", expected: "real/basistheory-ec-2023-03/expected.json",
            certificate: "real/basistheory-ec-2023-03/certificate.pem", key: "real/basistheory-ec-2023-03/private_key.pem", isReal: true),
        Case(token: "real/processout-rsa-2017/token.json", expected: "real/processout-rsa-2017/expected.json", isReal: true),
        Case(
            token: "synthetic/ec-3ds-appdata.token.json", expected: "synthetic/ec-3ds-appdata.expected.json",
            certificate: "synthetic/merchant-ec.cert.pem", key: "synthetic/merchant-ec.key.pem", isReal: false),
        Case(
            token: "synthetic/rsa-emv-unionpay.token.json", expected: "synthetic/rsa-emv-unionpay.expected.json",
            certificate: "synthetic/merchant-rsa.cert.pem", key: "synthetic/merchant-rsa.key.pem", isReal: false),
    ]

    private static func trust(_ isReal: Bool) throws -> TrustPolicy {
        isReal ? .production : .testAnchors([try ParsedCertificate(pem: Vectors.text("\(folder)/synthetic/root-ca.pem"))])
    }

    private static func load(_ item: Case) throws -> (UnverifiedToken, Expected, Date) {
        let expected = try Vectors.json("\(folder)/\(item.expected)", as: Expected.self)
        return (
            try UnverifiedToken(Vectors.bytes("\(folder)/\(item.token)")), expected, try Date(expected.signingTime, strategy: .iso8601)
        )
    }

    @Test func productionTrustPinsTheOnePublishedRoot() throws {
        let published = try ParsedCertificate(pem: Vectors.text("\(folder)/apple-root-ca-g3.pem"))
        #expect(TrustPolicy.production.anchors.map(\.certificate) == [published])
    }

    @Test(arguments: cases) func signedContentIsRebuilt(_ item: Case) throws {
        let (unverified, expected, _) = try Self.load(item)
        let content = unverified.token.signedContent
        #expect(Hexadecimal.encode(Array(SHA256.hash(data: content))) == expected.signedContentSha256)
        if let length = expected.signedContentLength { #expect(content.count == length) }
    }

    @Test(arguments: cases) func tokenVerifiesAtItsSigningTime(_ item: Case) throws {
        let (unverified, _, signingTime) = try Self.load(item)
        let verifier = TokenVerifier(trust: try Self.trust(item.isReal))
        #expect(try unverified.verified(by: verifier, at: signingTime).signingTime == signingTime)
        #expect(verifier.report(unverified, at: signingTime).isAccepted)
        // The second verification takes the remembered chain.
        _ = try unverified.verified(by: verifier, at: signingTime + 299)
        _ = try unverified.verified(by: verifier, at: signingTime + 10 * 365 * 86_400, anyAge: true)
    }

    @Test(arguments: cases) func tokenIsRefusedOutsideItsWindow(_ item: Case) throws {
        let (unverified, _, signingTime) = try Self.load(item)
        let verifier = TokenVerifier(trust: try Self.trust(item.isReal))
        #expect(throws: ApplePayError(code: .tokenStale, reason: "")) { try unverified.verified(by: verifier, at: signingTime + 331) }
        #expect(throws: ApplePayError(code: .tokenFromFuture, reason: "")) { try unverified.verified(by: verifier, at: signingTime - 31) }
    }

    @Test(arguments: cases) func tokenOfOneWorldIsRefusedInTheOther(_ item: Case) throws {
        let (unverified, _, signingTime) = try Self.load(item)
        let verifier = TokenVerifier(trust: try Self.trust(!item.isReal))
        #expect(throws: ApplePayError(code: .init(.untrustedRoot), reason: "")) { try unverified.verified(by: verifier, at: signingTime) }
    }

    @Test(arguments: cases) func tokenOpensToTheKnownPlaintext(_ item: Case) throws {
        let (unverified, expected, signingTime) = try Self.load(item)
        let token = try unverified.verified(by: TokenVerifier(trust: Self.trust(item.isReal)), at: signingTime)
        let plaintext: [UInt8]
        if let certificate = item.certificate, let key = item.key {
            let merchant = try MerchantCertificate(pem: Vectors.text("\(folder)/\(certificate)"))
            let processing = try ProcessingKey(PrivateKey(pem: Vectors.text("\(folder)/\(key)")), certificate: merchant)
            let decryptor = TokenDecryptor(keys: try .processing([processing]))
            plaintext = try decryptor.plaintext(of: token).reveal()
            _ = try decryptor.open(token)
        } else {
            let key = try Hexadecimal.decode(#require(expected.symmetricKeyHex))
            plaintext = try TokenDecryptor.plaintext(of: token, symmetricKey: .init(key)).reveal()
        }
        #expect(String(decoding: plaintext, as: UTF8.self) == expected.plaintext)
        // Reading and writing the payload gives the device's own bytes back.
        #expect(try PaymentPayload(plaintext).plaintext() == plaintext)
    }

    @Test(arguments: cases) func derivedKeyIsTheKnownOne(_ item: Case) throws {
        let (unverified, expected, _) = try Self.load(item)
        guard case .ephemeralPublicKey(let info) = unverified.token.header.key, let file = item.key else { return }
        guard case .p256(let key) = try PrivateKey(pem: Vectors.text("\(folder)/\(file)")) else {
            Issue.record("no P-256 key")
            return
        }
        let secret = try key.sharedSecret(subjectPublicKeyInfo: info)
        #expect(Hexadecimal.encode(secret) == expected.sharedSecretHex)
        let hash = MerchantIdentifier.hash(try #require(expected.merchantIdentifier))
        if let known = expected.merchantIdHashHex { #expect(Hexadecimal.encode(hash) == known) }
        let derived = try TokenKeyDerivation.key(sharedSecret: secret, merchantIdentifierHash: hash)
        #expect(Hexadecimal.encode(derived) == expected.symmetricKeyHex)
    }

    @Test(arguments: cases.filter { $0.certificate != nil }) func merchantCertificateNamesKeyAndMerchant(_ item: Case) throws {
        let (unverified, expected, signingTime) = try Self.load(item)
        let merchant = try MerchantCertificate(pem: Vectors.text("\(folder)/\(try #require(item.certificate))"))
        let key = try PrivateKey(pem: Vectors.text("\(folder)/\(try #require(item.key))"))
        let identifier = try #require(expected.merchantIdentifier ?? merchant.merchantIdentifier)
        #expect(merchant.publicKeyHash == unverified.token.header.publicKeyHash)
        #expect(merchant.certificate.merchantIdentifierHash == MerchantIdentifier.hash(identifier))
        #expect(merchant.merchantIdentifier == identifier)
        #expect(key.publicKey == merchant.publicKey && merchant.certificate.isValid(at: signingTime))
    }

    @Test func applicationDataOfTheSyntheticTokenBinds() throws {
        let (unverified, expected, _) = try Self.load(Self.cases[3])
        let issued = Array(try #require(expected.requestApplicationDataUtf8).utf8)
        #expect(unverified.token.header.applicationData == Array(SHA256.hash(data: issued)))
    }

    @Test func outerIdentifierInUpperCaseIsTheSameTransaction() throws {
        let (unverified, _, _) = try Self.load(Self.cases[1])
        #expect(unverified.token.transactionIdentifier == "6e4682df6a0d6f83be30f51acf1ec1c1abe3be9ef3b21f552351b73cb72d03fa")
        #expect(unverified.token.paymentMethod == PaymentMethod(displayName: "Visa 6020", network: "Visa", type: "credit"))
    }

    @Test func leadingZeroSecretKeepsItsLength() throws {
        struct KAT: Decodable {
            var privateScalarAHex: String
            var privateScalarBHex: String
            var sharedSecretHex: String
        }
        let kat = try Vectors.json("\(folder)/kat/ecdh-leading-zero.json", as: KAT.self)
        let a = try P256PrivateKey(scalar: Hexadecimal.decode(kat.privateScalarAHex))
        let b = try P256PrivateKey(scalar: Hexadecimal.decode(kat.privateScalarBHex))
        #expect(Hexadecimal.encode(try a.sharedSecret(subjectPublicKeyInfo: b.publicKey.subjectPublicKeyInfo)) == kat.sharedSecretHex)
    }

    @Test func derivationConcatenatesInTheKnownOrder() throws {
        struct KAT: Decodable {
            var merchantIdHashHex: String
            var symmetricKeyHex: String
        }
        let kat = try Vectors.json("\(folder)/kat/kdf-empty-z.json", as: KAT.self)
        let key = try TokenKeyDerivation.key(sharedSecret: [], merchantIdentifierHash: Hexadecimal.decode(kat.merchantIdHashHex))
        #expect(Hexadecimal.encode(key) == kat.symmetricKeyHex)
    }

    @Test func derivationAndOpeningMatchAnotherImplementation() throws {
        struct KAT: Decodable {
            var sharedSecretHex: String
            var kdfOtherInfoBase64: String
            var symmetricKeyBase64: String
            var encryptedDataBase64: String
            var plaintext: String
        }
        let kat = try Vectors.json("\(folder)/kat/payu-ec-kdf-gcm.json", as: KAT.self)
        let info = try StrictBase64.decode(kat.kdfOtherInfoBase64)
        #expect(TokenKeyDerivation.otherInfo(merchantIdentifierHash: Array(info.suffix(32))) == info)
        let key = try TokenKeyDerivation.key(
            sharedSecret: Hexadecimal.decode(kat.sharedSecretHex), merchantIdentifierHash: Array(info.suffix(32)))
        #expect(StrictBase64.encode(key) == kat.symmetricKeyBase64)
        let opened = try AESGCM(key: key).open(StrictBase64.decode(kat.encryptedDataBase64), nonce: AESGCM.walletTokenNonce)
        #expect(String(decoding: opened, as: UTF8.self) == kat.plaintext)
        _ = try PaymentPayload(opened)
    }

    /// Every byte of every field flipped, in the decoded form: refused, with the same code for whatever the signature covers.
    @Test(arguments: cases) func everyFlippedByteOfEveryFieldIsRefused(_ item: Case) throws {
        let (unverified, _, signingTime) = try Self.load(item)
        let verifier = TokenVerifier(trust: try Self.trust(item.isReal))
        let token = unverified.token
        _ = try unverified.verified(by: verifier, at: signingTime)
        for field in TokenFieldUnderTest.allCases {
            for index in 0..<field.count(token) {
                // The NULL parameters of algorithms outside the signed attributes mean nothing, present or absent. [V]
                if field == .signature, Self.isAlgorithmParameter(token.signature, index) { continue }
                let changed = UnverifiedToken(field.flipped(token, index))
                #expect(throws: ApplePayError.self, "\(field) byte \(index)") { try changed.verified(by: verifier, at: signingTime) }
                if field != .signature {
                    #expect(throws: ApplePayError(code: .messageDigestMismatch, reason: ""), "\(field) byte \(index)") {
                        try changed.verified(by: verifier, at: signingTime)
                    }
                }
            }
        }
    }

    /// Whether the byte is the tag of a NULL behind the identifier of SHA-256 or of an RSA algorithm.
    private static func isAlgorithmParameter(_ bytes: [UInt8], _ index: Int) -> Bool {
        guard index >= 11, index + 1 < bytes.count, bytes[index] == 5, bytes[index + 1] == 0 else { return false }
        let identifier = Array(bytes[index - 11..<index])
        return identifier == [6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1]
            || identifier.starts(with: [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1])
    }

    @Test(arguments: cases) func everyTruncationIsRefused(_ item: Case) throws {
        let bytes = try Vectors.bytes("\(folder)/\(item.token)")
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
        for length in 0...end { #expect(throws: ApplePayError.self) { try UnverifiedToken(Array(bytes.prefix(length))) } }
        let (unverified, _, signingTime) = try Self.load(item)
        let verifier = TokenVerifier(trust: try Self.trust(item.isReal))
        for length in 0..<unverified.token.signature.count {
            let changed = UnverifiedToken(
                TokenFieldUnderTest.replacing(unverified.token, signature: Array(unverified.token.signature.prefix(length))))
            #expect(throws: ApplePayError.self, "signature of \(length) bytes") { try changed.verified(by: verifier, at: signingTime) }
        }
    }

    /// The file's own bytes flipped: no crash, and what is still accepted is the same signed content.
    @Test(arguments: cases) func everyFlippedByteOfTheFileIsRefusedOrHarmless(_ item: Case) throws {
        let bytes = try Vectors.bytes("\(folder)/\(item.token)")
        let (unverified, _, signingTime) = try Self.load(item)
        let verifier = TokenVerifier(trust: try Self.trust(item.isReal))
        _ = try unverified.verified(by: verifier, at: signingTime)
        for index in bytes.indices {
            var flipped = bytes
            flipped[index] ^= 0x01
            guard let changed = try? UnverifiedToken(flipped), let verified = try? changed.verified(by: verifier, at: signingTime) else {
                continue
            }
            #expect(verified.token.signedContent == unverified.token.signedContent, "byte \(index)")
        }
    }
}
