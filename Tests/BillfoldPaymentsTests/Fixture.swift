import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Crypto
import Logging
import Synchronization

/// The time of day, moved by hand.
final class HandClock: WallClock {
    private let instant = Mutex(Timestamp(secondsSince1970: 1_790_000_000))

    func now() -> Timestamp { instant.withLock { $0 } }
    func advance(by duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }
}

/// A store with the payment tables, and short ways to make what the tests are about.
struct Fixture: Sendable {
    let database: any Database
    let clock = HandClock()
    let store: PaymentStore
    let merchant: MerchantID
    let currency: Currency
    let identifiers: IdentifierSource

    static let logger = Logger(label: "billfold.tests") { _ in SwiftLogNoOpLogHandler() }

    init(_ database: any Database) async throws {
        self.database = database
        try await MigrationRunner(PaymentsSchema.migrations, clock: clock, logger: Self.logger).run(on: database)
        store = PaymentStore(books: PaymentBooks(acquirer: "unionpay"), auditKey: SymmetricKey(data: [UInt8](repeating: 3, count: 32)))
        merchant = try MerchantID("shop")
        currency = try Currency("CNY")
        let generator = SharedGenerator(seed: 11)
        identifiers = IdentifierSource { generator.next() }
    }

    private final class SharedGenerator: Sendable {
        private let generator: Mutex<SeededGenerator>
        init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }
        func next() -> UInt64 { generator.withLock { $0.next() } }
    }

    func newID() -> TimeOrderedID { identifiers.next(at: clock.now()) }
    func amount(_ minorUnits: Int64) -> Amount { Amount(minorUnits: minorUnits, currency: currency) }

    func order(_ minorUnits: Int64 = 3300, reference: String? = nil) -> Order {
        let id = newID()
        return Order(
            merchant: merchant, id: id, reference: reference ?? id.description, amount: amount(minorUnits),
            expiresAt: clock.now().advanced(by: .seconds(900)), clientSecret: KeyedHash(stored: [1, 2, 3]), applicationData: [4, 5],
            detail: [6], createdAt: clock.now())
    }

    func draft(for order: Order, minorUnits: Int64? = nil) throws -> Payment {
        let id = newID()
        return try Payment(
            merchant: merchant, id: id, order: order.id, amount: minorUnits.map(amount) ?? order.amount, externalKey: "key-\(id)",
            detail: [9], at: clock.now())
    }

    @discardableResult
    func stored(_ order: Order) async throws -> Order {
        try await database.write { tx in try OrderRecords.insert(order, in: tx) }
        return order
    }

    func begin(_ payment: Payment) async throws -> Payment {
        let (store, now) = (store, clock.now())
        return try await database.write { tx in
            try store.begin(
                payment, detail: EventDetail(actor: "app"), at: now,
                messages: { message, payment in Self.message(message, payment, at: now) }, in: tx)
        }
    }

    /// An order and its submitted payment.
    func submitted(_ minorUnits: Int64 = 3300) async throws -> Payment {
        try await begin(draft(for: stored(order(minorUnits))))
    }

    func paid(_ minorUnits: Int64 = 3300) async throws -> Payment {
        try await apply(.succeeded, to: submitted(minorUnits)).payment
    }

    @discardableResult
    func apply(_ event: PaymentEvent, to payment: Payment, reason: String? = nil) async throws -> PaymentStore.Applied {
        let (store, now) = (store, clock.now())
        return try await database.write { tx in
            try store.apply(
                event, to: payment.id, merchant: payment.merchant, detail: EventDetail(actor: "unionpay", reason: reason), at: now,
                messages: { message, payment in Self.message(message, payment, at: now) }, in: tx)
        }
    }

    func begin(_ kind: Modification.Kind, of payment: Payment, minorUnits: Int64) async throws -> Modification {
        let (store, now, id) = (store, clock.now(), newID())
        let modification = Modification(
            merchant: merchant, id: id, payment: payment.id, kind: kind, amount: amount(minorUnits), externalKey: "key-\(id)", at: now)
        return try await database.write { tx in
            try store.begin(modification, detail: EventDetail(actor: "clerk"), at: now, message: { _ in nil }, in: tx)
        }
    }

    @discardableResult
    func apply(_ event: Modification.Event, to modification: Modification) async throws -> Modification {
        let (store, now) = (store, clock.now())
        return try await database.write { tx in
            try store.apply(
                event, toModification: modification.id, merchant: modification.merchant, detail: EventDetail(actor: "unionpay"), at: now,
                in: tx
            ).modification
        }
    }

    func payment(_ id: TimeOrderedID) async throws -> Payment? {
        let merchant = merchant
        return try await database.read { tx in try PaymentRecords.find(id, merchant: merchant, in: tx) }
    }

    func balance(_ account: LedgerAccount) async throws -> Int64 {
        let (merchant, currency) = (merchant, currency)
        return try await database.read { tx in
            try LedgerRecords.balance(of: account, currency, merchant: merchant, in: tx).minorUnits
        }
    }

    func imbalances() async throws -> [Amount] {
        let merchant = merchant
        return try await database.read { tx in try LedgerRecords.trialBalance(merchant, in: tx).imbalances() }
    }

    func auditVerdict(_ chain: String) async throws -> AuditChain.Verdict {
        let merchant = merchant
        return store.audit.verify(try await database.read { tx in try AuditRecords.rows(of: chain, merchant: merchant, in: tx) })
    }

    /// The payment's message id is the payment's own id; announcements take a derived one.
    static func message(_ message: PaymentTransition.Message, _ payment: Payment, at now: Timestamp) -> OutboxMessage? {
        switch message {
        case .submit:
            OutboxMessage(
                merchant: payment.merchant, id: payment.id, destination: "acquirer", kind: "consume", subject: payment.id,
                subjectVersion: payment.version, body: [1, 2, 3], schedule: "consume", dueAt: now, createdAt: now)
        case .announce: nil
        }
    }
}
