/// What goes wrong with the messages of one order of somebody's own, on purpose. The words are those of every party.
package enum OrderFault: String, NamedFault {
    /// A request about the order never arrives: nothing is done, and there is no answer.
    case requestLost = "request-lost"
    /// It is answered with 503 and not done.
    case requestRefused = "request-refused"
    /// It is done, and the answer is lost.
    case replyLost = "reply-lost"
    /// It is done, and the answer waits.
    case replyLate = "reply-late"
    /// One letter of the answer's signature is wrong.
    case replyCorrupt = "reply-corrupt"
    /// The answer comes without its signature.
    case replyUnsigned = "reply-unsigned"
    /// A notification never arrives.
    case notificationLost = "notification-lost"
    /// It waits before it is sent.
    case notificationLate = "notification-late"
    /// It arrives twice; the second acknowledgement counts.
    case notificationDoubled = "notification-doubled"
    /// One letter of its signature is wrong.
    case notificationCorrupt = "notification-corrupt"
    /// It comes without its signature.
    case notificationUnsigned = "notification-unsigned"
    /// The order is paid, and its app is told 8000: it is being worked on.
    case result8000 = "result-8000"
    /// The order is paid, and its app is told 6004: nobody knows.
    case result6004 = "result-6004"
    /// The order is paid, and its app is told 6002: the network failed.
    case result6002 = "result-6002"
    /// The order is paid, and its app is told 5000: it was asked for twice.
    case result5000 = "result-5000"
    /// The payment is refused and no money moves: its app is told 4000.
    case result4000 = "result-4000"

    package static let earlierWords: [String: OrderFault] = [:]

    /// What of an order's life a fault befalls. Those of one moment befall its messages one after the other.
    package enum Moment: String, Sendable, Hashable, Codable, CaseIterable {
        case request, reply, notification
        /// What the app hears of a payment, as often as it asks.
        case result
        /// The payment itself.
        case payment
    }

    package var moment: Moment {
        switch self {
        case .requestLost, .requestRefused: .request
        case .replyLost, .replyLate, .replyCorrupt, .replyUnsigned: .reply
        case .notificationLost, .notificationLate, .notificationDoubled, .notificationCorrupt, .notificationUnsigned: .notification
        case .result8000, .result6004, .result6002, .result5000: .result
        case .result4000: .payment
        }
    }

    /// The code that the app is told instead of 9000.
    var toldCode: String? { moment == .result ? String(rawValue.suffix(4)) : nil }
}
