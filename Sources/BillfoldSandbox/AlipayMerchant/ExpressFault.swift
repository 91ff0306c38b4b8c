/// What goes wrong around one order, so that one sees that it ends right all the same.
package enum ExpressFault: String, NamedFault {
    /// The wallet says 8000 although it knows better.
    case processingFirst = "processing-first"
    /// The wallet says 6004.
    case unknownResult = "unknown-result"
    /// The way back from the wallet never reaches the app.
    case lostReturn = "lost-return"
    /// The system ends the app while the wallet is in front.
    case killedApp = "killed-app"
    /// Not one notification reaches the merchant.
    case notificationLost = "notification-lost"
    /// The first delivery of every notification fails.
    case notificationLate = "notification-late"
    /// Every notification arrives twice at once.
    case notificationDoubled = "notification-doubled"
    /// The payment's notification arrives after that of a refund.
    case notificationReordered = "notification-reordered"
    /// The merchant closes the trade as soon as there is one.
    case closeRacesPayment = "close-races-payment"
    /// One letter of the order's signature is wrong.
    case orderCorrupt = "order-corrupt"

    package static let earlierWords: [String: ExpressFault] = [
        "notifications-lost": .notificationLost, "notifications-late": .notificationLate, "notifications-doubled": .notificationDoubled,
        "notifications-reordered": .notificationReordered, "corrupt-signature": .orderCorrupt,
    ]

    /// For the page.
    var title: String {
        switch self {
        case .processingFirst: "The wallet answers 8000, then it was paid"
        case .unknownResult: "The wallet answers 6004"
        case .lostReturn: "The way back is lost"
        case .killedApp: "The app is killed while the wallet is open"
        case .notificationLost: "Notifications are lost"
        case .notificationLate: "Notifications come late"
        case .notificationDoubled: "Notifications come twice"
        case .notificationReordered: "Notifications come in the wrong order"
        case .closeRacesPayment: "The shop closes the order meanwhile"
        case .orderCorrupt: "The order’s signature is damaged"
        }
    }
}
