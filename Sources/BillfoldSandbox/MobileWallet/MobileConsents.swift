import AlipayPlus
import AlipayPlusValues
import BillfoldStorage
import Crypto
import Foundation
import PaymentCrypto

/// A customer's consent that a merchant debits the wallet: from the request to the tokens, which are kept as hashes.
struct MobileConsent: PartyDocument, Hashable {
    static let kind = "mobile.consent"

    enum State: String, Sendable, Hashable, Codable {
        case asked, granted, active, ended
    }

    /// `authState`, Alipay+'s.
    var id: String
    var client: String
    var clientName: String
    var redirect: String
    var state = State.asked
    var customer: String?
    var codeHash: String?
    var accessHash: String?
    var refreshHash: String?
    /// Milliseconds since 1970.
    var accessEnds: Int64?
    var madeAt: Int64

    static let accessLifetime: Int64 = 365 * 86_400_000

    static func hash(_ secret: String) -> String { Hexadecimal.encode(Data(SHA256.hash(data: Data(secret.utf8)))) }

    /// Whether a token lets the merchant debit this customer now.
    static func allows(_ token: String?, of customer: String?, at now: Int64, in tx: any Transaction) throws -> Bool {
        guard let token else { return false }
        let sent = hash(token)
        return try PartyRecords.all(MobileConsent.self, in: tx).contains {
            $0.state == .active && $0.accessHash == sent && $0.customer == customer && ($0.accessEnds ?? 0) > now
        }
    }
}

extension MobileWalletService {
    /// Takes up a request for a consent, and says where the customer grants it.
    func prepare(_ request: PrepareRequest) async throws -> PrepareAnswer {
        guard let id = request.authState, let redirect = request.authRedirectUrl else { return PrepareAnswer(result: .paramIllegal) }
        let consent = MobileConsent(
            id: id, client: request.authClientId, clientName: request.authClientDisplayName ?? request.authClientName,
            redirect: redirect, madeAt: now)
        try await database.write { tx in
            if try PartyRecords.find(MobileConsent.self, id, in: tx) == nil { try PartyRecords.put(consent, in: tx) }
        }
        return PrepareAnswer(result: .success, normalUrl: "\(address)/consents/\(id)")
    }

    func consent(_ id: String) async throws -> MobileConsent? {
        try await database.read { try PartyRecords.find(MobileConsent.self, id, in: $0) }
    }

    func consents(of customer: String) async throws -> [MobileConsent] {
        try await database.read { try PartyRecords.all(MobileConsent.self, in: $0) }
            .filter { $0.customer == customer && $0.state != .ended }
    }

    /// The customer agrees: Alipay+ is told the code, and the customer goes back. Refuses with `consent-unknown`.
    func grant(_ id: String, by customer: String) async throws -> String {
        let code = surroundings.reporter.makeName()
        let consent = try await change(id) { consent in
            guard consent.state == .asked else { return }
            consent.state = .granted
            consent.customer = customer
            consent.codeHash = MobileConsent.hash(code)
        }
        guard consent.codeHash == MobileConsent.hash(code) else { return consent.redirect }
        let answer = try await line.call(
            AuthNotifyRequest(
                authorizationNotifyType: .authCodeCreated, authClientId: consent.client, authCode: code, authState: id,
                customerId: customer, pspId: profile.pspID), about: [AlipayPlusTrace.authorization: id])
        guard answer.result.isSuccess else {
            throw SandboxRefusal(code: "consent-refused", reason: answer.result.resultCode, status: 422)
        }
        return consent.redirect
    }

    /// The customer takes a consent back, and Alipay+ is told.
    func withdraw(_ id: String, by customer: String) async throws {
        let consent = try await change(id) { consent in
            guard consent.customer == customer else { return }
            consent.state = .ended
        }
        guard consent.customer == customer else { return }
        _ = try await line.call(
            AuthNotifyRequest(
                authorizationNotifyType: .tokenCanceled, authClientId: consent.client, authState: id, customerId: customer,
                pspId: profile.pspID), about: [AlipayPlusTrace.authorization: id])
    }

    /// Gives out tokens for a code or a refresh token. A code that is sent again gets fresh tokens until one of them is used.
    func applyToken(_ request: ApplyTokenRequest) async throws -> ApplyTokenAnswer {
        let isRefresh = request.grantType == .refreshToken
        guard let secret = isRefresh ? request.refreshToken : request.authCode else { return ApplyTokenAnswer(result: .paramIllegal) }
        let (sent, now) = (MobileConsent.hash(secret), now)
        let (access, refresh) = (surroundings.reporter.makeName(), surroundings.reporter.makeName())
        return try await database.write { tx in
            let found = try PartyRecords.all(MobileConsent.self, in: tx).first {
                $0.client == request.authClientId && $0.state != .ended && (isRefresh ? $0.refreshHash : $0.codeHash) == sent
            }
            guard var consent = found else { return ApplyTokenAnswer(result: isRefresh ? .invalidToken : .invalidCode) }
            consent.state = .active
            consent.accessHash = MobileConsent.hash(access)
            consent.refreshHash = MobileConsent.hash(refresh)
            consent.accessEnds = now + MobileConsent.accessLifetime
            if isRefresh { consent.codeHash = nil }
            try PartyRecords.put(consent, in: tx)
            return ApplyTokenAnswer(
                result: .success, accessToken: access,
                accessTokenExpiryTime: AlipayPlusTime(millisecondsSince1970: now + MobileConsent.accessLifetime), refreshToken: refresh,
                refreshTokenExpiryTime: AlipayPlusTime(millisecondsSince1970: now + 2 * MobileConsent.accessLifetime),
                customerId: consent.customer)
        }
    }

    func cancelToken(_ request: CancelTokenRequest) async throws -> PlainAnswer {
        let sent = MobileConsent.hash(request.accessToken)
        return try await database.write { tx in
            if var consent = try PartyRecords.all(MobileConsent.self, in: tx).first(where: { $0.accessHash == sent }) {
                consent.state = .ended
                try PartyRecords.put(consent, in: tx)
            }
            return PlainAnswer(result: .success)
        }
    }

    private func change(_ id: String, _ body: @escaping @Sendable (inout MobileConsent) -> Void) async throws -> MobileConsent {
        try await database.write { tx in
            guard var consent = try PartyRecords.find(MobileConsent.self, id, in: tx) else {
                throw SandboxRefusal(code: "consent-unknown", reason: "nobody asked for this consent", status: 404)
            }
            body(&consent)
            try PartyRecords.put(consent, in: tx)
            return consent
        }
    }
}
