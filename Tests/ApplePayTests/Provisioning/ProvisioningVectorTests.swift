import BillfoldJSON
import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import Testing

@testable import ApplePay

private let folder = "in-app-provisioning"

/// Published and recomputed known answers of in-app provisioning.
@Suite(.enabled(if: Vectors.available(folder))) struct ProvisioningVectorTests {
    struct File<Vector: Decodable>: Decodable { var vectors: [Vector] }

    struct Sealing: Decodable {
        var staticPrivateKeyHex: String?
        var staticPublicKeyUncompressedHex: String
        var publicKeyHashHex: String
        var leafCertificate: String?
        var ephemeralPrivateKeyHex: String
        var ephemeralPublicKeyUncompressedHex: String
        var sharedSecretHex: String
        var otherInfoHex: String
        var aes256KeyHex: String
        var ivHex: String
        var plaintextUtf8: String
        var encryptedDataHex: String?
        var encryptedPassDataHex: String?
    }

    struct Inner: Decodable {
        var name: String
        var keyHex: String
        var fillerAscii: String
        var clearText: String
        var blockHex: String
        var cipherHex: String
        var wire: String
        var wireBase64: String
    }

    struct Signed: Decodable {
        var version: String
        var signedText: String
        var json: String
        var activationDataBase64: String
    }

    private static func vectors<Vector: Decodable>(_ name: String, as type: Vector.Type) throws -> [Vector] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let found = try decoder.decode(File<Vector>.self, from: Data(Vectors.bytes("\(folder)/\(name)"))).vectors
        try #require(!found.isEmpty)
        return found
    }

    private static func certificate(_ name: String) throws -> ParsedCertificate {
        try ParsedCertificate(pem: Vectors.text("\(folder)/certs/\(name).pem"))
    }

    @Test(arguments: ["ecc-v2-published.json", "ecc-v2-both-sides.json"])
    func sealsByteForByte(name: String) throws {
        for vector in try Self.vectors(name, as: Sealing.self) {
            let leaf = try PublicKey(
                subjectPublicKeyInfo: Array(
                    P256.Signing.PublicKey(x963Representation: Hexadecimal.decode(vector.staticPublicKeyUncompressedHex)).derRepresentation)
            )
            let sealer = try PassDataSealer(leaf: leaf)
            #expect(Hexadecimal.encode(sealer.publicKeyHash) == vector.publicKeyHashHex)
            if let path = vector.leafCertificate {
                let certificate = try ParsedCertificate(pem: Vectors.text("\(folder)/\(path)"))
                #expect(try certificate.publicKey == leaf)
                #expect(Hexadecimal.encode(certificate.publicKeyHash) == vector.publicKeyHashHex)
            }
            let point = try Hexadecimal.decode(vector.ephemeralPublicKeyUncompressedHex)
            #expect(Hexadecimal.encode(PassDataKeyDerivation.otherInfo(ephemeralPublicKey: point)) == vector.otherInfoHex)
            let key = try PassDataKeyDerivation.key(
                sharedSecret: Hexadecimal.decode(vector.sharedSecretHex), ephemeralPublicKey: point)
            #expect(Hexadecimal.encode(key) == vector.aes256KeyHex)
            #expect(Hexadecimal.encode(PassDataKeyDerivation.nonce) == vector.ivHex)

            var steps = SealingSteps()
            let scalar = SecretBytes(try Hexadecimal.decode(vector.ephemeralPrivateKeyHex))
            let sealed = try sealer.seal(SecretBytes(utf8: vector.plaintextUtf8), ephemeralScalar: scalar, recording: &steps)
            #expect(sealed.ephemeralPublicKey == point)
            let expected = try #require(vector.encryptedPassDataHex ?? vector.encryptedDataHex)
            #expect(Hexadecimal.encode(sealed.encryptedPassData) == expected)
            let values = [
                vector.ephemeralPrivateKeyHex, vector.ephemeralPublicKeyUncompressedHex, vector.staticPublicKeyUncompressedHex,
                vector.sharedSecretHex, vector.otherInfoHex, "00000001" + vector.sharedSecretHex + vector.otherInfoHex, vector.aes256KeyHex,
                vector.ivHex, Hexadecimal.encode(Array(vector.plaintextUtf8.utf8)), String(expected.dropLast(32)),
                String(expected.suffix(32)),
                expected,
            ]
            #expect(steps.all.map { Hexadecimal.encode($0.value.reveal()) } == values)
        }
    }

    @Test func opensWhatOthersSealed() throws {
        for vector in try Self.vectors("ecc-v2-both-sides.json", as: Sealing.self) {
            let opener = PassDataOpener(
                key: try P256PrivateKey(scalar: Hexadecimal.decode(try #require(vector.staticPrivateKeyHex))))
            #expect(Hexadecimal.encode(opener.publicKeyHash) == vector.publicKeyHashHex)
            let opened = try opener.open(
                encryptedPassData: Hexadecimal.decode(try #require(vector.encryptedPassDataHex)),
                ephemeralPublicKey: Hexadecimal.decode(vector.ephemeralPublicKeyUncompressedHex))
            #expect(String(decoding: opened.reveal(), as: UTF8.self) == vector.plaintextUtf8)
            // The six-member form, read and written again: the members' order is provisioning.md#pass-data's, so the bytes are the same.
            let data = try PassData(json: opened)
            #expect(data.json() == opened)
            guard case .encryptedFPAN(let inner) = data else {
                Issue.record("the vector is of the encrypted-FPAN form")
                continue
            }
            #expect(inner.primaryAccountNumberPrefix == "400000")
            #expect(try VisaWireText(inner.encryptedPrimaryAccountNumber, due: .account).keySet.id == "400000.1")
        }
    }

    @Test func visaInnerLayerAgrees() async throws {
        for vector in try Self.vectors("visa-inner-3des.json", as: Inner.self) {
            let key = try OpenSSLTripleDESKey(Hexadecimal.decode(vector.keyHex))
            let block = VisaBlock.make(SecretBytes(utf8: vector.clearText), filler: Array(vector.fillerAscii.utf8))
            #expect(Hexadecimal.encode(block) == vector.blockHex)
            let text = try VisaWireText(vector.wire)
            #expect(try key.encrypt(block.reveal()) == text.data)
            #expect(Hexadecimal.encode(text.data, uppercase: true) == vector.cipherHex)
            #expect(text.description == vector.wire)
            #expect(StrictBase64.encode(Array(text.description.utf8)) == vector.wireBase64)
            switch text.kind {
            case .account:
                #expect(
                    String(decoding: try await VisaAccountBlock(opening: text, key: key).clearText.reveal(), as: UTF8.self)
                        == vector.clearText)
            case .activation:
                #expect(
                    String(decoding: try await VisaActivationBlock(opening: text, key: key).clearText.reveal(), as: UTF8.self)
                        == vector.clearText)
            }
        }
    }

    @Test func authenticationValueAgrees() async throws {
        let key = try RSAPrivateKey(pem: Vectors.text("\(folder)/tav-test-key-dummy.pem"))
        let publicKey = try PublicKey(pem: Vectors.text("\(folder)/tav-test-key-dummy.pub.pem"))
        for vector in try Self.vectors("mastercard-tav.json", as: Signed.self) {
            let bytes = try StrictBase64.decode(vector.activationDataBase64)
            #expect(bytes == Array(vector.json.utf8))
            let value = try TokenizationAuthenticationValue(json: bytes)
            #expect(value.form.version == vector.version)
            let card = TokenizationAuthenticationValue.Card(
                accountNumber: try CardNumber("5204000012345677"), expiration: try CardExpiration(compact: "1230"))
            #expect(String(decoding: try value.form.signedText(card).reveal(), as: UTF8.self) == vector.signedText)
            let instant = try Date("2026-01-02T03:04:05Z", strategy: .iso8601)
            let made = try await TokenizationAuthenticationValue(
                .version3(
                    fields: [.accountNumber, .accountExpiry, .dataValidUntilTimestamp],
                    validUntil: .init(instant + TokenizationAuthenticationValue.recommendedValidity)), for: card, at: instant, signer: key)
            #expect(made.json() == bytes)
            try value.verify(for: card, publicKey: publicKey, at: instant)
            #expect(throws: ApplePayError(code: .authenticationValueExpired, reason: "")) {
                try value.verify(for: card, publicKey: publicKey, at: instant + 1_801)
            }
        }
    }

    private static let in2019 = Date(timeIntervalSince1970: 1_546_300_800)

    @Test func productionChainHoldsInItsTimeInAnyOrder() throws {
        let leaf = try Self.certificate("leaf-ecc-uc6-prod-2018-2020").der
        let intermediate = try Self.certificate("apple-wwdr-ca-g2").der
        let root = try Self.certificate("apple-root-ca-g3").der
        for order in [[leaf, intermediate], [intermediate, leaf], [leaf, intermediate, root], [root, intermediate, leaf]] {
            let report = ProvisioningChainPolicy(trust: .production).check(order, at: Self.in2019)
            #expect(report.isAccepted, "\(report.refusals)")
            #expect(
                Hexadecimal.encode(try report.leafKey().sha256) == "3da4b8cceba78dd501351a514ffb30f71346805171b0367dc57e2c3887e737ec")
        }
        let later = ProvisioningChainPolicy(trust: .production).check([leaf, intermediate], at: Self.in2019 + 3 * 365 * 86_400)
        #expect(later.refusals == [.init(ChainRuleCode.certificateExpired)])
    }

    @Test func testLeafIsRefusedByTheProductionAnchor() throws {
        let leaf = try Self.certificate("leaf-ecc-uc6-inmemory-test-2017-2019").der
        let policy = ProvisioningChainPolicy(trust: .production)
        let alone = policy.check([leaf], at: Self.in2019)
        #expect(alone.refusals.contains(.init(ChainRuleCode.untrustedRoot)))
        #expect(alone.refusals.contains(.chainLength))
        let intermediate = try Self.certificate("apple-wwdr-ca-g2").der
        let mixed = policy.check([leaf, intermediate], at: Self.in2019)
        #expect(!mixed.isAccepted)
        #expect(mixed.refusals.contains(.init(ChainRuleCode.issuerMismatch)))
    }

    @Test func damagedFileIsReported() throws {
        let text = try Vectors.text("\(folder)/certs/negative-damaged-wwdr-ca-g2.pem")
        #expect(throws: PaymentCryptoError.self) { try ParsedCertificate(pem: text) }
        let leaf = try Self.certificate("leaf-ecc-uc6-prod-2018-2020").der
        let report = ProvisioningChainPolicy(trust: .production).check([leaf], at: Self.in2019, unreadable: ["a damaged PEM text"])
        #expect(report.refusals.first == .certificateUnreadable)
        #expect(throws: ApplePayError(code: .certificateUnreadable, reason: "")) { try report.leafKey() }
    }
}
