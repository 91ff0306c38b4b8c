import BillfoldJSON

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

    /// Writes a batch. Its limits are looked at by ``decode(_:)`` alone.
    public func encode(_ entries: [TraceEntry]) throws(TraceError) -> [UInt8] {
        do {
            return try JSONDocument.encode(entries)
        } catch {
            throw TraceError(code: .malformedBatch, reason: "an entry could not be encoded")
        }
    }

    /// Reads a batch, refusing one that is larger than this codec's limits before anything of it is kept. A member that is sent twice, or that
    /// entries do not have, is refused.
    public func decode(_ bytes: some Sequence<UInt8>) throws(TraceError) -> [TraceEntry] {
        let (batch, entries): (JSONValue, [TraceEntry])
        do {
            batch = try JSONReader.read(Array(bytes), maximumBytes: .max)
            entries = try JSONDocument.decode([TraceEntry].self, batch)
        } catch {
            throw TraceError(code: .malformedBatch, reason: "the body is not a strict JSON array of trace entries")
        }
        guard entries.count <= maximumEntries else {
            throw TraceError(code: .limitExceeded, reason: "a batch holds at most \(maximumEntries) entries")
        }
        guard Self.isClosed(batch) else {
            throw TraceError(code: .malformedBatch, reason: "an entry holds something that entries do not have")
        }
        for entry in entries { try check(entry) }
        return entries
    }

    /// Whether every member is one that the decoder reads.
    private static func isClosed(_ batch: JSONValue) -> Bool {
        (batch.array ?? []).allSatisfy { entry in
            holds(entry, only: ["id", "at", "from", "to", "kind", "title", "correlation", "fields", "bytes", "problem"])
                && (entry.object?["fields"]?.array ?? []).allSatisfy { holds($0, only: ["name", "value", "meaning"]) }
        }
    }

    private static func holds(_ value: JSONValue, only keys: Set<String>) -> Bool {
        value.object?.members.allSatisfy { keys.contains($0.key) } == true
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
