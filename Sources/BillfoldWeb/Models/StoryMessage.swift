/// One message of a story, as a party reported it: already decoded and masked.
public struct StoryMessage: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case request, response, notification
        /// A party's own step, drawn on its lifeline.
        case note
    }

    public struct Field: Sendable, Hashable {
        public var name: String
        public var value: String
        /// What the field means, for a reader who does not know the protocol.
        public var meaning: String?

        public init(_ name: String, _ value: String, meaning: String? = nil) {
            self.name = name
            self.value = value
            self.meaning = meaning
        }
    }

    public var id: String
    /// Microseconds since 1970 on the reporting party's clock.
    public var at: Int64
    public var from: String
    public var to: String
    public var kind: Kind
    public var title: String
    /// Business ids, namespace to value.
    public var correlation: [String: String]
    public var fields: [Field]
    /// The bytes as sent, base64.
    public var bytes: String?
    /// Why the message was refused, or what a fault plan did to it.
    public var problem: String?

    public init(
        id: String, at: Int64, from: String, to: String, kind: Kind, title: String, correlation: [String: String] = [:],
        fields: [Field] = [],
        bytes: String? = nil, problem: String? = nil
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
