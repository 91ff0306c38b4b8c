import Alipay
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldStorage
import Foundation
import PaymentCrypto

/// The merchants: their rows are read and their keys parsed once per version. Where other processes share the store, the versions are read at
/// each request; where none does, again after each change by this one.
final class MerchantRegister: Sendable {
    /// A partner with the keys of its messages.
    ///
    /// A class, as an application is: each request holds one over many steps.
    final class Partner: Sendable {
        let merchant: AlipayMerchant
        let keys: AlipayVerificationKeys
        private let gateway: [AlipaySignatureAlgorithm: any AlipaySigner]

        fileprivate init(
            merchant: AlipayMerchant, keys: AlipayVerificationKeys, gateway: [AlipaySignatureAlgorithm: any AlipaySigner]
        ) {
            (self.merchant, self.keys, self.gateway) = (merchant, keys, gateway)
        }

        /// What the gateway signs with for this partner; `unknown-key` where it has none.
        func signer(_ algorithm: AlipaySignatureAlgorithm) throws -> any AlipaySigner { try MerchantRegister.pick(algorithm, gateway) }
    }

    /// An application with the keys of its messages.
    final class Application: Sendable {
        let merchant: AlipayMerchant
        let application: AlipayApplication
        let keys: AlipayVerificationKeys
        let certificates: Certificates?
        private let gateway: [AlipaySignatureAlgorithm: any AlipaySigner]

        fileprivate init(
            merchant: AlipayMerchant, application: AlipayApplication, keys: AlipayVerificationKeys, certificates: Certificates?,
            gateway: [AlipaySignatureAlgorithm: any AlipaySigner]
        ) {
            (self.merchant, self.application, self.keys) = (merchant, application, keys)
            (self.certificates, self.gateway) = (certificates, gateway)
        }

        func signer(_ algorithm: AlipaySignatureAlgorithm) throws -> any AlipaySigner { try MerchantRegister.pick(algorithm, gateway) }

        /// Serial numbers of certificate mode.
        struct Certificates: Sendable {
            var application: String
            /// The last instant of the application's certificate.
            var applicationEnd: Timestamp
            var gateway: String
            var root: String
        }
    }

    private let database: any Database
    private let keys: OrderGatewayKeys
    private let partners: VersionedRows<MerchantID, Int64, Partner>
    private let applications: VersionedRows<String, [Int64], Application>
    private let changes = RowChanges()

    /// - Parameter makesAllChanges: Whether this process changes merchants by ``change(_:)`` of this register alone.
    init(database: any Database, keys: OrderGatewayKeys, makesAllChanges: Bool = true) {
        self.database = database
        self.keys = keys
        let known = database.isShared || !makesAllChanges ? nil : changes
        partners = VersionedRows(changes: known)
        applications = VersionedRows(changes: known)
    }

    /// Runs a write of merchants or applications: without it, nobody would read them again.
    func change<Result>(_ write: () async throws -> Result) async rethrows -> Result {
        changes.begin()
        defer { changes.end() }
        return try await write()
    }

    func partner(_ id: MerchantID) async throws -> Partner? {
        let known = partners.look(for: id)
        if let value = known.current { return value }
        let row: (value: AlipayMerchant, version: Int64)
        switch try await database.lookup({ try MerchantRecords.merchant(id, unlessVersion: known.version, in: $0) }) {
        case .absent: return nil
        case .unchanged: return partners.confirm(known, for: id)
        case .changed(let found): row = found
        }
        let md5 = try row.value.sealedMD5.map { sealed in
            Secret(String(decoding: try keys.sealer.open(sealed, context: Self.context(md5: id)), as: UTF8.self))
        }
        var signers: [AlipaySignatureAlgorithm: any AlipaySigner] = [
            .rsa: try keys.signer(.rsa, keys.partners), .rsa2: try keys.signer(.rsa2, keys.partners),
        ]
        if let md5 { signers[.md5] = AlipayMD5Signer(key: md5) }
        let partner = Partner(
            merchant: row.value,
            keys: AlipayVerificationKeys(rsa: try Self.key(row.value.rsa), rsa2: try Self.key(row.value.rsa2), md5: md5), gateway: signers)
        partners.keep(partner, row.version, seen: known, for: id)
        return partner
    }

    func application(_ appID: String) async throws -> Application? {
        let held = applications.look(for: appID)
        if let value = held.current { return value }
        let (application, owner, versions): (AlipayApplication, AlipayMerchant, [Int64])
        switch try await database.lookup({ try MerchantRecords.application(appID, unlessVersions: held.version, in: $0) }) {
        case .absent: return nil
        case .unchanged: return applications.confirm(held, for: appID)
        case .changed(let found): (application, owner, versions) = found
        }
        let own = try LegacyRSAPrivateKey(
            der: try keys.sealer.open(application.sealedGatewayKey, context: Self.context(application: appID)))
        var certificates: Application.Certificates?
        if let mine = application.certificate, let ours = application.gatewayCertificate {
            certificates = .init(
                application: try AlipayCertificateSerial(pem: mine).description,
                applicationEnd: Timestamp(secondsSince1970: Int64(try ParsedCertificate(pem: mine).notAfter.timeIntervalSince1970)),
                gateway: try AlipayCertificateSerial(pem: ours).description,
                root: try AlipayCertificateSerial(rootBundle: keys.authority.root.pem).description)
        }
        let known = Application(
            merchant: owner, application: application,
            keys: AlipayVerificationKeys(rsa: try Self.key(application.rsa), rsa2: try Self.key(application.rsa2)),
            certificates: certificates,
            gateway: [.rsa: try keys.signer(.rsa, keys.platform), .rsa2: try keys.signer(.rsa2, own)])
        applications.keep(known, versions, seen: held, for: appID)
        return known
    }

    static func context(md5 partner: MerchantID) -> [UInt8] { Array("alipay-md5 \(partner)".utf8) }
    static func context(application appID: String) -> [UInt8] { Array("alipay-application \(appID)".utf8) }

    private static func key(_ der: [UInt8]?) throws -> LegacyRSAPublicKey? {
        try der.map { try LegacyRSAPublicKey(subjectPublicKeyInfo: $0) }
    }

    private static func pick(
        _ algorithm: AlipaySignatureAlgorithm, _ signers: [AlipaySignatureAlgorithm: any AlipaySigner]
    ) throws -> any AlipaySigner {
        guard let signer = signers[algorithm] else {
            throw AlipayError(code: .unknownKey, reason: "no \(algorithm.rawValue) key is registered")
        }
        return signer
    }
}
