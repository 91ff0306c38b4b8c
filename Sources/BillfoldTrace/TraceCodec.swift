import Foundation

/// Entries as they travel between processes: a JSON array of ``TraceEntry``, keys sorted, as `POST /trace` takes it.
public struct TraceCodec: Sendable {
    /// The most entries one batch may hold.
    public var maximumEntries: Int
    /// The longest text, in UTF-8 bytes, that any one field of an entry may hold.
    public var maximumTextBytes: Int
    /// The most fields, and the most correlation ids, that one entry may carry.
    public var maximumFields: Int

    public init(maximumEntries: Int = 500, maximumTextBytes: Int = 64 * 1024, maximumFields: Int = 200) {
        self.maximumEntries = maximumEntries
        self.maximumTextBytes = maximumTextBytes
        self.maximumFields = maximumFields
    }

    public func encode(_ entries: [TraceEntry]) throws(TraceError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try Array(encoder.encode(entries))
        } catch {
            throw TraceError(code: .malformedBatch, reason: "an entry could not be encoded")
        }
    }

    /// Reads a batch, refusing one that is larger than this codec's limits before anything of it is kept.
    public func decode(_ bytes: some Sequence<UInt8>) throws(TraceError) -> [TraceEntry] {
        let (data, entries): (Data, [TraceEntry])
        do {
            data = Data(bytes)
            entries = try JSONDecoder().decode([TraceEntry].self, from: data)
        } catch {
            throw TraceError(code: .malformedBatch, reason: "the body is not a JSON array of trace entries")
        }
        guard entries.count <= maximumEntries else {
            throw TraceError(code: .limitExceeded, reason: "a batch holds at most \(maximumEntries) entries")
        }
        guard Self.isClosed(data) else {
            throw TraceError(code: .malformedBatch, reason: "an entry holds something that entries do not have")
        }
        for entry in entries { try check(entry) }
        return entries
    }

    /// Whether no entry has a key of which a decoder would say nothing.
    private static func isClosed(_ data: Data) -> Bool {
        let known: Set = ["id", "at", "from", "to", "kind", "title", "correlation", "fields", "bytes", "problem"]
        let entries = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]]
        return entries?.allSatisfy { entry in
            let fields = entry["fields"] as? [[String: Any]] ?? []
            return known.isSuperset(of: entry.keys) && fields.allSatisfy { Set(["name", "value", "meaning"]).isSuperset(of: $0.keys) }
        } == true
    }

    private func check(_ entry: TraceEntry) throws(TraceError) {
        guard !entry.id.isEmpty else { throw TraceError(code: .malformedBatch, reason: "an entry has no id") }
        guard entry.fields.count <= maximumFields, entry.correlation.count <= maximumFields else {
            throw TraceError(code: .limitExceeded, reason: "an entry holds at most \(maximumFields) fields")
        }
        var texts = [entry.id, entry.from.rawValue, entry.to.rawValue, entry.title, entry.bytes ?? "", entry.problem ?? ""]
        for (namespace, value) in entry.correlation { texts += [namespace, value] }
        for field in entry.fields { texts += [field.name, field.value, field.meaning ?? ""] }
        guard texts.allSatisfy({ $0.utf8.count <= maximumTextBytes }) else {
            throw TraceError(code: .limitExceeded, reason: "a text in an entry is longer than \(maximumTextBytes) bytes")
        }
    }
}
