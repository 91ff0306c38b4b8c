import BillfoldStorage
import Foundation
import PaymentCrypto

/// What a bank asks the network (the wire's contract 4).
extension NetworkService {
    private struct Enrolment: StrictBody {
        static let members = ["issuer", "decisionURL", "decisionKey", "credentials", "zoneKeys", "tavKeys"]
        struct ZoneKey: Decodable {
            var id: String
            var key: String
        }
        var issuer: String
        var decisionURL: String
        var decisionKey: String
        var credentials: [String: String]
        var zoneKeys: [ZoneKey]
        var tavKeys: [String]
    }

    struct Enrolled: Encodable {
        var credential: String
        var accountKey: String
    }

    /// Takes a bank's keys and address, in place of those it had, and gives it a credential.
    func enrol(_ request: PartyRequest) async throws -> Enrolled {
        let wish = try request.decode(Enrolment.self)
        var secrets = NetworkIssuer.Secrets(credentials: wish.credentials, zoneKeys: [:])
        do {
            _ = try PublicKey(subjectPublicKeyInfo: StrictBase64.decode(wish.decisionKey))
            for key in wish.tavKeys { _ = try PublicKey(subjectPublicKeyInfo: StrictBase64.decode(key)) }
            for key in wish.zoneKeys {
                let opened = try HybridEncryption.open(
                    StrictBase64.decode(key.key), with: vault.accountKey, info: NetworkWire.zoneKeyInfo)
                guard opened.count == 16 else {
                    throw PaymentCryptoError(code: .invalidParameter, reason: "a zone key has 16 bytes")
                }
                secrets.zoneKeys[key.id] = Hexadecimal.encode(opened)
            }
        } catch let error as PaymentCryptoError {
            throw SandboxRefusal(code: "enrolment-key", reason: error.reason)
        }
        let issuer = NetworkIssuer(
            id: wish.issuer, decisionURL: wish.decisionURL, decisionKey: wish.decisionKey, tavKeys: wish.tavKeys,
            sealedSecrets: try vault.seal(secrets, context: wish.issuer))
        let credential = surroundings.reporter.makeName()
        try await surroundings.database.write { transaction in
            try PartyRecords.put(issuer, in: transaction)
            try PartyCredentials.give(credential, to: issuer.id, in: transaction)
        }
        return Enrolled(credential: credential, accountKey: accountKeyText)
    }

    private struct Action: StrictBody {
        static let members = ["requestId", "action", "reason"]
        enum Kind: String, Decodable { case activate, suspend, resume, delete }
        var requestId: String
        var action: Kind
        var reason: String?
    }

    private struct ActionAnswer: Encodable {
        var tokenReference: String
        var state: NetworkToken.State
        var suspendedBy: [NetworkToken.Suspender]
        var sequence: Int64
    }

    /// Changes a token for its bank, once for each request id. Returns the answer's JSON.
    func act(on reference: String, _ request: PartyRequest) async throws -> String {
        let issuer = try await PartyCredentials.holder(of: request, in: surroundings.database)
        let wish = try request.decode(Action.self)
        return try await once(issuer, request: wish.requestId, fingerprint: "\(reference) \(wish.action.rawValue) \(wish.reason ?? "")") {
            event, at, transaction in
            guard let token = try PartyRecords.find(NetworkToken.self, reference, in: transaction), token.issuer == issuer else {
                throw SandboxRefusal(code: "token-unknown", reason: "there is no such token", status: 404)
            }
            let change: NetworkTokenChange =
                switch wish.action {
                case .activate: .activate
                case .suspend: .suspend(by: .issuer)
                case .resume: .resume(by: .issuer)
                case .delete: .delete
                }
            let next = try self.change(token, change, reason: wish.reason, event: event, at: at, in: transaction)
            return try UnionPayGatewayRecords.json(
                ActionAnswer(tokenReference: next.id, state: next.state, suspendedBy: next.suspendedBy, sequence: next.sequence))
        }
    }

    private struct Replacement: StrictBody {
        static let members = ["requestId", "encryptedAccount"]
        var requestId: String
        var encryptedAccount: String
    }

    /// Puts another number behind an account: its tokens stay, and devices notice nothing.
    func replace(_ account: String, _ request: PartyRequest) async throws -> String {
        let issuer = try await PartyCredentials.holder(of: request, in: surroundings.database)
        let wish = try request.decode(Replacement.self)
        let card = try vault.received(NetworkWire.Account.self, wish.encryptedAccount)
        let sealed = try vault.seal(card, context: account)
        // HPKE makes another text each time: what is sealed says whether the question is the same.
        let fingerprint = vault.hash("\(account) \(card.primaryAccountNumber) \(card.expiration)")
        return try await once(issuer, request: wish.requestId, fingerprint: fingerprint) { event, at, transaction in
            guard var known = try PartyRecords.find(CardNetworkAccount.self, account, in: transaction), known.issuer == issuer else {
                throw SandboxRefusal(code: "account-unknown", reason: "there is no such account", status: 404)
            }
            known.sealed = sealed
            known.suffix = String(card.primaryAccountNumber.suffix(4))
            known.expiration = card.expiration
            try PartyRecords.put(known, in: transaction)
            try PartyRecords.put(
                NetworkAccountIndex(id: vault.hash("\(known.network) \(card.primaryAccountNumber)"), account: account), in: transaction)
            let tokens = try PartyRecords.all(NetworkToken.self, in: transaction).filter { $0.account == account && $0.state != .deleted }
            let updated = try tokens.enumerated().map { number, token in
                try self.change(token, .accountUpdate, reason: nil, event: "\(event)\(number)", at: at, in: transaction)
            }
            return try UnionPayGatewayRecords.json(["tokens": updated.map(BookedToken.init)])
        }
    }

    /// Does something once for each request id of a bank. The same id for another question is refused with `request-id-reused`.
    private func once(
        _ issuer: String, request requestID: String, fingerprint: String,
        _ body: @escaping @Sendable (_ event: String, _ at: Timestamp, _ transaction: any Transaction) throws -> String
    ) async throws -> String {
        let (event, at) = (surroundings.reporter.makeName(), surroundings.clock.now())
        let id = "\(issuer) \(requestID)"
        return try await surroundings.database.write { transaction in
            if let done = try PartyRecords.find(NetworkAction.self, id, in: transaction) {
                guard done.fingerprint == fingerprint else {
                    throw SandboxRefusal(code: "request-id-reused", reason: "something else was asked under this id", status: 409)
                }
                return done.answer
            }
            let answer = try body(event, at, transaction)
            try PartyRecords.put(NetworkAction(id: id, fingerprint: fingerprint, answer: answer), in: transaction)
            return answer
        }
    }

    // MARK: Books

    struct BookedToken: Codable, Sendable, Hashable {
        var tokenReference: String
        var primaryAccountIdentifier: String
        var state: NetworkToken.State
        var suspendedBy: [NetworkToken.Suspender]
        var sequence: Int64
        var deviceAccountSuffix: String
        var secureElement: String

        init(_ token: NetworkToken) {
            tokenReference = token.id
            primaryAccountIdentifier = token.account
            state = token.state
            suspendedBy = token.suspendedBy
            sequence = token.sequence
            deviceAccountSuffix = token.deviceAccountSuffix
            secureElement = token.device.secureElement
        }
    }

    /// The tokens of a bank, or of all.
    func books(of issuer: String?) async throws -> [BookedToken] {
        try await surroundings.database.read { try PartyRecords.all(NetworkToken.self, in: $0) }
            .filter { issuer == nil || $0.issuer == issuer }.map(BookedToken.init)
    }
}
