import AlipayPlus
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// A notification as it was frozen with the change that it tells of: every attempt sends the same body, signed anew.
struct FrozenNotification: Sendable, Hashable, Codable {
    var url: String
    /// JSON text.
    var body: String
}

/// Makes the notification that a change owes its acquirer: values only.
struct NotificationComposer: Sendable {
    static let kind = "notify"
    static let schedule = "alipay-plus-notify"
    /// The waits between attempts. The first attempt is made at once.
    static let waits: [Duration] = AlipayPlusSchedule.notification.dropFirst().map { .seconds($0) }
    /// What shares one limit and one breaker: an acquirer's slow server delays no other's.
    static func destination(of acquirer: MerchantID) -> String { "notify:\(acquirer)" }

    let identifiers: IdentifierSource

    /// Of a payment that is final.
    func payment(_ payment: AcquirerPayment, wallet: PartnerWallet?, at now: Timestamp) throws -> [Statement] {
        try statements(
            PaymentAnswers.notification(payment, wallet: wallet), kind: "payment", says: payment.result.resultCode,
            url: payment.terms.notifyURL,
            acquirer: payment.acquirer, subject: payment.id, version: payment.version, at: now)
    }

    /// - Parameter subject: The payment, or the authorisation.
    func statements(
        _ message: some AlipayPlusRequest, kind: String, says: String, url: String?, acquirer: MerchantID, subject: TimeOrderedID,
        version: Int64, at now: Timestamp
    ) throws -> [Statement] {
        guard let url else { return [] }
        let id = identifiers.next(at: now)
        let frozen = FrozenNotification(url: url, body: String(decoding: message.body, as: UTF8.self))
        return [
            NotificationRecords.insertion(
                NotificationRow(
                    id: id, acquirer: acquirer, payment: subject, kind: kind, says: says, url: url, state: .waiting, createdAt: now)),
            OutboxRecords.insertion(
                OutboxMessage(
                    merchant: acquirer, id: id, destination: Self.destination(of: acquirer), kind: Self.kind, subject: subject,
                    subjectVersion: version, body: try JSONDocument.encode(frozen), schedule: Self.schedule, dueAt: now,
                    createdAt: now)),
        ]
    }
}
