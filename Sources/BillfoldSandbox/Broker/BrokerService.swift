import ApplePay
import ApplePayApp
import ApplePayForging
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldStorage
import BillfoldTrace
import Crypto
import Foundation
import PassKitSimulator
import PaymentCrypto
import Synchronization

/// What the broker does. It opens the outer layer, checks the challenge, and asks the network; of a card's number it keeps what is
/// sealed for the network alone.
struct BrokerService: Sendable {
    /// How long a nonce is good. Not public. [I]
    static let nonceLifetime: Int64 = 15 * 60_000

    let surroundings: PartySurroundings
    let authority: ProvisioningAuthority
    /// Leads to the network's origin.
    let network: any MerchantConnection

    private var line: PartyLine { PartyLine(from: .broker, to: .network, connection: network, reporter: surroundings.reporter) }

    // MARK: Certificates

    func certificates(for element: String, scheme name: String, account: String) async throws -> BrokerWire.Certificates {
        try check(element)
        guard let scheme = EncryptionScheme(rawValue: name), !account.isEmpty else {
            throw failure(.page, code: "device-malformed", reason: "scheme or account is not what a device has")
        }
        var generator = InjectedGenerator(draw: surroundings.random)
        let challenge = try authority.challenge(secureElement: element, account: account, using: &generator)
        let nonce = BrokerNonce(
            id: Self.name(of: challenge), secureElement: element, account: account, made: surroundings.milliseconds)
        try await surroundings.database.write { try PartyRecords.put(nonce, in: $0) }
        return BrokerWire.Certificates(
            certificates: authority.certificates(scheme: scheme).map { StrictBase64.encode($0) }, nonce: challenge.nonceText,
            nonceSignature: challenge.nonceSignatureText, publicKeyHash: Hexadecimal.encode(try leafHash(scheme)))
    }

    private func leafHash(_ scheme: EncryptionScheme) throws -> [UInt8] {
        switch scheme {
        case .eccV2: return authority.leaf.publicKeyHash
        case .rsaV2:
            guard let leaf = authority.rsaLeaf else { throw failure(.page, code: "scheme-unknown", reason: "there is no RSA leaf") }
            return leaf.publicKeyHash
        }
    }

    // MARK: Cards

    /// Structure, envelope, JSON, challenge, configuration, then the network: in this order (provisioning.md#simulation).
    func add(_ request: PartyRequest, to element: String) async throws -> BrokerWire.Accepted {
        let card: BrokerWire.Card
        do { card = try request.decode(BrokerWire.Card.self) } catch { throw failure(.page, code: error.code, reason: error.reason) }
        let network = try await checkApplication(card, element)
        let passData = try open(card)
        note(
            "pass data opened", correlation: request.correlation,
            fields: [
                .init("configuration", Self.configurationName(passData)), .init("network", network),
                .init("nonce", passData.challenge.nonceText),
            ])
        let fingerprint = Hexadecimal.encode(Data(SHA256.hash(data: Data(request.body))))
        let claim = try await claim(passData.challenge, for: card, on: element, fingerprint: fingerprint, attempt: request.attempt)
        if let answer = claim.nonce.answer { return try accepted(claim.card, answer) }
        try compare(passData, with: card, network)
        let wish: NetworkWire.Provisioning =
            if let wish = claim.nonce.wish { wish } else {
                try await provisioning(passData, for: card, on: element, network: network, claim: claim)
            }
        let answer = try await ask(
            "POST", "/card-network/v1/provisionings", title: "provision", body: wish, correlation: request.correlation,
            fields: [
                .init("network", network), .init("outcome", wish.recommendation.outcome),
                .init("reasons", wish.recommendation.reasons.joined(separator: ", ")),
                .init("device score", String(wish.recommendation.deviceScore)),
                .init("account score", String(wish.recommendation.accountScore)),
                .init("phone number score", String(wish.recommendation.phoneNumberScore)),
            ])
        let refusal = PartyRefusal(answer)
        let (code, reason) = (refusal?.code ?? "network-refused", refusal?.reason ?? "the network answered \(answer.status)")
        guard answer.status < 500 else { throw failure(.page, code: code, reason: reason) }
        var nonce = claim.nonce
        nonce.wish = wish
        nonce.answer = answer.status == 201 ? .accepted : .refused(code: code, reason: reason)
        try await keep(nonce)
        return try accepted(claim.card, nonce.answer)
    }

    private func accepted(_ card: String, _ answer: BrokerNonce.Answer?) throws -> BrokerWire.Accepted {
        if case .refused(let code, let reason)? = answer { throw failure(.invalidCard, code: code, reason: reason) }
        return BrokerWire.Accepted(cardId: card, termsURL: "https://bank.example/terms")
    }

    private func keep(_ nonce: BrokerNonce) async throws {
        try await surroundings.database.write { try PartyRecords.put(nonce, in: $0) }
    }

    private static func configurationName(_ data: PassData) -> String {
        switch data {
        case .fpan: "FPAN"
        case .encryptedFPAN: "encrypted FPAN"
        }
    }

    private func checkApplication(_ card: BrokerWire.Card, _ element: String) async throws -> String {
        try check(element)
        let known = try await surroundings.database.read {
            try PartyRecords.find(BrokerApplication.self, card.bundleIdentifier, in: $0)
        }
        guard let known else {
            throw failure(.page, code: "application-not-allowed", reason: "\(card.bundleIdentifier.prefix(100)) is not on the allow list")
        }
        guard card.adamID == nil || card.adamID == known.adamID else {
            throw failure(.page, code: "adam-id-differs", reason: "the app has another number in the store")
        }
        let configuration = card.configuration
        guard let name = configuration.paymentNetwork, let network = BrokerWire.network(name),
            configuration.cardholderName?.isEmpty == false || configuration.primaryAccountSuffix?.isEmpty == false
        else {
            throw failure(
                .page, code: "configuration-incomplete",
                reason: "the configuration needs a network, and a cardholder's name or the last digits")
        }
        return network
    }

    /// The outer layer.
    private func open(_ card: BrokerWire.Card) throws -> PassData {
        guard let scheme = EncryptionScheme(rawValue: card.encryptionVersion) else {
            throw failure(.page, code: "scheme-unknown", reason: "the encryption version is not known")
        }
        do {
            guard try Hexadecimal.decode(card.publicKeyHash) == leafHash(scheme) else {
                throw failure(.page, code: "leaf-differs", reason: "the pass data were sealed for another leaf")
            }
            let sealed = try StrictBase64.decode(card.encryptedPassData)
            switch (scheme, card.ephemeralPublicKey, card.wrappedKey) {
            case (.eccV2, let point?, nil):
                let opener = PassDataOpener(key: authority.leafKey)
                return try PassData(json: opener.open(encryptedPassData: sealed, ephemeralPublicKey: StrictBase64.decode(point)))
            case (.rsaV2, nil, let wrapped?):
                guard let key = authority.rsaLeafKey else { throw failure(.page, code: "scheme-unknown", reason: "there is no RSA leaf") }
                let opener = RSAPassDataOpener(key: key)
                return try PassData(json: opener.open(encryptedPassData: sealed, wrappedKey: StrictBase64.decode(wrapped)))
            default: throw failure(.page, code: "key-missing", reason: "the scheme's key is missing, or there are two")
            }
        } catch let error as ApplePayError {
            let isSealed = error.code == .decryptionRefused || error.code == .ephemeralPublicKeyForm
            throw failure(isSealed ? .page : .invalidCard, code: error.code.description, reason: error.reason)
        } catch let error as PaymentCryptoError {
            throw failure(.page, code: error.code.description, reason: error.reason)
        }
    }

    /// A nonce and the card that it is used for.
    private struct Claim {
        var nonce: BrokerNonce
        var card: String
    }

    /// Uses the nonce up. The same request again is given the card that the first made, and what is known of it.
    private func claim(
        _ challenge: ProvisioningChallenge, for card: BrokerWire.Card, on element: String, fingerprint: String, attempt: String?
    ) async throws -> Claim {
        guard authority.isValid(challenge, secureElement: element, account: card.appleAccount) else {
            throw failure(
                .invalidCard, code: "challenge-mismatch",
                reason: "the signature over the nonce is not for this nonce, secure element and account")
        }
        let (name, fresh, now) = (Self.name(of: challenge), surroundings.reporter.makeName(), surroundings.milliseconds)
        return try await surroundings.database.write { transaction in
            guard var nonce = try PartyRecords.find(BrokerNonce.self, name, in: transaction) else {
                throw failure(.invalidCard, code: "nonce-unknown", reason: "the nonce was never handed out")
            }
            if let used = nonce.card {
                guard nonce.request == fingerprint else {
                    throw failure(.invalidCard, code: "nonce-used", reason: "the nonce was used before")
                }
                return Claim(nonce: nonce, card: used)
            }
            guard now - nonce.made <= Self.nonceLifetime else {
                throw failure(.invalidCard, code: "nonce-expired", reason: "the nonce is too old")
            }
            nonce.card = fresh
            nonce.request = fingerprint
            try PartyRecords.put(nonce, in: transaction)
            try PartyRecords.put(
                BrokerCard(id: fresh, secureElement: element, account: card.appleAccount, attempt: attempt), in: transaction)
            return Claim(nonce: nonce, card: fresh)
        }
    }

    private func compare(_ data: PassData, with card: BrokerWire.Card, _ network: String) throws {
        switch data {
        case .fpan(let clear):
            guard
                card.configuration.primaryAccountSuffix == nil
                    || card.configuration.primaryAccountSuffix == clear.primaryAccountNumber.suffix
            else {
                throw failure(
                    .invalidCard, code: "suffix-differs", reason: "the configuration names other last digits than the payload has")
            }
        case .encryptedFPAN(let sealed):
            guard BrokerWire.network(sealed.networkName) == network else {
                throw failure(.invalidCard, code: "network-differs", reason: "the configuration names another network than the payload")
            }
        }
    }

    /// What the network is asked. Of two requests at once, the first to get here makes it for both.
    private func provisioning(
        _ data: PassData, for card: BrokerWire.Card, on element: String, network: String, claim: Claim
    ) async throws -> NetworkWire.Provisioning {
        var suffix = card.configuration.primaryAccountSuffix
        var (sealedAccount, visaAccount): (String?, String?)
        switch data {
        case .fpan(let clear):
            suffix = clear.primaryAccountNumber.suffix
            let account = NetworkWire.Account(
                primaryAccountNumber: String(decoding: clear.primaryAccountNumber.digits.reveal(), as: UTF8.self),
                expiration: clear.expiration.slashed)
            sealedAccount = try await seal(account)
        case .encryptedFPAN(let sealed): visaAccount = sealed.encryptedPrimaryAccountNumber
        }
        let (shownSuffix, sealed, visa) = (suffix, sealedAccount, visaAccount)
        return try await assess(
            account: card.appleAccount, element: element, card: (network, suffix ?? ""), cardholder: data.name, nonce: claim.nonce.id
        ) { recommendation in
            NetworkWire.Provisioning(
                requestId: claim.card, network: network, sealedAccount: sealed, visaAccount: visa, suffix: shownSuffix,
                cardholderName: data.name, activationData: card.activationData, nonce: data.challenge.nonceText,
                device: .init(secureElement: element, kind: card.deviceKind, name: card.deviceName), recommendation: recommendation)
        }
    }

    private func seal(_ account: NetworkWire.Account) async throws -> String {
        struct Keys: Decodable { var accountKey: String }
        let answer = try await ask("GET", "/card-network/issuer/v1/keys", title: "account key", correlation: [:])
        guard let keys = try? JSONDecoder().decode(Keys.self, from: answer.body),
            let key = try? PublicKey(subjectPublicKeyInfo: StrictBase64.decode(keys.accountKey))
        else { throw failure(.page, code: "network-refused", reason: "the network gave no account key") }
        return StrictBase64.encode(try HybridEncryption.seal(try JSONDocument.encode(account), to: key, info: NetworkWire.accountInfo))
    }

    /// Notes the attempt with what history makes of it, both once for a nonce.
    private func assess(
        account name: String, element: String, card: (network: String, suffix: String), cardholder: String, nonce id: String,
        _ wish: @escaping @Sendable (NetworkWire.Recommendation) -> NetworkWire.Provisioning
    ) async throws -> NetworkWire.Provisioning {
        let now = surroundings.milliseconds
        let hasSuspended = try await passes(in: element).contains { $0.activationState == .suspended }
        return try await surroundings.database.write { transaction in
            guard var nonce = try PartyRecords.find(BrokerNonce.self, id, in: transaction) else {
                throw failure(.invalidCard, code: "nonce-unknown", reason: "the nonce was never handed out")
            }
            if let known = nonce.wish { return known }
            var device = try PartyRecords.find(BrokerDeviceRecord.self, element, in: transaction) ?? .unseen(element, of: name, at: now)
            device.attempts.append(.init(at: now, card: "\(card.network) \(card.suffix)"))
            try PartyRecords.put(device, in: transaction)
            var account = try PartyRecords.find(BrokerAccount.self, name, in: transaction) ?? .unseen(name, at: now)
            account.putOwnOnFile(card.network, card.suffix, at: now)
            if !account.cardholderNames.contains(cardholder) { account.cardholderNames.append(cardholder) }
            // Judged as it was found: the attempt itself is no activity that speaks for it.
            let scores = BrokerScores(
                account: account, device: device, card: "\(card.network) \(card.suffix)", hasSuspendedTokens: hasSuspended, now: now)
            account.lastActivity = now
            try PartyRecords.put(account, in: transaction)
            let made = wish(try recommendation(scores.recommendation))
            nonce.wish = made
            try PartyRecords.put(nonce, in: transaction)
            return made
        }
    }

    private func recommendation(_ judged: ProvisioningRecommendation?) throws -> NetworkWire.Recommendation {
        guard let judged, let device = judged.deviceScore, let account = judged.accountScore, let phone = judged.phoneNumberScore
        else { throw failure(.page, code: "assessment-failed", reason: "history gives no score") }
        return .init(
            outcome: judged.outcome.rawValue, deviceScore: device.value, accountScore: account.value, phoneNumberScore: phone.value,
            reasons: judged.reasons.map(\.rawValue), panSource: CardNumberSource.mobileBankingApp.rawValue)
    }

    // MARK: Afterwards

    func enable(_ id: String, on element: String, _ request: PartyRequest) async throws -> Data {
        let card = try await card(id, on: element)
        guard let terms = try? request.decode(BrokerWire.Terms.self), terms.termsAccepted else {
            throw failure(.enabling, code: "terms-refused", reason: "the customer did not accept the terms")
        }
        let answer = try await ask(
            "POST", "/card-network/v1/provisionings/\(id)/enable", title: "enable", correlation: correlation(card), failing: .enabling)
        return try body(answer, failing: .enabling)
    }

    func requestCode(_ id: String, on element: String, _ request: PartyRequest) async throws {
        let card = try await card(id, on: element)
        let wish: NetworkWire.CodeWish
        do { wish = try request.decode(NetworkWire.CodeWish.self) } catch { throw failure(.code, code: error.code, reason: error.reason) }
        let answer = try await ask(
            "POST", "/card-network/v1/provisionings/\(id)/codes", title: "code", body: wish, correlation: correlation(card), failing: .code)
        _ = try body(answer, failing: .code)
    }

    func activate(_ id: String, on element: String, _ request: PartyRequest) async throws -> Data {
        let card = try await card(id, on: element)
        let proof: NetworkWire.Proof
        do { proof = try request.decode(NetworkWire.Proof.self) } catch {
            throw failure(.code, code: CodeRefusal.missing.rawValue, reason: error.reason)
        }
        let answer = try await ask(
            "POST", "/card-network/v1/provisionings/\(id)/proof", title: "proof", body: proof, correlation: correlation(card),
            failing: .code)
        return try body(answer, failing: .code)
    }

    func remove(_ id: String, from element: String) async throws {
        let card = try await card(id, on: element)
        let answer = try await ask("DELETE", "/card-network/v1/provisionings/\(id)", title: "remove", correlation: correlation(card))
        _ = try body(answer, failing: .page)
    }

    /// Lost mode: noted in the device's history, and its tokens are suspended until it is found.
    func setLost(_ element: String, _ isLost: Bool) async throws {
        try check(element)
        let now = surroundings.milliseconds
        try await surroundings.database.write { transaction in
            var device = try PartyRecords.find(BrokerDeviceRecord.self, element, in: transaction) ?? .unknown(element, at: now)
            if isLost, device.lostModes.last.map({ $0.end != nil }) ?? true { device.lostModes.append(.init(begin: now)) }
            if !isLost, let last = device.lostModes.indices.last, device.lostModes[last].end == nil { device.lostModes[last].end = now }
            try PartyRecords.put(device, in: transaction)
        }
        let answer = try await ask(
            "POST", "/card-network/v1/secure-elements/\(element)/lost", title: isLost ? "device lost" : "device found",
            body: NetworkWire.LostWish(lost: isLost), correlation: [:])
        _ = try body(answer, failing: .page)
    }

    func passes(in element: String) async throws -> [WalletPass] {
        try check(element)
        // Asked over and over: it would clutter the trace.
        let answer: HTTPAnswer
        do {
            answer = try await network.send(
                HTTPQuestion(method: "GET", path: "/card-network/v1/secure-elements/\(element)/passes", headers: [], body: nil))
        } catch {
            throw failure(.page, code: "network-silent", reason: "the network did not answer")
        }
        guard let passes = try? JSONDecoder().decode(NetworkWire.Passes.self, from: answer.body) else {
            throw failure(.page, code: "network-refused", reason: "the network answered \(answer.status)")
        }
        return passes.passes
    }

    private func check(_ element: String) throws {
        if element.utf8.count == 48, (try? Hexadecimal.decode(element)) != nil { return }
        throw failure(.page, code: "device-malformed", reason: "no secure element has this identifier")
    }

    private func card(_ id: String, on element: String) async throws -> BrokerCard {
        guard let card = try await surroundings.database.read({ try PartyRecords.find(BrokerCard.self, id, in: $0) }),
            card.secureElement == element
        else { throw failure(.unknownCard, code: "card-unknown", reason: "this device posted no such card") }
        return card
    }

    private func ask(
        _ method: String, _ path: String, title: String, body: (some Encodable)? = String?.none, correlation: [String: String],
        fields: [TraceEntry.Field] = [], failing kind: BrokerFailure = .page
    ) async throws -> HTTPAnswer {
        do {
            return try await line.ask(method, path, title: title, body: body, correlation: correlation, fields: fields)
        } catch is SandboxError {
            throw failure(kind, code: "network-silent", reason: "the network did not answer")
        }
    }

    private func body(_ answer: HTTPAnswer, failing kind: BrokerFailure) throws -> Data {
        if answer.status < 300 { return answer.body }
        let refusal = PartyRefusal(answer)
        throw failure(kind, code: refusal?.code ?? "network-refused", reason: refusal?.reason ?? "the network answered \(answer.status)")
    }

    private func correlation(_ card: BrokerCard) -> [String: String] { card.attempt.map { [Correlation.attempt: $0] } ?? [:] }

    private func failure(_ kind: BrokerFailure, code: String, reason: String) -> BrokerFailure.Reasoned {
        .init(failure: kind, code: code, reason: reason)
    }

    private func note(_ title: String, correlation: [String: String], fields: [TraceEntry.Field]) {
        surroundings.reporter.report(.note, from: .broker, to: .broker, title, correlation: correlation, fields: fields)
    }

    private static func name(of challenge: ProvisioningChallenge) -> String { challenge.nonceText + challenge.nonceSignatureText }
}
