import PassKitSimulator

/// What device and broker say to each other (the wire's contract 6).
enum BrokerWire {
    struct Certificates: Codable, Sendable {
        /// base64 DER, the leaf first.
        var certificates: [String]
        /// Hexadecimal, as the three below.
        var nonce: String
        var nonceSignature: String
        var publicKeyHash: String
    }

    /// What the app's configuration said of the card.
    struct Configuration: Codable, Sendable {
        var cardholderName: String?
        var primaryAccountSuffix: String?
        var primaryAccountIdentifier: String?
        /// PassKit's spelling, such as `ChinaUnionPay`.
        var paymentNetwork: String?
        var localizedDescription: String?
    }

    struct Card: Codable, StrictBody {
        static let members = [
            "encryptedPassData", "activationData", "ephemeralPublicKey", "wrappedKey", "publicKeyHash", "encryptionVersion", "appleAccount",
            "deviceName", "productType", "deviceKind", "configuration", "bundleIdentifier", "adamID",
        ]
        /// base64, as the three below.
        var encryptedPassData: String
        var activationData: String?
        var ephemeralPublicKey: String?
        var wrappedKey: String?
        /// Hexadecimal.
        var publicKeyHash: String
        var encryptionVersion: String
        var appleAccount: String
        var deviceName: String
        var productType: String
        var deviceKind: DeviceKind
        var configuration: Configuration
        /// `TeamID.bundleID`.
        var bundleIdentifier: String
        var adamID: Int?
    }

    struct Accepted: Codable, Sendable {
        var cardId: String
        var termsURL: String
    }

    struct Terms: Codable, StrictBody {
        static let members = ["termsAccepted"]
        var termsAccepted: Bool
    }

    /// The coarse refusal that a device gets.
    struct Refusal: Codable, Sendable {
        var code: Int?
        var message: String
    }

    /// The networks by PassKit's spelling, as the other parties spell them.
    static func network(_ passKitName: String) -> String? {
        ["visa": "visa", "mastercard": "mastercard", "chinaunionpay": "unionPay"][passKitName.lowercased()]
    }
}
