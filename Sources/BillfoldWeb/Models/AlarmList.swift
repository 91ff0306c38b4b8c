package import BillfoldMoney

/// Everything in the books that waits for a person.
package struct AlarmList: Sendable, Hashable {
    /// A message that was given up.
    package struct DeadLetter: Sendable, Hashable {
        package var id: String
        /// What was to be sent, for example `refund`.
        package var kind: String
        package var payment: String?
        package var order: String?
        package var attempts: Int64
        /// How the last attempt ended.
        package var note: String
        /// Microseconds since 1970.
        package var createdAt: Int64
        /// Whether it can be sent again: one that held card data was erased when it was given up.
        package var isSendable: Bool

        package init(
            id: String, kind: String, payment: String?, order: String?, attempts: Int64, note: String, createdAt: Int64, isSendable: Bool
        ) {
            self.id = id
            self.kind = kind
            self.payment = payment
            self.order = order
            self.attempts = attempts
            self.note = note
            self.createdAt = createdAt
            self.isSendable = isSendable
        }
    }

    /// A payment with an alarm on it, or one that should have settled by now.
    package struct Payment: Sendable, Hashable {
        package var id: String
        package var order: String
        package var state: String
        package var amount: Amount
        /// The alarm's name; `nil` for a payment that is only late.
        package var alarm: String?
        /// What was heard when the alarm was raised.
        package var note: String
        /// Microseconds since 1970.
        package var startedAt: Int64

        package init(
            id: String, order: String, state: String, amount: Amount, alarm: String? = nil, note: String = "", startedAt: Int64
        ) {
            self.id = id
            self.order = order
            self.state = state
            self.amount = amount
            self.alarm = alarm
            self.note = note
            self.startedAt = startedAt
        }
    }

    /// A line of a day's file that does not fit the books.
    package struct Mismatch: Sendable, Hashable {
        /// The acquirer's settlement day, `MMDD`.
        package var day: String
        /// `amount-differs`, `fee-differs`, `ours-only` or `theirs-only`.
        package var kind: String
        /// What the line is about: our id, or else the acquirer's number.
        package var subject: String
        package var booked: Amount?
        package var filed: Amount?

        package init(day: String, kind: String, subject: String, booked: Amount?, filed: Amount?) {
            self.day = day
            self.kind = kind
            self.subject = subject
            self.booked = booked
            self.filed = filed
        }
    }

    /// A wallet's payment that waits for a person.
    package struct WalletPayment: Sendable, Hashable {
        package enum Kind: String, Sendable, Hashable {
            /// The gateway has not judged it for longer than the wallet's patience, or does not want to.
            case unsettled
            /// The gateway took what it had refused, or refused what it had taken. Nothing was moved on the second word.
            case contradiction
        }

        /// Under which a contradiction is cleared.
        package static let contradictionAlarm = "wallet-contradiction"

        package var kind: Kind
        /// The payment's id at the gateway.
        package var id: String
        package var trade: String
        /// `held`, `captured` or `released`.
        package var state: String
        package var amount: Amount
        /// What the gateway said last, where it said anything.
        package var note: String
        /// Microseconds since 1970.
        package var startedAt: Int64

        package init(kind: Kind, id: String, trade: String, state: String, amount: Amount, note: String, startedAt: Int64) {
            self.kind = kind
            self.id = id
            self.trade = trade
            self.state = state
            self.amount = amount
            self.note = note
            self.startedAt = startedAt
        }
    }

    /// What others have verifiably said of something that the books do not know.
    package struct Unmatched: Sendable, Hashable {
        /// How it may be settled.
        package struct Way: Sendable, Hashable {
            package var name: String
            package var title: String

            package init(name: String, title: String) {
                self.name = name
                self.title = title
            }
        }

        package var id: String
        /// The kind of the approval that settles it.
        package var action: String
        /// In one line: what an approval repeats.
        package var summary: String
        /// What of ours it names; empty where it names nothing.
        package var about: String
        /// The message, masked where it may hold card data.
        package var evidence: String
        /// What came of an earlier settlement that had no effect; empty where there was none.
        package var note: String
        /// Microseconds since 1970.
        package var receivedAt: Int64
        package var ways: [Way]

        package init(
            id: String, action: String, summary: String, about: String, evidence: String, note: String = "", receivedAt: Int64, ways: [Way]
        ) {
            self.id = id
            self.action = action
            self.summary = summary
            self.about = about
            self.evidence = evidence
            self.note = note
            self.receivedAt = receivedAt
            self.ways = ways
        }
    }

    package var deadLetters: [DeadLetter]
    package var alarms: [Payment]
    /// Payments that are undecided after the time in which the acquirer could take them.
    package var overdue: [Payment]
    package var mismatches: [Mismatch]
    /// Tokens that a network did not stop; `nil` where no issuer's host is looked after.
    package var stops: [ProvisioningOverview.Stop]?
    /// A wallet's payments, contradictions first; `nil` where no wallet is looked after.
    package var walletPayments: [WalletPayment]?
    /// How much waits for a person at the acquiring gateway; `nil` where none is looked after.
    package var acquiring: AcquiringOverview.Open?
    /// Notices about things that no books here know; `nil` where no server's are looked after.
    package var unmatched: [Unmatched]?
    /// How many of them there are; of very many not all are in the list.
    package var unmatchedInAll: Int64

    package init(
        deadLetters: [DeadLetter] = [], alarms: [Payment] = [], overdue: [Payment] = [], mismatches: [Mismatch] = [],
        stops: [ProvisioningOverview.Stop]? = nil, walletPayments: [WalletPayment]? = nil,
        acquiring: AcquiringOverview.Open? = nil, unmatched: [Unmatched]? = nil, unmatchedInAll: Int64 = 0
    ) {
        self.deadLetters = deadLetters
        self.alarms = alarms
        self.overdue = overdue
        self.mismatches = mismatches
        self.stops = stops
        self.walletPayments = walletPayments
        self.acquiring = acquiring
        self.unmatched = unmatched
        self.unmatchedInAll = unmatchedInAll
    }
}
