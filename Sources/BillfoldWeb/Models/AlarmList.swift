public import BillfoldMoney

/// Everything in the books that waits for a person.
public struct AlarmList: Sendable, Hashable {
    /// A message that was given up.
    public struct DeadLetter: Sendable, Hashable {
        public var id: String
        /// What was to be sent, for example `refund`.
        public var kind: String
        public var payment: String?
        public var order: String?
        public var attempts: Int64
        /// How the last attempt ended.
        public var note: String
        /// Microseconds since 1970.
        public var createdAt: Int64
        /// Whether it can be sent again: one that held card data was erased when it was given up.
        public var isSendable: Bool

        public init(
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
    public struct Payment: Sendable, Hashable {
        public var id: String
        public var order: String
        public var state: String
        public var amount: Amount
        /// The alarm's name; `nil` for a payment that is only late.
        public var alarm: String?
        /// What was heard when the alarm was raised.
        public var note: String
        /// Microseconds since 1970.
        public var startedAt: Int64

        public init(
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
    public struct Mismatch: Sendable, Hashable {
        /// The acquirer's settlement day, `MMDD`.
        public var day: String
        /// `amount-differs`, `fee-differs`, `ours-only` or `theirs-only`.
        public var kind: String
        /// What the line is about: our id, or else the acquirer's number.
        public var subject: String
        public var booked: Amount?
        public var filed: Amount?

        public init(day: String, kind: String, subject: String, booked: Amount?, filed: Amount?) {
            self.day = day
            self.kind = kind
            self.subject = subject
            self.booked = booked
            self.filed = filed
        }
    }

    /// A wallet's payment that waits for a person.
    public struct WalletPayment: Sendable, Hashable {
        public enum Kind: String, Sendable, Hashable {
            /// The gateway has not judged it for longer than the wallet's patience, or does not want to.
            case unsettled
            /// The gateway took what it had refused, or refused what it had taken. Nothing was moved on the second word.
            case contradiction
        }

        /// Under which a contradiction is cleared.
        public static let contradictionAlarm = "wallet-contradiction"

        public var kind: Kind
        /// The payment's id at the gateway.
        public var id: String
        public var trade: String
        /// `held`, `captured` or `released`.
        public var state: String
        public var amount: Amount
        /// What the gateway said last, where it said anything.
        public var note: String
        /// Microseconds since 1970.
        public var startedAt: Int64

        public init(kind: Kind, id: String, trade: String, state: String, amount: Amount, note: String, startedAt: Int64) {
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
    public struct Unmatched: Sendable, Hashable {
        /// How it may be settled.
        public struct Way: Sendable, Hashable {
            public var name: String
            public var title: String

            public init(name: String, title: String) {
                self.name = name
                self.title = title
            }
        }

        public var id: String
        /// The kind of the approval that settles it.
        public var action: String
        /// In one line: what an approval repeats.
        public var summary: String
        /// What of ours it names; empty where it names nothing.
        public var about: String
        /// The message, masked where it may hold card data.
        public var evidence: String
        /// What came of an earlier settlement that had no effect; empty where there was none.
        public var note: String
        /// Microseconds since 1970.
        public var receivedAt: Int64
        public var ways: [Way]

        public init(
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

    public var deadLetters: [DeadLetter]
    public var alarms: [Payment]
    /// Payments that are undecided after the time in which the acquirer could take them.
    public var overdue: [Payment]
    public var mismatches: [Mismatch]
    /// Tokens that a network did not stop; `nil` where no issuer's host is looked after.
    public var stops: [ProvisioningOverview.Stop]?
    /// A wallet's payments, contradictions first; `nil` where no wallet is looked after.
    public var walletPayments: [WalletPayment]?
    /// How much waits for a person at the acquiring gateway; `nil` where none is looked after.
    public var acquiring: AcquiringOverview.Open?
    /// Notices about things that no books here know; `nil` where no server's are looked after.
    public var unmatched: [Unmatched]?
    /// How many of them there are; of very many not all are in the list.
    public var unmatchedInAll: Int64

    public init(
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
