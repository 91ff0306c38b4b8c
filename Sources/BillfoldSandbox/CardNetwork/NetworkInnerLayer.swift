import ApplePay
import BillfoldDiagnosis
import Foundation
import PaymentCrypto

/// Opens the inner layer and judges activation data (provisioning.md#visa-text, provisioning.md#authentication-value).
struct NetworkInnerLayer: Sendable {
    /// How old an issuer's account data may be. Which limit Visa has is not public. [I]
    static let accountDataAge: TimeInterval = 15 * 60

    let vault: NetworkVault
    let issuer: NetworkIssuer
    let secrets: NetworkIssuer.Secrets
    let now: Date

    /// The real card. `isStale` where the issuer's data are older than they may be.
    func account(_ wish: NetworkWire.Provisioning) async throws(SandboxRefusal) -> (account: NetworkWire.Account, isStale: Bool) {
        switch (wish.sealedAccount, wish.visaAccount) {
        case (let sealed?, nil): return (try vault.received(NetworkWire.Account.self, sealed), false)
        case (nil, let text?):
            guard wish.network == "visa" else {
                throw SandboxRefusal(code: "network-differs", reason: "only Visa reads account data of this form")
            }
            do {
                let text = try VisaWireText(text, due: .account)
                let block = try await VisaAccountBlock(opening: text, key: zoneKey(text.keySet))
                let account = NetworkWire.Account(
                    primaryAccountNumber: String(decoding: block.primaryAccountNumber.digits.reveal(), as: UTF8.self),
                    expiration: block.expiration.slashed)
                return (account, abs(now.timeIntervalSince(block.instant)) > Self.accountDataAge)
            } catch let error as ApplePayError {
                throw SandboxRefusal(code: error.code.description, reason: error.reason)
            } catch let refusal as SandboxRefusal {
                throw refusal
            } catch {
                throw SandboxRefusal(code: "key-unavailable", reason: "the zone key cannot be used")
            }
        default: throw SandboxRefusal(code: "body-malformed", reason: "one of sealedAccount and visaAccount is due", status: 400)
        }
    }

    /// What activation data prove. Data that do not fit are no reason to refuse the card: they prove nothing.
    func activation(_ data: String?, nonce: String, account: NetworkWire.Account, network: String, tokenReference: String?) async
        -> NetworkWire.Activation
    {
        guard let data else { return .init(present: false, valid: false) }
        do {
            let bytes = try StrictBase64.decode(data)
            if network == "visa" {
                let text = try VisaWireText(String(decoding: bytes, as: UTF8.self), due: .activation)
                let block = try await VisaActivationBlock(opening: text, key: zoneKey(text.keySet))
                let code = String(decoding: block.authenticationCode.text.reveal(), as: UTF8.self)
                let isMeant = block.names(try Hexadecimal.decode(nonce))
                return .init(present: true, valid: isMeant, authCode: code, problem: isMeant ? nil : "AI")
            }
            let value = try TokenizationAuthenticationValue(json: bytes)
            let card = TokenizationAuthenticationValue.Card(
                accountNumber: try CardNumber(account.primaryAccountNumber), expiration: try CardExpiration(slashed: account.expiration),
                tokenUniqueReference: tokenReference)
            return verified(value, card)
        } catch {
            return .init(present: true, valid: false, problem: "AI")
        }
    }

    private func verified(_ value: TokenizationAuthenticationValue, _ card: TokenizationAuthenticationValue.Card) -> NetworkWire.Activation
    {
        var problem = "AI"
        for text in issuer.tavKeys {
            do {
                let key = try PublicKey(subjectPublicKeyInfo: StrictBase64.decode(text))
                try value.verify(for: card, publicKey: key, at: now)
                return .init(present: true, valid: true)
            } catch let error as ApplePayError where error.code == .authenticationValueExpired {
                problem = "AH"
            } catch {
                continue
            }
        }
        return .init(present: true, valid: false, problem: problem)
    }

    private func zoneKey(_ set: VisaKeySet) throws -> any TripleDESDecryptionKey {
        guard let text = secrets.zoneKeys[set.id] else {
            throw SandboxRefusal(code: "key-set-unknown", reason: "no zone key is registered for key set \(set.id)")
        }
        return try vault.makeTripleDESKey(Hexadecimal.decode(text))
    }
}
