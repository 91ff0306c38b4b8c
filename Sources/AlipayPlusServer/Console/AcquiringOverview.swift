package import BillfoldWeb

/// What the acquiring gateway's back office shows first: the latest payments, and what waits for a person.
package struct AcquiringOverview: Sendable, Hashable {
    package struct Payment: Sendable, Hashable {
        package let paymentID: String
        package let path: String
        package let requestID: String
        package let acquirer: String
        package let merchantName: String
        package let scenario: String
        /// As people read it, for example `19.99 SGD`.
        package let amount: String
        /// What went back, where anything did.
        package let refunded: String?
        package let state: StateWord
        /// The wallet that is asked, or was asked last: its brand's name.
        package let wallet: String
        package let madeAt: InstantText
        /// The part of the installation that the acquirer has to itself.
        package let space: SpaceNote?

        /// - Parameters:
        ///   - state: `processing`, `success`, `failed` or `cancelled`.
        ///   - madeAt: Microseconds since 1970.
        package init(
            paymentID: String, requestID: String, acquirer: String, merchantName: String, scenario: String, amount: String,
            refunded: String?, state: String, wallet: String, madeAt: Int64, space: SpaceNote? = nil
        ) {
            self.paymentID = paymentID
            path = AcquiringOverview.path(of: paymentID)
            self.requestID = requestID
            self.acquirer = acquirer
            self.merchantName = merchantName
            self.scenario = scenario
            self.amount = amount
            self.refunded = refunded
            self.state = StateWord(Self.words[state] ?? state)
            self.wallet = wallet
            self.madeAt = InstantText(madeAt)
            self.space = space
        }

        private static let words = ["processing": "open", "success": "paid", "failed": "failed", "cancelled": "closed"]
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

        package let paymentID: String
        package let path: String
        package let acquirer: String
        /// The wallet's part in the payment, or the refund.
        package let subject: String
        package let kind: String
        package let title: String
        package let note: String
        package let raisedAt: InstantText
        package let mayRetry: Bool
        package let stepPath: String

        /// - Parameter raisedAt: Microseconds since 1970.
        package init(
            paymentID: String, acquirer: String, subject: String, kind: String, note: String, raisedAt: Int64, step: Step
        ) {
            self.paymentID = paymentID
            path = AcquiringOverview.path(of: paymentID)
            self.acquirer = acquirer
            self.subject = subject
            self.kind = kind
            title = Self.titles[kind] ?? kind
            self.note = note
            self.raisedAt = InstantText(raisedAt)
            mayRetry = step == .retry
            let alarm = [acquirer, kind, subject].map(PathSegment.encoded).joined(separator: "/")
            stepPath = "/api/acquiring/alarms/\(alarm)/\(step.rawValue)"
        }

        private static let titles = [
            "leg-stuck": "A wallet keeps what is not wanted", "refund-refused": "A wallet does not take a refund",
            "amount-differs": "A wallet speaks of another amount",
        ]
    }

    package let payments: [Payment]
    package let alarms: [Alarm]
    /// Notifications that were given up and wait for a person.
    package let parked: [NotificationView]
    /// What was looked for; `nil` for the latest.
    package let number: String?

    package init(payments: [Payment], alarms: [Alarm], parked: [NotificationView], number: String? = nil) {
        self.payments = payments
        self.alarms = alarms
        self.parked = parked
        self.number = number
    }

    private static func path(of payment: String) -> String { "/acquiring/payments/\(PathSegment.encoded(payment))" }
}

/// One payment under every party's identifiers, with why each wallet is offered or missing.
package struct AcquiringPaymentView: Sendable, Hashable {
    package struct Identifier: Sendable, Hashable {
        package let name: String
        /// Who gave it out.
        package let giver: String
        package let value: String

        package init(name: String, giver: String, value: String) {
            self.name = name
            self.giver = giver
            self.value = value
        }
    }

    /// One wallet's part in the payment.
    package struct Leg: Sendable, Hashable {
        package let wallet: String
        package let state: String
        /// Ours, towards the wallet.
        package let requestID: String
        /// The wallet's own number, once it has told it.
        package let walletPaymentID: String?
        /// What the wallet collects: its currency.
        package let payable: String
        package let at: InstantText

        /// - Parameter at: Microseconds since 1970.
        package init(wallet: String, state: String, requestID: String, walletPaymentID: String?, payable: String, at: Int64) {
            self.wallet = wallet
            self.state = state
            self.requestID = requestID
            self.walletPaymentID = walletPaymentID
            self.payable = payable
            self.at = InstantText(at)
        }
    }

    package struct Refund: Sendable, Hashable {
        package let requestID: String
        package let refundID: String
        package let amount: String
        package let state: String
        package let at: InstantText

        /// - Parameter at: Microseconds since 1970.
        package init(requestID: String, refundID: String, amount: String, state: String, failure: String?, at: Int64) {
            self.requestID = requestID
            self.refundID = refundID
            self.amount = amount
            self.state = failure.map { "\(state): \($0)" } ?? state
            self.at = InstantText(at)
        }
    }

    /// A wallet as the sheet sees it now.
    package struct Choice: Sendable, Hashable {
        package let wallet: String
        package let name: String
        /// In its own currency; `nil` where there is no rate.
        package let payable: String?
        package let offer: String?
        /// Why it is missing, a sentence each; nothing where it is offered.
        package let obstacles: [String]

        package init(wallet: String, name: String, payable: String?, offer: String?, obstacles: [String]) {
            self.wallet = wallet
            self.name = name
            self.payable = payable
            self.offer = offer
            self.obstacles = obstacles
        }
    }

    package let payment: AcquiringOverview.Payment
    package let storyPath: String
    package let identifiers: [Identifier]
    /// The code of a payment that failed.
    package let failure: String?
    package let settlement: String?
    package let expiresAt: InstantText
    package let paidAt: InstantText?
    package let legs: [Leg]
    package let refunds: [Refund]
    package let choices: [Choice]
    package var notifications: [NotificationView]
    package let postings: [PostingView]

    /// - Parameters:
    ///   - expiresAt: Microseconds since 1970.
    ///   - paidAt: Microseconds since 1970.
    package init(
        payment: AcquiringOverview.Payment, identifiers: [Identifier], failure: String?, settlement: String?, expiresAt: Int64,
        paidAt: Int64?, legs: [Leg], refunds: [Refund], choices: [Choice], notifications: [NotificationView],
        postings: [PostingView]
    ) {
        self.payment = payment
        storyPath = "/stories/\(PathSegment.encoded("alipay-plus.payment:" + payment.paymentID))"
        self.identifiers = identifiers
        self.failure = failure
        self.settlement = settlement
        self.expiresAt = InstantText(expiresAt)
        self.paidAt = paidAt.map(InstantText.init)
        self.legs = legs
        self.refunds = refunds
        self.choices = choices
        self.notifications = notifications
        self.postings = postings
    }
}
