import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import Crypto
import Testing

struct BillfoldPaymentsExample {
    // Example
    /// The audit key lies outside the database.
    func books(auditKey: SymmetricKey) -> PaymentStore {
        PaymentStore(books: PaymentBooks(acquirer: "unionpay"), auditKey: auditKey)
    }

    /// Begins an order's payment once, however often it is asked for.
    func pay(
        _ draft: Payment, key: IdempotencyKey, at now: Timestamp, store: PaymentStore, in database: any Database
    ) async throws -> OnceDecided<PaymentState> {
        let fingerprint = RequestFingerprint(texts: [draft.order.description, draft.amount.description])
        return try await database.decideOnce(KeyedRequest(key, fingerprint: fingerprint, at: now)) { tx in
            let payment = try store.begin(draft, detail: EventDetail(actor: "app"), at: now, in: tx)
            return (payment.id.bytes, payment.state)
        }
    }

    /// Takes what the acquirer says as evidence: late, repeated or out of order, it books the money once.
    func learn(
        _ event: PaymentEvent, of payment: Payment, at now: Timestamp, store: PaymentStore, in database: any Database
    ) async throws -> PaymentState {
        try await database.writeRepeatably { tx in
            let detail = EventDetail(actor: "unionpay")
            return try store.apply(event, to: payment.id, merchant: payment.merchant, detail: detail, at: now, in: tx).payment.state
        }
    }
    // End

    @Test func example() async throws {
        let now = Timestamp(secondsSince1970: 1_790_000_000)
        let merchant = try MerchantID("shop")
        let amount = try Amount("33.00", currency: .cny)
        let order = Order(
            merchant: merchant, id: IdentifierSource.system.next(at: now), reference: "A-1", amount: amount,
            expiresAt: now.advanced(by: .seconds(900)), clientSecret: KeyedHash(stored: [1, 2, 3]), applicationData: [], detail: [],
            createdAt: now)
        func draft(_ externalKey: String) throws -> Payment {
            try Payment(
                merchant: merchant, id: IdentifierSource.system.next(at: now), order: order.id, amount: amount, externalKey: externalKey,
                detail: [], at: now)
        }
        let (first, second) = (try draft("K-1"), try draft("K-2"))
        let key = try IdempotencyKey(caller: "shop", operation: "POST /payments", key: "request-1")
        let store = books(auditKey: SymmetricKey(size: .bits256))
        try await withExampleStore(PaymentsSchema.migrations) { database in
            try await database.write { tx in try OrderRecords.insert(order, in: tx) }
            let begun = try await pay(first, key: key, at: now, store: store, in: database)
            #expect(begun == .now(.submitted))
            let again = try await pay(second, key: key, at: now, store: store, in: database)
            #expect(again == .before(.finished(result: first.id.bytes)))

            for event in [PaymentEvent.succeeded, .unresolved, .succeeded] {
                let state = try await learn(event, of: first, at: now, store: store, in: database)
                #expect(state == .succeeded)
            }
            let sales = try await database.read { tx in
                try LedgerRecords.balance(of: .sales, .cny, merchant: merchant, in: tx)
            }
            #expect(sales.text == "-33.00")
        }
    }
}
