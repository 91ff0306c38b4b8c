import PassKitSimulator

/// What broker and network say to each other. Both are the sandbox's own.
enum NetworkWire {
    /// What the HPKE-sealed texts are for; the opener must say the same.
    static let accountInfo = "billfold network account"
    static let zoneKeyInfo = "billfold zone key"

    /// The opened pass data on its way to the network: what was in clear for the broker is sealed again.
    struct Provisioning: Codable, StrictBody {
        static let members = [
            "requestId", "network", "sealedAccount", "visaAccount", "suffix", "cardholderName", "activationData", "nonce", "device",
            "recommendation",
        ]
        /// The attempt's name at the broker; asked again under it, the network gives the same answer.
        var requestId: String
        var network: String
        /// HPKE to the network's account key over ``Account``.
        var sealedAccount: String?
        /// `MBPAD-…` as the issuer made it.
        var visaAccount: String?
        /// The last digits that the app's configuration named, where it named any.
        var suffix: String?
        var cardholderName: String
        /// base64.
        var activationData: String?
        /// Lower-case hexadecimal.
        var nonce: String
        var device: Device
        var recommendation: Recommendation
    }

    struct Account: Codable, Sendable {
        var primaryAccountNumber: String
        /// `MM/YY`.
        var expiration: String
    }

    struct Device: Codable, Sendable, Hashable {
        var secureElement: String
        var kind: DeviceKind
        var name: String
    }

    struct Recommendation: Codable, Sendable, Hashable {
        var outcome: String
        var deviceScore: Int
        var accountScore: Int
        var phoneNumberScore: Int
        var reasons: [String]
        var panSource: String
    }

    /// What the network told of the card's activation data; part of the question to the issuer.
    struct Activation: Codable, Sendable, Hashable {
        var present: Bool
        var valid: Bool
        /// Visa's one-time value, for the issuer to match.
        var authCode: String?
        /// `AH` issuer data expired, `AI` another user or device than intended.
        var problem: String?
    }

    struct CodeWish: Codable, StrictBody {
        static let members = ["methodIdentifier"]
        var methodIdentifier: String
    }

    struct Proof: Codable, StrictBody {
        static let members = ["code", "activationData"]
        var code: String?
        var activationData: String?
    }

    struct LostWish: Codable, StrictBody {
        static let members = ["lost"]
        var lost: Bool
    }

    struct ActivationAnswer: Codable, Sendable { var activationState: PKSecureElementPass.PassActivationState }

    struct Passes: Codable, Sendable { var passes: [WalletPass] }

    /// What the issuer answers to the question whether a card may be added.
    struct Decision: Codable, Sendable {
        var requestId: String
        var decision: String
        var colour: String
        var reasons: [String]
        var verificationMethods: [VerificationMethod]
    }
}
