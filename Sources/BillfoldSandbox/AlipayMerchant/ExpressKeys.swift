import Alipay
import ApplePayApp
import BillfoldMoney
import BillfoldTrace
import Foundation
import PaymentCrypto

/// The merchant's own keys: one pair per contract for the legacy gateway, one per application for the open platform.
struct ExpressKeys: Sendable {
    private let keys: PartyKeys

    init(_ keys: PartyKeys) { self.keys = keys }

    /// Signs `RSA` for the legacy gateway.
    func partner(_ account: ExpressAccount) throws -> LegacyRSAPrivateKey { try key("partner-\(account.rawValue)", bits: 1024) }

    /// Signs `RSA2` for the open platform.
    func application(_ account: ExpressAccount) throws -> LegacyRSAPrivateKey { try key("application-\(account.rawValue)", bits: 2048) }

    private func key(_ name: String, bits: Int) throws -> LegacyRSAPrivateKey {
        let pem = try keys.material("\(name).pem") {
            Array(PEMText.Block(label: "PRIVATE KEY", bytes: try LegacyRSAPrivateKey(bits: bits).pkcs8).text.utf8)
        }
        return try LegacyRSAPrivateKey(pem: String(decoding: pem, as: UTF8.self))
    }
}

/// What the gateway's messages to one contract are verified with.
struct OrderGatewayKeySet: Sendable {
    /// Results, notifications and answers of the legacy gateway.
    var partner: AlipayVerificationKeys
    /// The same of the open platform, for the contract's application.
    var application: AlipayVerificationKeys
    /// The keys as texts, for the app.
    var texts: Texts

    struct Texts: Sendable, Codable {
        /// Base64 of the SubjectPublicKeyInfo.
        var partner: String
        var platform: String
        var application: String?
    }

    init(_ texts: Texts) throws {
        self.texts = texts
        let key = try AlipayKeyText.publicKey(texts.partner)
        partner = AlipayVerificationKeys(rsa: key, rsa2: key)
        application = AlipayVerificationKeys(
            rsa: try AlipayKeyText.publicKey(texts.platform), rsa2: try texts.application.map { try AlipayKeyText.publicKey($0) })
    }
}

/// Registers the merchant's contracts at the gateway, once, when they are first needed.
actor OrderGatewayRegistration {
    private struct Wish: Encodable {
        struct Application: Encodable {
            var appID: String
            var rsa2: String
        }
        var partner: String
        var name: String
        var email: String
        var currency: String?
        var notifyOrigins: [String]
        var rsa: String
        var refundPassword: String?
        var applications: [Application]
    }

    private struct Registered: Decodable {
        struct Application: Decodable {
            var appID: String
            var gatewayKey: String
        }
        var partnerKey: String
        var platformKey: String
        var applications: [Application]
    }

    private let keys: ExpressKeys
    private let line: PartyLine
    /// The onboarding key, which merchant and gateway share through the data folder.
    private let credential: String
    private let notifyOrigin: String
    private var known: [ExpressAccount: OrderGatewayKeySet] = [:]

    init(keys: ExpressKeys, line: PartyLine, credential: String, notifyOrigin: String) {
        self.keys = keys
        self.line = line
        self.credential = credential
        self.notifyOrigin = notifyOrigin
    }

    /// Refuses with `gateway-unavailable` while the gateway does not answer. Registering twice is harmless: it is idempotent.
    func keySet(of account: ExpressAccount) async throws -> OrderGatewayKeySet {
        if let known = known[account] { return known }
        let wish = Wish(
            partner: account.partner, name: account.name, email: account.email,
            currency: account == .crossBorder ? account.currency.alphabeticCode : nil, notifyOrigins: [notifyOrigin],
            rsa: StrictBase64.encode(try keys.partner(account).publicKey.subjectPublicKeyInfo), refundPassword: account.refundPassword,
            applications: try account.appID.map {
                [.init(appID: $0, rsa2: StrictBase64.encode(try keys.application(account).publicKey.subjectPublicKeyInfo))]
            } ?? [])
        do {
            let answer = try await line.ask(
                "POST", "/onboarding/v1/merchants", title: "register merchant", credential: credential, body: wish, correlation: [:],
                fields: [.init("partner", account.partner)])
            guard answer.status == 200 else { throw SandboxError(code: .noAnswer, reason: "the gateway answered \(answer.status)") }
            let registered = try JSONDecoder().decode(Registered.self, from: answer.body)
            let set = try OrderGatewayKeySet(
                .init(
                    partner: registered.partnerKey, platform: registered.platformKey, application: registered.applications.first?.gatewayKey
                ))
            known[account] = set
            return set
        } catch {
            throw SandboxRefusal(
                code: "gateway-unavailable", reason: "the gateway does not register the merchant at the moment", status: 503)
        }
    }
}
