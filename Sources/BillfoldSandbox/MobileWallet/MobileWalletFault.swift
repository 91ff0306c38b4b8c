/// What goes wrong around one payment in a wallet, on purpose.
package enum MobileWalletFault: String, NamedFault {
    /// The first request to collect never arrives.
    case requestLost = "request-lost"
    /// It is noted, and the answer is lost.
    case replyLost = "reply-lost"
    /// The first answer waits a second.
    case replyLate = "reply-late"
    /// The first request arrives twice.
    case requestDoubled = "request-doubled"
    /// One letter of the first answer's signature is wrong.
    case replyCorrupt = "reply-corrupt"
    /// The wallet says U at first, although it knows better.
    case unknownFirst = "unknown-first"
    /// What the customer has confirmed is collected half a minute later.
    case lateSuccess = "late-success"
    /// No notification of it is ever sent.
    case notificationLost = "notification-lost"
    /// Its notification is sent twice.
    case notificationDoubled = "notification-doubled"
    /// The first notification's signature is wrong.
    case notificationCorrupt = "notification-corrupt"

    package static let earlierWords: [String: MobileWalletFault] = ["corrupt-signature": .replyCorrupt]

    /// For the page.
    var title: String {
        switch self {
        case .requestLost: "The request to collect is lost"
        case .replyLost: "It is booked and the answer is lost"
        case .replyLate: "The answer is slow"
        case .requestDoubled: "The request arrives twice"
        case .replyCorrupt: "The answer’s signature is damaged"
        case .unknownFirst: "The wallet says U first, then S"
        case .lateSuccess: "It succeeds half a minute late"
        case .notificationLost: "The notification is lost"
        case .notificationDoubled: "The notification is sent twice"
        case .notificationCorrupt: "The notification’s signature is damaged"
        }
    }

    /// Seconds on the wallet's clock until a late success.
    static let lateSeconds: Int64 = 30
    /// How often the wallet says U although it knows better.
    static let unknownTimes = 2

    /// Draws a fault from a seed and a payment's name; the same two give the same. About half of all payments have none.
    static func drawn(seed: UInt64, for name: String) -> MobileWalletFault? {
        var draw = FaultDraw(seed: seed, for: name)
        return draw.fault()
    }
}
