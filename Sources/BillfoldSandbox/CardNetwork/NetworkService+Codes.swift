import ApplePayApp
import BillfoldStorage
import BillfoldTrace
import Foundation
import PassKitSimulator
import PaymentCrypto

extension NetworkService {
    /// Makes a one-time code and has the bank deliver it. The newest code that the bank took alone is good: one that it refused to deliver
    /// leaves the customer the code in hand.
    func sendCode(_ card: String, _ request: PartyRequest) async throws {
        let wish = try request.decode(NetworkWire.CodeWish.self)
        let code = vault.code()
        let expiresAt = surroundings.milliseconds + Self.codeLifetime
        let now = surroundings.milliseconds
        let (token, issuer) = try await surroundings.database.read { transaction in
            let token = try self.token(of: card, in: transaction)
            guard token.state == .inactive else {
                throw SandboxRefusal(code: "token-state", reason: "the token waits for no proof", status: 409)
            }
            guard let method = token.methods.first(where: { $0.identifier == wish.methodIdentifier }), !method.opensApp else {
                throw SandboxRefusal(code: "method-unknown", reason: "no code is delivered by this method", status: 409)
            }
            let earlier = try PartyRecords.find(NetworkCode.self, NetworkCode.id(token.id, method.identifier), in: transaction)
            guard (earlier?.wrongTries ?? 0) < Self.codeTries, try !guesses(of: token, in: transaction).areExhausted(at: now) else {
                throw SandboxRefusal(
                    code: CodeRefusal.retriesExceeded.rawValue, reason: "too many wrong codes: the method is blocked", status: 409)
            }
            guard let issuer = try PartyRecords.find(NetworkIssuer.self, token.issuer, in: transaction) else {
                throw SandboxError(code: .stateUnusable, reason: "a token names no issuer")
            }
            return (token, issuer)
        }
        try await deliver(code, of: token, by: wish.methodIdentifier, until: expiresAt, to: issuer)
        try await surroundings.database.write { transaction in
            // The other methods' codes end.
            for other in token.methods where other.identifier != wish.methodIdentifier {
                guard var code = try PartyRecords.find(NetworkCode.self, NetworkCode.id(token.id, other.identifier), in: transaction) else {
                    continue
                }
                code.expiresAt = 0
                try PartyRecords.put(code, in: transaction)
            }
            let id = NetworkCode.id(token.id, wish.methodIdentifier)
            let earlier = try PartyRecords.find(NetworkCode.self, id, in: transaction)
            try PartyRecords.put(
                NetworkCode(id: id, hash: vault.hash("\(id) \(code)"), expiresAt: expiresAt, wrongTries: earlier?.wrongTries ?? 0),
                in: transaction)
        }
    }

    /// Returns once the bank has taken the code over.
    private func deliver(
        _ code: String, of token: NetworkToken, by method: String, until expiresAt: Int64, to issuer: NetworkIssuer
    ) async throws {
        struct Delivery: Encodable {
            var requestId: String
            var tokenReference: String
            var methodIdentifier: String
            var code: String
            var expiresAt: Int64
        }
        let answer = try await send(
            "codes", title: "deliver code",
            body: Delivery(
                requestId: surroundings.reporter.makeName(), tokenReference: token.id, methodIdentifier: method, code: code,
                expiresAt: expiresAt),
            to: issuer, network: token.network, correlation: token.correlation, fields: [.init("method", method)])
        guard answer.status < 300 else {
            let refusal = PartyRefusal(answer)
            throw SandboxRefusal(
                code: refusal?.code ?? "issuer-unavailable", reason: refusal?.reason ?? "the bank answered \(answer.status)",
                status: answer.status == 409 ? 409 : 502)
        }
    }

    /// The wrong codes that were tried for a token's account, in whatever device.
    private func guesses(of token: NetworkToken, in transaction: any Transaction) throws -> NetworkGuesses {
        try PartyRecords.find(NetworkGuesses.self, token.account, in: transaction) ?? NetworkGuesses(id: token.account)
    }

    /// Takes a code, or what the bank's app vouches with. A wrong code counts; three block its method, and ``NetworkGuesses/limit`` in a day
    /// block every method of the account, in whatever device.
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
                try PartyRecords.find(NetworkCode.self, NetworkCode.id(token.id, $0.identifier), in: transaction)
            }
            // The newest is the one whose time ends last.
            guard var newest = sent.max(by: { $0.expiresAt < $1.expiresAt }), !code.isEmpty else { return .failure(Self.refusal(.missing)) }
            var guesses = try guesses(of: token, in: transaction)
            guard newest.wrongTries < Self.codeTries, !guesses.areExhausted(at: now) else {
                return .failure(Self.refusal(.retriesExceeded))
            }
            guard now <= newest.expiresAt else { return .failure(Self.refusal(.expired)) }
            guard ConstantTime.equal(newest.hash, vault.hash("\(newest.id) \(code)")) else {
                newest.wrongTries += 1
                guesses.note(at: now)
                try PartyRecords.put(newest, in: transaction)
                try PartyRecords.put(guesses, in: transaction)
                let isBlocked = newest.wrongTries >= Self.codeTries || guesses.areExhausted(at: now)
                return .failure(Self.refusal(isBlocked ? .retriesExceeded : .wrong))
            }
            try PartyRecords.remove(NetworkCode.self, newest.id, in: transaction)
            let active = try change(token, .activate, reason: nil, event: event, at: at, in: transaction)
            return .success(.init(activationState: active.activationState))
        }
        return try outcome.get()
    }

    /// Mastercard's value vouches; Visa's form needs a nonce that PassKit does not offer here (provisioning.md#in-app-verification).
    /// Nothing vouches for a token that a person decides on, nor where the bank offered no way of proof
    /// (provisioning.md#verification-methods).
    private func prove(_ card: String, activationData: String) async throws -> NetworkWire.ActivationAnswer {
        let (token, account, issuer) = try await surroundings.database.read { transaction in
            let token = try self.token(of: card, in: transaction)
            guard let account = try PartyRecords.find(CardNetworkAccount.self, token.account, in: transaction),
                let issuer = try PartyRecords.find(NetworkIssuer.self, token.issuer, in: transaction)
            else { throw SandboxError(code: .stateUnusable, reason: "a token names no issuer or account") }
            return (token, account, issuer)
        }
        guard token.network != "visa" else {
            throw SandboxRefusal(code: "activation-data-refused", reason: "Visa's activation data need a nonce", status: 403)
        }
        try requireProvable(token)
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
            let token = try self.token(of: card, in: $0)
            try requireProvable(token)
            return try change(token, .activate, reason: nil, event: event, at: at, in: $0)
        }
        return .init(activationState: active.activationState)
    }

    private func requireProvable(_ token: NetworkToken) throws(SandboxRefusal) {
        guard token.state != .inactive || !token.methods.isEmpty else {
            throw SandboxRefusal(
                code: "review-required", reason: "the bank decides on this token itself; no proof activates it", status: 403)
        }
    }

    private static func refusal(_ reason: CodeRefusal) -> SandboxRefusal {
        SandboxRefusal(code: reason.rawValue, reason: "the code was not taken", status: 403)
    }
}
