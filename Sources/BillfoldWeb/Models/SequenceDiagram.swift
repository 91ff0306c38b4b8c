import BillfoldTrace

/// Lays messages out between the lifelines of their parties.
///
/// The page is drawn by the style sheet: a message says between which lifelines it lies and which way it points, so the
/// diagram is there before any script has run.
struct SequenceDiagram: Sendable {
    struct Message: Sendable {
        let entry: TraceEntry
        let kind: String
        let from: String
        let to: String
        let isNote: Bool
        /// The lifelines between which it lies.
        let low: Int
        let high: Int
        let direction: String
        /// How long after the first message it came; `nil` where no times are shown.
        let offset: String?
        let at: InstantText?
        let bytes: BytesText?
    }

    /// The lifelines of the journey that the messages happened on, in the order that its question travels.
    private static func parties(of messages: [TraceEntry], on journey: Journey?) -> [Party] {
        let roles = journey?.roles.map(\.party) ?? []
        let touched = Set(messages.flatMap { [$0.from, $0.to] })
        // Where each wallet has a line of its own, none stands for all of them.
        guard !touched.contains("wallet"), touched.contains(where: { $0.rawValue.hasPrefix("wallet:") }) else { return roles }
        return roles.filter { $0 != "wallet" }
    }

    /// As many lifelines as the style sheet knows places for. Further parties share the last one.
    static let mostParties = 10

    /// The names at the heads of the lifelines.
    let parties: [String]
    let messages: [Message]

    /// The messages of a story, with those lifelines of its journey too that no message touches.
    init(_ messages: [TraceEntry], on journeys: Journeys) {
        let journey = journeys.owner(of: Set(messages.flatMap(\.correlation.keys)))
        self.init(
            messages, standard: Self.parties(of: messages, on: journey), names: journeys.shortNames(on: journey), showsTime: true)
    }

    /// How a journey goes.
    init(exampleOf journey: Journey) {
        self.init(
            journey.example, standard: journey.roles.map(\.party), names: Journeys([journey]).shortNames(on: nil), showsTime: false)
    }

    /// - Parameters:
    ///   - standard: The lifelines that are drawn even where no message touches them.
    ///   - names: What parties are called; others go by the names that they report under.
    ///   - showsTime: Whether to show how long after the first message each one came.
    private init(_ messages: [TraceEntry], standard: [Party], names: [Party: String], showsTime: Bool) {
        var parties = standard
        for message in messages {
            for party in [message.from, message.to] where !parties.contains(party) { parties.append(party) }
        }
        let start = messages.map(\.at).min() ?? 0
        let places = Dictionary(uniqueKeysWithValues: parties.enumerated().map { ($1, min($0, Self.mostParties - 1)) })
        func name(_ party: Party) -> String { names[party] ?? party.rawValue }
        self.parties = Self.heads(parties.map(name))
        self.messages = messages.map { entry in
            let (from, to) = (places[entry.from] ?? 0, places[entry.to] ?? 0)
            return Message(
                entry: entry, kind: entry.kind.rawValue, from: name(entry.from), to: name(entry.to),
                isNote: entry.kind == .note || from == to, low: min(from, to), high: max(from, to),
                direction: from <= to ? "right" : "left", offset: showsTime ? InstantText.offset(entry.at, after: start) : nil,
                at: showsTime ? InstantText(entry.at) : nil, bytes: entry.bytes.map(BytesText.init(base64:)))
        }
    }

    private static func heads(_ names: [String]) -> [String] {
        guard names.count > mostParties else { return names }
        return names.prefix(mostParties - 1) + [names[(mostParties - 1)...].joined(separator: ", ")]
    }
}
