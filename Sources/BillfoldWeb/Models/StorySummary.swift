/// One story in a list: what it was about and whether anything went wrong.
package struct StorySummary: Sendable, Hashable {
    /// The page of the case that the story is about, which shows the story too; else its own.
    package let path: String
    package let name: String
    package let messageCount: Int
    package let problems: String?
    package let startedAt: InstantText
    package let titles: String?

    /// - Parameters:
    ///   - id: The story's, as `/stories/{id}` takes it.
    ///   - name: What people know it by, for example the order's reference.
    ///   - startedAt: Microseconds since 1970.
    ///   - titles: Of its first messages.
    ///   - casePath: The path of the page of the case that the story is about.
    package init(
        id: String, name: String, messageCount: Int, problemCount: Int, startedAt: Int64, titles: [String] = [], casePath: String? = nil
    ) {
        path = casePath ?? "/stories/\(PathSegment.encoded(id))"
        self.name = name
        self.messageCount = messageCount
        problems = Self.problems(problemCount)
        self.startedAt = InstantText(startedAt)
        self.titles = titles.isEmpty ? nil : titles.joined(separator: ", ")
    }

    static func problems(_ count: Int) -> String? { count == 0 ? nil : count == 1 ? "1 problem" : "\(count) problems" }
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
