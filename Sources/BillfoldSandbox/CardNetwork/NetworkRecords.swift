import BillfoldStorage
import PassKitSimulator

/// A bank that issues cards in this network's schemes.
struct NetworkIssuer: PartyDocument {
    static let kind = "network.issuer"
    /// What is kept sealed.
    struct Secrets: Codable, Sendable {
        /// Scheme to the bearer that this network sends there.
        var credentials: [String: String]
        /// Key-set id to 16 key bytes, hexadecimal.
        var zoneKeys: [String: String]
    }

    var id: String
    var decisionURL: String
    /// SPKI, base64.
    var decisionKey: String
    /// SPKI, base64; the newest last.
    var tavKeys: [String]
    /// ``Secrets``, sealed, base64.
    var sealedSecrets: String
}

/// An account: a real card number behind the reference that everybody else uses for it.
struct CardNetworkAccount: PartyDocument {
    static let kind = "network.account"
    /// The primary account identifier.
    var id: String
    var network: String
    var issuer: String
    /// ``NetworkWire/Account``, sealed, base64.
    var sealed: String
    var suffix: String
    /// `MM/YY`.
    var expiration: String
}

/// Finds an account by its number's keyed hash.
struct NetworkAccountIndex: PartyDocument {
    static let kind = "network.account-index"
    var id: String
    var account: String
}

/// One attempt to provision a card, from the broker's question to the decision.
struct NetworkProvisioning: PartyDocument {
    static let kind = "network.provisioning"
    /// The broker's name for it, which is the card's id on the device too.
    var id: String
    /// Of the broker's question, so that the same name for another card is noticed.
    var fingerprint: String
    var network: String
    var issuer: String
    var account: String
    var device: NetworkWire.Device
    var recommendation: NetworkWire.Recommendation
    /// Without the one-time value, which is in ``sealedCode``.
    var activation: NetworkWire.Activation
    /// Visa's one-time value, sealed, base64.
    var sealedCode: String?
    var tokenReference: String
    var attempt: String?
    /// The decision, once there is one.
    var colour: String?
}

/// A device's number for an account.
struct NetworkToken: PartyDocument {
    static let kind = "network.token"
    enum State: String, Codable, Sendable { case inactive, active, suspended, deleted }
    enum Suspender: String, Codable, Sendable, Comparable {
        case issuer = "ISSUER"
        case tokenRequestor = "TOKEN_REQUESTOR"
        case cardholder = "CARDHOLDER"

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The token's reference.
    var id: String
    var account: String
    var network: String
    var issuer: String
    /// The provisioning's name: `cardId` on the device.
    var card: String
    var device: NetworkWire.Device
    var state: State
    var suspendedBy: [Suspender] = []
    /// How many times it changed: the newest event about it has this number.
    var sequence: Int64 = 0
    /// The number itself, sealed, base64.
    var sealedNumber: String
    var deviceAccountSuffix: String
    var methods: [VerificationMethod]
    var attempt: String?

    var correlation: [String: String] {
        var ids = [Correlation.token: id]
        if let attempt { ids[Correlation.attempt] = attempt }
        return ids
    }

    /// As a device shows it (provisioning.md#pass-metadata).
    var activationState: PKSecureElementPass.PassActivationState {
        switch state {
        case .inactive: .requiresActivation
        case .active: .activated
        case .suspended: .suspended
        case .deleted: .deactivated
        }
    }
}

/// A one-time code for a token and a way of delivery: its keyed hash, never itself.
struct NetworkCode: PartyDocument {
    static let kind = "network.code"
    /// Token and method.
    var id: String
    var hash: String
    /// Milliseconds since 1970.
    var expiresAt: Int64
    var wrongTries = 0

    static func id(_ token: String, _ method: String) -> String { "\(token) \(method)" }
}

/// The wrong one-time codes of an account, whatever its tokens: with a new device comes a new token, and not a new right to guess.
struct NetworkGuesses: PartyDocument {
    static let kind = "network.guesses"
    /// Wrong codes that block an account's methods for the rest of a day. [I]
    static let limit = 9
    /// Milliseconds.
    static let window: Int64 = 24 * 3_600_000

    /// The account.
    var id: String
    /// Milliseconds since 1970, oldest first.
    var wrong: [Int64] = []

    func areExhausted(at now: Int64) -> Bool { wrong.count { $0 > now - Self.window } >= Self.limit }

    mutating func note(at now: Int64) { wrong = wrong.filter { $0 > now - Self.window } + [now] }
}

/// What an issuer asked for, so that asking again changes nothing.
struct NetworkAction: PartyDocument {
    static let kind = "network.action"
    /// Issuer and request id.
    var id: String
    var fingerprint: String
    var answer: String
}

/// News for an issuer that waits to be delivered.
struct NetworkEvent: PartyDocument {
    static let kind = "network.event"
    struct Content: Codable, Sendable {
        var eventId: String
        var tokenReference: String
        var primaryAccountIdentifier: String
        var kind: String
        var code: String
        var occurredAt: Int64
        var sequence: Int64
        var state: NetworkToken.State
        var suspendedBy: [NetworkToken.Suspender]
        var reason: String?
        var deviceAccountSuffix: String
        var device: NetworkWire.Device
    }

    var id: String
    var issuer: String
    var network: String
    var content: Content
    var attempt: String?
    var sends = 0
}

/// What every pass of a bank carries (provisioning.md#pass-metadata).
struct NetworkMetadata: PartyDocument, StrictBody {
    static let kind = "network.metadata"
    static let members = ["associatedApplicationIdentifiers", "associatedStoreIdentifiers", "appLaunchURL", "localizedDescription"]
    var associatedApplicationIdentifiers: [String]
    var associatedStoreIdentifiers: [Int]
    var appLaunchURL: String
    var localizedDescription: String
    var id: String { "metadata" }

    static let demo = NetworkMetadata(
        associatedApplicationIdentifiers: [DemoBankApp.identifier, DemoBankApp.extensionIdentifier],
        associatedStoreIdentifiers: [DemoBankApp.adamID], appLaunchURL: "examplebank://wallet", localizedDescription: "Bank of Examples")
}

/// Which cards may be provisioned into which secure elements while the bank is in its test phase.
struct NetworkAllowList: PartyDocument, StrictBody {
    static let kind = "network.allow-list"
    static let members = ["testPhase", "cards"]
    struct Card: Codable, Sendable, Hashable {
        var network: String
        var suffix: String
        var secureElement: String
    }
    var testPhase: Bool
    var cards: [Card]
    var id: String { "allow-list" }
}
