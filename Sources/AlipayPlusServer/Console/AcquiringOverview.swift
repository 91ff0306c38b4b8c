package import BillfoldWeb

/// What the acquiring gateway's back office shows first: the latest payments, and what waits for a person.
package struct AcquiringOverview: Sendable, Hashable {
    package struct Payment: Sendable, Hashable {
        package var paymentID: String
        package var requestID: String
        package var acquirer: String
        package var merchantName: String
        package var scenario: String
        /// As people read it, for example `19.99 SGD`.
        package var amount: String
        /// What went back, where anything did.
        package var refunded: String?
        /// `processing`, `success`, `failed` or `cancelled`.
        package var state: String
        /// The wallet that is asked, or was asked last: its brand's name.
        package var wallet: String
        /// Microseconds since 1970.
        package var madeAt: Int64

        package init(
            paymentID: String, requestID: String, acquirer: String, merchantName: String, scenario: String, amount: String,
            refunded: String?, state: String, wallet: String, madeAt: Int64
        ) {
            self.paymentID = paymentID
            self.requestID = requestID
            self.acquirer = acquirer
            self.merchantName = merchantName
            self.scenario = scenario
            self.amount = amount
            self.refunded = refunded
            self.state = state
            self.wallet = wallet
            self.madeAt = madeAt
        }
    }

    /// Something about a payment that nobody but a person can settle.
    package struct Alarm: Sendable, Hashable {
        /// What one operator can do about it.
        package enum Step: String, Sendable, Hashable {
            /// Have the wallet asked once more. Two persons can also settle it by what was done by hand.
            case retry
            /// Note that it was looked into: nothing moves.
            case clear
        }

        package var paymentID: String
        package var acquirer: String
        /// The wallet's part in the payment, or the refund.
        package var subject: String
        package var kind: String
        package var note: String
        /// Microseconds since 1970.
        package var raisedAt: Int64
        package var step: Step

        package init(
            paymentID: String, acquirer: String, subject: String, kind: String, note: String, raisedAt: Int64, step: Step
        ) {
            self.paymentID = paymentID
            self.acquirer = acquirer
            self.subject = subject
            self.kind = kind
            self.note = note
            self.raisedAt = raisedAt
            self.step = step
        }
    }

    package var payments: [Payment]
    package var alarms: [Alarm]
    /// Notifications that were given up and wait for a person.
    package var parked: [NotificationView]
    /// What was looked for; `nil` for the latest.
    package var number: String?

    package init(payments: [Payment], alarms: [Alarm], parked: [NotificationView], number: String? = nil) {
        self.payments = payments
        self.alarms = alarms
        self.parked = parked
        self.number = number
    }
}

/// One payment under every party's identifiers, with why each wallet is offered or missing.
package struct AcquiringPaymentView: Sendable, Hashable {
    package struct Identifier: Sendable, Hashable {
        package var name: String
        /// Who gave it out.
        package var giver: String
        package var value: String

        package init(name: String, giver: String, value: String) {
            self.name = name
            self.giver = giver
            self.value = value
        }
    }

    /// One wallet's part in the payment.
    package struct Leg: Sendable, Hashable {
        package var wallet: String
        package var state: String
        /// Ours, towards the wallet.
        package var requestID: String
        /// The wallet's own number, once it has told it.
        package var walletPaymentID: String?
        /// What the wallet collects: its currency.
        package var payable: String
        /// Microseconds since 1970.
        package var at: Int64

        package init(wallet: String, state: String, requestID: String, walletPaymentID: String?, payable: String, at: Int64) {
            self.wallet = wallet
            self.state = state
            self.requestID = requestID
            self.walletPaymentID = walletPaymentID
            self.payable = payable
            self.at = at
        }
    }

    package struct Refund: Sendable, Hashable {
        package var requestID: String
        package var refundID: String
        package var amount: String
        package var state: String
        package var failure: String?
        /// Microseconds since 1970.
        package var at: Int64

        package init(requestID: String, refundID: String, amount: String, state: String, failure: String?, at: Int64) {
            self.requestID = requestID
            self.refundID = refundID
            self.amount = amount
            self.state = state
            self.failure = failure
            self.at = at
        }
    }

    /// A wallet as the sheet sees it now.
    package struct Choice: Sendable, Hashable {
        package var wallet: String
        package var name: String
        /// In its own currency; `nil` where there is no rate.
        package var payable: String?
        package var offer: String?
        /// Why it is missing, a sentence each; nothing where it is offered.
        package var obstacles: [String]

        package init(wallet: String, name: String, payable: String?, offer: String?, obstacles: [String]) {
            self.wallet = wallet
            self.name = name
            self.payable = payable
            self.offer = offer
            self.obstacles = obstacles
        }
    }

    package var payment: AcquiringOverview.Payment
    package var identifiers: [Identifier]
    /// The code of a payment that failed.
    package var failure: String?
    package var settlement: String?
    /// Microseconds since 1970.
    package var expiresAt: Int64
    /// Microseconds since 1970.
    package var paidAt: Int64?
    package var legs: [Leg]
    package var refunds: [Refund]
    package var choices: [Choice]
    package var notifications: [NotificationView]
    package var postings: [PostingView]

    package init(
        payment: AcquiringOverview.Payment, identifiers: [Identifier], failure: String?, settlement: String?, expiresAt: Int64,
        paidAt: Int64?, legs: [Leg], refunds: [Refund], choices: [Choice], notifications: [NotificationView],
        postings: [PostingView]
    ) {
        self.payment = payment
        self.identifiers = identifiers
        self.failure = failure
        self.settlement = settlement
        self.expiresAt = expiresAt
        self.paidAt = paidAt
        self.legs = legs
        self.refunds = refunds
        self.choices = choices
        self.notifications = notifications
        self.postings = postings
    }
}
