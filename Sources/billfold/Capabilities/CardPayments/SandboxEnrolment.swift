import BillfoldServer
import CardPaymentsServer
import CryptoExtras
import Foundation
import HTTPTypes
import PaymentCrypto
import SwiftASN1
import UnionPay
import X509

/// What a merchant does once with the other parties, done in test mode with the sandbox's: keys are made where the store has
/// none, the wallet's office certifies them, and the gateway is told the signing certificate.
struct SandboxEnrolment {
    let process: ServingProcess
    let keys: MerchantKeys
    /// Whether web merchant sessions come from somewhere.
    let givesSessions: Bool

    private var now: Date { process.dates() }

    func complete() async throws {
        // Servers that share a key store and start at once: the first makes the keys, the others find them.
        let lock = open(process.folder.path(".enrolment"), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else {
            throw CommandFailure(.refused, code: "data-folder-unusable", reason: "\(process.folder.path) cannot be written")
        }
        defer { close(lock) }
        while flock(lock, LOCK_EX | LOCK_NB) != 0 { try await Task.sleep(for: .milliseconds(50)) }
        try await enrol()
    }

    private func enrol() async throws {
        if try keys.activeKey(.processing, .ec) == nil {
            var generator = SystemRandomNumberGenerator()
            try await certify(.p256(P256PrivateKey(using: &generator)))
        }
        if try keys.activeKey(.processing, .rsa) == nil { try await certify(.rsa(RSAPrivateKey(bits: 2048))) }
        // Without somebody who gives sessions an identity is of no use.
        if givesSessions, try keys.activeKey(.identity) == nil {
            try await certify(.rsa(RSAPrivateKey(bits: 2048)), as: .identity)
        }
        if try keys.activeKey(.signing) == nil { try makeSigningKey() }
        guard let certificate = try keys.signingCertificate() else { return }
        // At every start: the gateway may be a new one.
        try await UnionPayGatewayRegistration(process: process).register(keys.merchant.acquirerID.description, certificate: certificate.pem)
    }

    private func certify(_ key: PrivateKey, as purpose: StoredKey.Purpose = .processing) async throws {
        let request = try CertificateRequest(
            subject: CertificateRequest.merchantSubject(identifier: keys.merchant.applePayIdentifier), signer: key.signer)
        let office = CertificateOfficeClient(process: process)
        let certificate = try ParsedCertificate(pem: try await office.issue(request, for: purpose))
        guard try await certificate.isSigned(by: ParsedCertificate(pem: office.intermediate()).publicKey) else {
            throw CommandFailure(.refused, code: "party-refused", reason: "the certificate office did not sign the certificate it sent")
        }
        _ = try keys.store.add(key, certificate: certificate, purpose: purpose, at: now)
    }

    private func makeSigningKey() throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let issuer = try Certificate.PrivateKey(pemEncoded: key.pkcs8PEMRepresentation)
        let start = now.addingTimeInterval(-86_400)
        let name = try DistinguishedName {
            CommonName("Sandbox signing certificate of \(keys.merchant.id)")
            OrganizationName(keys.merchant.displayName)
        }
        let serial = Certificate.SerialNumber(SystemRandomness.bits() >> 20 | 1 << 40)
        let certificate = try Certificate(
            version: .v3, serialNumber: serial, publicKey: issuer.publicKey, notValidBefore: start,
            notValidAfter: start.addingTimeInterval(5 * 366 * 86_400), issuer: name, subject: name,
            signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: Certificate.Extensions { Critical(KeyUsage(digitalSignature: true)) }, issuerPrivateKey: issuer)
        _ = try keys.store.add(
            PrivateKey(pem: key.pkcs8PEMRepresentation), certificate: ParsedCertificate(pem: certificate.serializeAsPEM().pemString),
            purpose: .signing, at: now)
    }
}

/// The sandbox gateway's own interface: who its merchants are, and whom they are to believe.
struct UnionPayGatewayRegistration {
    let process: ServingProcess

    private var base: String { "\(process.addresses[.unionPay].origin)/unionpay/control" }

    func register(_ merchant: String, certificate: String) async throws {
        let body = try JSONEncoder().encode(["merId": merchant, "certificate": certificate])
        let answer = try await answer(
            OutgoingRequest(
                method: .post, url: "\(base)/merchants", headers: [.contentType: "application/json"], body: Array(body),
                destination: .configured))
        let taken = ["merId": merchant, "certId": CertificateID(try Certificate(pemEncoded: certificate)).description]
        let told = try? JSONDecoder().decode([String: String].self, from: Data(answer))
        guard told == taken else {
            throw CommandFailure(.refused, code: "party-refused", reason: "the gateway registered another certificate than ours")
        }
    }

    /// Root and intermediates, PEM.
    func certificates() async throws -> String {
        String(
            decoding: try await answer(OutgoingRequest(method: .get, url: "\(base)/certificates", destination: .configured)), as: UTF8.self)
    }

    /// The certificate of what the client on the phone signs, PEM.
    func resultKey() async throws -> String {
        String(
            decoding: try await answer(OutgoingRequest(method: .get, url: "\(base)/result-key", destination: .configured)), as: UTF8.self)
    }

    private func answer(_ request: OutgoingRequest) async throws -> [UInt8] {
        try await PartyPatience.answer(from: "the gateway", sender: process.sender, request)
    }
}
