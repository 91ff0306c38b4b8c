package import ApplePay
package import ApplePayForging

/// What the simulated wallet is told to do from the next token on, on every phone (apple-pay.md#simulation).
///
/// As JSON every key may be left out; an unknown key is refused. The knobs that are made without arguments make genuine tokens.
package struct WalletKnobs: Sendable, Hashable, Codable {
    /// What the token is bound to by its `applicationData`.
    package enum Binding: String, Sendable, Hashable, Codable, CaseIterable {
        case order
        case otherOrder = "other-order"
        case none
    }

    /// The payload's `paymentDataType`.
    package enum DataKind: String, Sendable, Hashable, Codable, CaseIterable {
        case emv = "EMV"
        case threeDSecure = "3DSecure"
    }

    package var tokenFlaws: Set<TokenFlaw> = []
    /// What is wrong with the certificates behind the signature.
    package var chainFlaws: Set<ChainFlaw> = []
    /// The chain ends at a root that nobody pinned, and the token carries that root.
    package var foreignRoot = false
    /// Added to the signing time: negative for stale tokens, positive for tokens from the future. At most a year either way.
    package var signingTimeOffsetSeconds = 0
    /// Nil lets the flaws, or else the merchant's active certificates decide.
    package var version: PaymentToken.Version?
    /// Hands over the last token again; without an earlier one a new one is made.
    package var replaysLastToken = false
    package var applicationData = Binding.order
    /// Minor units that the amount inside the token is off by.
    package var amountOffset: Int64 = 0
    /// ISO 4217 numeric, inside the token; nil for the sheet's own.
    package var currencyCode: String?
    /// Adds a merchant token identifier, as recurring payments carry.
    package var merchantToken = false
    /// Nil lets the card's scheme decide: EMV for China UnionPay, 3-D Secure for the others.
    package var paymentData: DataKind?
    /// Nil seals the PIN where the issuer asked for it; otherwise EMV data has a PIN block, or has none.
    package var pinBlock: Bool?
    /// Encrypts to another merchant's certificate from the same office.
    package var otherMerchantKey = false
    /// Derives keys for another identifier, as an app with the wrong entitlement does. EC_v1 only.
    package var derivedForMerchantIdentifier: String?

    package init() {}

    /// The version that the knobs ask for or need; nil leaves it to the certificates.
    package var tokenVersion: PaymentToken.Version? { version ?? neededVersions.first }

    private var neededVersions: Set<PaymentToken.Version> {
        var needed = Set(tokenFlaws.compactMap(\.onlyVersion))
        if otherMerchantKey || derivedForMerchantIdentifier != nil { needed.insert(.ecV1) }
        return needed
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case tokenFlaws, chainFlaws, foreignRoot, signingTimeOffsetSeconds, version, replaysLastToken, applicationData, amountOffset
        case currencyCode, merchantToken, paymentData, pinBlock, otherMerchantKey, derivedForMerchantIdentifier
    }

    package init(from decoder: any Decoder) throws {
        func refusal(_ reason: String) -> DecodingError {
            .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
        }
        try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.stringValue), of: "the wallet's setting")
        let container = try decoder.container(keyedBy: CodingKeys.self)
        tokenFlaws = try container.decodeIfPresent(Set<TokenFlaw>.self, forKey: .tokenFlaws) ?? []
        chainFlaws = try container.decodeIfPresent(Set<ChainFlaw>.self, forKey: .chainFlaws) ?? []
        foreignRoot = try container.decodeIfPresent(Bool.self, forKey: .foreignRoot) ?? false
        signingTimeOffsetSeconds = try container.decodeIfPresent(Int.self, forKey: .signingTimeOffsetSeconds) ?? 0
        version = try container.decodeIfPresent(PaymentToken.Version.self, forKey: .version)
        replaysLastToken = try container.decodeIfPresent(Bool.self, forKey: .replaysLastToken) ?? false
        applicationData = try container.decodeIfPresent(Binding.self, forKey: .applicationData) ?? .order
        amountOffset = try container.decodeIfPresent(Int64.self, forKey: .amountOffset) ?? 0
        currencyCode = try container.decodeIfPresent(String.self, forKey: .currencyCode)
        merchantToken = try container.decodeIfPresent(Bool.self, forKey: .merchantToken) ?? false
        paymentData = try container.decodeIfPresent(DataKind.self, forKey: .paymentData)
        pinBlock = try container.decodeIfPresent(Bool.self, forKey: .pinBlock)
        otherMerchantKey = try container.decodeIfPresent(Bool.self, forKey: .otherMerchantKey) ?? false
        derivedForMerchantIdentifier = try container.decodeIfPresent(String.self, forKey: .derivedForMerchantIdentifier)
        guard (-31_536_000...31_536_000).contains(signingTimeOffsetSeconds), (-1_000_000...1_000_000).contains(amountOffset) else {
            throw refusal("an offset of the wallet's setting is out of its range")
        }
        guard currencyCode.map({ $0.utf8.count == 3 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) ?? true else {
            throw refusal("a currency code inside a token has three digits")
        }
        guard derivedForMerchantIdentifier.map({ (1...255).contains($0.utf8.count) }) ?? true else {
            throw refusal("a merchant identifier has 1 to 255 bytes")
        }
        guard neededVersions.union(version.map { [$0] } ?? []).count < 2 else {
            throw refusal("the setting needs tokens of two versions at once")
        }
    }

    /// Writes every key, with null where nothing is said, and the flaws in alphabetical order.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(tokenFlaws.sorted { $0.rawValue < $1.rawValue }, forKey: .tokenFlaws)
        try container.encode(chainFlaws.sorted { $0.rawValue < $1.rawValue }, forKey: .chainFlaws)
        try container.encode(foreignRoot, forKey: .foreignRoot)
        try container.encode(signingTimeOffsetSeconds, forKey: .signingTimeOffsetSeconds)
        try container.encode(version, forKey: .version)
        try container.encode(replaysLastToken, forKey: .replaysLastToken)
        try container.encode(applicationData, forKey: .applicationData)
        try container.encode(amountOffset, forKey: .amountOffset)
        try container.encode(currencyCode, forKey: .currencyCode)
        try container.encode(merchantToken, forKey: .merchantToken)
        try container.encode(paymentData, forKey: .paymentData)
        try container.encode(pinBlock, forKey: .pinBlock)
        try container.encode(otherMerchantKey, forKey: .otherMerchantKey)
        try container.encode(derivedForMerchantIdentifier, forKey: .derivedForMerchantIdentifier)
    }
}
