package import BillfoldStorage

/// What can happen to a payment.
package enum CollectionEvent: Sendable, Hashable {
    /// A wallet has identified the payer, who may pay with it from now on.
    case walletChosen(leg: TimeOrderedID, wallet: String)
    /// The wallet says that it has collected.
    case collected(leg: TimeOrderedID)
    /// The wallet says that it will not collect; the code is its reason.
    case refused(leg: TimeOrderedID, code: String)
    /// The wallet has cancelled its payment, or never had it.
    case legCancelled(leg: TimeOrderedID)
    /// The wallet says that it is too late to cancel.
    case cancelTooLate(leg: TimeOrderedID)
    /// The wallet has refunded what was not wanted.
    case legReturned(leg: TimeOrderedID)
    /// Nobody tries any more to cancel or to refund.
    case givenUp(leg: TimeOrderedID)
    /// An operator has the wallet asked once more, to cancel or to refund.
    case retried(leg: TimeOrderedID, isGivingBack: Bool)
    /// The payment's time has ended.
    case expired
    /// The acquirer cancels. Whether its window is open is decided outside: the state machine has no clock.
    case cancelled(inWindow: Bool)
    /// Money is to go back: that much of the amount, in minor units.
    case refundReserved(Int64)
    /// It did not go back after all.
    case refundReleased(Int64)

    var name: String {
        switch self {
        case .walletChosen: "wallet-chosen"
        case .collected: "collected"
        case .refused: "refused"
        case .legCancelled: "leg-cancelled"
        case .cancelTooLate: "cancel-too-late"
        case .legReturned: "leg-returned"
        case .givenUp: "given-up"
        case .retried: "retried"
        case .expired: "expired"
        case .cancelled: "cancelled"
        case .refundReserved: "refund-reserved"
        case .refundReleased: "refund-released"
        }
    }
}

/// What must be stored and done because of one event: values only.
package struct CollectionTransition: Sendable, Hashable {
    package enum Disposition: Sendable, Hashable {
        case advanced
        /// The event was known already, or comes too late to matter.
        case unchanged
        /// The event does not fit: nothing is stored. The code is a documented result's.
        case refused(String)
    }

    /// What a wallet is to be told.
    package enum Command: Sendable, Hashable {
        case pay(TimeOrderedID)
        case cancel(TimeOrderedID)
        case giveBack(TimeOrderedID)
    }

    package enum Money: Sendable, Hashable {
        case capture(leg: TimeOrderedID)
        /// The acquirer cancelled what was paid: everything goes back.
        case reverse(leg: TimeOrderedID)
    }

    package var standing: CollectionStanding
    package var disposition: Disposition
    package var commands: [Command] = []
    package var money: Money?
    /// Whether the acquirer is owed a notification: of S and F, never of U, and not of what it asked for itself
    /// (alipay-plus.md#notification [D]).
    package var notifies = false
    /// A leg that a person has to look at.
    package var alarm: TimeOrderedID?
}
