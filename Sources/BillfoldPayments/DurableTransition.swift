import BillfoldMoney
public import BillfoldStorage

/// The unit of work that throughput is measured in: one payment is settled by an acquirer's notification.
///
/// ``settle(_:at:in:)`` takes an idempotency key, reads the payment, applies `succeeded`, and stores the state, two postings, an
/// announcement, the cancelled query and an audit row: seven statements. ``prepare(_:at:in:)`` makes the payments that it settles.
public struct DurableTransition: Sendable {
    private let store: PaymentStore
    private let merchant: MerchantID
    private let identifiers: IdentifierSource

    public init(store: PaymentStore, merchant: MerchantID, identifiers: IdentifierSource) {
        self.store = store
        self.merchant = merchant
        self.identifiers = identifiers
    }

    /// Makes submitted payments of 33.00 CNY and returns their ids.
    public func prepare(_ count: Int, at now: Timestamp, in database: any Database) async throws -> [TimeOrderedID] {
        let cny = try Currency("CNY")
        let ids = (0..<count).map { _ in (identifiers.next(at: now), identifiers.next(at: now)) }
        let (store, merchant) = (store, merchant)
        for start in stride(from: 0, to: count, by: 100) {
            let slice = Array(ids[start..<min(start + 100, count)])
            try await database.write { tx in
                for (orderID, paymentID) in slice {
                    let amount = Amount(minorUnits: 3300, currency: cny)
                    let order = Order(
                        merchant: merchant, id: orderID, reference: orderID.description, amount: amount,
                        expiresAt: now.advanced(by: .seconds(3600)), clientSecret: KeyedHash(stored: orderID.bytes),
                        applicationData: orderID.bytes, detail: [], createdAt: now)
                    try OrderRecords.insert(order, in: tx)
                    let payment = try Payment(
                        merchant: merchant, id: paymentID, order: orderID, amount: amount, externalKey: paymentID.description, detail: [],
                        at: now)
                    _ = try store.begin(payment, detail: EventDetail(actor: "bench"), at: now, in: tx)
                }
            }
        }
        return ids.map(\.1)
    }

    /// Settles one prepared payment.
    public func settle(_ id: TimeOrderedID, at now: Timestamp, in tx: any Transaction) throws {
        let name = id.description
        let key = try IdempotencyKey(caller: merchant.description, operation: "notification", key: name)
        let outcome = try IdempotencyRecords.begin(
            key, fingerprint: RequestFingerprint(parts: [id.bytes]), subject: id, result: id.bytes, at: now, in: tx)
        guard outcome == .unseen else { return }
        _ = try store.apply(
            .succeeded, to: id, merchant: merchant,
            detail: EventDetail(actor: "bench", acquirerReference: name, settlementDay: "1121"), at: now,
            messages: { message, payment in
                OutboxMessage(
                    merchant: payment.merchant, id: payment.id,
                    destination: "merchant", kind: "order-paid", subject: payment.id, subjectVersion: payment.version,
                    body: Array("{\"state\":\"succeeded\"}".utf8), schedule: "notification", dueAt: now, createdAt: now)
            }, in: tx)
    }
}
