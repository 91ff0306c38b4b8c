import BillfoldJSON

/// What has happened to an object: the field's own word for the object, and the state that it came to or what was done.
///
/// One list for all servers. A type is never renamed and never used for something else; new ones are added, so that receivers pass over
/// those that they do not know.
package struct EventType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }

    // MARK: Card payments

    /// Money was taken. Ship.
    package static let paymentSucceeded = Self(rawValue: "payment.succeeded")
    /// No money moved, by evidence. A late success still overrides it, with an alarm.
    package static let paymentFailed = Self(rawValue: "payment.failed")
    /// Sent, and only the acquirer knows. It is asked; this is neither success nor failure.
    package static let paymentUnknown = Self(rawValue: "payment.unknown")
    /// Part of what was captured has gone back, or a further part.
    package static let paymentPartlyRefunded = Self(rawValue: "payment.partly_refunded")
    /// All that was captured has gone back by refunds.
    package static let paymentRefunded = Self(rawValue: "payment.refunded")
    /// A void or a reversal undid the whole payment.
    package static let paymentReversed = Self(rawValue: "payment.reversed")
    /// Cancelled or expired before anything was sent.
    package static let paymentClosed = Self(rawValue: "payment.closed")

    /// The acquirer has given the money back.
    package static let refundSucceeded = Self(rawValue: "refund.succeeded")
    package static let refundFailed = Self(rawValue: "refund.failed")
    /// Sent, and only the acquirer knows.
    package static let refundUnknown = Self(rawValue: "refund.unknown")
    /// The payment was undone before it settled.
    package static let voidSucceeded = Self(rawValue: "void.succeeded")
    package static let voidFailed = Self(rawValue: "void.failed")
    package static let voidUnknown = Self(rawValue: "void.unknown")
    /// A payment whose outcome was not known was undone.
    package static let reversalSucceeded = Self(rawValue: "reversal.succeeded")
    package static let reversalFailed = Self(rawValue: "reversal.failed")
    package static let reversalUnknown = Self(rawValue: "reversal.unknown")

    /// A person is called to a payment.
    package static let alarmRaised = Self(rawValue: "alarm.raised")
    /// A person has dealt with it.
    package static let alarmSettled = Self(rawValue: "alarm.settled")

    // MARK: Provisioning

    /// A token was made, and cannot be paid with before its customer is verified.
    package static let tokenInactive = Self(rawValue: "token.inactive")
    package static let tokenActive = Self(rawValue: "token.active")
    package static let tokenSuspended = Self(rawValue: "token.suspended")
    /// For ever.
    package static let tokenDeleted = Self(rawValue: "token.deleted")

    /// A person of the fraud team has to look at a token before it may be paid with.
    package static let reviewOpened = Self(rawValue: "review.opened")
    /// Two persons have approved or refused it.
    package static let reviewDecided = Self(rawValue: "review.decided")
    /// The token was deleted before anybody decided.
    package static let reviewExpired = Self(rawValue: "review.expired")

    /// All of them, in the order of the documents.
    package static let all: [Self] = [
        paymentSucceeded, paymentFailed, paymentUnknown, paymentPartlyRefunded, paymentRefunded, paymentReversed, paymentClosed,
        refundSucceeded, refundFailed, refundUnknown, voidSucceeded, voidFailed, voidUnknown, reversalSucceeded, reversalFailed,
        reversalUnknown, alarmRaised, alarmSettled, tokenInactive, tokenActive, tokenSuspended, tokenDeleted, reviewOpened, reviewDecided,
        reviewExpired,
    ]

    /// The type of this name; `nil` where there is none.
    package static func named(_ name: String) -> Self? { all.first { ExactText.equal($0.rawValue, name) } }
}
