import Crypto
public import Foundation

/// What a server asks of its payment processing keys before it starts (apple-pay.md#key-checks).
///
/// An old key's certificate may have ended: tokens still arrive for it while the new one spreads, so its date is a warning.
public struct KeySelfTest: Sendable {
    /// One thing that is asked of a key.
    public enum Check: String, Sendable, CaseIterable {
        /// The private key is the certificate's.
        case keyMatchesCertificate = "key-matches-certificate"
        /// The certificate's merchant hash is SHA-256 of the configured identifier.
        case merchantMatches = "merchant-matches"
        /// The certificate is in date.
        case isInDate = "in-date"
        /// The key is P-256, or RSA with 2048 bits.
        case kindIsAccepted = "kind-accepted"
    }

    /// One key, with what does not hold of it.
    public struct Row: Sendable {
        public var key: StoredKey
        /// Checks that do not hold, with their reasons; empty when all hold.
        public var failures: [(check: Check, reason: String)]
        /// Checks that do not hold and need not.
        public var warnings: [(check: Check, reason: String)]
    }

    /// One row for each active or old key of the purpose.
    public let rows: [Row]

    /// A server may start: there is a key, and every check of every key holds.
    public var isPassed: Bool { !rows.isEmpty && rows.allSatisfy(\.failures.isEmpty) }

    /// Runs every check on every key. A key that cannot be read is a failure of its first check, not an error.
    public init(
        _ store: KeyStore, merchantIdentifier: String, purpose: StoredKey.Purpose = .processing, at now: Date
    ) throws(PaymentCryptoError) {
        let expected = Array(SHA256.hash(data: Array(merchantIdentifier.utf8)))
        var rows = [Row]()
        for stored in try store.keys where stored.purpose == purpose && stored.state != .retired {
            let found = Self.failures(of: stored, in: store, merchantHash: expected, at: now)
            let isExcused = { (check: Check) in check == .isInDate && stored.state == .old }
            rows.append(
                Row(
                    key: stored, failures: found.filter { !isExcused($0.check) }, warnings: found.filter { isExcused($0.check) }))
        }
        self.rows = rows
    }

    private static func failures(
        of stored: StoredKey, in store: KeyStore, merchantHash: [UInt8], at now: Date
    ) -> [(check: Check, reason: String)] {
        let certificate: ParsedCertificate
        let key: PrivateKey
        do throws(PaymentCryptoError) {
            key = try PrivateKey(der: store.pkcs8(stored.id))
            guard let found = try store.certificate(stored.id) else {
                return [(.keyMatchesCertificate, "the key has no certificate")]
            }
            certificate = found
        } catch {
            return [(.keyMatchesCertificate, error.reason)]
        }
        var failures = [(check: Check, reason: String)]()
        if (try? certificate.publicKey) != key.publicKey || key.publicKey.sha256 != certificate.publicKeyHash {
            failures.append((.keyMatchesCertificate, "the private key does not belong to the certificate"))
        }
        if !certificate.names(merchantHash: merchantHash) {
            failures.append((.merchantMatches, "the certificate is for \(certificate.subject.userID ?? "another merchant")"))
        }
        if !certificate.isValid(at: now) {
            let range = "\(certificate.notBefore.ISO8601Format()) to \(certificate.notAfter.ISO8601Format())"
            failures.append((.isInDate, "the certificate is valid from \(range)"))
        }
        switch key.publicKey.kind {
        case .p256, .rsa(bits: 2048): break
        case .p384: failures.append((.kindIsAccepted, "a P-384 key"))
        case .rsa(let bits): failures.append((.kindIsAccepted, "an RSA key of \(bits) bits"))
        }
        return failures
    }
}
