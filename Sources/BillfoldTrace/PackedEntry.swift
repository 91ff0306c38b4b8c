/// An entry as buffer and store keep it, in one piece of memory.
///
/// An entry has some twenty texts, and the store keeps tens of thousands of entries: taking and giving back memory for each text, long
/// after it has left the processor's caches, took longer than everything else that is done with an entry.
struct PackedEntry: Sendable {
    /// The place among all entries of the store, from 1; 0 until the store has grouped it.
    var sequence: UInt64 = 0
    /// What the entry takes in memory, roughly.
    let weight: Int
    private let bytes: [UInt8]

    init(_ entry: TraceEntry) {
        let size = Self.size(of: entry)
        bytes = [UInt8](unsafeUninitializedCapacity: size) { memory, count in
            var writer = Writer(memory: UnsafeMutableRawBufferPointer(memory))
            writer.add(entry.id)
            writer.add(UInt64(bitPattern: entry.at))
            writer.add(entry.from.rawValue)
            writer.add(entry.to.rawValue)
            writer.add(entry.kind.rawValue)
            writer.add(entry.title)
            writer.add(entry.bytes)
            writer.add(entry.problem)
            writer.add(UInt64(entry.correlation.count))
            for (namespace, value) in entry.correlation {
                writer.add(namespace)
                writer.add(value)
            }
            writer.add(UInt64(entry.fields.count))
            for field in entry.fields {
                writer.add(field.name)
                writer.add(field.value)
                writer.add(field.meaning)
            }
            count = writer.place
        }
        // With its places in the store's tables.
        weight = 256 + size
    }

    private static func size(of entry: TraceEntry) -> Int {
        func size(_ text: String?) -> Int { 8 + (text?.utf8.count ?? 0) }
        var total = 24 + size(entry.id) + size(entry.from.rawValue) + size(entry.to.rawValue) + size(entry.kind.rawValue)
        total += size(entry.title) + size(entry.bytes) + size(entry.problem)
        for (namespace, value) in entry.correlation { total += size(namespace) + size(value) }
        for field in entry.fields { total += size(field.name) + size(field.value) + size(field.meaning) }
        return total
    }

    var id: String {
        bytes.withUnsafeBytes { bytes in
            var reader = Reader(bytes: bytes)
            return reader.text()
        }
    }

    var arrival: TraceStory.Arrival { .init(sequence: sequence, entry: entry) }

    var entry: TraceEntry {
        bytes.withUnsafeBytes { bytes in
            var reader = Reader(bytes: bytes)
            let id = reader.text()
            let at = Int64(bitPattern: reader.number())
            let (from, to) = (Party(rawValue: reader.text()), Party(rawValue: reader.text()))
            let kind = TraceEntry.Kind(rawValue: reader.text()) ?? .note
            var entry = TraceEntry(id: id, at: at, from: from, to: to, kind: kind, title: reader.text())
            entry.bytes = reader.optionalText()
            entry.problem = reader.optionalText()
            for _ in 0..<reader.number() {
                let namespace = reader.text()
                entry.correlation[namespace] = reader.text()
            }
            for _ in 0..<reader.number() {
                let (name, value) = (reader.text(), reader.text())
                entry.fields.append(.init(name, value, meaning: reader.optionalText()))
            }
            return entry
        }
    }

    /// Numbers in eight bytes; a text as its length plus one and its UTF-8; no text as zero.
    private struct Writer {
        let memory: UnsafeMutableRawBufferPointer
        var place = 0

        mutating func add(_ number: UInt64) {
            memory.storeBytes(of: number, toByteOffset: place, as: UInt64.self)
            place += 8
        }

        mutating func add(_ text: String?) {
            guard var text else { return add(0 as UInt64) }
            text.withUTF8 { bytes in
                add(UInt64(bytes.count) + 1)
                UnsafeMutableRawBufferPointer(rebasing: memory[place..<place + bytes.count]).copyMemory(from: UnsafeRawBufferPointer(bytes))
                place += bytes.count
            }
        }
    }

    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var place = 0

        mutating func number() -> UInt64 {
            defer { place += 8 }
            return bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        }

        mutating func optionalText() -> String? {
            let length = Int(number())
            guard length > 0 else { return nil }
            defer { place += length - 1 }
            return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[place..<place + length - 1]), as: UTF8.self)
        }

        mutating func text() -> String { optionalText() ?? "" }
    }
}
