package import BillfoldPayments
package import BillfoldStorage
package import Logging

extension DeliveryRecords {
    /// Of a reply so many bytes are read.
    package static let replyLimit = 65_536
    /// Of these so many are kept as evidence.
    package static let keptReply = 1_024

    /// What came of an attempt to deliver: a row of status, reply and times, and the state of the notification.
    ///
    /// - Parameters:
    ///   - claim: The message as the worker holds it.
    ///   - verdict: What becomes of it.
    ///   - status: Of HTTP; nil where there was no answer.
    ///   - reply: Its first bytes are kept.
    ///   - reason: Why the attempt did not count; nil where it did.
    ///   - note: The same in words, with what is particular.
    ///   - began: When it was sent; nil where nothing was.
    ///   - now: When it had ended.
    ///   - logger: Is told of attempts that did not count, once they are stored.
    package func delivery(
        of claim: OutboxClaim, _ verdict: Delivery.Verdict, status: Int64? = nil, reply: [UInt8] = [], reason: Reason? = nil, note: String,
        began: Timestamp? = nil, at now: Timestamp, logger: Logger
    ) -> Delivery {
        let (id, owner, stored) = (claim.message.id, claim.message.merchant, String(note.prefix(300)))
        let attempt = Attempt(
            number: claim.attempt, at: now, status: status, reply: Array(reply.prefix(Self.keptReply)), note: stored,
            took: began.map { .microseconds(max(0, now.microseconds - $0.microseconds)) }, reason: reason)
        var delivery = Delivery(
            verdict, note: note, receipt: attempt.reply,
            record: { tx in
                try self.note(attempt, of: id, owner: owner, in: tx)
                if verdict == .delivered { try settle(id, owner: owner, at: now, in: tx) }
            }, givenUp: { tx in try park(id, owner: owner, in: tx) })
        if verdict != .delivered {
            delivery.committed = {
                logger.notice(
                    "a notification was not settled",
                    metadata: [
                        "notification": "\(id)", "attempt": "\(attempt.number)", "reason": "\(reason?.rawValue ?? "")", "note": "\(stored)",
                    ])
            }
        }
        return delivery
    }
}
