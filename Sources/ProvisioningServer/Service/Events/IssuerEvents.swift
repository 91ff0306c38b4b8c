import BillfoldEvents
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// Stores what the bank's back end is told of tokens and reviews: each event in the write that changes them.
struct IssuerEvents: Sendable {
    let identifiers: IdentifierSource
    let issuer: MerchantID

    /// The token came to another state. Callers hold its turn.
    func changed(_ token: StoredToken, from old: TokenState?, at now: Timestamp, in tx: any Transaction) throws {
        guard token.snapshot.state != old else { return }
        let type: EventType =
            switch token.snapshot.state {
            case .inactive: .tokenInactive
            case .active: .tokenActive
            case .suspended: .tokenSuspended
            case .deleted: .tokenDeleted
            }
        let view = TokenView(token, heldFor: try SuspensionRecords.list(token: token.reference, in: tx))
        try append(type, of: .init("token", id: token.reference), JSONDocument.encode(view), at: now, in: tx)
    }

    /// A review was opened, decided or overtaken; it is told as it is stored now.
    func changed(_ review: StoredReview, at now: Timestamp, in tx: any Transaction) throws {
        let type: EventType =
            switch review.state {
            case .waiting: .reviewOpened
            case .approved, .refused: .reviewDecided
            case .expired: .reviewExpired
            }
        try append(type, of: .init("review", id: review.id.description), JSONDocument.encode(ReviewView(review)), at: now, in: tx)
    }

    private func append(
        _ type: EventType, of object: Event.Subject, _ data: [UInt8], at now: Timestamp, in tx: any Transaction
    ) throws {
        try EventRecords.append(type, of: object, data: data, owner: issuer, id: identifiers.next(at: now), at: now, in: tx)
    }
}
