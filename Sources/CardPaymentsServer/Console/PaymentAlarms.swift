package import BillfoldMoney
package import BillfoldWeb

/// What of the card payments waits for a person.
package struct PaymentAlarms: Sendable, Hashable {
    /// A message that was given up.
    package struct DeadLetter: Sendable, Hashable {
        package var id: String
        /// What was to be sent, for example `refund`.
        package var kind: String
        package var payment: String?
        package var orderPath: String?
        /// For example `2 attempts`.
        package var attempts: String
        /// How the last attempt ended.
        package var note: String
        package var createdAt: InstantText
        /// Whether it can be sent again: one that held card data was erased when it was given up.
        package var isSendable: Bool

        /// - Parameter createdAt: Microseconds since 1970.
        package init(
            id: String, kind: String, payment: String?, order: String?, attempts: Int64, note: String, createdAt: Int64, isSendable: Bool
        ) {
            self.id = id
            self.kind = kind
            self.payment = payment
            orderPath = order.map(PaymentAlarms.path)
            self.attempts = attempts == 1 ? "1 attempt" : "\(attempts) attempts"
            self.note = note
            self.createdAt = InstantText(createdAt)
            self.isSendable = isSendable
        }
    }

    /// A payment with an alarm on it, or one that should have settled by now.
    package struct Payment: Sendable, Hashable {
        package var id: String
        package var orderPath: String
        package var state: StateWord
        package var amount: Amount
        /// The alarm's name; `nil` for a payment that is only late.
        package var alarm: String?
        /// What was heard when the alarm was raised.
        package var note: String
        package var startedAt: InstantText

        /// - Parameter startedAt: Microseconds since 1970.
        package init(
            id: String, order: String, state: String, amount: Amount, alarm: String? = nil, note: String = "", startedAt: Int64
        ) {
            self.id = id
            orderPath = PaymentAlarms.path(order)
            self.state = StateWord(state)
            self.amount = amount
            self.alarm = alarm
            self.note = note
            self.startedAt = InstantText(startedAt)
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

    package var deadLetters: [DeadLetter]
    package var alarms: [Payment]
    /// Payments that are undecided after the time in which the acquirer could take them.
    package var overdue: [Payment]
    package var mismatches: [Mismatch]

    package init(deadLetters: [DeadLetter] = [], alarms: [Payment] = [], overdue: [Payment] = [], mismatches: [Mismatch] = []) {
        self.deadLetters = deadLetters
        self.alarms = alarms
        self.overdue = overdue
        self.mismatches = mismatches
    }
}

extension PaymentAlarms {
    /// The alarms as the console's page of alarms shows them.
    ///
    /// - Parameters:
    ///   - mayAsk: Whether the reader may ask for what becomes of a message that was given up.
    ///   - mayClear: Whether the reader may clear an alarm.
    package func section(mayAsk: Bool, mayClear: Bool) -> AlarmSection {
        AlarmSection("console/payment-alarms", Section(open: self, mayAsk: mayAsk, mayClear: mayClear))
    }

    private struct Section {
        var open: PaymentAlarms
        var mayAsk: Bool
        var mayClear: Bool
    }

    fileprivate static func path(_ order: String) -> String { "/orders/\(PathSegment.encoded(order))" }
}
