/// What the acquiring gateway's back office shows first: the latest payments, and what waits for a person.
public struct AcquiringOverview: Sendable, Hashable {
    public struct Payment: Sendable, Hashable {
        public var paymentID: String
        public var requestID: String
        public var acquirer: String
        public var merchantName: String
        public var scenario: String
        /// As people read it, for example `19.99 SGD`.
        public var amount: String
        /// What went back, where anything did.
        public var refunded: String?
        /// `processing`, `success`, `failed` or `cancelled`.
        public var state: String
        /// The wallet that is asked, or was asked last: its brand's name.
        public var wallet: String
        /// Microseconds since 1970.
        public var madeAt: Int64

        public init(
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
    public struct Alarm: Sendable, Hashable {
        /// What one operator can do about it.
        public enum Step: String, Sendable, Hashable {
            /// Have the wallet asked once more. Two persons can also settle it by what was done by hand.
            case retry
            /// Note that it was looked into: nothing moves.
            case clear
        }

        public var paymentID: String
        public var acquirer: String
        /// The wallet's part in the payment, or the refund.
        public var subject: String
        public var kind: String
        public var note: String
        /// Microseconds since 1970.
        public var raisedAt: Int64
        public var step: Step

        public init(
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

    /// How much waits for a person.
    public struct Open: Sendable, Hashable {
        public var alarms: Int
        public var parked: Int

        public init(alarms: Int, parked: Int) {
            self.alarms = alarms
            self.parked = parked
        }
    }

    public var open: Open { Open(alarms: alarms.count, parked: parked.count) }

    public var payments: [Payment]
    public var alarms: [Alarm]
    /// Notifications that were given up and wait for a person.
    public var parked: [GatewayNotification]
    /// What was looked for; `nil` for the latest.
    public var number: String?

    public init(payments: [Payment], alarms: [Alarm], parked: [GatewayNotification], number: String? = nil) {
        self.payments = payments
        self.alarms = alarms
        self.parked = parked
        self.number = number
    }
}

/// One payment under every party's identifiers, with why each wallet is offered or missing.
public struct AcquiringPaymentView: Sendable, Hashable {
    public struct Identifier: Sendable, Hashable {
        public var name: String
        /// Who gave it out.
        public var giver: String
        public var value: String

        public init(name: String, giver: String, value: String) {
            self.name = name
            self.giver = giver
            self.value = value
        }
    }

    /// One wallet's part in the payment.
    public struct Leg: Sendable, Hashable {
        public var wallet: String
        public var state: String
        /// Ours, towards the wallet.
        public var requestID: String
        /// The wallet's own number, once it has told it.
        public var walletPaymentID: String?
        /// What the wallet collects: its currency.
        public var payable: String
        /// Microseconds since 1970.
        public var at: Int64

        public init(wallet: String, state: String, requestID: String, walletPaymentID: String?, payable: String, at: Int64) {
            self.wallet = wallet
            self.state = state
            self.requestID = requestID
            self.walletPaymentID = walletPaymentID
            self.payable = payable
            self.at = at
        }
    }

    public struct Refund: Sendable, Hashable {
        public var requestID: String
        public var refundID: String
        public var amount: String
        public var state: String
        public var failure: String?
        /// Microseconds since 1970.
        public var at: Int64

        public init(requestID: String, refundID: String, amount: String, state: String, failure: String?, at: Int64) {
            self.requestID = requestID
            self.refundID = refundID
            self.amount = amount
            self.state = state
            self.failure = failure
            self.at = at
        }
    }

    /// A wallet as the sheet sees it now.
    public struct Choice: Sendable, Hashable {
        public var wallet: String
        public var name: String
        /// In its own currency; `nil` where there is no rate.
        public var payable: String?
        public var offer: String?
        /// Why it is missing, a sentence each; nothing where it is offered.
        public var obstacles: [String]

        public init(wallet: String, name: String, payable: String?, offer: String?, obstacles: [String]) {
            self.wallet = wallet
            self.name = name
            self.payable = payable
            self.offer = offer
            self.obstacles = obstacles
        }
    }

    public var payment: AcquiringOverview.Payment
    public var identifiers: [Identifier]
    /// The code of a payment that failed.
    public var failure: String?
    public var settlement: String?
    /// Microseconds since 1970.
    public var expiresAt: Int64
    /// Microseconds since 1970.
    public var paidAt: Int64?
    public var legs: [Leg]
    public var refunds: [Refund]
    public var choices: [Choice]
    public var notifications: [GatewayNotification]
    public var postings: [GatewayTradeView.Posting]

    public init(
        payment: AcquiringOverview.Payment, identifiers: [Identifier], failure: String?, settlement: String?, expiresAt: Int64,
        paidAt: Int64?, legs: [Leg], refunds: [Refund], choices: [Choice], notifications: [GatewayNotification],
        postings: [GatewayTradeView.Posting]
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
