/// How much of one message is kept. What a stranger sends, and what a protocol lets grow, ends here and not in memory.
public struct TraceLimits: Sendable, Hashable {
    /// The longest text, in UTF-8 bytes, 100 at least; what is longer is cut and says how long it was.
    public var textBytes: Int
    /// The longest message, in base64 letters, that is shown as sent; a longer one is shown by its fields alone.
    public var messageLetters: Int
    /// The most fields and the most correlation ids.
    public var fields: Int
    /// What the fields' texts may take together; the rest is left out, and the last field says so.
    public var fieldBytes: Int

    public init(textBytes: Int = 4_096, messageLetters: Int = 60_000, fields: Int = 200, fieldBytes: Int = 131_072) {
        self.textBytes = textBytes
        self.messageLetters = messageLetters
        self.fields = fields
        self.fieldBytes = fieldBytes
    }

    /// The entry within these limits: itself, nearly always.
    public func bounded(_ entry: TraceEntry) -> TraceEntry {
        guard !holds(entry) else { return entry }
        var entry = entry
        if let bytes = entry.bytes, bytes.utf8.count > messageLetters { entry.bytes = nil }
        entry.fields = bounded(entry.fields)
        // A cut id would tie what does not belong together.
        entry.correlation = entry.correlation.filter { $0.key.utf8.count <= 256 && $0.value.utf8.count <= 256 }
        if entry.correlation.count > fields { entry.correlation = [:] }
        entry.title = cut(entry.title)
        entry.problem = entry.problem.map(cut)
        return entry
    }

    private func holds(_ entry: TraceEntry) -> Bool {
        guard entry.fields.count <= fields, entry.correlation.count <= fields, entry.bytes.map({ $0.utf8.count <= messageLetters }) ?? true,
            entry.title.utf8.count <= textBytes, entry.problem.map({ $0.utf8.count <= textBytes }) ?? true,
            entry.correlation.allSatisfy({ $0.key.utf8.count <= 256 && $0.value.utf8.count <= 256 })
        else { return false }
        var bytes = 0
        for field in entry.fields {
            let (name, value, meaning) = (field.name.utf8.count, field.value.utf8.count, field.meaning?.utf8.count ?? 0)
            guard max(name, value, meaning) <= textBytes else { return false }
            bytes += name + value + meaning
        }
        return bytes <= fieldBytes
    }

    private func bounded(_ given: [TraceEntry.Field]) -> [TraceEntry.Field] {
        var kept: [TraceEntry.Field] = []
        var bytes = 0
        for field in given.prefix(fields) {
            let field = TraceEntry.Field(cut(field.name), cut(field.value), meaning: field.meaning.map(cut))
            bytes += field.name.utf8.count + field.value.utf8.count + (field.meaning?.utf8.count ?? 0)
            guard bytes <= fieldBytes else { break }
            kept.append(field)
        }
        guard kept.count < given.count else { return kept }
        kept = Array(kept.prefix(fields - 1))
        return kept + [.init("…", "\(given.count - kept.count) more fields")]
    }

    private func cut(_ text: String) -> String {
        guard text.utf8.count > textBytes else { return text }
        let note = "… (\(text.utf8.count) bytes)"
        // A letter that the cut goes through becomes a replacement character, which is three bytes long.
        return String(decoding: text.utf8.prefix(textBytes - note.utf8.count - 3), as: UTF8.self) + note
    }
}
