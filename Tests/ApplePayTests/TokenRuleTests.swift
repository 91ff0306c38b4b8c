import ApplePayForging
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCrypto
import PaymentCryptoIssuing
import Testing

@testable import ApplePay

/// Each rule of apple-pay.md#verification has a token that trips it alone.
@Suite struct TokenRuleTests {
    private static let now = WalletFixture.now

    private static func refusals(_ fixture: WalletFixture, _ token: UnverifiedToken, at instant: Date = now) -> [String] {
        fixture.verifier.report(token, at: instant).refusals.map(\.description)
    }

    private static func firstRefusal(_ fixture: WalletFixture, _ token: UnverifiedToken, at instant: Date = now) -> String? {
        do {
            _ = try token.verified(by: fixture.verifier, at: instant)
            return nil
        } catch {
            return error.code.description
        }
    }

    @Test(arguments: PaymentToken.Version.allCases, [nil, Array("order-1".utf8)])
    func composedTokenVerifiesOpensAndBinds(version: PaymentToken.Version, applicationData: [UInt8]?) throws {
        var fixture = try WalletFixture(seed: 1)
        let token = try fixture.token(version, applicationData: applicationData).verified(by: fixture.verifier, at: Self.now)
        let payload = try fixture.decryptor().open(token)
        let currency = version == .ecV1 ? Currency.usd : Currency.cny
        try OrderBinding(amount: Amount(minorUnits: 3_300, currency: currency), applicationData: applicationData).check(token, payload)
    }

    @Test(arguments: TokenFlaw.allCases.filter(\.isHarmless))
    func harmlessPeculiarityIsAccepted(flaw: TokenFlaw) throws {
        var fixture = try WalletFixture(seed: 2)
        let token = try fixture.token(flaws: [flaw]).verified(by: fixture.verifier, at: Self.now)
        _ = try fixture.decryptor().open(token)
    }

    static let flaws: [(TokenFlaw, [String])] = [
        (.embeddedOtherContent, ["embedded-content"]), (.noSignedAttributes, ["signed-attributes-missing"]),
        (.noSigningTime, ["signing-time-missing"]), (.signedByStranger, ["signature-mismatch"]),
        (.flippedSignature, ["signature-mismatch"]),
        (.applicationDataAsHexText, ["message-digest-mismatch"]), (.applicationDataAsBase64Text, ["message-digest-mismatch"]),
        (.applicationDataOmitted, ["message-digest-mismatch"]), (.flippedData, ["message-digest-mismatch"]),
        (.flippedTag, ["message-digest-mismatch"]), (.flippedKey, ["message-digest-mismatch"]),
        (.flippedTransactionId, ["message-digest-mismatch"]), (.flippedApplicationData, ["message-digest-mismatch"]),
    ]

    @Test(arguments: flaws)
    func flawTripsItsRuleAlone(flaw: TokenFlaw, codes: [String]) throws {
        var fixture = try WalletFixture(seed: 3)
        // Without the outer object, whose identifier would contradict a flipped transaction id.
        let token = try UnverifiedToken(fixture.compose(fixture.plan(flaws: [flaw])).paymentData)
        #expect(Self.refusals(fixture, token) == codes)
        #expect(Self.firstRefusal(fixture, token) == codes[0])
    }

    static let chainFlaws: [(ChainFlaw, [String])] = [
        (.leafWithoutMarker, ["leaf-marker-missing"]), (.intermediateWithoutMarker, ["intermediate-marker-missing"]),
        (.intermediateNotAuthority, ["issuer-not-authority"]), (.leafIsAuthority, ["leaf-is-authority"]),
        (.leafMayNotSign, ["key-usage-forbids"]), (.intermediateMayNotSign, ["key-usage-forbids"]),
        (.leafExpired, ["certificate-expired"]), (.leafNotYetValid, ["certificate-not-yet-valid"]),
        (.intermediateExpired, ["certificate-expired"]), (.unknownCriticalExtension, ["unknown-critical-extension"]),
        (.leafSignedByStranger, ["bad-certificate-signature"]), (.rogueRoot, ["bad-certificate-signature"]),
    ]

    @Test(arguments: chainFlaws)
    func chainFlawTripsItsRuleAlone(flaw: ChainFlaw, codes: [String]) throws {
        for version in PaymentToken.Version.allCases {
            var fixture = try WalletFixture(seed: 4, flaws: [flaw])
            let token = try fixture.token(version)
            #expect(Self.refusals(fixture, token) == codes)
            #expect(Self.firstRefusal(fixture, token) == codes[0])
        }
    }

    @Test func leafOfAnotherIssuerIsRefused() throws {
        var fixture = try WalletFixture(seed: 5, flaws: [.leafNamesOtherIssuer])
        #expect(Self.refusals(fixture, try fixture.token()).contains("issuer-mismatch"))
    }

    @Test func chainOfAnotherAuthorityIsUntrusted() throws {
        var fixture = try WalletFixture(seed: 6)
        let stranger = try WalletFixture(seed: 7)
        let token = try fixture.token()
        // The stranger's root has the same name and another key.
        #expect(Self.refusals(stranger, token) == ["bad-certificate-signature"])
        #expect(throws: ApplePayError(code: .init(.untrustedRoot), reason: "")) {
            try token.verified(by: TokenVerifier(trust: .production), at: Self.now)
        }
        #expect(throws: ApplePayError(code: .init(.untrustedRoot), reason: "")) {
            try token.verified(by: TokenVerifier(trust: .testAnchors([])), at: Self.now)
        }
    }

    static let ages: [(Double, String?)] = [(-330, nil), (-331, "token-stale"), (30, nil), (31, "token-from-future")]

    @Test(arguments: ages)
    func freshnessHoldsInBothDirections(offset: Double, code: String?) throws {
        var fixture = try WalletFixture(seed: 8)
        var plan = fixture.plan()
        plan.signingTime = Self.now + offset
        let token = try UnverifiedToken(fixture.compose(plan).paymentData)
        #expect(Self.firstRefusal(fixture, token) == code)
        #expect(Self.refusals(fixture, token) == (code.map { [$0] } ?? []))
        _ = try token.verified(by: fixture.verifier, at: Self.now, anyAge: true)
    }

    @Test func rememberedChainIsJudgedAtEachSigningTime() throws {
        var fixture = try WalletFixture(seed: 9)
        let verifier = fixture.verifier
        _ = try fixture.token().verified(by: verifier, at: Self.now)
        var plan = fixture.plan()
        plan.signingTime = Self.now + 6 * 365 * 86_400
        let late = try UnverifiedToken(fixture.compose(plan).paymentData)
        #expect(throws: ApplePayError(code: .init(.certificateExpired), reason: "")) {
            try late.verified(by: verifier, at: plan.signingTime)
        }
    }

    @Test func rememberedChainEndsWithItsRoot() throws {
        var generator = SeededGenerator(seed: 12)
        let year: TimeInterval = 365 * 86_400
        // The root ends in a year, leaf and intermediate in two.
        var office = try TestCertificateAuthority(
            notBefore: Self.now - year, notAfter: Self.now + year, seed: 13, intermediateChanges: { $0.notAfter = Self.now + 2 * year })
        let leafKey = try P256PrivateKey(using: &generator)
        let leaf = try office.walletLeaf(leafKey.publicKey, changes: { $0.notAfter = Self.now + 2 * year })
        let authority = WalletAuthority(
            root: office.root, intermediate: office.intermediate, intermediateKey: try P256PrivateKey(using: &generator), leaf: leaf,
            leafKey: leafKey)
        let fixture = try WalletFixture(seed: 14)
        var plan = fixture.plan()
        func token() throws -> UnverifiedToken {
            try UnverifiedToken(TokenComposer(authority: authority).compose(plan, using: &generator).outer)
        }
        let warm = TokenVerifier(trust: authority.trust)
        _ = try token().verified(by: warm, at: plan.signingTime)
        plan.signingTime = Self.now + year + 60
        let late = try token()
        for verifier in [warm, TokenVerifier(trust: authority.trust)] {
            #expect(throws: ApplePayError(code: .init(.certificateExpired), reason: "")) {
                try late.verified(by: verifier, at: plan.signingTime)
            }
        }
    }

    @Test func reportWithoutRulesAcceptsNothing() {
        #expect(!TokenVerificationReport(signingTime: Self.now, chain: nil, rows: []).isAccepted)
    }

    /// No signature covers `paymentMethod`, and native clients write its type as a number.
    @Test(arguments: [
        (#"{"displayName":"Visa 0016","network":"Visa","type":2}"#, PaymentMethod(displayName: "Visa 0016", network: "Visa", type: "2")),
        (#"{"displayName":["Visa"],"network":true,"type":null}"#, PaymentMethod()), (#""Visa""#, nil), ("null", nil), ("7", nil),
    ])
    func displayFieldsNeverRefuseAToken(method: String, read: PaymentMethod?) throws {
        var fixture = try WalletFixture(seed: 15)
        let composed = try fixture.compose(fixture.plan())
        var outer = try JSONReader.readObject(composed.outer)
        outer["paymentMethod"] = try JSONReader.read(Array(method.utf8))
        let token = try UnverifiedToken(JSONWriter.write(outer)).verified(by: fixture.verifier, at: Self.now).token
        #expect(token.paymentMethod == read)
    }

    /// Byte patches for what the encoder cannot be asked to do.
    static let patches: [(code: String, patch: @Sendable ([UInt8]) -> [UInt8])] = [
        ("signer-count", { withoutSigners($0) }),
        (
            "digest-algorithm",
            { replacing($0, [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1], [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3], last: false) }
        ),
        (
            "content-type",
            { replacing($0, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1], [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 3], last: false) }
        ),
        (
            "signature-algorithm",
            { replacing($0, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2], [0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 3], last: true) }
        ),
        ("signature-unreadable", { _ in [0x30, 0x80, 0, 0] }),
        ("signature-unreadable", { namedByKeyIdentifier($0) }),
    ]

    @Test(arguments: patches.indices)
    func patchedSignatureIsRefusedByItsRule(index: Int) throws {
        let (code, patch) = Self.patches[index]
        var fixture = try WalletFixture(seed: 10)
        let token = try fixture.token().token
        let changed = UnverifiedToken(TokenFieldUnderTest.replacing(token, signature: patch(token.signature)))
        #expect(Self.firstRefusal(fixture, changed) == code)
        #expect(Self.refusals(fixture, changed).first == code)
    }

    @Test func everyRuleHasANegativeTest() {
        let tables = Self.flaws.flatMap(\.1) + Self.chainFlaws.flatMap(\.1) + Self.ages.compactMap(\.1) + Self.patches.map(\.code)
        // The first three have tests of their own here. A path that is too long needs another authority: PaymentCrypto's tests show it.
        let tested = Set(tables).union(["signer-certificate-missing", "untrusted-root", "issuer-mismatch", "path-too-long"])
        #expect(Set(TokenVerifier.rules.map(\.code.description)) == tested)
    }

    @Test func damagedMerchantExtensionIsNotReplacedByTheSubject() throws {
        var generator = SeededGenerator(seed: 16)
        let damaged = try MerchantCertificateUnderTest.damaged(
            for: P256PrivateKey(using: &generator).publicKey, identifier: "merchant.example.shop")
        #expect(throws: ApplePayError(code: .malformedCertificate, reason: "")) { try MerchantCertificate(damaged) }
        #expect(!damaged.names(merchantHash: MerchantIdentifier.hash("merchant.example.shop")))
    }

    @Test func signerCertificateThatIsNotCarriedIsRefused() throws {
        var fixture = try WalletFixture(seed: 11)
        let token = try fixture.token().token
        // The serial number inside the signer info: the last occurrence in the message.
        let serial = Array(fixture.authority.leaf.serialNumber.encoded)
        var other = serial
        other[other.count - 1] ^= 1
        let changed = UnverifiedToken(
            TokenFieldUnderTest.replacing(token, signature: Self.replacing(token.signature, serial, other, last: true)))
        #expect(Self.firstRefusal(fixture, changed) == "signer-certificate-missing")
    }

    private static func replacing(_ bytes: [UInt8], _ old: [UInt8], _ new: [UInt8], last: Bool) -> [UInt8] {
        let places = (0...bytes.count - old.count).filter { bytes[$0..<$0 + old.count].elementsEqual(old) }
        guard let place = last ? places.last : places.first else { return bytes }
        var changed = bytes
        changed.replaceSubrange(place..<place + old.count, with: new)
        return changed
    }

    /// Turns the signer's issuer and serial number into a key identifier of the same length, with the versions that belong to it.
    private static func namedByKeyIdentifier(_ bytes: [UInt8]) -> [UInt8] {
        guard case .issuerAndSerialNumber(let issuer, let serial)? = (try? SignedData(ber: bytes))?.signers.first?.identifier else {
            return []
        }
        let name = Array(issuer.der) + [0x02, UInt8(serial.encoded.count)] + Array(serial.encoded)
        let version: [UInt8] = [0x02, 0x01, 0x01]
        guard let place = (0...bytes.count - name.count).last(where: { bytes[$0..<$0 + name.count].elementsEqual(name) }),
            let first = (0...bytes.count - 3).first(where: { bytes[$0..<$0 + 3].elementsEqual(version) })
        else { return [] }
        let tag = place - (name.count < 0x80 ? 2 : 3)
        var changed = bytes
        changed[tag] = 0x80
        changed[tag - 1] = 3
        changed[first + 2] = 3
        return changed
    }

    /// Empties the signerInfos, the last element before the six end-of-contents bytes.
    private static func withoutSigners(_ bytes: [UInt8]) -> [UInt8] {
        let end = bytes.count - 6
        for start in stride(from: end - 2, to: 0, by: -1) where bytes[start] == 0x31 {
            if bytes[start + 1] == 0x82, start + 4 + Int(bytes[start + 2]) << 8 + Int(bytes[start + 3]) == end {
                return Array(bytes[..<start]) + [0x31, 0] + bytes[end...]
            }
        }
        return []
    }
}
