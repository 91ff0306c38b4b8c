import ApplePay
import ApplePayApp
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldStorage
import BillfoldTrace
import Foundation
import PassKitSimulator
import PaymentCrypto

/// What the network does: one write for each step, and no call to another party inside it.
struct NetworkService: Sendable {
    static let codeLifetime: Int64 = 10 * 60_000
    /// Wrong entries that block a way of delivery (provisioning.md#one-time-codes [O]).
    static let codeTries = 3

    let surroundings: PartySurroundings
    let vault: NetworkVault
    let connect: @Sendable (_ origin: String) -> any MerchantConnection
    let faults: PartyFaults

    var accountKeyText: String { StrictBase64.encode(vault.accountKey.publicKey.subjectPublicKeyInfo) }

    private var now: Date { Date(timeIntervalSince1970: TimeInterval(surroundings.milliseconds) / 1_000) }

    // MARK: Provisioning

    struct Provisioned: Codable, Sendable {
        var provisioning: String
        var tokenReference: String
    }

    /// Opens the card and keeps the attempt. Asked again with the same question, it gives the same answer.
    func provision(_ request: PartyRequest) async throws -> Provisioned {
        let wish = try request.decode(NetworkWire.Provisioning.self)
        let fingerprint = vault.hash(String(decoding: request.body, as: UTF8.self))
        if let known = try await surroundings.database.read({ try PartyRecords.find(NetworkProvisioning.self, wish.requestId, in: $0) }) {
            return try Self.repeated(known, fingerprint)
        }
        guard let issuer = try await surroundings.database.read({ try PartyRecords.all(NetworkIssuer.self, in: $0) }).first else {
            throw SandboxRefusal(code: "issuer-unknown", reason: "no bank is enrolled")
        }
        let secrets = try vault.open(NetworkIssuer.Secrets.self, issuer.sealedSecrets, context: issuer.id)
        let layer = NetworkInnerLayer(vault: vault, issuer: issuer, secrets: secrets, now: now)
        let (account, isStale) = try await layer.account(wish)
        let suffix = try check(account, wish)
        let proof = await layer.activation(
            wish.activationData, nonce: wish.nonce, account: account, network: wish.network, tokenReference: nil)
        var activation = isStale ? NetworkWire.Activation(present: proof.present, valid: false, problem: "AH") : proof
        note(
            "inner layer opened", correlation: request.correlation,
            fields: [
                .init("network", wish.network), .init("card", Mask.cardNumber(account.primaryAccountNumber)),
                .init(
                    "activation data", activation.valid ? "valid" : activation.present ? "not valid: \(activation.problem ?? "")" : "none"),
            ])

        let index = vault.hash("\(wish.network) \(account.primaryAccountNumber)")
        let fresh = vault.reference(wish.network, isToken: false)
        let sealed = try vault.seal(account, context: fresh)
        let token = vault.reference(wish.network, isToken: true)
        let sealedCode = try activation.authCode.map { try vault.seal($0, context: token) }
        activation.authCode = nil
        let (attempt, told) = (request.attempt, activation)
        return try await surroundings.database.write { transaction in
            if let known = try PartyRecords.find(NetworkProvisioning.self, wish.requestId, in: transaction) {
                return try Self.repeated(known, fingerprint)
            }
            let list = try allowList(in: transaction)
            let entry = NetworkAllowList.Card(network: wish.network, suffix: suffix, secureElement: wish.device.secureElement)
            guard !list.testPhase || list.cards.contains(entry) else {
                throw SandboxRefusal(
                    code: "not-on-allow-list", reason: "the bank is in its test phase, and card and secure element are not on its list")
            }
            var reference = fresh
            if let known = try PartyRecords.find(NetworkAccountIndex.self, index, in: transaction) {
                reference = known.account
            } else {
                try PartyRecords.put(NetworkAccountIndex(id: index, account: fresh), in: transaction)
                try PartyRecords.put(
                    CardNetworkAccount(
                        id: fresh, network: wish.network, issuer: issuer.id, sealed: sealed, suffix: suffix, expiration: account.expiration),
                    in: transaction)
            }
            try PartyRecords.put(
                NetworkProvisioning(
                    id: wish.requestId, fingerprint: fingerprint, network: wish.network, issuer: issuer.id, account: reference,
                    device: wish.device, recommendation: wish.recommendation, activation: told, sealedCode: sealedCode,
                    tokenReference: token, attempt: attempt), in: transaction)
            return Provisioned(provisioning: wish.requestId, tokenReference: token)
        }
    }

    private static func repeated(_ known: NetworkProvisioning, _ fingerprint: String) throws(SandboxRefusal) -> Provisioned {
        guard known.fingerprint == fingerprint else {
            throw SandboxRefusal(code: "request-id-reused", reason: "another card was sent under this name", status: 409)
        }
        return Provisioned(provisioning: known.id, tokenReference: known.tokenReference)
    }

    /// The last digits of a card that the network can take.
    private func check(_ account: NetworkWire.Account, _ wish: NetworkWire.Provisioning) throws(SandboxRefusal) -> String {
        let number: CardNumber
        do throws(ApplePayError) {
            number = try CardNumber(account.primaryAccountNumber)
            _ = try CardExpiration(slashed: account.expiration)
        } catch {
            throw SandboxRefusal(code: error.code.description, reason: error.reason)
        }
        guard number.passesLuhn else { throw SandboxRefusal(code: "card-number-check-digit", reason: "the check digit does not fit") }
        guard BINRange.demo.contains(where: { $0.network == wish.network && account.primaryAccountNumber.hasPrefix($0.prefix) }) else {
            throw SandboxRefusal(code: "bin-not-enabled", reason: "the number is in no range that the bank enabled for \(wish.network)")
        }
        guard wish.suffix == nil || wish.suffix == number.suffix else {
            throw SandboxRefusal(code: "suffix-differs", reason: "the configuration names other last digits than the card has")
        }
        return number.suffix
    }

    // MARK: Decision

    struct Enabled: Codable, Sendable {
        var pass: WalletPass
        var verificationMethods: [VerificationMethod]
    }

    /// Asks the bank, counts the votes, and makes the token unless one vote is red. Refuses with `declined` then, and with
    /// `issuer-unavailable` where the bank gave no answer: nothing is decided, and it can be asked again.
    func enable(_ id: String) async throws -> Enabled {
        guard let provisioning = try await surroundings.database.read({ try PartyRecords.find(NetworkProvisioning.self, id, in: $0) })
        else {
            throw SandboxRefusal(code: "provisioning-unknown", reason: "there is no such provisioning", status: 404)
        }
        if provisioning.colour != nil { return try await enabled(provisioning) }
        if try await surroundings.database.read({ try holder(of: provisioning, in: $0) }) != nil {
            throw SandboxRefusal(code: "already-provisioned", reason: "the secure element holds this card already", status: 409)
        }
        let decision = try await ask(provisioning)
        guard let issuerVote = DecisionColour(rawValue: decision.colour) else {
            throw SandboxRefusal(code: "issuer-unavailable", reason: "the bank answered with no colour", status: 502)
        }
        let votes = [walletVote(provisioning.recommendation), networkVote(provisioning), issuerVote]
        let colour = DecisionColour.decided(by: votes)
        note(
            "votes counted", correlation: correlation(provisioning),
            fields: [
                .init("wallet", votes[0].rawValue), .init("network", votes[1].rawValue),
                .init("issuer", "\(votes[2].rawValue): \(decision.reasons.joined(separator: ", "))"), .init("decision", colour.rawValue),
            ])
        let number = vault.deviceAccountNumber(provisioning.network)
        let sealed = try vault.seal(number, context: provisioning.tokenReference)
        let event = surroundings.reporter.makeName()
        let at = surroundings.clock.now()
        try await surroundings.database.write { transaction in
            guard var known = try PartyRecords.find(NetworkProvisioning.self, id, in: transaction), known.colour == nil else { return }
            known.colour = colour.rawValue
            try PartyRecords.put(known, in: transaction)
            guard colour != .red else { return }
            let token = NetworkToken(
                id: known.tokenReference, account: known.account, network: known.network, issuer: known.issuer, card: known.id,
                device: known.device, state: .inactive, sealedNumber: sealed, deviceAccountSuffix: String(number.suffix(4)),
                // Nobody proves what a person has to decide on (provisioning.md#verification-methods).
                methods: colour == .yellow ? decision.verificationMethods : [], attempt: known.attempt)
            _ = try change(token, .create(active: colour == .green), reason: nil, event: event, at: at, in: transaction)
        }
        return try await enabled(provisioning)
    }

    private func enabled(_ provisioning: NetworkProvisioning) async throws -> Enabled {
        let token = try await surroundings.database.read { transaction in
            try PartyRecords.find(NetworkToken.self, provisioning.tokenReference, in: transaction).map {
                Enabled(pass: try pass(of: $0, in: transaction), verificationMethods: $0.methods)
            }
        }
        guard let token else { throw SandboxRefusal(code: "declined", reason: "the card was declined", status: 403) }
        return token
    }

    /// A token for the same account in the same secure element.
    private func holder(of provisioning: NetworkProvisioning, in transaction: any Transaction) throws -> NetworkToken? {
        try PartyRecords.all(NetworkToken.self, in: transaction).first {
            $0.account == provisioning.account && $0.device.secureElement == provisioning.device.secureElement && $0.state != .deleted
        }
    }

    private func walletVote(_ recommendation: NetworkWire.Recommendation) -> DecisionColour {
        ProvisioningRecommendation(
            outcome: ProvisioningOutcome(rawValue: recommendation.outcome) ?? .declined,
            reasons: recommendation.reasons.compactMap { ProvisioningReason(rawValue: $0) }
        ).colour
    }

    /// Green for valid activation data or low risk (provisioning.md#colours).
    private func networkVote(_ provisioning: NetworkProvisioning) -> DecisionColour {
        if provisioning.activation.present { return provisioning.activation.valid ? .green : .yellow }
        return walletVote(provisioning.recommendation) == .green ? .green : .yellow
    }

    private struct Question: Encodable {
        var requestId: String
        var network: String
        var encryptedAccount: String
        var primaryAccountIdentifier: String
        var tokenReference: String
        var tokenRequestor: String
        var device: NetworkWire.Device
        var recommendation: NetworkWire.Recommendation
        var activation: NetworkWire.Activation
    }

    /// Apple Pay's token requestor ids (provisioning.md#token-requestors [O]).
    private static let tokenRequestors = ["visa": "40010030273", "mastercard": "50110030273"]

    private func ask(_ provisioning: NetworkProvisioning) async throws -> NetworkWire.Decision {
        let found = try await surroundings.database.read { transaction in
            (
                try PartyRecords.find(NetworkIssuer.self, provisioning.issuer, in: transaction),
                try PartyRecords.find(CardNetworkAccount.self, provisioning.account, in: transaction)
            )
        }
        guard let issuer = found.0, let account = found.1 else {
            throw SandboxError(code: .stateUnusable, reason: "a provisioning names no issuer or account")
        }
        // The account was sealed under the reference that it got first.
        let card = try vault.open(NetworkWire.Account.self, account.sealed, context: account.id)
        var activation = provisioning.activation
        activation.authCode = try provisioning.sealedCode.map {
            try vault.open(String.self, $0, context: provisioning.tokenReference)
        }
        let question = Question(
            requestId: provisioning.id, network: provisioning.network,
            encryptedAccount: StrictBase64.encode(
                try HybridEncryption.seal(
                    try JSONDocument.encode(card), to: PublicKey(subjectPublicKeyInfo: StrictBase64.decode(issuer.decisionKey)),
                    info: NetworkWire.accountInfo)),
            primaryAccountIdentifier: account.id, tokenReference: provisioning.tokenReference,
            tokenRequestor: Self.tokenRequestors[provisioning.network] ?? "60110030273", device: provisioning.device,
            recommendation: provisioning.recommendation, activation: activation)
        let answer: HTTPAnswer
        do {
            answer = try await asPlanned("decision", correlation: correlation(provisioning)) {
                try await send(
                    "decisions", title: "decision", body: question, to: issuer, network: provisioning.network,
                    correlation: correlation(provisioning),
                    fields: [
                        .init("card", Mask.cardNumber(card.primaryAccountNumber)), .init("outcome", provisioning.recommendation.outcome),
                        .init("reasons", provisioning.recommendation.reasons.joined(separator: ", ")),
                        .init("device score", String(provisioning.recommendation.deviceScore)),
                        .init("account score", String(provisioning.recommendation.accountScore)),
                        .init(
                            "activation data",
                            provisioning.activation.valid ? "valid" : provisioning.activation.present ? "not valid" : "none"),
                    ])
            }
        } catch let error as SandboxError {
            throw SandboxRefusal(code: "issuer-unavailable", reason: error.reason, status: 502)
        }
        guard answer.status == 200, let decision = try? JSONDecoder().decode(NetworkWire.Decision.self, from: answer.body),
            decision.requestId == provisioning.id
        else { throw SandboxRefusal(code: "issuer-unavailable", reason: "the bank answered \(answer.status)", status: 502) }
        return decision
    }

    /// Asks an issuer under `/network/v1`.
    func send(
        _ path: String, title: String, body: some Encodable, to issuer: NetworkIssuer, network: String, correlation: [String: String],
        fields: [TraceEntry.Field] = []
    ) async throws -> HTTPAnswer {
        let secrets = try vault.open(NetworkIssuer.Secrets.self, issuer.sealedSecrets, context: issuer.id)
        let line = PartyLine(
            from: .network, to: .issuer, connection: connect(issuer.decisionURL), reporter: surroundings.reporter)
        return try await line.ask(
            "POST", "/network/v1/\(path)", title: title, credential: secrets.credentials[network] ?? "", body: body,
            correlation: correlation, fields: fields)
    }

    // MARK: Tokens

    /// Applies a change, keeps it, and lets the issuer know. Nothing happens where the token is so already.
    func change(
        _ token: NetworkToken, _ change: NetworkTokenChange, reason: String?, event: String, at instant: Timestamp,
        in transaction: any Transaction
    ) throws -> NetworkToken {
        guard let next = try change.apply(to: token) else { return token }
        try PartyRecords.put(next, in: transaction)
        let content = NetworkEvent.Content(
            eventId: event, tokenReference: next.id, primaryAccountIdentifier: next.account, kind: change.event.kind,
            code: change.event.code, occurredAt: instant.microseconds / 1_000, sequence: next.sequence, state: next.state,
            suspendedBy: next.suspendedBy, reason: reason, deviceAccountSuffix: next.deviceAccountSuffix, device: next.device)
        try PartyRecords.put(
            NetworkEvent(id: event, issuer: next.issuer, network: next.network, content: content, attempt: next.attempt), due: instant,
            in: transaction)
        return next
    }

    func pass(of token: NetworkToken, in transaction: any Transaction) throws -> WalletPass {
        let metadata = try metadata(in: transaction)
        let account = try PartyRecords.find(CardNetworkAccount.self, token.account, in: transaction)
        return WalletPass(
            serialNumber: token.id, cardID: token.card, primaryAccountIdentifier: token.account,
            primaryAccountNumberSuffix: account?.suffix ?? "", deviceAccountIdentifier: token.id,
            deviceAccountNumberSuffix: token.deviceAccountSuffix, activationState: token.activationState,
            associatedApplicationIdentifiers: metadata.associatedApplicationIdentifiers,
            localizedDescription: metadata.localizedDescription, verificationMethods: token.state == .inactive ? token.methods : nil,
            appLaunchURL: metadata.appLaunchURL)
    }

    func metadata(in transaction: any Transaction) throws -> NetworkMetadata {
        try PartyRecords.find(NetworkMetadata.self, "metadata", in: transaction) ?? .demo
    }

    func allowList(in transaction: any Transaction) throws -> NetworkAllowList {
        try PartyRecords.find(NetworkAllowList.self, "allow-list", in: transaction) ?? NetworkAllowList(testPhase: false, cards: [])
    }

    /// What the secure element holds now; deleted tokens are gone from it.
    func passes(in element: String) async throws -> [WalletPass] {
        try await surroundings.database.read { transaction in
            try PartyRecords.all(NetworkToken.self, in: transaction)
                .filter { $0.device.secureElement == element && $0.state != .deleted }.map { try pass(of: $0, in: transaction) }
        }
    }

    /// The customer removed the pass.
    func remove(_ card: String) async throws {
        let (event, at) = (surroundings.reporter.makeName(), surroundings.clock.now())
        try await surroundings.database.write { transaction in
            let token = try self.token(of: card, in: transaction)
            _ = try change(token, .delete, reason: "Z", event: event, at: at, in: transaction)
        }
    }

    /// A lost device's tokens alone are suspended, by the wallet; found again, the wallet lifts its own suspension
    /// (provisioning.md#lost-devices).
    func setLost(_ element: String, _ isLost: Bool) async throws {
        let at = surroundings.clock.now()
        let prefix = surroundings.reporter.makeName()
        try await surroundings.database.write { transaction in
            let tokens = try PartyRecords.all(NetworkToken.self, in: transaction).filter {
                $0.device.secureElement == element && ($0.state == .active || $0.state == .suspended)
            }
            for (number, token) in tokens.enumerated() {
                _ = try change(
                    token, isLost ? .suspend(by: .tokenRequestor) : .resume(by: .tokenRequestor), reason: isLost ? "L" : "Z",
                    event: "\(prefix)\(number)", at: at, in: transaction)
            }
        }
    }

    func token(of card: String, in transaction: any Transaction) throws -> NetworkToken {
        guard let provisioning = try PartyRecords.find(NetworkProvisioning.self, card, in: transaction),
            let token = try PartyRecords.find(NetworkToken.self, provisioning.tokenReference, in: transaction)
        else { throw SandboxRefusal(code: "token-unknown", reason: "there is no such token", status: 404) }
        return token
    }

    // MARK: Trace

    private func correlation(_ provisioning: NetworkProvisioning) -> [String: String] {
        var ids = [Correlation.token: provisioning.tokenReference]
        if let attempt = provisioning.attempt { ids[Correlation.attempt] = attempt }
        return ids
    }

    private func note(_ title: String, correlation: [String: String], fields: [TraceEntry.Field]) {
        surroundings.reporter.report(.note, from: .network, to: .network, title, correlation: correlation, fields: fields)
    }
}
