public import Foundation
public import PaymentCrypto

/// Mastercard's activation data: a signed JSON text that lets a card become active at once
/// (provisioning.md#authentication-value). It covers no nonce.
public struct TokenizationAuthenticationValue: Sendable, Hashable {
    /// A field of the signed text; versions 3 and 4 name them in `includedFieldsInOrder`.
    public enum Field: String, Sendable, Hashable, CaseIterable {
        case accountNumber, accountExpiry, dataValidUntilTimestamp
    }

    /// Which members the JSON has, and how the signed text is put together.
    public enum Form: Sendable, Hashable {
        /// [O]
        case version2(includesExpiration: Bool, includesTokenUniqueReference: Bool)
        /// [O]
        case version3(fields: [Field], validUntil: AuthenticationValueTimestamp)
        /// The signed text as in version 3. [I]
        case version4(keyAlias: String, fields: [Field], validUntil: AuthenticationValueTimestamp)
    }

    /// The card that the value speaks of.
    public struct Card: Sendable, Hashable {
        public var accountNumber: CardNumber
        public var expiration: CardExpiration?
        /// 48 letters; version 2 alone can cover it.
        public var tokenUniqueReference: String?

        public init(accountNumber: CardNumber, expiration: CardExpiration? = nil, tokenUniqueReference: String? = nil) {
            self.accountNumber = accountNumber
            self.expiration = expiration
            self.tokenUniqueReference = tokenUniqueReference
        }
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256. [O]
    public static let algorithmName = "RSA-SHA256"
    /// How long a value should hold: 30 minutes. [O]
    public static let recommendedValidity: TimeInterval = 1_800
    /// The furthest that a timestamp may lie ahead: 30 days. [O]
    public static let maximumValidity: TimeInterval = 30 * 86_400

    public let form: Form
    public let signature: [UInt8]

    /// Signs a card's data. `sign` gets the text, card number included, and returns the signature, RSASSA-PKCS1-v1_5 over its SHA-256.
    ///
    /// Throws `authentication-value-form` when the card lacks what the form covers, `authentication-value-undated`,
    /// `authentication-value-expired`, `authentication-value-too-long`, or `key-unavailable`.
    public init(
        _ form: Form, for card: Card, at instant: Date, sign: (SecretBytes) async throws(PaymentCryptoError) -> [UInt8]
    ) async throws(ApplePayError) {
        try form.checkDates(at: instant)
        let text = try form.signedText(card)
        self.form = form
        do throws(PaymentCryptoError) {
            signature = try await sign(text)
        } catch {
            throw ApplePayError(code: .keyUnavailable, reason: "the key did not sign: \(error.code)")
        }
    }

    /// The same with a key of this process.
    public init(_ form: Form, for card: Card, at instant: Date, signer: some MessageSigner) async throws(ApplePayError) {
        try await self.init(form, for: card, at: instant) { text throws(PaymentCryptoError) in
            try signer.signature(over: text, algorithm: .rsaPKCS1SHA256)
        }
    }

    /// Says whether the issuer's key signed it for this card and it still holds: the network's side.
    ///
    /// Throws `authentication-value-form`, `authentication-value-undated`, `authentication-value-expired`,
    /// `authentication-value-too-long` or `authentication-value-signature`.
    public func verify(for card: Card, publicKey: PublicKey, at instant: Date) throws(ApplePayError) {
        guard publicKey.isValidSignature(signature, over: try form.signedText(card), algorithm: .rsaPKCS1SHA256) else {
            throw ApplePayError(
                code: .authenticationValueSignature, reason: "the signature is not this key's over this card, expiry and order of fields")
        }
        try form.checkDates(at: instant)
    }
}

extension TokenizationAuthenticationValue.Form {
    public var version: String {
        switch self {
        case .version2: "2"
        case .version3: "3"
        case .version4: "4"
        }
    }

    /// Fields and end of versions 3 and 4.
    package var dated: (fields: [TokenizationAuthenticationValue.Field], validUntil: AuthenticationValueTimestamp)? {
        switch self {
        case .version2: nil
        case .version3(let fields, let validUntil), .version4(_, let fields, let validUntil): (fields, validUntil)
        }
    }

    package func checkDates(at instant: Date) throws(ApplePayError) {
        guard let (fields, validUntil) = dated else { return }
        guard fields.contains(.dataValidUntilTimestamp) else {
            throw ApplePayError(code: .authenticationValueUndated, reason: "the timestamp is not among the signed fields")
        }
        guard instant <= validUntil.instant else {
            throw ApplePayError(code: .authenticationValueExpired, reason: "valid until \(validUntil.text)")
        }
        guard validUntil.instant.timeIntervalSince(instant) <= TokenizationAuthenticationValue.maximumValidity else {
            throw ApplePayError(code: .authenticationValueTooLong, reason: "valid until \(validUntil.text), more than 30 days ahead")
        }
    }

    /// The text that is signed, byte for byte.
    package func signedText(_ card: TokenizationAuthenticationValue.Card) throws(ApplePayError) -> SecretBytes {
        switch self {
        case .version2(let withExpiration, let withReference):
            let reference = try withReference ? require(card.tokenUniqueReference, "a token reference") : ""
            let expiration = try withExpiration ? require(card.expiration, "an expiration").compact : ""
            return SecretBytes(joining: [
                card.accountNumber.digits,
                Array("\(withExpiration ? "Y" : "N")\(expiration)\(withReference ? "Y" : "N")\(reference)".utf8),
            ])
        case .version3(let fields, let validUntil), .version4(_, let fields, let validUntil):
            var parts: [any ContiguousBytes] = []
            for field in fields {
                if !parts.isEmpty { parts.append([UInt8(ascii: "|")]) }
                switch field {
                case .accountNumber: parts.append(card.accountNumber.digits)
                case .accountExpiry: parts.append(Array(try require(card.expiration, "an expiration").compact.utf8))
                case .dataValidUntilTimestamp: parts.append(Array(validUntil.text.utf8))
                }
            }
            return SecretBytes(joining: parts)
        }
    }

    private func require<Value>(_ value: Value?, _ name: String) throws(ApplePayError) -> Value {
        guard let value else {
            throw ApplePayError(code: .authenticationValueForm, reason: "the value covers \(name) and the card has none")
        }
        return value
    }
}
