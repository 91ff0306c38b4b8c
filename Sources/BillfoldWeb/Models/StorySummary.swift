/// One story in a list: what it was about and whether anything went wrong.
package struct StorySummary: Sendable, Hashable {
    /// The story's id, as `/stories/{id}` takes it.
    package var id: String
    /// What people know it by, for example the order's reference.
    package var name: String
    package var messageCount: Int
    package var problemCount: Int
    /// Microseconds since 1970.
    package var startedAt: Int64
    /// The titles of its first messages.
    package var titles: [String]
    /// The order that the story is about, whose page shows the story too.
    package var order: String?

    package init(
        id: String, name: String, messageCount: Int, problemCount: Int, startedAt: Int64, titles: [String] = [], order: String? = nil
    ) {
        self.id = id
        self.name = name
        self.messageCount = messageCount
        self.problemCount = problemCount
        self.startedAt = startedAt
        self.titles = titles
        self.order = order
    }

    var model: [String: Any] {
        var model: [String: Any] = [
            "path": order.map { "/orders/\(PathSegment.encoded($0))" } ?? "/stories/\(PathSegment.encoded(id))", "name": name,
            "messages": messageCount,
            "startedAt": InstantText.utc(startedAt), "startedAtMachine": InstantText.machine(startedAt),
        ]
        if !titles.isEmpty { model["titles"] = titles.joined(separator: ", ") }
        if problemCount > 0 { model["problems"] = problemCount == 1 ? "1 problem" : "\(problemCount) problems" }
        return model
    }
}

/// One segment of a path, percent-encoded but for the unreserved characters of RFC 3986, section 2.3.
package enum PathSegment {
    package static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: return String(UnicodeScalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                return "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }.joined()
    }
}
