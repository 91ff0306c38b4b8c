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
    static func parties(of messages: [TraceEntry]) -> [Party] {
        let namespaces = Set(messages.flatMap(\.correlation.keys))
        let roles = Journey.all.first { $0.isHere && $0.includes(namespaces: namespaces) }?.roles.map(\.party) ?? []
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

    /// - `standard`: The lifelines that are drawn even where no message touches them; nil for those of the messages' journey.
    /// - `showsTime`: Whether to show how long after the first message each one came.
    init(_ messages: [TraceEntry], standard: [Party]? = nil, showsTime: Bool = true) {
        var parties = standard ?? Self.parties(of: messages)
        for message in messages {
            for party in [message.from, message.to] where !parties.contains(party) { parties.append(party) }
        }
        let start = messages.map(\.at).min() ?? 0
        let places = Dictionary(uniqueKeysWithValues: parties.enumerated().map { ($1, min($0, Self.mostParties - 1)) })
        self.parties = Self.heads(parties)
        self.messages = messages.map { entry in
            let (from, to) = (places[entry.from] ?? 0, places[entry.to] ?? 0)
            return Message(
                entry: entry, kind: entry.kind.rawValue, from: Self.partyName(entry.from), to: Self.partyName(entry.to),
                isNote: entry.kind == .note || from == to, low: min(from, to), high: max(from, to),
                direction: from <= to ? "right" : "left", offset: showsTime ? InstantText.offset(entry.at, after: start) : nil,
                at: showsTime ? InstantText(entry.at) : nil, bytes: entry.bytes.map(BytesText.init(base64:)))
        }
    }

    private static func heads(_ parties: [Party]) -> [String] {
        guard parties.count > mostParties else { return parties.map(partyName) }
        return parties.prefix(mostParties - 1).map(partyName) + [parties[(mostParties - 1)...].map(partyName).joined(separator: ", ")]
    }

    private static func partyName(_ party: Party) -> String {
        switch party {
        case "phone": "Phone"
        case "wallet": "Wallet"
        case "shop": "Shop"
        case "merchant": "Merchant"
        case "unionpay": "UnionPay"
        case "bank-app": "Bank’s app"
        case "device": "Device"
        case "broker": "Broker"
        case "network": "Network"
        case "issuer": "Issuer"
        case "processor": "Processor"
        case "payer": "Customer"
        case "acquirer": "Acquirer"
        case "alipay-plus": "Alipay+"
        case "mini-program": "Mini program"
        case "container": "Container"
        case "super-app": "Super app"
        case "author": "Author"
        default: party.rawValue
        }
    }
}
