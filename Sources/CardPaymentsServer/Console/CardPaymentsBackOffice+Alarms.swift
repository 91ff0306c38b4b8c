import BillfoldMoney
import BillfoldPayments
package import BillfoldServer
import BillfoldStorage
package import BillfoldWeb

extension CardPaymentsBackOffice: ConsoleDesk {
    package var pages: PageSet? { .cardPayments }
    package var raisesAlarms: Bool { true }

    package func subject(_ id: String, knownBy name: String, for reader: ConsoleReader) async throws -> StorySubject? {
        guard name == Journey.acceptApplePay.casePage?.id else { return nil }
        return try await order(id)?.subject(offersRefunds: reader.mayRequest)
    }

    package func alarms(for reader: ConsoleReader) async throws -> [AlarmSection] {
        [try await alarms().section(mayAsk: reader.mayRequest, mayClear: reader.isOperator)]
    }

    /// After this an undecided payment is overdue: the longest that the acquirer may take a payment, as
    /// ``CardPaymentsConfiguration/payTimeout`` has it.
    static let overdueAfter = Duration.seconds(900)
    private static let most = 200

    /// Everything in the books that waits for a person.
    package func alarms() async throws -> PaymentAlarms {
        var list = PaymentAlarms()
        for merchant in try await owners() {
            let limit = clock.now(of: merchant.description).advanced(by: .zero - Self.overdueAfter)
            let found = try await database.read { tx in
                try PaymentAlarms(
                    deadLetters: OutboxRecords.deadLetters(merchant, in: tx).prefix(Self.most).map { try Self.letter($0, in: tx) },
                    alarms: AlarmRecords.open(merchant, limit: Self.most, in: tx).compactMap { try Self.alarm($0, in: tx) },
                    overdue: PaymentRecords.unsettled(createdBefore: limit, limit: Self.most, merchant: merchant, in: tx)
                        .map(Self.payment),
                    mismatches: CardPaymentsRecords.mismatches(limit: Self.most, merchant: merchant, in: tx).map(Self.mismatch))
            }
            list.deadLetters += found.deadLetters
            list.alarms += found.alarms
            list.overdue += found.overdue
            list.mismatches += found.mismatches
        }
        return list
    }

    package func clear(_ alarm: String, of payment: String, remark: String, by person: String) async throws -> Bool {
        guard let kind = PaymentTransition.Alarm(rawValue: alarm), let id = try? TimeOrderedID(text: payment) else { return false }
        for merchant in try await owners() {
            let (now, links, follower) = (clock.now(of: merchant.description), links, follower)
            let isCleared = try await database.write { tx in
                let isCleared = try AlarmRecords.clear(
                    kind, payment: id, merchant: merchant, by: person, reason: remark, at: now, linking: links, in: tx)
                if isCleared { try follower?.settled(kind, of: id, merchant: merchant, at: now, in: tx) }
                return isCleared
            }
            if isCleared { return true }
        }
        return false
    }

    private static func letter(_ letter: DeadLetter, in tx: any Transaction) throws -> PaymentAlarms.DeadLetter {
        let message = letter.message
        // A message is about a payment, or about a refund, void or reversal of one.
        let id = try ModificationRecords.find(message.subject, merchant: message.merchant, in: tx)?.payment ?? message.subject
        let payment = try PaymentRecords.find(id, merchant: message.merchant, in: tx)
        return PaymentAlarms.DeadLetter(
            id: message.id.description, kind: message.kind, payment: payment?.id.description, order: payment?.order.description,
            attempts: letter.attempts, note: letter.note, createdAt: message.createdAt.microseconds,
            isSendable: !message.body.isEmpty)
    }

    private static func alarm(_ alarm: PaymentAlarm, in tx: any Transaction) throws -> PaymentAlarms.Payment? {
        guard let payment = try PaymentRecords.find(alarm.payment, merchant: alarm.merchant, in: tx) else { return nil }
        var row = Self.payment(payment)
        row.alarm = alarm.kind.rawValue
        row.note = alarm.note
        return row
    }

    private static func payment(_ payment: Payment) -> PaymentAlarms.Payment {
        PaymentAlarms.Payment(
            id: payment.id.description, order: payment.order.description, state: payment.state.rawValue, amount: payment.amount,
            startedAt: payment.createdAt.microseconds)
    }

    private static func mismatch(_ day: String, _ row: ReconciliationRow) throws -> PaymentAlarms.Mismatch {
        // The acquirer's file knows one currency.
        let currency = try Currency("CNY")
        func amount(_ minorUnits: Int64?) -> Amount? { minorUnits.map { Amount(minorUnits: $0, currency: currency) } }
        return PaymentAlarms.Mismatch(
            day: day, kind: row.class.rawValue, subject: row.subject ?? row.acquirerReference ?? row.acquirerOrder ?? row.kind,
            booked: amount(row.booked), filed: amount(row.filed))
    }
}
