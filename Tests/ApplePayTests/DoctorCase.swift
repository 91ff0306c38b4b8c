import ApplePayDiagnosis
import ApplePayForging
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import PaymentCrypto

@testable import ApplePay

/// Everything a team could hand to the doctor for one payment, good until a fault is put in.
struct DoctorCase {
    var fixture: WalletFixture
    var version: PaymentToken.Version
    var flaws: Set<TokenFlaw> = []
    var derivedFor: String?
    var signingTime = WalletFixture.now
    var instant = WalletFixture.now + 120
    var processing: ParsedCertificate
    var keys: [PrivateKey]
    var certificates: [ParsedCertificate]
    var roots: [ParsedCertificate]
    var hints: JSONObject
    var request: PaymentRequest
    var session = SheetSessionLinterTests.good
    var usesOuterObject = true
    var damage: ([UInt8]) -> [UInt8] = { $0 }
    /// The same token in a second file.
    var repeats: ((ComposedToken) -> [UInt8])?
    /// Makes a second token of the same transaction from a changed plan.
    var sibling: ((inout TokenPlan) -> Void)?
    var applicationData: [UInt8]? = Array("order-1".utf8)
    /// Other files among those of the case.
    var others: [Artifact] = []
    /// Certificates as DER instead of PEM.
    var usesDER = false

    /// Cases of one wallet share its certificates and the merchant's; what they draw differs with the seed.
    init(seed: UInt64, wallet: UInt64? = nil, version: PaymentToken.Version = .ecV1, chainFlaws: Set<ChainFlaw> = []) throws {
        fixture = try WalletFixture.shared(seed: wallet ?? seed, flaws: chainFlaws)
        fixture.generator = SeededGenerator(seed: seed, label: "doctor case")
        self.version = version
        let isEC = version == .ecV1
        processing = isEC ? fixture.ecMerchant.certificate : fixture.rsaMerchant.certificate
        keys = [isEC ? .p256(fixture.ecKey) : .rsa(fixture.rsaKey)]
        certificates = [processing]
        roots = [fixture.authority.root]
        hints = JSONObject([
            .init("merchantIdentifier", .string(fixture.identifier)), .init("applicationData", "order-1"), .init("amount", "33.00"),
            .init("currency", isEC ? "USD" : "CNY"), .init("txnAmt", "3300"),
        ])
        request = PaymentRequest(
            merchantIdentifier: fixture.identifier, countryCode: isEC ? "US" : "CN", currencyCode: isEC ? "USD" : "CNY",
            supportedNetworks: isEC ? [.visa, .masterCard] : [.chinaUnionPay],
            merchantCapabilities: isEC ? [.threeDSecure] : [.threeDSecure, .emv],
            paymentSummaryItems: [.init(label: "Tea", amount: "33.00"), .init(label: "Example Shop", amount: "33.00")])
    }

    mutating func examine() throws -> Diagnosis { Self.examine(try artifacts(), at: instant) }

    static func examine(_ artifacts: [Artifact], at instant: Date) -> Diagnosis {
        ApplePayDiagnostician(at: instant, hashPairs: OpenSSLHashPairs()).examine(artifacts)
    }

    mutating func artifacts() throws -> [Artifact] {
        var plan = fixture.plan(version, flaws: flaws, applicationData: applicationData)
        plan.merchant = try MerchantCertificate(processing)
        plan.derivedForMerchantIdentifier = derivedFor
        plan.signingTime = signingTime
        let composer = TokenComposer(authority: fixture.authority, hashPairs: OpenSSLHashPairs())
        // The transaction identifier is the first that is drawn.
        var sameDraws = fixture.generator
        let token = try composer.compose(plan, using: &fixture.generator)
        let bytes = damage(usesOuterObject ? token.outer : token.paymentData)
        var artifacts = [Artifact(name: "paymentData.json", bytes: bytes)]
        if let repeats { artifacts.append(Artifact(name: "again.json", bytes: repeats(token))) }
        if let sibling {
            sibling(&plan)
            artifacts.append(Artifact(name: "sibling.json", bytes: try composer.compose(plan, using: &sameDraws).outer))
        }
        artifacts += certificates.enumerated().map {
            Artifact(name: "certificate-\($0.offset)", bytes: usesDER ? $0.element.der : Array($0.element.pem.utf8))
        }
        artifacts += keys.enumerated().map { Self.file("key-\($0.offset).pem", $0.element) }
        artifacts += roots.map { Artifact(name: "root.pem", bytes: Array($0.pem.utf8)) }
        artifacts += [
            Artifact(name: "order.json", bytes: JSONWriter.write(hints)),
            Artifact(name: "request.json", bytes: JSONWriter.write(request.json)),
            Artifact(name: "session.json", bytes: JSONWriter.write(session.json)),
        ]
        return artifacts + others
    }

    static func file(_ name: String, _ key: PrivateKey) -> Artifact {
        Artifact(name: name, bytes: Array(PEMText.Block(label: "PRIVATE KEY", bytes: key.pkcs8).text.utf8))
    }

    /// Another certificate for the same merchant.
    mutating func certificate(
        for key: PublicKey, kind: WalletAuthority.MerchantCertificateKind = .processing, notBefore: Date = WalletFixture.now - 86_400,
        notAfter: Date? = nil, hashOf other: String? = nil
    ) throws -> ParsedCertificate {
        try fixture.authority.merchantCertificate(
            for: key, merchantIdentifier: fixture.identifier, kind: kind, notBefore: notBefore, notAfter: notAfter, hashOf: other,
            using: &fixture.generator)
    }
}
