package import BillfoldPayments
package import BillfoldStorage
package import Logging

extension DeliveryRecords {
    /// Of a reply so many bytes are read.
    package static let replyLimit = 65_536
    /// Of these so many are kept as evidence.
    package static let keptReply = 1_024

    /// What came of an attempt to deliver: a row of status, reply and time, and the state of the notification.
    package func delivery(
        of claim: OutboxClaim, _ verdict: Delivery.Verdict, status: Int64? = nil, reply: [UInt8] = [], note: String, at now: Timestamp,
        logger: Logger
    ) -> Delivery {
        let (id, owner, stored) = (claim.message.id, claim.message.merchant, String(note.prefix(300)))
        let attempt = Attempt(
            number: claim.attempt, at: now, status: status, reply: Array(reply.prefix(Self.keptReply)), note: stored)
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
                    metadata: ["notification": "\(id)", "attempt": "\(attempt.number)", "note": "\(stored)"])
            }
        }
        return delivery
    }
}
