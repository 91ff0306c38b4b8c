import BillfoldTrace

/// Lays messages out between the lifelines of their parties.
///
/// The page is drawn by the style sheet: a message says between which lifelines it lies and which way it points, so the
/// diagram is there before any script has run.
struct SequenceDiagram {
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

    let parties: [Party]
    let messages: [TraceEntry]
    /// Whether to show how long after the first message each one came.
    var showsTime = true

    /// - `standard`: The lifelines that are drawn even where no message touches them; nil for those of the messages' journey.
    init(_ messages: [TraceEntry], standard: [Party]? = nil) {
        self.messages = messages
        var parties = standard ?? Self.parties(of: messages)
        for message in messages {
            for party in [message.from, message.to] where !parties.contains(party) { parties.append(party) }
        }
        self.parties = parties
    }

    var model: [String: Any] {
        let start = messages.map(\.at).min() ?? 0
        let places = Dictionary(uniqueKeysWithValues: parties.enumerated().map { ($1, min($0, Self.mostParties - 1)) })
        return [
            "partyCount": min(parties.count, Self.mostParties),
            "parties": Self.heads(parties),
            "messages": messages.map { message in
                Self.model(message, start: start, from: places[message.from] ?? 0, to: places[message.to] ?? 0, showsTime: showsTime)
            },
            "hasMessages": !messages.isEmpty,
        ]
    }

    private static func heads(_ parties: [Party]) -> [[String: Any]] {
        guard parties.count > mostParties else { return parties.map { ["name": partyName($0)] } }
        let shared = parties[(mostParties - 1)...].map(partyName).joined(separator: ", ")
        return parties.prefix(mostParties - 1).map { ["name": partyName($0)] } + [["name": shared]]
    }

    private static func model(_ message: TraceEntry, start: Int64, from: Int, to: Int, showsTime: Bool) -> [String: Any] {
        var model: [String: Any] = [
            "id": message.id, "kind": message.kind.rawValue, "title": message.title, "from": partyName(message.from),
            "to": partyName(message.to),
            "isNote": message.kind == .note || from == to, "low": min(from, to), "high": max(from, to),
            "direction": from <= to ? "right" : "left",
            "fields": message.fields.map { field in
                var model: [String: Any] = ["name": field.name, "value": field.value]
                model["meaning"] = field.meaning
                return model
            },
            "hasFields": !message.fields.isEmpty,
            "ids": message.correlation.sorted { $0.key < $1.key }.map { ["name": $0.key, "value": $0.value] },
            "hasIds": !message.correlation.isEmpty,
        ]
        if showsTime {
            model["offset"] = InstantText.offset(message.at, after: start)
            model["at"] = InstantText.utc(message.at)
            model["atMachine"] = InstantText.machine(message.at)
        }
        model["problem"] = message.problem
        if let bytes = message.bytes {
            let shown = BytesText(base64: bytes)
            model["bytes"] = ["text": shown.text, "size": shown.size, "isListing": shown.isListing] as [String: Any]
        }
        return model
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
