import Alipay
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldStorage
import Foundation
import PaymentCrypto
import Synchronization

/// The merchants: their rows' versions are read at each request, the rows themselves and their keys once per version.
final class MerchantRegister: Sendable {
    /// A partner with the keys of its messages.
    struct Partner: Sendable {
        var merchant: AlipayMerchant
        var keys: AlipayVerificationKeys
        fileprivate var gateway: [AlipaySignatureAlgorithm: any AlipaySigner]

        /// What the gateway signs with for this partner; `unknown-key` where it has none.
        func signer(_ algorithm: AlipaySignatureAlgorithm) throws -> any AlipaySigner { try MerchantRegister.pick(algorithm, gateway) }
    }

    /// An application with the keys of its messages.
    struct Application: Sendable {
        var merchant: AlipayMerchant
        var application: AlipayApplication
        var keys: AlipayVerificationKeys
        var certificates: Certificates?
        fileprivate var gateway: [AlipaySignatureAlgorithm: any AlipaySigner]

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
    private let keys: GatewayKeys
    private let partners = Mutex<[MerchantID: (version: Int64, value: Partner)]>([:])
    private let applications = Mutex<[String: (versions: [Int64], value: Application)]>([:])
    /// Parsed keys of at most so many merchants are kept.
    private static let capacity = 4_096

    init(database: any Database, keys: GatewayKeys) {
        self.database = database
        self.keys = keys
    }

    func partner(_ id: MerchantID) async throws -> Partner? {
        let known = partners.withLock { $0[id] }
        let row: (value: AlipayMerchant, version: Int64)
        switch try await database.lookup({ try MerchantRecords.merchant(id, unlessVersion: known?.version, in: $0) }) {
        case .absent: return nil
        case .unchanged: return known?.value
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
        partners.withLock { known in
            if known.count >= Self.capacity { known.removeAll() }
            known[id] = (row.version, partner)
        }
        return partner
    }

    func application(_ appID: String) async throws -> Application? {
        let held = applications.withLock { $0[appID] }
        let (application, owner, versions): (AlipayApplication, AlipayMerchant, [Int64])
        switch try await database.lookup({ try MerchantRecords.application(appID, unlessVersions: held?.versions, in: $0) }) {
        case .absent: return nil
        case .unchanged: return held?.value
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
        applications.withLock { all in
            if all.count >= Self.capacity { all.removeAll() }
            all[appID] = (versions, known)
        }
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
