import ApplePay
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import CardPaymentsServer
import Foundation
import Logging
import PaymentCrypto
import PaymentCryptoOpenSSL
import SwiftASN1
import UnionPay
import X509

/// One merchant's key store, read and tested, as what the server serves (apple-pay.md#key-checks).
struct MerchantKeys {
    let merchant: MerchantsFile.Merchant
    let store: KeyStore
    let verifier: UnionPayVerifier
    /// Checks what UnionPay's own client signs, where a key for it is known.
    let appResults: LegacyAppResultSHA1Verifier?
    /// What proves the merchant's domains.
    let domainAssociation: [UInt8]?
    /// Makes what reaches Apple with an identity: its certificate and its key, PEM.
    let makeSessionSender: @Sendable (_ certificate: String, _ privateKey: Secret<String>) throws -> any HTTPSender

    /// Runs the self-test and refuses with `key-unusable`, naming merchant, key and check. Logs each key's `publicKeyHash`.
    ///
    /// Every active and old processing key opens tokens; the token says which. The active RSA signing key signs.
    func profile(at now: Date, logger: Logger) throws -> MerchantProfile {
        let test = try KeySelfTest(store, merchantIdentifier: merchant.applePayIdentifier, at: now)
        for row in test.rows {
            let metadata: Logger.Metadata = [
                "merchant": "\(merchant.id)", "key": "\(row.key.id)", "kind": "\(row.key.kind.rawValue)",
                "state": "\(row.key.state.rawValue)",
                "publicKeyHash": "\(row.key.publicKeyHash)",
            ]
            logger.info("processing key: \(row.standing)", metadata: metadata)
        }
        if let row = test.rows.first(where: { !$0.failures.isEmpty }) { throw unusable("key \(row.key.id): \(row.standing)") }
        guard test.isPassed else { throw unusable("the key store has no processing key") }
        var ring = KeyRing<ProcessingKey>()
        for row in test.rows {
            guard let certificate = try store.certificate(row.key.id) else { throw unusable("key \(row.key.id) has no certificate") }
            let key = try ProcessingKey(PrivateKey(der: store.pkcs8(row.key.id)), certificate: MerchantCertificate(certificate))
            try ring.add(key.id, key, state: row.key.state, notBefore: row.key.notBefore, notAfter: row.key.notAfter)
        }
        var profile = MerchantProfile(
            id: merchant.id, applePayIdentifier: merchant.applePayIdentifier, displayName: merchant.displayName, processingKeys: ring,
            acquirerID: merchant.acquirerID, signer: try signer(at: now), verifier: verifier)
        profile.domains = Set(merchant.domains)
        profile.domainAssociation = domainAssociation
        profile.appResults = appResults
        profile.settledCurrencies = merchant.settledCurrencies
        profile.pendingPolicy = merchant.pendingPolicy
        profile.sheetWait = merchant.sheetWait
        profile.walletSessions = try sessionSender(at: now, logger: logger)
        return profile
    }

    /// The certificate of the active signing key, if there is one.
    func signingCertificate() throws -> ParsedCertificate? { try activeKey(.signing).flatMap { try store.certificate($0.id) } }

    func activeKey(_ purpose: StoredKey.Purpose, _ kind: StoredKey.Kind = .rsa) throws -> StoredKey? {
        try store.keys.first { $0.purpose == purpose && $0.kind == kind && $0.state == .active }
    }

    private func signer(at now: Date) throws -> UnionPaySigner {
        guard let stored = try activeKey(.signing), let certificate = try store.certificate(stored.id) else {
            throw unusable("the key store has no RSA signing key with a certificate")
        }
        guard certificate.isValid(at: now) else {
            throw unusable("signing key \(stored.id): in-date: the certificate ends at \(certificate.notAfter.ISO8601Format())")
        }
        guard let key = try? RSAPrivateKey(der: store.pkcs8(stored.id)).fasterSigner,
            let parsed = try? Certificate(derEncoded: certificate.der)
        else {
            throw unusable("signing key \(stored.id) cannot be read")
        }
        do throws(UnionPayError) {
            return try UnionPaySigner(key: key, certificate: parsed)
        } catch { throw unusable("signing key \(stored.id): key-matches-certificate: \(error.reason)") }
    }

    /// Web sessions alone need the identity certificate, so one that fails its test ends them and not the payments.
    private func sessionSender(at now: Date, logger: Logger) throws -> (any HTTPSender)? {
        let test = try KeySelfTest(store, merchantIdentifier: merchant.applePayIdentifier, purpose: .identity, at: now)
        guard let row = test.rows.first(where: { $0.key.state == .active }), let certificate = try store.certificate(row.key.id) else {
            return nil
        }
        guard row.failures.isEmpty else {
            logger.error("no web sessions: identity key \(row.key.id): \(row.standing)", metadata: ["merchant": "\(merchant.id)"])
            return nil
        }
        let key = PEMText.Block(label: "PRIVATE KEY", bytes: try store.pkcs8(row.key.id)).text
        return try makeSessionSender(certificate.pem, Secret(key))
    }

    private func unusable(_ why: String) -> CommandFailure {
        CommandFailure(.refused, code: "key-unusable", reason: "merchant \(merchant.id): \(why)")
    }
}
