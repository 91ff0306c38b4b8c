import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Foundation
import PaymentCrypto

/// Registers merchants: over HTTP in test mode, from the merchants' file in production. Doing it again with the same ids replaces the
/// merchant's own data; the gateway's keys for an application stay as they were made.
package struct MerchantOnboarding: Sendable {
    let context: AlipayServerContext
    let passwords: RefundPasswords

    private var handover: OrderGatewayHandover {
        OrderGatewayHandover(merchants: context.merchants, database: context.database, keys: context.configuration.keys)
    }

    /// What a merchant needs to know of the gateway. Keys are base64 of their DER, certificates PEM.
    package struct Registered: Encodable, Sendable {
        package struct Application: Encodable, Sendable {
            package var appID: String
            /// Signs `RSA2` for this application.
            package var gatewayKey: String
            package var applicationCertificate: String?
            package var gatewayCertificate: String?
            package var rootCertificate: String?
            package var applicationCertificateSN: String?
            package var gatewayCertificateSN: String?
            package var rootCertificateSN: String?
        }

        package var partner: String
        /// Signs for partners of the legacy gateway.
        package var partnerKey: String
        /// Signs `RSA` for applications.
        package var platformKey: String
        package var applications: [Application]
    }

    /// Reads and registers one merchant.
    package func register(_ body: [UInt8]) async throws -> Registered {
        try await register(
            MerchantWish(
                try RequestReader(body, allowing: MerchantWish.members), currencies: context.configuration.currencies,
                mode: context.configuration.mode))
    }

    package func register(_ wish: MerchantWish) async throws -> Registered {
        for _ in 0..<8 {
            if let registered = try await registerOnce(wish) { return registered }
        }
        throw PaymentsError(code: .contended, reason: "the merchant is being registered by others: try again")
    }

    /// Two processes may register the same merchant at once. What the first makes, the second keeps.
    private struct Overtaken: Error {}

    /// Returns nil where another registration came between what was read and what is written.
    private func registerOnce(_ wish: MerchantWish) async throws -> Registered? {
        let (keys, now) = (context.configuration.keys, context.clock.now())
        var generator = SourcedGenerator(source: context.identifiers)
        var merchant = wish.merchant
        merchant.notifyOrigins = merchant.notifyOrigins.sorted()
        guard context.configuration.mode == .test || merchant.notifyOrigins.isEmpty else {
            throw AlipayServerError(code: .configurationInvalid, reason: "private origins are registered in test mode only")
        }
        let (partner, ids) = (merchant.partner, wish.applications.map(\.appID))
        // The versions first: what is read after them is theirs, or the write finds out.
        let versions = try await context.database.lookup { tx in
            (
                owner: try MerchantRecords.merchant(partner, in: tx)?.version,
                applications: try ids.map { try MerchantRecords.application($0, in: tx)?.version }
            )
        }
        let known = try await context.merchants.partner(merchant.partner)
        merchant.formerKeys = (known?.merchant.formerKeys ?? []).following(
            [known?.merchant.rsa, known?.merchant.rsa2], until: [merchant.rsa, merchant.rsa2], at: now)
        if let secret = wish.md5 {
            // A sealed value differs each time: the same secret keeps the row that it has.
            merchant.sealedMD5 =
                known?.keys.md5?.reveal() == secret.reveal()
                ? known?.merchant.sealedMD5
                : try keys.sealer.seal(
                    Array(secret.reveal().utf8), context: MerchantRegister.context(md5: merchant.partner), using: &generator)
        }
        if let password = wish.refundPassword {
            // So does a hash: its salt is drawn anew.
            let held = known?.merchant.refundPassword
            if let held, try await passwords.matches(password, held) {
                merchant.refundPassword = held
            } else {
                merchant.refundPassword = try await passwords.hash(password)
            }
        }
        var applications: [AlipayApplication] = []
        for wanted in wish.applications {
            let earlier = try await context.merchants.application(wanted.appID)?.application
            guard earlier == nil || earlier?.partner == merchant.partner else {
                throw AlipayServerError(code: .identityTaken, reason: "the application id belongs to another merchant")
            }
            applications.append(try application(wanted, of: merchant, earlier: earlier, at: now, using: &generator))
        }
        let (owner, all) = (merchant, applications)
        do {
            try await context.merchants.change { [context] in
                try await context.database.writeRepeatably { tx in
                    guard try MerchantRecords.put(owner, after: versions.owner, at: now, in: tx) else { throw Overtaken() }
                    for (application, version) in zip(all, versions.applications) {
                        guard try MerchantRecords.put(application, after: version, at: now, in: tx) else { throw Overtaken() }
                    }
                }
            }
        } catch is Overtaken { return nil }
        return try await handover.answer(owner, ids)
    }

    private func application(
        _ wanted: MerchantWish.Application, of merchant: AlipayMerchant, earlier: AlipayApplication?, at now: Timestamp,
        using generator: inout SourcedGenerator
    ) throws -> AlipayApplication {
        let keys = context.configuration.keys
        var application = earlier ?? AlipayApplication(partner: merchant.partner, appID: wanted.appID, sealedGatewayKey: [])
        application.rsa = wanted.rsa
        application.rsa2 = wanted.certificateRequest?.publicKey.subjectPublicKeyInfo ?? wanted.rsa2
        application.formerKeys = (earlier?.formerKeys ?? []).following(
            [earlier?.rsa, earlier?.rsa2], until: [application.rsa, application.rsa2], at: now)
        if application.sealedGatewayKey.isEmpty {
            let key = try RSAPrivateKey(bits: 2048)
            application.sealedGatewayKey = try keys.sealer.seal(
                key.pkcs8, context: MerchantRegister.context(application: wanted.appID), using: &generator)
        }
        guard let request = wanted.certificateRequest else {
            application.certificate = nil
            return application
        }
        let (start, end) = (now.date, now.advanced(by: .seconds(5 * 365 * 86_400)).date)
        func serial() -> [UInt8] { [1] + (0..<15).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
        let held = try application.certificate.map { try ParsedCertificate(pem: $0) }
        if held.map({ Array($0.subjectPublicKeyInfo) }) != request.publicKey.subjectPublicKeyInfo {
            application.certificate = try keys.authority.certificate(
                of: request.publicKey, named: wanted.appID, organization: merchant.name, serialNumber: serial(), from: start, to: end
            ).pem
        }
        if application.gatewayCertificate == nil {
            let own = try RSAPrivateKey(
                der: keys.sealer.open(application.sealedGatewayKey, context: MerchantRegister.context(application: wanted.appID)))
            application.gatewayCertificate = try keys.authority.certificate(
                of: own.publicKey, named: "gateway for \(wanted.appID)", organization: "Billfold", serialNumber: serial(), from: start,
                to: end
            ).pem
        }
        return application
    }
}

extension Timestamp {
    var date: Date { Date(timeIntervalSince1970: TimeInterval(microseconds) / 1_000_000) }
}
