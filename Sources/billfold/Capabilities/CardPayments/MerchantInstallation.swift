import ApplePay
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import CardPaymentsServer
import Crypto
import Foundation
import HTTPTypes
import PaymentCrypto
import SwiftASN1
import UnionPay
import X509

/// The merchants that a process serves: those of the merchants' file, or in test mode without one the sandbox's.
///
/// The same code loads both. In test mode what a key store lacks is made and certified by the sandbox parties; in production
/// nothing is made, and what is missing is named and refused.
struct MerchantInstallation {
    static let sandboxMerchant = "two-leaves"
    static let sandboxApplePayIdentifier = "merchant.example.two-leaves"
    /// The sandbox merchant's key store, in the data folder.
    static let sandboxKeys = "keys"

    /// The shop's API key in the sandbox. Whoever comes first, shop or server, makes it.
    static func apiKey(in folder: DataFolder) throws -> Secret<String> { try folder.bearer("api.key") }

    let process: ServingProcess
    let file: MerchantsFile
    /// Whether web merchant sessions come from somewhere, in test mode.
    private let givesSessions: Bool
    /// What relative paths in the file start from.
    private let base: URL

    private var isTest: Bool { process.mode == .test }

    /// Refuses with `configuration-invalid` what the file says wrongly, and production without a file.
    ///
    /// - Parameters:
    ///   - path: The merchants' file.
    ///   - givesSessions: Whether web merchant sessions come from somewhere, in test mode.
    init(_ process: ServingProcess, file path: String?, givesSessions: Bool) throws {
        self.process = process
        self.givesSessions = givesSessions
        file =
            try Self.file(path, in: process.mode)
            ?? MerchantsFile(merchants: [
                .init(
                    id: try BillfoldPayments.MerchantID(Self.sandboxMerchant), applePayIdentifier: Self.sandboxApplePayIdentifier,
                    displayName: "Two Leaves Tea House", domains: ["shop.example"], acquirerID: try UnionPay.MerchantID("777290058110048"),
                    keys: Self.sandboxKeys)
            ])
        base =
            path.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
            ?? URL(fileURLWithPath: process.folder.path, isDirectory: true)
    }

    /// What a merchants' file says; `nil` without one in test mode. Refuses with `configuration-invalid`.
    static func file(_ path: String?, in mode: ServerMode) throws -> MerchantsFile? {
        let file = try path.map { try MerchantsFile(ConfigurationFile.bytes($0)) }
        guard mode == .production else { return file }
        guard let file else { throw CommandFailure.invalid("production needs --merchants FILE") }
        guard file.acquirer != nil else {
            throw CommandFailure.invalid("production needs the field unionPay in the merchants' file")
        }
        return file
    }

    /// Every merchant's keys, tested. In test mode the sandbox's offices answer first.
    func load() async throws -> [MerchantKeys] {
        let (verifier, appResults) = (try await verifier(), try await appResults())
        let policy = try AddressPolicy(mode: process.mode)
        var loaded: [MerchantKeys] = []
        for merchant in file.merchants {
            let store = KeyStore(folder: url(merchant.keys, isDirectory: true), encryption: process.encryption)
            let association = try merchant.domainAssociation.map { try ConfigurationFile.bytes(url($0).path) }
            let keys = MerchantKeys(
                merchant: merchant, store: store, verifier: verifier, appResults: appResults, domainAssociation: association
            ) { [roots = process.outgoingRoots] certificate, key in
                OneShotHTTPSender(
                    policy: policy,
                    tls: try OutgoingTLS(
                        roots: roots, certificates: Array(certificate.utf8), privateKey: Secret(Array(key.reveal().utf8))))
            }
            if isTest { try await SandboxEnrolment(process: process, keys: keys, givesSessions: givesSessions).complete() }
            loaded.append(keys)
        }
        return loaded
    }

    /// Whose tokens are believed: the sandbox's root in test mode, the wallet's own in production.
    func tokenTrust() async throws -> TrustPolicy {
        guard isTest else { return .production }
        return .testAnchors(try ParsedCertificate.all(pem: try await CertificateOfficeClient(process: process).root()))
    }

    var endpoints: CardPaymentsConfiguration.Endpoints {
        let notification = "\(process.addresses[.cardPayments].origin)/unionpay/notify"
        if let acquirer = file.acquirer {
            return .init(
                transaction: acquirer.transaction, query: acquirer.query, file: acquirer.file, notification: notification,
                application: acquirer.application)
        }
        let gateway = "\(process.addresses[.unionPay].origin)/unionpay"
        return .init(
            transaction: "\(gateway)/gateway/api/backTransReq.do", query: "\(gateway)/gateway/api/queryTrans.do",
            file: "\(gateway)/file/", notification: notification, application: "\(gateway)/gateway/api/appTransReq.do")
    }

    private func verifier() async throws -> UnionPayVerifier {
        let text: String
        if let acquirer = file.acquirer {
            text = String(decoding: try ConfigurationFile.bytes(url(acquirer.trust).path), as: UTF8.self)
        } else {
            text = try await UnionPayGatewayRegistration(process: process).certificates()
        }
        guard let certificates = try? PEMDocument.parseMultiple(pemString: text).map({ try Certificate(pemDocument: $0) }) else {
            throw CommandFailure(.refused, code: "trust-unusable", reason: "UnionPay's certificates cannot be read as PEM")
        }
        let anchors = certificates.filter { $0.issuer == $0.subject }
        guard !anchors.isEmpty else {
            throw CommandFailure(.refused, code: "trust-unusable", reason: "UnionPay's certificates hold no root")
        }
        return UnionPayVerifier(
            .certificates(UnionPayTrust(anchors: anchors, intermediates: certificates.filter { $0.issuer != $0.subject })))
    }

    /// The keys of what UnionPay's own client signs: the sandbox's in test mode, those of the file otherwise, where it names some.
    private func appResults() async throws -> LegacyAppResultSHA1Verifier? {
        let text: String
        if let acquirer = file.acquirer {
            guard let path = acquirer.appResults else { return nil }
            text = String(decoding: try ConfigurationFile.bytes(url(path).path), as: UTF8.self)
        } else {
            text = try await UnionPayGatewayRegistration(process: process).resultKey()
        }
        guard let found = try? PEMDocument.parseMultiple(pemString: text).map({ try Certificate(pemDocument: $0) }), !found.isEmpty else {
            throw CommandFailure(.refused, code: "trust-unusable", reason: "the certificates of UnionPay's client cannot be read as PEM")
        }
        return LegacyAppResultSHA1Verifier(certificates: found)
    }

    private func url(_ path: String, isDirectory: Bool = false) -> URL {
        URL(fileURLWithPath: path, isDirectory: isDirectory, relativeTo: base)
    }
}
