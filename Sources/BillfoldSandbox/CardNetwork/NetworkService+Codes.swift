import ApplePayApp
import BillfoldStorage
import BillfoldTrace
import Foundation
import PassKitSimulator
import PaymentCrypto

extension NetworkService {
    /// Makes a one-time code and has the bank deliver it. The newest code alone is good.
    func sendCode(_ card: String, _ request: PartyRequest) async throws {
        let wish = try request.decode(NetworkWire.CodeWish.self)
        let code = vault.code()
        let expiresAt = surroundings.milliseconds + Self.codeLifetime
        let (token, issuer) = try await surroundings.database.write { transaction in
            let token = try self.token(of: card, in: transaction)
            guard token.state == .inactive else {
                throw SandboxRefusal(code: "token-state", reason: "the token waits for no proof", status: 409)
            }
            guard let method = token.methods.first(where: { $0.identifier == wish.methodIdentifier }), !method.opensApp else {
                throw SandboxRefusal(code: "method-unknown", reason: "no code is delivered by this method", status: 409)
            }
            let id = "\(token.id) \(method.identifier)"
            let earlier = try PartyRecords.find(NetworkCode.self, id, in: transaction)
            guard (earlier?.wrongTries ?? 0) < Self.codeTries else {
                throw SandboxRefusal(
                    code: CodeRefusal.retriesExceeded.rawValue, reason: "too many wrong codes: the method is blocked", status: 409)
            }
            // The other methods' codes end.
            for other in token.methods where other.identifier != method.identifier {
                guard var code = try PartyRecords.find(NetworkCode.self, "\(token.id) \(other.identifier)", in: transaction) else {
                    continue
                }
                code.expiresAt = 0
                try PartyRecords.put(code, in: transaction)
            }
            try PartyRecords.put(
                NetworkCode(id: id, hash: vault.hash("\(id) \(code)"), expiresAt: expiresAt, wrongTries: earlier?.wrongTries ?? 0),
                in: transaction)
            guard let issuer = try PartyRecords.find(NetworkIssuer.self, token.issuer, in: transaction) else {
                throw SandboxError(code: .stateUnusable, reason: "a token names no issuer")
            }
            return (token, issuer)
        }
        struct Delivery: Encodable {
            var requestId: String
            var tokenReference: String
            var methodIdentifier: String
            var code: String
            var expiresAt: Int64
        }
        let answer = try await send(
            "codes", "deliver code",
            Delivery(
                requestId: surroundings.reporter.makeName(), tokenReference: token.id, methodIdentifier: wish.methodIdentifier, code: code,
                expiresAt: expiresAt),
            to: issuer, network: token.network, correlation: token.correlation, fields: [.init("method", wish.methodIdentifier)])
        guard answer.status < 300 else {
            let refusal = PartyRefusal(answer)
            throw SandboxRefusal(
                code: refusal?.code ?? "issuer-unavailable", reason: refusal?.reason ?? "the bank answered \(answer.status)",
                status: answer.status == 409 ? 409 : 502)
        }
    }

    /// Takes a code, or what the bank's app vouches with. A wrong code counts; three block its method.
    func prove(_ card: String, _ request: PartyRequest) async throws -> NetworkWire.ActivationAnswer {
        let proof = try request.decode(NetworkWire.Proof.self)
        switch (proof.code, proof.activationData) {
        case (let code?, nil): return try await prove(card, code: code)
        case (nil, let data?): return try await prove(card, activationData: data)
        default: throw SandboxRefusal(code: CodeRefusal.missing.rawValue, reason: "no code was given", status: 403)
        }
    }

    private func prove(_ card: String, code: String) async throws -> NetworkWire.ActivationAnswer {
        let now = surroundings.milliseconds
        let (event, at) = (surroundings.reporter.makeName(), surroundings.clock.now())
        let outcome = try await surroundings.database.write { transaction -> Result<NetworkWire.ActivationAnswer, SandboxRefusal> in
            let token = try self.token(of: card, in: transaction)
            guard token.state == .inactive else { return .success(.init(activationState: token.activationState)) }
            let sent = try token.methods.compactMap {
                try PartyRecords.find(NetworkCode.self, "\(token.id) \($0.identifier)", in: transaction)
            }
            // The newest is the one whose time ends last.
            guard var newest = sent.max(by: { $0.expiresAt < $1.expiresAt }), !code.isEmpty else { return .failure(Self.refusal(.missing)) }
            guard newest.wrongTries < Self.codeTries else { return .failure(Self.refusal(.retriesExceeded)) }
            guard now <= newest.expiresAt else { return .failure(Self.refusal(.expired)) }
            guard ConstantTime.equal(newest.hash, vault.hash("\(newest.id) \(code)")) else {
                newest.wrongTries += 1
                try PartyRecords.put(newest, in: transaction)
                return .failure(Self.refusal(newest.wrongTries < Self.codeTries ? .wrong : .retriesExceeded))
            }
            try PartyRecords.remove(NetworkCode.self, newest.id, in: transaction)
            let active = try change(token, .activate, reason: nil, event: event, at: at, in: transaction)
            return .success(.init(activationState: active.activationState))
        }
        return try outcome.get()
    }

    /// Mastercard's value vouches; Visa's form needs a nonce that PassKit does not offer here (reference section 8).
    private func prove(_ card: String, activationData: String) async throws -> NetworkWire.ActivationAnswer {
        let (token, account, issuer) = try await surroundings.database.read { transaction in
            let token = try self.token(of: card, in: transaction)
            guard let account = try PartyRecords.find(NetworkAccount.self, token.account, in: transaction),
                let issuer = try PartyRecords.find(NetworkIssuer.self, token.issuer, in: transaction)
            else { throw SandboxError(code: .stateUnusable, reason: "a token names no issuer or account") }
            return (token, account, issuer)
        }
        guard token.network != "visa" else {
            throw SandboxRefusal(code: "activation-data-refused", reason: "Visa's activation data need a nonce", status: 403)
        }
        let layer = NetworkInnerLayer(
            vault: vault, issuer: issuer, secrets: .init(credentials: [:], zoneKeys: [:]),
            now: Date(timeIntervalSince1970: TimeInterval(surroundings.milliseconds) / 1_000))
        let activation = await layer.activation(
            activationData, nonce: "", account: try vault.open(NetworkWire.Account.self, account.sealed, context: account.id),
            network: token.network, tokenReference: token.id)
        guard activation.valid else {
            throw SandboxRefusal(code: "activation-data-refused", reason: "the activation data prove nothing", status: 403)
        }
        let (event, at) = (surroundings.reporter.makeName(), surroundings.clock.now())
        let active = try await surroundings.database.write {
            try change(try self.token(of: card, in: $0), .activate, reason: nil, event: event, at: at, in: $0)
        }
        return .init(activationState: active.activationState)
    }

    private static func refusal(_ reason: CodeRefusal) -> SandboxRefusal {
        SandboxRefusal(code: reason.rawValue, reason: "the code was not taken", status: 403)
    }
}
