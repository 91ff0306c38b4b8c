/// A nonce that was handed out. It is good once, for the device and account that it was signed for, and for a while.
struct BrokerNonce: PartyDocument {
    static let kind = "broker.nonce"
    /// Nonce and signature, hexadecimal: four bytes alone may repeat.
    var id: String
    var secureElement: String
    var account: String
    /// Milliseconds since 1970.
    var made: Int64
    /// The card that it was used for, and a hash of the whole request: the same request again is a repetition, another a replay.
    var card: String?
    var request: String?
    /// What the network is asked, made once: sealing draws anew, and history counts the attempt.
    var wish: NetworkWire.Provisioning?
    var answer: Answer?

    /// What became of the card. A network that failed or kept silent gave no answer, and is asked again.
    enum Answer: Codable, Sendable {
        case accepted
        case refused(code: String, reason: String)
    }
}

/// A card that a device posted.
struct BrokerCard: PartyDocument {
    static let kind = "broker.card"
    var id: String
    var secureElement: String
    var account: String
    var attempt: String?
}

/// An app that may post cards.
struct BrokerApplication: PartyDocument, StrictBody {
    static let kind = "broker.application"
    static let members = ["bundleIdentifier", "adamID"]
    /// `TeamID.bundleID`.
    var bundleIdentifier: String
    /// The app's number in the store.
    var adamID: Int
    var id: String { bundleIdentifier }
}
