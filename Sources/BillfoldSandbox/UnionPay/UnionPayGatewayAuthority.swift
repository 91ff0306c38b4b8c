import BillfoldStorage
import CryptoExtras
import Foundation
import SwiftASN1
import UnionPay
import X509

/// The gateway's own certificate authority, made once and kept in the sandbox's store: a root, an intermediate, and the
/// certificate that signs, whose common name has UnionPay's form.
///
/// These keys exist to be trusted by test configurations only.
struct UnionPayGatewayAuthority: Sendable {
    let root: Certificate
    let intermediate: Certificate
    let certificate: Certificate
    let signer: ReplySigner
    /// Signs what the client on the phone brings back. UnionPay has another key for it; here it is the same.
    let resultSigner: LegacyAppResultSHA1Signer

    /// Loads the authority, or makes it. Several processes on one store end up with the same one.
    static func load(from database: any Database, clock: any WallClock, random: @escaping @Sendable () -> UInt64) async throws -> Self {
        if let found = try await read(database) { return found }
        let rows = try make(now: clock.now(), random: random)
        try await database.write { transaction in
            for row in rows { try UnionPayGatewayAuthorityRecords.insert(row, in: transaction) }
        }
        guard let made = try await read(database) else {
            throw SandboxError(code: .stateUnusable, reason: "the gateway's certificates were not stored")
        }
        return made
    }

    /// What merchants configure: intermediate and root.
    var trustPEM: String {
        get throws { try intermediate.serializeAsPEM().pemString + "\n" + root.serializeAsPEM().pemString + "\n" }
    }

    private static func read(_ database: any Database) async throws -> Self? {
        let rows = try await database.read { try UnionPayGatewayAuthorityRecords.all(in: $0) }
        guard let root = rows.first(where: { $0.name == "root" }), let middle = rows.first(where: { $0.name == "intermediate" }),
            let leaf = rows.first(where: { $0.name == "signer" })
        else { return nil }
        let certificate = try Certificate(pemEncoded: leaf.certificate)
        return Self(
            root: try Certificate(pemEncoded: root.certificate), intermediate: try Certificate(pemEncoded: middle.certificate),
            certificate: certificate, signer: try ReplySigner(key: Certificate.PrivateKey(pemEncoded: leaf.key), certificate: certificate),
            resultSigner: LegacyAppResultSHA1Signer(
                key: try Certificate.PrivateKey(pemEncoded: leaf.key), certificateID: CertificateID(certificate)))
    }

    private static func make(now: Timestamp, random: @Sendable () -> UInt64) throws -> [UnionPayGatewayAuthorityRecords.Pair] {
        let start = Date(timeIntervalSince1970: TimeInterval(now.microseconds / 1_000_000) - 86_400)
        let year: TimeInterval = 366 * 86_400
        // The RSA library draws its primes from the system's generator; only serial numbers can be injected.
        func key() throws -> Certificate.PrivateKey { Certificate.PrivateKey(try _RSA.Signing.PrivateKey(keySize: .bits2048)) }
        func issue(
            _ name: DistinguishedName, for subject: Certificate.PrivateKey, by issuer: DistinguishedName,
            with issuerKey: Certificate.PrivateKey,
            isAuthority: Bool, years: TimeInterval
        ) throws -> Certificate {
            try Certificate(
                version: .v3, serialNumber: .init(random() >> 20 | 1 << 40), publicKey: subject.publicKey, notValidBefore: start,
                notValidAfter: start.addingTimeInterval(years * year), issuer: issuer, subject: name,
                signatureAlgorithm: .sha256WithRSAEncryption,
                extensions: Certificate.Extensions {
                    Critical(isAuthority ? BasicConstraints.isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: !isAuthority, nonRepudiation: !isAuthority, keyCertSign: isAuthority))
                }, issuerPrivateKey: issuerKey)
        }
        let rootName = try DistinguishedName { CommonName("Sandbox Root of the UnionPay Gateway") }
        let middleName = try DistinguishedName { CommonName("Sandbox Intermediate of the UnionPay Gateway") }
        let leafName = try DistinguishedName { CommonName("041@Z1@\(UnionPayTrust.organisation)@00000001") }
        let (rootKey, middleKey, leafKey) = (try key(), try key(), try key())
        let pairs = [
            ("root", rootKey, try issue(rootName, for: rootKey, by: rootName, with: rootKey, isAuthority: true, years: 20)),
            ("intermediate", middleKey, try issue(middleName, for: middleKey, by: rootName, with: rootKey, isAuthority: true, years: 10)),
            ("signer", leafKey, try issue(leafName, for: leafKey, by: middleName, with: middleKey, isAuthority: false, years: 3)),
        ]
        return try pairs.map { name, key, certificate in
            UnionPayGatewayAuthorityRecords.Pair(
                name: name, key: try key.serializeAsPEM().pemString, certificate: try certificate.serializeAsPEM().pemString)
        }
    }
}
