public import BillfoldMoney
public import BillfoldStorage

/// What a counterparty has verifiably said about something that the books do not know: a charge, a refund, a token.
///
/// A store that loses rows about money that was sent, as a failover to a standby that lags behind does, learns of that money here. The
/// notice is an alarm until two persons have settled it: the message itself is the evidence, and its summary is what they agree to.
public struct UnmatchedNotice: Sendable, Hashable {
    /// How two persons have settled a notice.
    public struct Settlement: Sendable, Hashable {
        /// What was chosen, for example `refund`; ``UnmatchedNotice/closed`` where nothing was booked.
        public var way: String
        public var remark: String
        /// What came of it.
        public var outcome: String
        public var people: String
        /// The approval's id: the settlement's idempotency key.
        public var request: String
        public var at: Timestamp

        public init(way: String, remark: String, outcome: String, people: String, request: String, at: Timestamp) {
            self.way = way
            self.remark = EventDetail.storable(remark)
            self.outcome = EventDetail.storable(outcome)
            self.people = EventDetail.storable(people)
            self.request = request
            self.at = at
        }

        /// SHA-256 over all of it, as the audit trail keeps it.
        var digest: String {
            StoreFindings.hex(RequestFingerprint(texts: [way, remark, outcome, people, request, String(at.microseconds)]).bytes)
        }
    }

    /// The way by which nothing is booked: the remark says why the books agree without it.
    public static let closed = "closed"
    /// The way of a notice that nobody had to settle: its message, sent once more, found its place in the books.
    static let matched = "matched"
    /// Longer messages are kept up to here.
    static let mostEvidence = 65_536

    /// Whose books are to be put right.
    public var owner: MerchantID
    public var id: TimeOrderedID
    /// Whose word it is, for example `unionpay`.
    public var source: String
    /// What has happened by that word, for example `payment` or `refund`.
    public var kind: String
    /// Equal for all copies of one message, however often it is signed, and for no two messages of one source.
    public var naturalKey: String
    /// The source's name for what it speaks of.
    public var reference: String
    /// What of ours it names, for example an order's id; empty where it names nothing.
    public var about: String
    public var amount: Amount?
    /// The message as it came, or masked where it may hold card data.
    public var evidence: [UInt8]
    public var receivedAt: Timestamp
    /// What came of an earlier settlement that had no effect; empty where there was none.
    public internal(set) var note = ""
    /// Nil while the notice is open.
    public internal(set) var settlement: Settlement?

    public init(
        owner: MerchantID, id: TimeOrderedID, source: String, kind: String, naturalKey: String, reference: String, about: String = "",
        amount: Amount?, evidence: [UInt8], receivedAt: Timestamp
    ) {
        self.owner = owner
        self.id = id
        self.source = EventDetail.storable(source)
        self.kind = EventDetail.storable(kind)
        self.naturalKey = EventDetail.storable(naturalKey)
        self.reference = EventDetail.storable(reference)
        self.about = EventDetail.storable(about)
        self.amount = amount
        self.evidence = Array(evidence.prefix(Self.mostEvidence))
        self.receivedAt = receivedAt
    }

    /// SHA-256 over everything that never changes, as the audit trail keeps it.
    var digest: String {
        let money = amount.map { [$0.currency.alphabeticCode, String($0.minorUnits)] } ?? []
        let texts = [owner.description, source, kind, naturalKey, reference, about, String(receivedAt.microseconds)] + money
        return StoreFindings.hex(RequestFingerprint(parts: [id.bytes, evidence], texts: texts).bytes)
    }

    /// What the notice says, in one line: what an approval repeats, so that what was shown is what is run.
    public var summary: String {
        "\(kind)\(amount.map { " of \($0)" } ?? "") by \(source), reference \(reference)" + (about.isEmpty ? "" : ", about \(about)")
    }
}
