import BillfoldJSON
public import PaymentCrypto

/// The JSON inside `encryptedPassData`: which members depends on the network's payment data configuration
/// (provisioning.md#pass-data).
public enum PassData: Sendable {
    /// Five members, the card number in clear: Visa's FPAN variant, Mastercard, and Apple's public page. [D] [O]
    case fpan(FPANPassData)
    /// Six members, the card number sealed for Visa. [O]
    case encryptedFPAN(EncryptedFPANPassData)

    public var challenge: ProvisioningChallenge {
        switch self {
        case .fpan(let data): data.challenge
        case .encryptedFPAN(let data): data.challenge
        }
    }

    public var name: String {
        switch self {
        case .fpan(let data): data.name
        case .encryptedFPAN(let data): data.name
        }
    }

    /// The payload's bytes: UTF-8, no byte order mark, members in the order of provisioning.md#pass-data.
    public func json() -> SecretBytes {
        switch self {
        case .fpan(let data): data.json()
        case .encryptedFPAN(let data): data.json()
        }
    }

    /// Reads a payload strictly, as the broker and the network do. Unknown members are refused.
    ///
    /// Throws `malformed-json`, `duplicate-key`, `malformed-pass-data`, `card-number-form`, `expiration-form`,
    /// `cardholder-name-form`, `nonce-length` or `nonce-signature-length`.
    public init(json: SecretBytes) throws(ApplePayError) {
        let object = try ApplePayJSON.readObject(json.reveal(), maximumBytes: 16_384, maximumDepth: 2)
        self =
            object["encryptedPrimaryAccountNumber"] == nil
            ? .fpan(try FPANPassData(object)) : .encryptedFPAN(try EncryptedFPANPassData(object))
    }
}

/// The payload with the card number in clear inside the outer layer.
public struct FPANPassData: Sendable {
    public var primaryAccountNumber: CardNumber
    public var expiration: CardExpiration
    /// How many characters of a cardholder's name Mastercard takes (provisioning.md#pass-data [O]).
    public static let mastercardNameLength = 27

    /// The cardholder as embossed; the doctor warns of one that is longer than ``mastercardNameLength`` in a Mastercard payload.
    public let name: String
    public var challenge: ProvisioningChallenge

    /// Throws `cardholder-name-form` for an empty name or one with control characters.
    public init(
        primaryAccountNumber: CardNumber, expiration: CardExpiration, name: String, challenge: ProvisioningChallenge
    ) throws(ApplePayError) {
        try PassDataField.checkName(name)
        self.primaryAccountNumber = primaryAccountNumber
        self.expiration = expiration
        self.name = name
        self.challenge = challenge
    }

    init(_ object: JSONObject) throws(ApplePayError) {
        try PassDataField.requireKnown(object, ["primaryAccountNumber", "expiration", "name", "nonce", "nonceSignature"])
        try self.init(
            primaryAccountNumber: CardNumber(PassDataField.text(object, "primaryAccountNumber")),
            expiration: CardExpiration(slashed: PassDataField.text(object, "expiration")),
            name: PassDataField.text(object, "name"), challenge: PassDataField.challenge(object))
    }

    func json() -> SecretBytes {
        PassDataField.json(
            secret: ("primaryAccountNumber", primaryAccountNumber.digits),
            then: [("expiration", expiration.slashed), ("name", name)], challenge)
    }
}

/// The payload whose card number only Visa can read.
public struct EncryptedFPANPassData: Sendable {
    /// The first digits in clear: six, or as many as the network configured.
    public let primaryAccountNumberPrefix: String
    /// `MBPAD-…`, ASCII; the payload carries it base64-coded (provisioning.md#visa-text).
    public let encryptedPrimaryAccountNumber: String
    public let networkName: String
    public let name: String
    public var challenge: ProvisioningChallenge

    /// Throws `malformed-pass-data` for a prefix that is not 6 to 8 digits or an empty text, and `cardholder-name-form`.
    public init(
        primaryAccountNumberPrefix: String, encryptedPrimaryAccountNumber: String, networkName: String = "Visa", name: String,
        challenge: ProvisioningChallenge
    ) throws(ApplePayError) {
        guard (6...8).contains(primaryAccountNumberPrefix.utf8.count),
            primaryAccountNumberPrefix.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw PassDataField.refused("primaryAccountNumberPrefix is not 6 to 8 digits") }
        guard !encryptedPrimaryAccountNumber.isEmpty, encryptedPrimaryAccountNumber.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw PassDataField.refused("encryptedPrimaryAccountNumber is no printable ASCII text")
        }
        guard !networkName.isEmpty else { throw PassDataField.refused("networkName is empty") }
        try PassDataField.checkName(name)
        self.primaryAccountNumberPrefix = primaryAccountNumberPrefix
        self.encryptedPrimaryAccountNumber = encryptedPrimaryAccountNumber
        self.networkName = networkName
        self.name = name
        self.challenge = challenge
    }

    init(_ object: JSONObject) throws(ApplePayError) {
        try PassDataField.requireKnown(
            object, ["primaryAccountNumberPrefix", "encryptedPrimaryAccountNumber", "networkName", "name", "nonce", "nonceSignature"])
        let coded = try PassDataField.text(object, "encryptedPrimaryAccountNumber")
        let text = try TokenField.base64(coded, "encryptedPrimaryAccountNumber", code: .malformedPassData)
        try self.init(
            primaryAccountNumberPrefix: PassDataField.text(object, "primaryAccountNumberPrefix"),
            encryptedPrimaryAccountNumber: String(decoding: text, as: UTF8.self), networkName: PassDataField.text(object, "networkName"),
            name: PassDataField.text(object, "name"), challenge: PassDataField.challenge(object))
    }

    func json() -> SecretBytes {
        PassDataField.json(
            secret: ("primaryAccountNumberPrefix", SecretBytes(utf8: primaryAccountNumberPrefix)),
            then: [
                ("encryptedPrimaryAccountNumber", StrictBase64.encode(Array(encryptedPrimaryAccountNumber.utf8))),
                ("networkName", networkName), ("name", name),
            ], challenge)
    }
}
