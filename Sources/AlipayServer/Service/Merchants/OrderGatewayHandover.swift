import BillfoldPayments
package import BillfoldStorage
import PaymentCrypto

/// What a registered merchant is handed of the gateway: its public keys, its certificates and their serial numbers. Nothing secret is
/// among it.
package struct OrderGatewayHandover: Sendable {
    private let merchants: MerchantRegister
    private let database: any Database
    private let keys: OrderGatewayKeys

    /// On a gateway's store, without the gateway: for an operator's command.
    package init(database: any Database, keys: OrderGatewayKeys) {
        self.init(merchants: MerchantRegister(database: database, keys: keys, makesAllChanges: false), database: database, keys: keys)
    }

    init(merchants: MerchantRegister, database: any Database, keys: OrderGatewayKeys) {
        self.merchants = merchants
        self.database = database
        self.keys = keys
    }

    /// What a partner is handed, with all its applications. Nil where no partner of this id is registered.
    package func keys(of partner: String) async throws -> MerchantOnboarding.Registered? {
        guard let id = try? MerchantID(partner), let owner = try await merchants.partner(id)?.merchant else { return nil }
        let applications = try await database.lookup { tx in try MerchantRecords.applications(of: id, in: tx).map(\.appID) }
        return try await answer(owner, applications)
    }

    func answer(_ merchant: AlipayMerchant, _ ids: [String]) async throws -> MerchantOnboarding.Registered {
        var applications: [MerchantOnboarding.Registered.Application] = []
        for id in ids {
            guard let known = try await merchants.application(id) else { continue }
            let own = try LegacyRSAPrivateKey(
                der: try keys.sealer.open(
                    known.application.sealedGatewayKey, context: MerchantRegister.context(application: id)))
            let isCertificate = known.application.isInCertificateMode
            applications.append(
                .init(
                    appID: id, gatewayKey: StrictBase64.encode(own.publicKey.subjectPublicKeyInfo),
                    applicationCertificate: known.application.certificate,
                    gatewayCertificate: isCertificate ? known.application.gatewayCertificate : nil,
                    rootCertificate: isCertificate ? keys.authority.root.pem : nil,
                    applicationCertificateSN: known.certificates?.application, gatewayCertificateSN: known.certificates?.gateway,
                    rootCertificateSN: known.certificates?.root))
        }
        return MerchantOnboarding.Registered(
            partner: merchant.partner.description, partnerKey: StrictBase64.encode(keys.partners.publicKey.subjectPublicKeyInfo),
            platformKey: StrictBase64.encode(keys.platform.publicKey.subjectPublicKeyInfo), applications: applications)
    }
}
