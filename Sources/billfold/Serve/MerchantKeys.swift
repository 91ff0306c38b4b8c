import ApplePay
import BillfoldDiagnosis
import BillfoldServer
import BillfoldStorage
import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import PaymentCrypto
import SwiftASN1
import UnionPay
import X509

/// The keys of the merchant's server, as files in the data folder.
///
/// In test mode the first start makes what is missing: the wallet's processing certificates are issued by the sandbox's
/// certificate office, and the signing certificate is registered at the sandbox's gateway. In production nothing is made: a
/// missing file is named and refused.
struct MerchantKeys {
    static let merchantName = "two-leaves"
    static let applePayIdentifier = "merchant.example.two-leaves"
    static let acquirerID = "777290058110048"

    /// The shop's API key. Whoever comes first, shop or server, makes it.
    static func apiKey(in folder: DataFolder) throws -> Secret<String> {
        let bytes = try folder.secret("api.key") { Array("bf_test_\(SystemRandomness.name())\(SystemRandomness.name())".utf8) }
        return Secret(String(decoding: bytes.reveal(), as: UTF8.self))
    }

    let shared: ServeComposition.Shared

    private var folder: DataFolder { shared.folder }
    private var isTest: Bool { shared.options.configuration.mode == .test }

    /// 256 bits of our own, such as the key of the audit trail.
    func symmetric(_ name: String) throws -> Secret<[UInt8]> {
        let key = try folder.secret("\(name).key") { SystemRandomness.bytes(32) }
        guard key.reveal().count == 32 else { throw unusable("\(name).key", "does not hold 32 bytes") }
        return key
    }

    // MARK: The wallet's side

    /// The key that opens tokens, with the certificate that names the merchant.
    func processing(_ name: String, make: () throws -> PrivateKey) async throws -> ProcessingKey {
        let keyPEM = try pem("\(name).key.pem") {
            PEMText.Block(label: "PRIVATE KEY", bytes: try make().pkcs8).text
        }
        let key = try PrivateKey(pem: keyPEM)
        let certificate: String
        if let known = folder.bytes("\(name).pem") {
            certificate = String(decoding: known, as: UTF8.self)
        } else {
            guard isTest else { throw missing("\(name).pem") }
            let request = try CertificateRequest(
                subject: CertificateRequest.merchantSubject(identifier: Self.applePayIdentifier), signer: key.signer)
            certificate = try await CertificateOfficeClient(shared: shared).issue(request)
            try folder.write(Array(certificate.utf8), to: "\(name).pem")
        }
        return try ProcessingKey(key, certificate: MerchantCertificate(pem: certificate))
    }

    /// Whose tokens are believed: the sandbox's root in test mode, the wallet's own in production.
    func trust() async throws -> TrustPolicy {
        guard isTest else { return .production }
        let root = try await CertificateOfficeClient(shared: shared).root()
        return .testAnchors(try ParsedCertificate.all(pem: root))
    }

    // MARK: The acquirer's side

    /// The pair that signs what goes to the gateway. In test mode the gateway is told its certificate at every start: it may be
    /// a new one.
    func signer() async throws -> UnionPaySigner {
        let key: Certificate.PrivateKey
        do {
            key = try Certificate.PrivateKey(
                pemEncoded: pem("unionpay-signing.key.pem") { try _RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation })
        } catch let failure as CommandFailure { throw failure } catch { throw unusable("unionpay-signing.key.pem", "is no RSA key in PEM") }
        let text = try pem("unionpay-signing.pem") { try Self.selfSigned(key, now: shared.surroundings.clock.now().microseconds) }
        let certificate = try Certificate(pemEncoded: text)
        if isTest {
            let body = try JSONEncoder().encode(["merId": Self.acquirerID, "certificate": text])
            let answer = try await exchange(
                OutgoingRequest(
                    method: .post, url: "\(shared.options.addresses.unionPay)/unionpay/control/merchants",
                    headers: [.contentType: "application/json"], body: Array(body), destination: .configured), party: "the gateway")
            let registered = try? JSONDecoder().decode([String: String].self, from: Data(answer))
            guard registered == ["merId": Self.acquirerID, "certId": CertificateID(certificate).description] else {
                throw CommandFailure(.refused, code: "party-refused", reason: "the gateway registered another certificate than ours")
            }
        }
        return try UnionPaySigner(key: key, certificate: certificate)
    }

    func verifier() async throws -> UnionPayVerifier {
        let text: String
        if isTest {
            let url = "\(shared.options.addresses.unionPay)/unionpay/control/certificates"
            text = try await String(
                decoding: exchange(OutgoingRequest(method: .get, url: url, destination: .configured), party: "the gateway"), as: UTF8.self)
        } else {
            text = try pem("unionpay-trust.pem") { throw missing("unionpay-trust.pem") }
        }
        let certificates = try PEMDocument.parseMultiple(pemString: text).map { try Certificate(pemDocument: $0) }
        let anchors = certificates.filter { $0.issuer == $0.subject }
        guard !anchors.isEmpty else { throw unusable("unionpay-trust.pem", "holds no root") }
        return UnionPayVerifier(
            .certificates(UnionPayTrust(anchors: anchors, intermediates: certificates.filter { $0.issuer != $0.subject })))
    }

    private static func selfSigned(_ key: Certificate.PrivateKey, now: Int64) throws -> String {
        let start = Date(timeIntervalSince1970: TimeInterval(now / 1_000_000) - 86_400)
        let name = try DistinguishedName {
            CommonName("Sandbox signing certificate of \(merchantName)")
            OrganizationName("Two Leaves Tea House")
        }
        let serial = Certificate.SerialNumber(SystemRandomness.bits() >> 20 | 1 << 40)
        return try Certificate(
            version: .v3, serialNumber: serial, publicKey: key.publicKey, notValidBefore: start,
            notValidAfter: start.addingTimeInterval(5 * 366 * 86_400), issuer: name, subject: name,
            signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: Certificate.Extensions { Critical(KeyUsage(digitalSignature: true)) }, issuerPrivateKey: key
        ).serializeAsPEM().pemString
    }

    // MARK: Files and exchanges

    private func pem(_ name: String, make: () throws -> String) throws -> String {
        if folder.bytes(name) == nil, !isTest { throw missing(name) }
        return String(decoding: try folder.secret(name) { Array(try make().utf8) }.reveal(), as: UTF8.self)
    }

    func exchange(_ request: OutgoingRequest, party: String) async throws -> [UInt8] {
        try await PartyPatience.answer(from: party, sender: shared.sender, request)
    }

    private func missing(_ name: String) -> CommandFailure {
        CommandFailure(.refused, code: "key-missing", reason: "\(folder.path(name)) is needed in production mode and nobody else makes it")
    }

    private func unusable(_ name: String, _ why: String) -> CommandFailure {
        CommandFailure(.refused, code: "key-unusable", reason: "\(folder.path(name)) \(why)")
    }
}
