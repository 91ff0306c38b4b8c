import ApplePay
import BillfoldJSON
import BillfoldStorage
import Foundation
import PaymentCrypto

/// What a network alone can read, and what makes a card active at once (provisioning.md#visa-text,
/// provisioning.md#authentication-value).
struct InnerLayer: Sendable {
    var passData: PassData
    /// The bytes of `PKAddPaymentPassRequest.activationData`; `nil` where the network's form is in no public material.
    var activationData: [UInt8]?
    /// In the activation data, where the form has one: kept as a hash, to be matched when the network asks.
    var authenticationCode: AuthenticationCode?
    /// The key that was used, for the trace.
    var key: KeyID?
}

/// A card's data for the moment in which a payload is built.
struct PassDataCard: Sendable {
    let number: CardNumber
    let expiration: CardExpiration
    let name: String

    init(_ card: StoredCard, _ account: CardVault.Account) throws(ApplePayError) {
        number = try CardNumber(account.number)
        expiration = try CardExpiration(slashed: account.expiration)
        name = card.cardholderName
    }
}

/// Makes a network's inner layer.
protocol InnerLayerMaker: Sendable {
    /// Throws `key-unavailable` of the protocol's errors when the key store cannot be asked.
    func make(
        _ card: PassDataCard, _ challenge: ProvisioningChallenge, form: Programme.PayloadForm, at instant: Date,
        using generator: inout some RandomNumberGenerator
    ) async throws -> InnerLayer
}

/// Visa: account and activation data under the issuer's zone key. [O]
struct VisaInnerLayer: InnerLayerMaker {
    let keys: KeyRing<any TripleDESKey>

    func make(
        _ card: PassDataCard, _ challenge: ProvisioningChallenge, form: Programme.PayloadForm, at instant: Date,
        using generator: inout some RandomNumberGenerator
    ) async throws -> InnerLayer {
        let (id, key) = try keys.active
        let keySet = try VisaKeySet(id.description)
        let passData: PassData
        switch form {
        case .fpan: passData = try .fpan(card, challenge)
        case .encryptedFPAN(let digits):
            let account = try await VisaAccountBlock(primaryAccountNumber: card.number, expiration: card.expiration, instant: instant)
                .sealed(keySet: keySet, key: key, using: &generator)
            passData = .encryptedFPAN(
                try EncryptedFPANPassData(
                    primaryAccountNumberPrefix: card.number.prefix(digits), encryptedPrimaryAccountNumber: account.description,
                    name: card.name, challenge: challenge))
        }
        let code = AuthenticationCode(using: &generator)
        let activation = try await VisaActivationBlock(nonce: challenge.nonce, authenticationCode: code)
            .sealed(keySet: keySet, key: key, using: &generator)
        return InnerLayer(
            passData: passData, activationData: Array(activation.description.utf8), authenticationCode: code, key: id)
    }
}

/// Mastercard: the number in clear inside the outer layer, and a signed authentication value that names its key
/// (provisioning.md#authentication-value [O]).
struct MastercardInnerLayer: InnerLayerMaker {
    let keys: KeyRing<any RemoteMessageSigner>

    func make(
        _ card: PassDataCard, _ challenge: ProvisioningChallenge, form: Programme.PayloadForm, at instant: Date,
        using generator: inout some RandomNumberGenerator
    ) async throws -> InnerLayer {
        let (id, key) = try keys.active
        let value = try await TokenizationAuthenticationValue(
            .version4(
                keyAlias: id.description, fields: [.accountNumber, .accountExpiry, .dataValidUntilTimestamp],
                validUntil: AuthenticationValueTimestamp(
                    instant.addingTimeInterval(TokenizationAuthenticationValue.recommendedValidity))),
            for: .init(accountNumber: card.number, expiration: card.expiration), at: instant
        ) { text throws(PaymentCryptoError) in
            try await key.signature(over: text, algorithm: .rsaPKCS1SHA256)
        }
        return InnerLayer(passData: try .fpan(card, challenge), activationData: value.json(), key: id)
    }
}

/// Any other network: the five members and no activation data. Unconfirmed: which members UnionPay and the rest expect is in no public
/// material (provisioning.md#pass-data [I]).
struct UnconfirmedInnerLayer: InnerLayerMaker {
    func make(
        _ card: PassDataCard, _ challenge: ProvisioningChallenge, form: Programme.PayloadForm, at instant: Date,
        using generator: inout some RandomNumberGenerator
    ) async throws -> InnerLayer {
        InnerLayer(passData: try .fpan(card, challenge))
    }
}

extension PassData {
    fileprivate static func fpan(_ card: PassDataCard, _ challenge: ProvisioningChallenge) throws(ApplePayError) -> PassData {
        .fpan(
            try FPANPassData(
                primaryAccountNumber: card.number, expiration: card.expiration, name: card.name, challenge: challenge))
    }
}
