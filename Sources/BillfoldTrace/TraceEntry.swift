/// One side of an exchange: ours, or one that the sandbox plays.
public struct Party: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
}

/// What one party told another, decoded and masked, as the sequence diagram draws it.
public struct TraceEntry: Sendable, Hashable, Codable, Identifiable {
    /// What was told, and with it how it is drawn.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A question that expects the answer `response` on the same exchange.
        case request
        case response
        /// A message that expects no business answer, such as an asynchronous notification.
        case notification
        /// A party's own step, drawn on its lifeline.
        case note
    }

    /// One decoded field. `value` is already masked.
    public struct Field: Sendable, Hashable, Codable {
        public var name: String
        public var value: String
        /// What the field means here, for a reader who does not know the protocol.
        public var meaning: String?

        public init(_ name: String, _ value: String, meaning: String? = nil) {
            self.name = name
            self.value = value
            self.meaning = meaning
        }
    }

    /// Unique; made by the reporting party. A sink that sees an id twice keeps the first entry.
    public var id: String
    /// Microseconds since 1970 on the reporting party's clock.
    public var at: Int64
    public var from: Party
    public var to: Party
    public var kind: Kind
    /// The message's name in its protocol, for example `consume` or `didAuthorizePayment`.
    public var title: String
    /// Business ids, namespace to value: `order`, `payment`, `apple-pay.transaction`, `unionpay.order` …
    /// Entries that share one id belong to one story, and so do entries linked through a third.
    public var correlation: [String: String]
    public var fields: [Field]
    /// The bytes as sent, base64, where the mode allows showing them.
    public var bytes: String?
    /// Why the message was refused, or what a fault plan did to it.
    public var problem: String?

    public init(
        id: String, at: Int64, from: Party, to: Party, kind: Kind, title: String, correlation: [String: String] = [:],
        fields: [Field] = [], bytes: String? = nil, problem: String? = nil
    ) {
        self.id = id
        self.at = at
        self.from = from
        self.to = to
        self.kind = kind
        self.title = title
        self.correlation = correlation
        self.fields = fields
        self.bytes = bytes
        self.problem = problem
    }
}

/// Takes entries off the critical path: `record` never blocks, never throws, and drops (and counts) what it cannot hold.
public protocol TraceSink: Sendable {
    /// Takes one entry, and may let it go.
    func record(_ entry: TraceEntry)
}
